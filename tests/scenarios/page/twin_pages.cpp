#include "scratchpage/tests/scenarios/page/twin_pages.hpp"

#include <caf/send.hpp>

#include "scratchpage/actors/storage/archive_reader.hpp"
#include "scratchpage/actors/storage/journal.hpp"
#include "scratchpage/persistence/store/recovery.hpp"

namespace scratchpage::test {

namespace {

/// The ids of all candidates that a Frontal Cortex was offered, a line for each batch.
std::string offered_to(const cortex_log& x) {
  std::string result;
  for (const auto& batch : x.offered) {
    for (const auto& one : batch)
      result += one + " ";
    result += "\n";
  }
  return result;
}

} // namespace

void twin_pages::begin() {
  resting.keeps = std::make_shared<keepsakes>();
  for (auto* x : {&awake, &resting}) {
    journal_config with;
    with.fold_after = fold_after;
    x->owner = value(x->kept->claim("tester"));
    x->journal = make<journal_state>(x->kept, driver.clock(), with);
    x->archive = make<archive_reader>(x->kept, x->owner.agent, driver.clock());
    x->cortex = make<cortex_stub>(x->offers);
    open(*x, std::nullopt);
  }
}

void twin_pages::open(stored_page& x, const std::optional<after_rest>& goes_on) {
  auto with = setup;
  with.owner = x.owner;
  with.journal = x.journal;
  with.archive = x.archive;
  with.recovered = std::make_shared<const recovered_page>(value(recover(
    *x.kept, x.owner, setup.limits.log_capacity, unkept_changes(setup.durability), goes_on)));
  x.page = make<scratch_page_state>(
    agent_context{"tester", page_clock, x.trace, x.keeps}, std::move(with));
  value(ask(x.page, take_candidates{as_daemon("frontal_cortex"), x.cortex}));
  settle();
}

rest_verdict twin_pages::check() {
  settle();
  return value(ask(resting.page, rest_check{as_daemon("command"), {"team"}}));
}

void twin_pages::fall_asleep() {
  auto state = check();
  BOOST_REQUIRE_MESSAGE(state.may_rest, state.why_not);
  log_after_ = state.log_after;
  caf::anon_send_exit(resting.page, caf::exit_reason::user_shutdown);
  settle();
}

void twin_pages::wake_up() {
  open(resting, after_rest{log_after_});
  await_rest(); // as a host does
}

/// Changes that were made up for are on their way to storage.
void twin_pages::await_rest() {
  auto quiet = send(resting.page, await_quiet{as_daemon("command"), quiet_stage::ended});
  settle();
  while (!quiet->arrived() && driver.advance_to_next_deadline()) {
  }
  BOOST_REQUIRE(quiet->arrived());
}

void twin_pages::rest(timespan span) {
  fall_asleep();
  advance(span);
  wake_up();
}

std::string twin_pages::events_of(const stored_page& x, uint64_t after) {
  auto listener = new_probe();
  value(ask(x.page, order_of(listener, {}, after, false)));
  settle();
  std::string result;
  for (const auto& event : listener.log->events)
    result += to_text(json::value(to_json(event))) + "\n";
  end(listener);
  return result;
}

void twin_pages::compare_events(uint64_t after) {
  auto one = events_of(awake, after);
  compare(one, events_of(resting, after));
}

void twin_pages::compare_all() {
  auto counts = both(caf::get_atom_v);
  BOOST_REQUIRE(counts);
  both(asking(anything()));
  both(list_archive{as_daemon("reader"), {}, 1000, {}});
  compare_events(counts->oldest_sequence - 1);
  compare(offered_to(*awake.offers), offered_to(*resting.offers));
}

} // namespace scratchpage::test
