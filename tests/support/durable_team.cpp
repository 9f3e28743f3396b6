#include "scratchpage/tests/support/durable_team.hpp"

#include <algorithm>
#include <chrono>

#include <caf/send.hpp>

#include "scratchpage/actors/base/keepsakes.hpp"
#include "scratchpage/actors/storage/journal.hpp"
#include "scratchpage/messages/page_operations.hpp"
#include "scratchpage/persistence/store/sqlite_connection.hpp"
#include "scratchpage/persistence/stored_files/stored_file.hpp"
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
  setup.kept.files = std::make_shared<document_files>(storage, setup.kept.owner);
  kept = std::make_shared<keepsakes>();
  setup.rest = kept;
  start();
}

void durable_team::rest(timespan span) {
  constexpr timespan short_stay = std::chrono::seconds{5}; // after it was woken for what was due
  auto until = now() + span;
  for (fall_asleep(); due_ && *due_ < until; fall_asleep()) {
    advance(std::max(timespan::zero(), *due_ - now()));
    wake_up();
    advance(std::min(short_stay, std::max(timespan::zero(), until - now())));
  }
  advance(std::max(timespan::zero(), until - now()));
  wake_up();
}

void durable_team::fall_asleep() {
  settle();
  BOOST_TEST(!kept->is_working());
  auto page = value(ask(host->page(), rest_check{as_daemon("host"), host->team()}));
  BOOST_TEST(page.may_rest, page.why_not);
  due_ = page.next_deadline;
  if (auto other = kept->next_deadline(); other && (!due_ || *other < *due_))
    due_ = other;
  log_after_ = page.log_after;
  host.reset();
  settle();
}

void durable_team::wake_up() {
  auto owner = setup.kept.owner;
  setup.kept = value(recover_agent(storage, {journal}, "tester", setup.config, &owner, log_after_));
  setup.kept.files = std::make_shared<document_files>(storage, owner);
  kept->note_waking(setup.kept.page->sequence);
  start();
  settle();
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
