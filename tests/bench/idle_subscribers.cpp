#include "scratchpage/tests/bench/idle_subscribers.hpp"

#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include "scratchpage/actors/page/scratch_page.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/runtime/config/config.hpp"
#include "scratchpage/runtime/execution/wall_clock.hpp"
#include "scratchpage/tests/bench/median.hpp"

namespace scratchpage::bench {

namespace {

using clock = std::chrono::steady_clock;

constexpr size_t idle_ones = 1'000;
constexpr size_t window = 8'192; ///< messages that the publisher may be ahead
constexpr size_t chunk = 512;

enum class beside { nobody, equal, distinct, stalled };

struct run_figures {
  double per_second = 0;
  double bytes_each = 0;
};

observation_draft make_draft(size_t n) {
  observation_draft draft;
  draft.type = n % 2 == 0 ? "contextual_insight" : "tool_result";
  draft.content = "The search for flight " + std::to_string(n) + " to Paris found three seats left";
  draft.confidence = 0.8;
  draft.tags = {"travel", "flight", "paris"};
  draft.context["goal_id"] = "goal_" + std::to_string(n % 100);
  return draft;
}

/// A filter that matches nothing, of the kind that a reader of one goal, turn, tag or tool uses.
observation_filter idle_filter(size_t n) {
  auto name = "nothing_" + std::to_string(n);
  observation_filter x;
  switch (n % 4) {
  case 0:
    x.tags = {name};
    break;
  case 1:
    x.context["goal_id"] = name;
    break;
  case 2:
    x.turn_id = name;
    break;
  default:
    x.source = {name};
  }
  return x;
}

/// A subscriber that counts events, and wakes the publisher once a chunk.
class listener {
public:
  using handle = subscriber_actor;
  static constexpr const char* name = "listener";

  listener(handle::pointer, std::shared_ptr<std::atomic<size_t>> heard)
    : heard_{std::move(heard)} {}

  handle::behavior_type make_behavior() {
    return {[this](const event_batch& batch) {
      auto before = heard_->fetch_add(batch.events.size());
      if (before / chunk != (before + batch.events.size()) / chunk)
        heard_->notify_one();
    }};
  }

private:
  std::shared_ptr<std::atomic<size_t>> heard_;
};

/// A subscriber that never acknowledges.
class stalled {
public:
  using handle = subscriber_actor;
  static constexpr const char* name = "stalled";

  explicit stalled(handle::pointer self)
    : self_{self} {}

  handle::behavior_type make_behavior() {
    return {[this](const event_batch&) -> caf::result<void> {
      never_ = self_->make_response_promise<void>();
      return never_;
    }};
  }

private:
  handle::pointer self_;
  caf::typed_response_promise<void> never_;
};

/// A page and its subscribers.
class bench_page {
public:
  explicit bench_page(size_t messages) {
    const auto& with = default_config();
    page_setup setup{with.page, with.weights, with.text, with.promotion};
    setup.limits.max_observations = messages;
    setup.limits.log_capacity = 4 * window; // large enough that no reader lags
    page_ = spawn<scratch_page_state>(
      sys_, agent_context{"bench", std::make_shared<wall_clock>(), nullptr}, std::move(setup));
    subscribe_one(spawn<listener>(sys_, heard_), {});
    wait_for_page();
  }

  ~bench_page() {
    caf::anon_send_exit(page_, caf::exit_reason::user_shutdown);
    for (const auto& x : subscribers_)
      caf::anon_send_exit(x, caf::exit_reason::user_shutdown);
  }
  bench_page(const bench_page&) = delete;
  bench_page& operator=(const bench_page&) = delete;

  /// Adds the subscribers. Returns the bytes of heap that the page needs for each.
  double let_in(beside who) {
    std::vector<subscriber_actor> all;
    for (size_t i = 0; i < (who == beside::stalled ? 1 : idle_ones); ++i)
      all.push_back(who == beside::stalled ? spawn<stalled>(sys_) : spawn<listener>(sys_, heard_));
    auto before = heap_in_use();
    for (size_t i = 0; i < all.size(); ++i)
      subscribe_one(all[i],
        who == beside::stalled ? observation_filter{} : idle_filter(who == beside::equal ? 0 : i));
    wait_for_page();
    return (heap_in_use() - before) / static_cast<double>(all.size());
  }

  double adds_per_second(size_t messages) {
    std::vector<add_observation> floods;
    floods.reserve(messages);
    for (size_t n = 0; n < messages; ++n)
      floods.push_back({as_tool("flight_search", "turn_1"), make_draft(n)});
    auto started = clock::now();
    for (size_t sent = 0; sent < messages;) {
      for (auto end = sent + chunk; sent < end; ++sent)
        anon_tell(page_, std::move(floods[sent]));
      if (sent > window)
        wait_until_heard(sent - window);
    }
    wait_until_heard(messages);
    return static_cast<double>(messages)
           / std::chrono::duration<double>(clock::now() - started).count();
  }

private:
  static double heap_in_use() {
    auto info = mallinfo2();
    return static_cast<double>(info.uordblks + info.hblkhd);
  }

  void subscribe_one(const subscriber_actor& who, observation_filter filter) {
    subscribers_.push_back(who);
    anon_tell(page_, subscribe{as_daemon("listener"), who, std::move(filter), {}, false});
  }

  void wait_for_page() {
    caf::scoped_actor self{sys_};
    scratchpage::ask(self.ptr(), page_, caf::infinite, caf::get_atom_v)
      .receive([](const page_stats&) {}, [](const caf::error&) {});
  }

  void wait_until_heard(size_t count) {
    for (auto heard = heard_->load(); heard < count; heard = heard_->load())
      heard_->wait(heard);
  }

  caf::actor_system_config cfg_;
  caf::actor_system sys_{cfg_};
  std::shared_ptr<std::atomic<size_t>> heard_ = std::make_shared<std::atomic<size_t>>(0);
  scratch_page_actor page_;
  std::vector<subscriber_actor> subscribers_;
};

run_figures run(size_t messages, beside who) {
  bench_page page{messages};
  run_figures result;
  if (who != beside::nobody)
    result.bytes_each = page.let_in(who);
  result.per_second = page.adds_per_second(messages);
  return result;
}

} // namespace

idle_figures idle_subscribers(size_t messages) {
  messages -= messages % chunk; // a multiple, so that the last chunk wakes the publisher
  constexpr int rounds = 9;
  idle_figures result;
  std::vector<double> alone, equal, distinct, stalled;
  // Runs alternate, and each is compared with the mean of the runs without others just before and
  // after it, so that other load on the machine affects all alike.
  auto before = run(messages, beside::nobody).per_second;
  auto against = [&](beside who, double* bytes) {
    auto x = run(messages, who);
    auto after = run(messages, beside::nobody).per_second;
    auto ratio = 2 * x.per_second / (before + after);
    alone.push_back(before = after);
    if (bytes != nullptr)
      *bytes = x.bytes_each;
    return ratio;
  };
  for (int round = 0; round < rounds; ++round) {
    equal.push_back(against(beside::equal, &result.bytes_equal));
    distinct.push_back(against(beside::distinct, &result.bytes_distinct));
    stalled.push_back(against(beside::stalled, nullptr));
  }
  result.adds_per_s = median(alone);
  result.beside_equal = median(equal);
  result.beside_distinct = median(distinct);
  result.beside_stalled = median(stalled);
  return result;
}

} // namespace scratchpage::bench
