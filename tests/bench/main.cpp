// Measures the figures of docs/performance.md in one run, each under its name:
//   fanout6              six filtered subscribers of a page, and a bare CAF fan-out
//   idle_subscribers     a page's adds beside a thousand subscribers that match none of them
//   query_tags_1m        two tags (AND), limit 10, exact total, a million live rows
//   expire_1m            a million deadlines, all different, through a page
//   overhead             bytes of heap per observation beyond its payload
//   durable_adds         adds that are durable when answered, and bare SQLite
//   postgres_adds        commits to a PostgreSQL server of its own, and bare rows in it
//   recovery_1m          seconds until a page with a million live observations answers
//   transcripts_100      the conversations of a file, on virtual time
//   turns                turns of an agent with all its daemons, whose trace is stored
//   policies             what the policies of a turn take together, in the same conversations
//   locomo_notes         recall at 10 of the notes and turns that answer questions
// The figures are counters; the time column shows how long measuring took. With
// --summary FILE they are written as one flat JSON object.

#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <benchmark/benchmark.h>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/json/json_text.hpp"
#include "scratchpage/messages/type_ids.hpp"
#include "scratchpage/runtime/cli/process.hpp"
#include "scratchpage/tests/bench/durable_adds.hpp"
#include "scratchpage/tests/bench/fanout.hpp"
#include "scratchpage/tests/bench/idle_subscribers.hpp"
#include "scratchpage/tests/bench/index_figures.hpp"
#include "scratchpage/tests/bench/locomo.hpp"
#include "scratchpage/tests/bench/page_expiry.hpp"
#include "scratchpage/tests/bench/policy_figures.hpp"
#include "scratchpage/tests/bench/postgres_adds.hpp"
#include "scratchpage/tests/bench/transcripts.hpp"
#include "scratchpage/tests/bench/turn_figures.hpp"
#include "scratchpage/tests/bench/view_figures.hpp"

