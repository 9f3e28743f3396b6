#include "scratchpage/tests/bench/fanout.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <caf/actor_cast.hpp>
#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/event_based_actor.hpp>

#include "scratchpage/actors/page/scratch_page.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/runtime/config/config.hpp"
#include "scratchpage/runtime/execution/wall_clock.hpp"
#include "scratchpage/tests/bench/audience.hpp"
#include "scratchpage/tests/bench/median.hpp"

namespace scratchpage::bench {

namespace {

constexpr size_t subscribers = 6;
using clock = std::chrono::steady_clock;

/// How many messages the publisher may be ahead of the subscribers' average, so that neither
/// queue grows without bound.
constexpr size_t window = 8'192;
constexpr size_t chunk = 512;

/// Counts the deliveries to all subscribers.
class arrivals {
public:
  /// Wakes the publisher only once a chunk, so that single deliveries do not
  /// wake it more often than batches do.
  void pass(size_t count) {
    auto before = seen_.fetch_add(count);
    if (before / chunk != (before + count) / chunk)
      seen_.notify_one();
  }

  /// Waits until `count` deliveries were counted.
  void wait_for(size_t count) {
    for (auto seen = seen_.load(); seen < count; seen = seen_.load())
      seen_.wait(seen);
  }

private:
  std::atomic<size_t> seen_{0};
};

/// Sends all messages, a chunk at a time, and waits until all have arrived.
template <class Handle, class Message>
clock::duration send_all(const Handle& to, std::vector<Message>& messages, arrivals& seen) {
  auto started = clock::now();
  for (size_t sent = 0; sent < messages.size();) {
    for (auto end = std::min(sent + chunk, messages.size()); sent < end; ++sent)
      anon_tell(to, std::move(messages[sent]));
    if (sent > window)
      seen.wait_for((sent - window) * subscribers);
  }
  seen.wait_for(messages.size() * subscribers);
  return clock::now() - started;
}

/// Drops all entries, so that the sink's memory does not affect the measurement.
class no_trace : public trace_sink {
public:
  void write(trace_entry) override {}
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

/// Six filters of different kinds. Each matches every message.
observation_filter filter_of(size_t i) {
  observation_filter x;
  switch (i) {
  case 0:
    x.type = {"tool_result", "contextual_insight"};
    break;
  case 1:
    x.tags = {"paris", "travel"};
    break;
  case 2:
    x.min_confidence = 0.5;
    break;
  case 3:
    x.source = {"flight_search"};
    break;
  case 4:
    x.owner = {"agent"};
    break;
  default:
    x.turn_id = "turn_1";
  }
  return x;
}

subscriber_actor count_batches(caf::actor_system& sys, const std::shared_ptr<arrivals>& seen) {
  return sys.spawn([seen]() -> subscriber_actor::behavior_type {
    return {[seen](const event_batch& batch) { seen->pass(batch.events.size()); }};
  });
}

double per_second(size_t messages, clock::duration took) {
  return static_cast<double>(messages * subscribers) / std::chrono::duration<double>(took).count();
}

double through_page(
  size_t messages, std::shared_ptr<trace_sink> trace, audience* people = nullptr) {
  caf::actor_system_config cfg;
  caf::actor_system sys{cfg};
  const auto& with = default_config();
  page_setup setup{with.page, with.weights, with.text, with.promotion};
  setup.limits.max_observations = messages;
  setup.limits.log_capacity = 4 * window; // large enough that no subscriber lags
  agent_context agent{"bench", std::make_shared<wall_clock>(), std::move(trace)};
  auto page = spawn<scratch_page_state>(sys, agent, std::move(setup));
  if (people != nullptr)
    people->watch(sys, page);
  auto seen = std::make_shared<arrivals>();
  std::vector<subscriber_actor> listeners;
  for (size_t i = 0; i < subscribers; ++i) {
    listeners.push_back(count_batches(sys, seen));
    anon_tell(page, subscribe{as_daemon("listener"), listeners.back(), filter_of(i), {}, true});
  }
  std::vector<add_observation> floods;
  floods.reserve(messages);
  for (size_t n = 0; n < messages; ++n)
    floods.push_back({as_tool("flight_search", "turn_1"), make_draft(n)});
  auto took = send_all(page, floods, *seen);
  if (people != nullptr)
    people->leave();
  caf::anon_send_exit(page, caf::exit_reason::user_shutdown);
  for (const auto& x : listeners)
    caf::anon_send_exit(x, caf::exit_reason::user_shutdown);
  return per_second(messages, took);
}

double through_page_seen(size_t messages) {
  audience people;
  return through_page(messages, people.trace(), &people);
}

double bare(size_t messages) {
  caf::actor_system_config cfg;
  caf::actor_system sys{cfg};
  auto seen = std::make_shared<arrivals>();
  std::vector<caf::actor> listeners;
  for (size_t i = 0; i < subscribers; ++i)
    listeners.push_back(sys.spawn([seen](caf::event_based_actor*) -> caf::behavior {
      return {[seen](const observation_ptr&) { seen->pass(1); }};
    }));
  auto hub = sys.spawn([listeners](caf::event_based_actor* self) -> caf::behavior {
    return {[self, listeners](const observation_ptr& x) {
      for (const auto& to : listeners)
        tell(self, to, x);
    }};
  });
  std::vector<observation_ptr> floods;
  floods.reserve(messages);
  for (size_t n = 0; n < messages; ++n) {
    observation x;
    x.content = make_draft(n).content;
    floods.emplace_back(std::move(x));
  }
  auto took = send_all(hub, floods, *seen);
  caf::anon_send_exit(hub, caf::exit_reason::user_shutdown);
  for (const auto& x : listeners)
    caf::anon_send_exit(x, caf::exit_reason::user_shutdown);
  return per_second(messages, took);
}

/// The share of deliveries that is left while a page is viewed. Single runs differ by a third,
/// so this takes the median of many, each compared with runs just before and after it.
double share_seen(size_t messages) {
  constexpr int rounds = 15;
  auto alone = [&] { return through_page(messages, std::make_shared<no_trace>()); };
  std::vector<double> shares;
  for (int round = 0; round < rounds; ++round) {
    auto before = alone();
    auto seen = through_page_seen(messages) + through_page_seen(messages);
    shares.push_back(seen / (before + alone()));
  }
  return median(shares);
}

} // namespace

fanout_figures fanout(size_t messages) {
  messages -= messages % chunk; // a multiple, so that the last chunk wakes the publisher
  fanout_figures result;
  // Runs alternate, and the best of five counts, so that other load on the machine affects all
  // alike.
  for (int round = 0; round < 5; ++round) {
    result.caf = std::max(result.caf, bare(messages));
    result.page = std::max(result.page, through_page(messages, nullptr));
    result.page_traced =
      std::max(result.page_traced, through_page(messages, std::make_shared<no_trace>()));
  }
  result.share_seen = share_seen(messages);
  return result;
}

} // namespace scratchpage::bench
