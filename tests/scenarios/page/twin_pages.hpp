#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "scratchpage/actors/base/keepsakes.hpp"
#include "scratchpage/persistence/store/recovery.hpp"
#include "scratchpage/persistence/store/store.hpp"
#include "scratchpage/tests/scenarios/page/page_fixture.hpp"
#include "scratchpage/tests/support/memory_store.hpp"

/// Two pages that get the same requests. One of them rests in between, and nobody can tell which.

namespace scratchpage::test {

/// A page with all that stays while it rests: its store, its journal, its archive, its trace and
/// its keepsakes.
struct stored_page {
  std::shared_ptr<memory_store> kept = std::make_shared<memory_store>();
  std::shared_ptr<memory_trace> trace = std::make_shared<memory_trace>();
  std::shared_ptr<keepsakes> keeps; ///< null: the page never rests
  std::shared_ptr<cortex_log> offers = std::make_shared<cortex_log>();
  ownership owner;
  journal_actor journal;
  archive_actor archive;
  frontal_cortex_actor cortex;
  scratch_page_actor page;
};

/// An answer as a text, so that all of it is compared.
template <class T>
std::string text_of_answer(const caf::expected<T>& x) {
  if (!x)
    return describe(x.error());
  if constexpr (std::is_void_v<T>)
    return "done";
  else
    return to_text(json::value(to_json(*x)));
}

/// How far the index of words is, and what it takes, is work in the background and no answer.
inline std::string text_of_answer(caf::expected<page_stats> x) {
  if (x)
    x->text_bytes = x->waiting_texts = 0;
  return text_of_answer<page_stats>(x);
}

/// Tests change `setup`, and then call `begin`. The members of `page_fixture` that use its own page
/// are not used.
struct twin_pages : page_fixture {
  stored_page awake;
  stored_page resting;
  uint64_t fold_after = 4; ///< so that the journal's snapshot is never far behind

  /// Starts both pages.
  void begin();

  /// What the resting page says about a rest.
  rest_verdict check();

  /// Ends the resting page, which has to be able to rest, and starts it again after that time.
  void rest(timespan span = {});
  /// The same in two steps; only requests to `awake` are possible in between.
  void fall_asleep();
  void wake_up();

  /// Both pages have to give the same answer, which is returned.
  template <class Request>
  auto both(const Request& x) {
    auto one = page_fixture::ask(awake.page, x);
    auto other = page_fixture::ask(resting.page, x);
    compare(text_of_answer(one), text_of_answer(other));
    return one;
  }

  auto add_to_both(observation_draft x, const caller& by = as_daemon("planner")) {
    return both(add_observation{by, std::move(x)});
  }

  auto change_both(
    unsigned number, observation_changes changes, const caller& by = as_daemon("planner")) {
    update_observation request;
    request.by = by;
    request.observation_id = id(number);
    request.changes = std::move(changes);
    return both(request);
  }

  /// Compares all that can be seen without changing anything: counters, observations, the archive,
  /// all events that are still there, and what was offered to the Frontal Cortex.
  void compare_all();

  /// Compares the events after a sequence.
  void compare_events(uint64_t after);

  /// Compares two answers, first that of `awake`. Tests of properties replace it.
  std::function<void(const std::string&, const std::string&)> compare =
    [](const std::string& one, const std::string& other) { BOOST_TEST(other == one); };

  std::string events_of(const stored_page& x, uint64_t after);

private:
  void open(stored_page& x, const std::optional<after_rest>& goes_on);
  void await_rest();

  uint64_t log_after_ = 0;
};

} // namespace scratchpage::test
