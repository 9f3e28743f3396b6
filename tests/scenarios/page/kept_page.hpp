#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include <caf/send.hpp>

#include "scratchpage/actors/storage/archive_reader.hpp"
#include "scratchpage/actors/storage/journal.hpp"
#include "scratchpage/persistence/store/recovery.hpp"
#include "scratchpage/tests/scenarios/page/page_fixture.hpp"
#include "scratchpage/tests/support/memory_store.hpp"

namespace scratchpage::test {

/// A page on a store. Tests can end it and begin it again.
struct kept_page : page_fixture {
  std::shared_ptr<memory_store> kept = std::make_shared<memory_store>();
  journal_config journal_limits;
  std::map<std::string, bool> goals; // the stored goals, and whether each is open
  journal_actor journal_of_store;

  kept_page() { journal_limits.fold_after = 4; }

  void begin() {
    setup.owner = value(kept->claim("tester"));
    auto found = value(
      recover(*kept, setup.owner, setup.limits.log_capacity, unkept_changes(setup.durability)));
    found.goals = goals;
    setup.recovered = std::make_shared<const recovered_page>(std::move(found));
    journal_of_store = make<journal_state>(kept, driver.clock(), journal_limits);
    setup.journal = journal_of_store;
    setup.archive = make<archive_reader>(kept, setup.owner.agent, driver.clock());
    start();
    settle();
  }

  void stop() {
    caf::anon_send_exit(page, caf::exit_reason::user_shutdown);
    caf::anon_send_exit(journal_of_store, caf::exit_reason::user_shutdown);
    settle();
  }

  auto start_add(observation_draft draft) {
    auto answer = send(page, add_observation{as_daemon("planner"), std::move(draft)});
    settle();
    return answer;
  }

  void restart() {
    stop();
    begin();
  }

  /// The state that callers see, except for subscribers and the counts of the process itself.
  std::string state() {
    auto counts = stats();
    counts.subscribers = 0;
    counts.archived = 0;        // a new process counts from 0
    counts.oldest_sequence = 0; // the log of a new process begins empty
    counts.epoch = 0;
    counts.text_bytes = counts.waiting_texts = 0; // texts are indexed after a while
    auto result = to_text(to_json(counts));
    for (const auto& x : query(asking(anything())).observations)
      result += "\n" + text_of(*x);
    return result;
  }
};

} // namespace scratchpage::test
