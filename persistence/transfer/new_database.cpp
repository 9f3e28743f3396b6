#include "scratchpage/persistence/transfer/new_database.hpp"

#include <system_error>
#include <utility>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/files/data_directory.hpp"
#include "scratchpage/persistence/files/synced_file.hpp"
#include "scratchpage/persistence/store/commit_mark.hpp"
#include "scratchpage/persistence/store/sql_connection.hpp"
#include "scratchpage/persistence/transfer/pack_files.hpp"
#include "scratchpage/persistence/transfer/temporary_database.hpp"

namespace scratchpage {

namespace fs = std::filesystem;

struct new_database::state {
  state(data_directory of, bool is_new)
    : directory{std::move(of)},
      is_new_directory{is_new},
      part{directory.database().string() + ".part"} {}

  data_directory directory;
  bool is_new_directory;
  bool is_kept = false;
  temporary_database part;
};

new_database::new_database(std::unique_ptr<state> x)
  : state_{std::move(x)} {}

new_database::new_database(new_database&&) noexcept = default;

new_database::~new_database() {
  if (!state_ || state_->is_kept || !state_->is_new_directory)
    return;
  auto directory = state_->directory.path();
  state_.reset();
  std::error_code ignored;
  fs::remove(directory / "lock", ignored);
  fs::remove(directory, ignored); // which is empty now
}

caf::expected<new_database> new_database::open(const fs::path& directory, std::string_view option) {
  std::error_code ec;
  auto is_new = !fs::exists(directory, ec);
  auto has_database = [&] { return fs::exists(data_directory::database_in(directory), ec); };
  auto refused = fail(errc::invalid_request, option,
    "expected a directory without a database, but there is one in " + directory.string());
  if (has_database())
    return refused;
  if (auto files = data_directory::files_in(directory); fs::exists(files, ec))
    return fail(errc::invalid_request, option,
      "expected a directory without files of agents, but there is " + files.string());
  auto opened = data_directory::open(directory);
  if (!opened)
    return opened.error();
  if (has_database()) // somebody has made it meanwhile
    return refused;
  return new_database{std::make_unique<state>(std::move(*opened), is_new)};
}

fs::path new_database::file() const {
  return state_->part.path();
}

caf::error new_database::keep() {
  try { // one that was left here is not of this database
    begin_mark(file(), state_->directory.database());
  } catch (const sql::failure& x) {
    return fail(errc::storage_unavailable, "", x.what());
  }
  if (auto err = publish(file(), state_->directory.database()))
    return err;
  state_->is_kept = true;
  return unpack_files_of(state_->directory);
}

} // namespace scratchpage
