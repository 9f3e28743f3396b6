#include "scratchpage/persistence/travel/new_database.hpp"

#include <system_error>
#include <utility>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/data_directory.hpp"
#include "scratchpage/persistence/travel/synced_file.hpp"

namespace scratchpage {

namespace fs = std::filesystem;

struct new_database::state {
  data_directory directory;
  bool is_new_directory = false;
  bool is_kept = false;

  fs::path file() const { return directory.database().string() + ".part"; }

  /// What an earlier process left, or this one.
  void remove_files() const {
    std::error_code ignored;
    for (const auto* end : {"", "-wal", "-shm", "-journal"})
      fs::remove(file().string() + end, ignored);
  }
};

new_database::new_database(std::unique_ptr<state> x)
  : state_{std::move(x)} {}

new_database::new_database(new_database&&) noexcept = default;

new_database::~new_database() {
  if (!state_)
    return;
  state_->remove_files();
  if (state_->is_kept || !state_->is_new_directory)
    return;
  std::error_code ignored;
  fs::remove(state_->directory.path() / "lock", ignored);
  fs::remove(state_->directory.path(), ignored); // which is empty now
}

caf::expected<new_database> new_database::open(const fs::path& directory) {
  std::error_code ec;
  auto is_new = !fs::exists(directory, ec);
  auto has_database = [&] { return fs::exists(data_directory::database_in(directory), ec); };
  auto refused = fail(errc::invalid_request, "--data",
    "expected a directory without a database, but there is one in " + directory.string());
  if (has_database())
    return refused;
  auto opened = data_directory::open(directory);
  if (!opened)
    return opened.error();
  if (has_database()) // somebody has made it meanwhile
    return refused;
  new_database result{std::unique_ptr<state>{new state{std::move(*opened), is_new}}};
  result.state_->remove_files();
  return result;
}

fs::path new_database::file() const {
  return state_->file();
}

caf::error new_database::keep() {
  if (auto err = publish(file(), state_->directory.database()))
    return err;
  state_->is_kept = true;
  return {};
}

} // namespace scratchpage
