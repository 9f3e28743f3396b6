#include "scratchpage/runtime/storage.hpp"

#include <utility>

#include "scratchpage/messages/compat.hpp"
#include "scratchpage/persistence/store/sql_store.hpp"
#include "scratchpage/persistence/store/sqlite_connection.hpp"

namespace scratchpage {

caf::expected<storage> storage::open(const std::string& where) {
  auto directory = data_directory::open(where);
  if (!directory)
    return directory.error();
  auto opened = sql_store::open(sql::sqlite(directory->database()));
  if (!opened)
    return opened.error();
  storage result;
  result.directory.emplace(std::move(*directory));
  result.store = std::move(*opened);
  return result;
}

journal_actor storage::spawn_journal(caf::actor_system& system,
  std::shared_ptr<const scratchpage::clock> clock, const journal_config& with) const {
  return spawn_detached<journal_state>(system, store, std::move(clock), with);
}

} // namespace scratchpage
