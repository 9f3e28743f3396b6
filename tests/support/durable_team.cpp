#include "scratchpage/tests/support/durable_team.hpp"

#include <caf/send.hpp>

#include "scratchpage/actors/base/keepsakes.hpp"
#include "scratchpage/actors/storage/journal.hpp"
#include "scratchpage/persistence/store/sqlite_connection.hpp"
#include "scratchpage/runtime/host/ensemble.hpp"
#include "scratchpage/runtime/host/hosted_setup.hpp"

namespace scratchpage::test {

durable_team::durable_team()
  : disk{value(sql_store::open(sql::sqlite(path() / "scratchpage.db")))},
    storage{std::make_shared<faulty_store>(*disk)} {}

durable_team::~durable_team() {
  end();
}

void durable_team::begin() {
  journal = virtual_time::make<journal_state>(storage, driver.clock(), journal_config{});
  setup.kept = value(recover_agent(storage, {journal}, "tester", setup.config));
  kept = std::make_shared<keepsakes>();
  setup.rest = kept;
  start();
}

void durable_team::rest() {
  settle();
  BOOST_TEST(!kept->is_working());
  host.reset();
  settle();
  auto owner = setup.kept.owner;
  setup.kept = value(recover_agent(storage, {journal}, "tester", setup.config, &owner));
  kept->note_waking(setup.kept.page->sequence);
  start();
}

void durable_team::end() {
  if (kept)
    kept->drop();
  host.reset();
  settle();
  caf::anon_send_exit(journal, caf::exit_reason::user_shutdown);
  settle();
}

std::string durable_team::stored_bytes() const {
  return read("scratchpage.db") + read("scratchpage.db-wal");
}

} // namespace scratchpage::test
