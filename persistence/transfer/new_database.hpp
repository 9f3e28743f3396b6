#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

#include <caf/expected.hpp>

namespace scratchpage {

/// A data directory whose database is still being made, beside the name that it
/// will have: it appears there when it is whole, and nothing is left of it if it
/// never is, of the directory neither if that is new.
class new_database {
public:
  /// Makes the directory if it is not there, and keeps others out of it. Errors:
  /// `invalid_request` on `option`, if it has a database, or files that may be of
  /// one; `storage_unavailable`,
  /// which says why it cannot be used, or who does.
  static caf::expected<new_database> open(
    const std::filesystem::path& directory, std::string_view option = "--data");

  new_database(new_database&&) noexcept;
  new_database& operator=(new_database&&) = delete;
  ~new_database();

  /// What to write into.
  std::filesystem::path file() const;

  /// Gives it its name, and then writes the files that it holds to where they
  /// belong. Nobody uses it any more, so that all of it is in the one file. Error:
  /// `storage_unavailable`; if it is of a file, the database is there all the same,
  /// and who opens it writes them again.
  caf::error keep();

private:
  struct state;
  explicit new_database(std::unique_ptr<state> x);

  std::unique_ptr<state> state_;
};

} // namespace scratchpage