namespace {

using namespace scratchpage;

std::map<std::string, double> figures;

void tell(benchmark::State& state, const std::string& name, double value) {
  figures[name] = value;
  state.counters[name] = value;
}

void measure_fanout(benchmark::State& state) {
  while (state.KeepRunning()) {
    auto x = bench::fanout(200'000);
    tell(state, "fanout6_deliveries_per_s", x.page);
    tell(state, "fanout6_traced_deliveries_per_s", x.page_traced);
    tell(state, "caf_fanout6_deliveries_per_s", x.caf);
    tell(state, "fanout6_vs_caf", x.page / x.caf);
    tell(state, "fanout6_traced_vs_caf", x.page_traced / x.caf);
    tell(state, "fanout6_seen_vs_traced", x.share_seen);
  }
}

void measure_idle(benchmark::State& state) {
  while (state.KeepRunning()) {
    auto x = bench::idle_subscribers(200'000);
    tell(state, "page_adds_per_s", x.adds_per_s);
    tell(state, "page_adds_beside_1000_equal", x.beside_equal);
    tell(state, "page_adds_beside_1000_distinct", x.beside_distinct);
    tell(state, "page_adds_beside_stalled", x.beside_stalled);
    tell(state, "idle_subscriber_bytes", x.bytes_equal);
    tell(state, "idle_subscriber_distinct_bytes", x.bytes_distinct);
  }
}

void measure_query(benchmark::State& state) {
  while (state.KeepRunning()) {
    auto x = bench::query_tags(1'000'000);
    tell(state, "query_tags_1m_p50_us", x.p50_us);
    tell(state, "query_tags_1m_p99_us", x.p99_us);
  }
}

/// Sets glibc's allocator as the program does, but only from here on: the bare fan-out, which
/// runs before, would be slower without glibc's fast bins.
void measure_expiry(benchmark::State& state) {
  calm_allocator();
  while (state.KeepRunning()) {
    auto x = bench::page_expiry(1'000'000);
    tell(state, "expire_1m_max_pause_ms", std::max(x.max_pause_ms, x.max_pause_overdue_ms));
    tell(state, "expire_1m_worst_ms", x.worst_ms);
    tell(state, "expire_1m_per_s", x.per_second);
  }
}

void measure_overhead(benchmark::State& state) {
  while (state.KeepRunning())
    tell(state, "overhead_bytes_per_observation", bench::overhead_bytes_per_observation(1'000'000));
}

void measure_durable(benchmark::State& state) {
  while (state.KeepRunning()) {
    auto x = bench::durable_adds(256'000);
    tell(state, "fdatasync_p50_us", x.sync_us);
    tell(state, "fdatasync_p99_us", x.sync_p99_us);
    tell(state, "sqlite_rows_256_per_s", x.sqlite_256);
    tell(state, "sqlite_rows_64_per_s", x.sqlite_64);
    tell(state, "durable_adds_1024_per_s", x.adds_1024);
    tell(state, "durable_adds_64_per_s", x.adds_64);
    tell(state, "durable_1024_vs_sqlite_256", x.adds_1024 / x.sqlite_256);
    tell(state, "durable_64_vs_sqlite_64", x.adds_64 / x.sqlite_64);
    tell(state, "durable_lone_p50_us", x.lone_p50_us);
    tell(state, "durable_lone_p99_us", x.lone_p99_us);
    tell(state, "query_idle_journal_p50_us", x.query_idle_p50_us);
    tell(state, "query_busy_journal_p50_us", x.query_busy_p50_us);
    tell(state, "durable_lone_p99_vs_fdatasync", x.lone_p99_us / x.sync_us);
  }
}

void measure_postgres(benchmark::State& state) {
  while (state.KeepRunning())
    try {
      auto x = bench::postgres_adds(300);
      tell(state, "postgres_round_trips_per_commit", x.round_trips);
      tell(state, "postgres_64_agents_ms", x.commit_ms);
      tell(state, "postgres_lone_ms", x.lone_ms);
      tell(state, "postgres_64_rows_ms", x.rows_ms);
      tell(state, "postgres_64_agents_vs_rows", x.commit_ms / x.rows_ms);
    } catch (const std::exception& x) { // it is not installed
      state.SkipWithError(x.what());
    }
}

void measure_recovery(benchmark::State& state) {
  while (state.KeepRunning())
    tell(state, "recovery_1m_s", bench::recovery_seconds(1'000'000));
}

void measure_view(benchmark::State& state) {
  while (state.KeepRunning()) {
    auto few = bench::render_views(40);
    tell(state, "view_40_us", few.render_us);
    tell(state, "view_40_vs_counting", few.render_us / few.count_us);
    tell(state, "view_10k_ms", bench::render_views(10'000).render_us / 1'000);
  }
}

/// With the allocator as the program sets it.
void measure_turns(benchmark::State& state) {
  calm_allocator();
  while (state.KeepRunning()) {
    auto x = bench::run_turns(8'000);
    tell(state, "turns_a_second", x.per_second);
    tell(state, "turns_a_second_one_by_one", x.one_by_one);
    tell(state, "turn_processor_us", x.processor_us);
    tell(state, "trace_entries_a_turn", x.trace_entries);
  }
}

void measure_transcripts(benchmark::State& state, const std::string& file) {
  while (state.KeepRunning()) {
    auto seconds = bench::play_transcripts(file);
    if (!seconds) {
      state.SkipWithError(describe(seconds.error()).c_str());
      return;
    }
    tell(state, "transcripts_100_s", *seconds);
  }
}

void measure_policies(benchmark::State& state, const std::string& file) {
  while (state.KeepRunning()) {
    auto x = bench::decide_turns(file);
    if (!x) {
      state.SkipWithError(describe(x.error()).c_str());
      return;
    }
    tell(state, "policies_of_turn_p50_us", x->p50_us);
    tell(state, "policies_of_turn_p99_us", x->p99_us);
  }
}

void measure_locomo(benchmark::State& state, const std::string& file) {
  while (state.KeepRunning()) {
    auto x = bench::measure_locomo(file);
    if (!x) {
      state.SkipWithError(describe(x.error()).c_str());
      return;
    }
    tell(state, "locomo_notes_recall_at_10", x->notes.recall_at_10);
    tell(state, "locomo_turns_recall_at_10", x->turns.recall_at_10);
  }
}

/// Removes `--name VALUE` or `--name=VALUE` from the arguments. Returns the value, or "".
std::string take_option(std::vector<char*>& args, std::string_view name) {
  for (size_t i = 1; i < args.size(); ++i) {
    std::string_view word{args[i]};
    if (word == name && i + 1 < args.size()) {
      std::string value{args[i + 1]};
      args.erase(args.begin() + static_cast<long>(i), args.begin() + static_cast<long>(i) + 2);
      return value;
    }
    if (word.starts_with(std::string{name} + "=")) {
      std::string value{word.substr(name.size() + 1)};
      args.erase(args.begin() + static_cast<long>(i));
      return value;
    }
  }
  return {};
}

int write_summary(const std::string& file) {
  json::object all;
  for (const auto& [name, value] : figures)
    all[name] = value;
  std::ofstream out{file};
  out << to_pretty_text(all) << '\n';
  if (out.flush())
    return 0;
  std::cerr << "cannot write " << file << '\n';
  return 1;
}

} // namespace

int main(int argc, char** argv) {
  init_messages();
  std::vector<char*> args{argv, argv + argc};
  auto summary = take_option(args, "--summary");
  auto transcripts = take_option(args, "--transcripts");
  auto locomo = take_option(args, "--locomo");
  auto once = [](benchmark::internal::Benchmark* x) { x->Iterations(1)->Unit(benchmark::kSecond); };
  once(benchmark::RegisterBenchmark("fanout6", measure_fanout));
  once(benchmark::RegisterBenchmark("idle_subscribers", measure_idle));
  once(benchmark::RegisterBenchmark("query_tags_1m", measure_query));
  once(benchmark::RegisterBenchmark("expire_1m", measure_expiry));
  once(benchmark::RegisterBenchmark("overhead", measure_overhead));
  once(benchmark::RegisterBenchmark("durable_adds", measure_durable));
  once(benchmark::RegisterBenchmark("postgres_adds", measure_postgres));
  once(benchmark::RegisterBenchmark("recovery_1m", measure_recovery));
  once(benchmark::RegisterBenchmark("scratchbook_view", measure_view));
  once(benchmark::RegisterBenchmark("turns", measure_turns));
  if (!transcripts.empty()) {
    once(benchmark::RegisterBenchmark("transcripts_100",
      [&](benchmark::State& state) { measure_transcripts(state, transcripts); }));
    once(benchmark::RegisterBenchmark(
      "policies", [&](benchmark::State& state) { measure_policies(state, transcripts); }));
  }
  if (!locomo.empty())
    once(benchmark::RegisterBenchmark(
      "locomo_notes", [&](benchmark::State& state) { measure_locomo(state, locomo); }));
  int count = static_cast<int>(args.size());
  benchmark::Initialize(&count, args.data());
  if (benchmark::ReportUnrecognizedArguments(count, args.data()))
    return 2;
  benchmark::RunSpecifiedBenchmarks();
  return summary.empty() ? 0 : write_summary(summary);
}
