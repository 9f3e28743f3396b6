#include "scratchpage/tests/bench/http_figures.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "scratchpage/tests/bench/audience.hpp"
#include "scratchpage/tests/bench/http_load.hpp"
#include "scratchpage/tests/bench/median.hpp"
#include "scratchpage/tests/commands/running_server.hpp"
#include "scratchpage/tests/support/temp_dir.hpp"

namespace scratchpage::bench {

namespace {

constexpr size_t idle_streams = 1'000;

/// With a collector of traces, if one is named.
std::string configuration(const std::string& collector = {}) {
  return R"({
    "durability": {"durability": "async"},
    "page": {"max_observations": 2000000},
    "trace": {"keep": false},
    "telemetry": {"otlp_endpoint": ")"
         + collector + R"("},
    "http": {"max_connections": 4000, "max_streams": 3000}
  })";
}

/// Both ends of all connections are in this process.
void allow_many_files() {
  rlimit x{};
  ::getrlimit(RLIMIT_NOFILE, &x);
  x.rlim_cur = std::min<rlim_t>(x.rlim_max, 8'192);
  ::setrlimit(RLIMIT_NOFILE, &x);
}

/// All but the last are idle; that wants everything, and is never read.
std::vector<std::string> stream_queries() {
  std::vector<std::string> result(idle_streams, "?tags=nothing");
  result.emplace_back("");
  return result;
}

const http_load as_fast{.lasts = std::chrono::milliseconds{1'000}};

/// A server for people beside one for nobody, both with the same load.
void measure_viewers(http_figures& result) {
  test::temp_dir directory;
  collector to;
  auto begin = [&](const std::string& name, const std::string& sends_to) {
    return std::make_unique<test::running_server>((directory.path() / name).string(),
      std::vector<std::string>{
        "--config", directory.file(name + ".json", configuration(sends_to))});
  };
  auto plain = begin("plain", "");
  auto seen = begin("seen", to.url());
  for (auto* x : {&plain, &seen})
    add_over_http((*x)->port(), as_fast);
  std::vector<double> watched, followed;
  for (int round = 0; round < 9; ++round) {
    auto alone = add_over_http(plain->port(), as_fast).per_second;
    auto share_beside = [&](const char* query) {
      read_streams streams{seen->port(), std::vector<std::string>(viewers, query)};
      return add_over_http(seen->port(), as_fast).per_second / alone;
    };
    watched.push_back(share_beside(viewer_query));
    followed.push_back(share_beside(""));
  }
  result.watched = median(watched);
  result.followed = median(followed);
}

} // namespace

http_figures adds_over_http() {
  allow_many_files();
  test::temp_dir directory;
  test::running_server server{(directory.path() / "data").string(),
    {"--config", directory.file("config.json", configuration())}};
  add_over_http(server.port(), as_fast); // nothing is new afterwards
  std::vector<double> alone, ratios;
  // In turn, and not all of one after all of the other: what else the machine does
  // concerns both.
  for (int round = 0; round < 5; ++round) {
    alone.push_back(add_over_http(server.port(), as_fast).per_second);
    open_streams streams{server.port(), stream_queries()};
    ratios.push_back(add_over_http(server.port(), as_fast).per_second / alone.back());
  }
  http_figures result;
  result.adds_per_s = median(alone);
  result.beside_streams = median(ratios);
  http_load half{.per_second = result.adds_per_s / 2, .lasts = std::chrono::milliseconds{1'500}};
  auto p99 = [&] { // when those that came or went before are forgotten
    add_over_http(server.port(), half);
    return add_over_http(server.port(), half).p99_ms;
  };
  std::vector<double> p99_alone, p99_beside;
  for (int round = 0; round < 5; ++round) {
    p99_alone.push_back(p99());
    open_streams streams{server.port(), stream_queries()};
    p99_beside.push_back(p99());
  }
  result.p99_ms = median(p99_alone);
  result.p99_beside_ms = median(p99_beside);
  measure_viewers(result);
  return result;
}

} // namespace scratchpage::bench
