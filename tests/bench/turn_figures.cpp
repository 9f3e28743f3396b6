#include "scratchpage/tests/bench/turn_figures.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <time.h>

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/store/sqlite_connection.hpp"
#include "scratchpage/persistence/trace/stored_trace.hpp"
#include "scratchpage/runtime/execution/job_queue.hpp"
#include "scratchpage/runtime/execution/wall_clock.hpp"
#include "scratchpage/runtime/host/ensemble.hpp"
#include "scratchpage/tests/support/temp_dir.hpp"

namespace scratchpage::bench {

namespace {

constexpr size_t clients = 8;

constexpr std::array<std::string_view, 6> inputs{
  "Find me a flight from Berlin to Paris on Friday, please",
  "What is the weather like in Lisbon tomorrow?",
  "Please book a table for four at the Italian place near the station",
  "I need to send the report to my manager before noon",
  "My name is Ann, and I prefer a seat at the window",
  "Could you check whether the parcel has arrived yet?"};

/// Answers at once.
tool_definition search_tool() {
  tool_definition result;
  result.manifest.tool_id = "search";
  result.manifest.description = "Looks something up";
  result.kind = function_tool{[](const tool_request& x) {
    tool_response answer;
    answer.request_id = x.request_id;
    answer.outputs["found"] = json::array{"SP 114", "SP 220"};
    return answer;
  }};
  return result;
}

begin_turn turn_of(size_t client, size_t n) {
  begin_turn result;
  result.thread_id = "thread_" + std::to_string(client);
  result.user_id = "user_" + std::to_string(client);
  result.input = inputs[n % inputs.size()];
  planned_call call;
  call.call_id = "call_1";
  call.tool_id = "search";
  call.inputs["about"] = result.input;
  result.plan.push_back(std::move(call));
  return result;
}

/// Counts the entries that pass to the stored trace.
class counted_trace : public trace_sink {
public:
  explicit counted_trace(std::shared_ptr<stored_trace> next)
    : next_{std::move(next)} {}

  void write(trace_entry entry) override {
    count_.fetch_add(1, std::memory_order_relaxed);
    next_->write(std::move(entry));
  }

  bool mask_with(const std::shared_ptr<const pii_masker>& masker) override {
    return next_->mask_with(masker);
  }

  size_t count() const { return count_; }

private:
  std::shared_ptr<stored_trace> next_;
  std::atomic<size_t> count_{0};
};

std::shared_ptr<stored_trace> open_trace(const test::temp_dir& in) {
  auto opened = trace_store::open(sql::sqlite(in.path() / "trace.db"));
  if (!opened)
    throw std::runtime_error{describe(opened.error())};
  return std::make_shared<stored_trace>(std::shared_ptr<trace_store>{std::move(*opened)}, "agent",
    1, std::make_shared<wall_clock>(), trace_config{});
}

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

template <class F>
double seconds_of(F f) {
  auto started = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
}

struct queue_config : caf::actor_system_config {
  queue_config() { use_shared_queue(*this); }
};

/// An agent with all its daemons, on threads as the program's, whose trace is stored.
class traced_team {
public:
  traced_team() {
    if (auto err = team_.ready())
      throw std::runtime_error{describe(err)};
  }

  /// Runs turns of one client, one after the other.
  void run(size_t client, size_t turns) const {
    for (size_t n = 0; n < turns; ++n) {
      auto ended = team_.run_turn(turn_of(client, n));
      if (!ended)
        throw std::runtime_error{describe(ended.error())};
      if (ended->status == turn_status::timed_out)
        throw std::runtime_error{"a turn took longer than its deadline"};
    }
  }

  /// Runs turns of as many clients at once, and waits until their trace is stored.
  void run_all(size_t clients, size_t turns_of_each) const {
    {
      std::vector<std::jthread> threads;
      for (size_t i = 0; i < clients; ++i)
        threads.emplace_back([this, i, turns_of_each] { run(i, turns_of_each); });
    }
    stored_->flush();
  }

  size_t trace_entries() const { return trace_->count(); }

private:
  static ensemble_setup setup_with(std::shared_ptr<trace_sink> trace) {
    ensemble_setup result;
    result.tools.push_back(search_tool());
    result.trace = std::move(trace);
    return result;
  }

  test::temp_dir where_;
  queue_config cfg_;
  caf::actor_system system_{cfg_};
  std::shared_ptr<stored_trace> stored_ = open_trace(where_);
  std::shared_ptr<counted_trace> trace_ = std::make_shared<counted_trace>(stored_);
  ensemble team_{system_, setup_with(trace_)};
};

} // namespace

turn_run_figures run_turns(size_t turns) {
  traced_team team;
  team.run(0, turns / 8); // so that the page has observations
  turn_run_figures result;
  auto alone = turns / 4;
  result.one_by_one = static_cast<double>(alone) / seconds_of([&] { team.run(0, alone); });
  auto entries = team.trace_entries();
  auto processor = processor_seconds();
  auto each = turns / clients;
  auto took = seconds_of([&] { team.run_all(clients, each); });
  auto count = static_cast<double>(each * clients);
  result.per_second = count / took;
  result.processor_us = (processor_seconds() - processor) / count * 1e6;
  result.trace_entries = static_cast<double>(team.trace_entries() - entries) / count;
  return result;
}

turn_rate run_turns(size_t turns, size_t at_once) {
  traced_team team;
  team.run(0, 20); // not measured
  auto entries = team.trace_entries();
  auto took = seconds_of([&] { team.run_all(at_once, turns / at_once); });
  auto count = static_cast<double>(turns / at_once * at_once);
  return {count / took, static_cast<double>(team.trace_entries() - entries) / count};
}

} // namespace scratchpage::bench
