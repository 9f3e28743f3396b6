#include "scratchpage/tests/bench/fanout.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include <caf/actor_cast.hpp>
#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/event_based_actor.hpp>

#include "scratchpage/actors/page/scratch_page.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/runtime/config.hpp"
#include "scratchpage/runtime/wall_clock.hpp"

namespace scratchpage::bench {

namespace {

constexpr size_t subscribers = 6;
using clock = std::chrono::steady_clock;

/// Counts what arrives anywhere, and says when it is all.
class finish_line {
public:
  explicit finish_line(size_t expected)
    : left_{expected} {}

  void pass(size_t count) {
    if (left_.fetch_sub(count) == count)
      reached_.set_value();
  }

  void wait() { reached_.get_future().wait(); }

private:
  std::atomic<size_t> left_;
  std::promise<void> reached_;
};

/// What goes to the bin: its own memory is not what is measured.
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

/// Six filters of six kinds; each lets every message through.
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

subscriber_actor count_batches(caf::actor_system& sys, std::shared_ptr<finish_line> finish) {
  return sys.spawn([finish]() -> subscriber_actor::behavior_type {
    return {[finish](const event_batch& batch) { finish->pass(batch.events.size()); }};
  });
}

double per_second(size_t messages, clock::duration took) {
  return static_cast<double>(messages * subscribers) / std::chrono::duration<double>(took).count();
}

double through_page(size_t messages, std::shared_ptr<trace_sink> trace) {
  caf::actor_system_config cfg;
  caf::actor_system sys{cfg};
  const auto& with = default_config();
  page_setup setup{with.page, with.weights, with.text, with.promotion, nullptr};
  setup.limits.max_observations = messages;
  setup.limits.log_capacity = messages; // the flood is written before it is acknowledged
  agent_context agent{"bench", std::make_shared<wall_clock>(), std::move(trace)};
  auto page = spawn<scratch_page_state>(sys, agent, std::move(setup));
  auto finish = std::make_shared<finish_line>(messages * subscribers);
  std::vector<subscriber_actor> listeners;
  for (size_t i = 0; i < subscribers; ++i) {
    listeners.push_back(count_batches(sys, finish));
    anon_tell(page, subscribe{as_daemon("listener"), listeners.back(), filter_of(i), {}, true});
  }
  std::vector<add_observation> floods;
  floods.reserve(messages);
  for (size_t n = 0; n < messages; ++n)
    floods.push_back({as_tool("flight_search", "turn_1"), make_draft(n)});
  auto started = clock::now();
  for (auto& one : floods)
    anon_tell(page, std::move(one));
  finish->wait();
  auto took = clock::now() - started;
  caf::anon_send_exit(page, caf::exit_reason::user_shutdown);
  for (const auto& x : listeners)
    caf::anon_send_exit(x, caf::exit_reason::user_shutdown);
  return per_second(messages, took);
}

double bare(size_t messages) {
  caf::actor_system_config cfg;
  caf::actor_system sys{cfg};
  auto finish = std::make_shared<finish_line>(messages * subscribers);
  std::vector<caf::actor> listeners;
  for (size_t i = 0; i < subscribers; ++i)
    listeners.push_back(sys.spawn([finish](caf::event_based_actor*) -> caf::behavior {
      return {[finish](const observation_ptr&) { finish->pass(1); }};
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
  auto started = clock::now();
  for (auto& one : floods)
    anon_tell(hub, std::move(one));
  finish->wait();
  auto took = clock::now() - started;
  caf::anon_send_exit(hub, caf::exit_reason::user_shutdown);
  for (const auto& x : listeners)
    caf::anon_send_exit(x, caf::exit_reason::user_shutdown);
  return per_second(messages, took);
}

} // namespace

fanout_figures fanout(size_t messages) {
  fanout_figures result;
  // Interleaved and the best of three: what else the machine does slows all alike.
  for (int round = 0; round < 3; ++round) {
    result.caf = std::max(result.caf, bare(messages));
    result.page = std::max(result.page, through_page(messages, nullptr));
    result.page_traced =
      std::max(result.page_traced, through_page(messages, std::make_shared<no_trace>()));
  }
  return result;
}

} // namespace scratchpage::bench
