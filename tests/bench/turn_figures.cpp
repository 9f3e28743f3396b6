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

void run(const ensemble& team, size_t client, size_t turns) {
  for (size_t n = 0; n < turns; ++n) {
    auto ended = team.run_turn(turn_of(client, n));
    if (!ended)
      throw std::runtime_error{describe(ended.error())};
    if (ended->status == turn_status::timed_out)
      throw std::runtime_error{"a turn took longer than its deadline"};
  }
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

} // namespace

turn_run_figures run_turns(size_t turns) {
  test::temp_dir where;
  queue_config cfg;
  caf::actor_system system{cfg};
  auto stored = open_trace(where);
  auto trace = std::make_shared<counted_trace>(stored);
  ensemble_setup setup;
  setup.tools.push_back(search_tool());
  setup.trace = trace;
  ensemble team{system, std::move(setup)};
  if (auto err = team.ready())
    throw std::runtime_error{describe(err)};
  run(team, 0, turns / 8); // so that the page has observations
  turn_run_figures result;
  auto alone = turns / 4;
  result.one_by_one = static_cast<double>(alone) / seconds_of([&] { run(team, 0, alone); });
  auto entries = trace->count();
  auto processor = processor_seconds();
  auto each = turns / clients;
  auto took = seconds_of([&] {
    std::vector<std::jthread> threads;
    for (size_t i = 0; i < clients; ++i)
      threads.emplace_back([&team, i, each] { run(team, i, each); });
    threads.clear();
    stored->flush();
  });
  auto count = static_cast<double>(each * clients);
  result.per_second = count / took;
  result.processor_us = (processor_seconds() - processor) / count * 1e6;
  result.trace_entries = static_cast<double>(trace->count() - entries) / count;
  return result;
}

} // namespace scratchpage::bench
