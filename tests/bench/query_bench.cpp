// Measures the index alone:
//   query_tags   two tags (AND), limit 10, exact total, over a million live rows
//   insert       into all indexes
//   overhead     bytes of heap per observation beyond its payload
//   expire       a million deadlines, all different
//   query_text   four words, common and rare, over 10^5 and 10^6 rows
// Each is measured once and shown as counters; ignore the time column.

#include <benchmark/benchmark.h>

#include "scratchpage/messages/type_ids.hpp"
#include "scratchpage/tests/bench/index_figures.hpp"

namespace {

using namespace scratchpage;

void query_tags(benchmark::State& state) {
  while (state.KeepRunning()) {
    auto figures = bench::query_tags(static_cast<size_t>(state.range(0)));
    state.counters["p50_us"] = figures.p50_us;
    state.counters["p99_us"] = figures.p99_us;
    state.counters["mean_total"] = figures.mean_total;
  }
}

void insert(benchmark::State& state) {
  while (state.KeepRunning())
    state.counters["ns"] = bench::insert_ns(static_cast<size_t>(state.range(0)));
}

void overhead(benchmark::State& state) {
  while (state.KeepRunning())
    state.counters["bytes"] =
      bench::overhead_bytes_per_observation(static_cast<size_t>(state.range(0)));
}

void expire(benchmark::State& state) {
  while (state.KeepRunning()) {
    auto figures = bench::expire(static_cast<size_t>(state.range(0)), state.range(1) != 0);
    state.counters["mean_ns"] = figures.mean_ns;
    state.counters["max_slice_us"] = figures.max_slice_us;
  }
}

void query_text(benchmark::State& state) {
  while (state.KeepRunning()) {
    auto figures = bench::query_text(static_cast<size_t>(state.range(0)));
    state.counters["index_ns"] = figures.index_ns;
    state.counters["common_ms"] = figures.common_ms;
    state.counters["rare_ms"] = figures.rare_ms;
  }
}

BENCHMARK(query_tags)->Arg(1'000'000)->Iterations(1)->Unit(benchmark::kSecond);
BENCHMARK(insert)->Arg(10'000)->Arg(1'000'000)->Iterations(1)->Unit(benchmark::kSecond);
BENCHMARK(overhead)->Arg(100'000)->Arg(1'000'000)->Iterations(1)->Unit(benchmark::kSecond);
BENCHMARK(expire)
  ->ArgNames({"rows", "with_text"})
  ->Args({1'000'000, 0})
  ->Args({1'000'000, 1})
  ->Iterations(1)
  ->Unit(benchmark::kSecond);
BENCHMARK(query_text)->Arg(100'000)->Arg(1'000'000)->Iterations(1)->Unit(benchmark::kSecond);

} // namespace

int main(int argc, char** argv) {
  scratchpage::init_messages();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv))
    return 1;
  benchmark::RunSpecifiedBenchmarks();
}
