#include "scratchpage/tests/bench/http_figures.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "scratchpage/tests/bench/audience.hpp"
#include "scratchpage/tests/bench/http_load.hpp"
#include "scratchpage/tests/bench/median.hpp"
#include "scratchpage/tests/runtime/cli/commands/running_server.hpp"
#include "scratchpage/tests/support/temp_dir.hpp"

namespace scratchpage::bench {

namespace {

constexpr size_t idle_streams = 1'000;

/// A server's configuration; `collector`: the URL to export traces to, or "".
std::string configuration(const std::string& collector = {}) {
  return R"({
    "durability": {"durability": "async"},
    "page": {"max_observations": 2000000, "max_bytes": 4294967296},
    "trace": {"keep": false},
    "telemetry": {"otlp_endpoint": ")"
         + collector + R"("},
    "http": {"max_connections": 4000, "max_connections_per_peer": 4000, "max_streams": 3000,
      "max_streams_per_caller": 3000}
  })";
}

/// Raises the limit of descriptors, because both ends of all connections are in this process.
void allow_many_files() {
  rlimit x{};
  ::getrlimit(RLIMIT_NOFILE, &x);
  x.rlim_cur = std::min<rlim_t>(x.rlim_max, 8'192);
  ::setrlimit(RLIMIT_NOFILE, &x);
}

/// The queries of the streams. All but the last match nothing; the last matches every event.
std::vector<std::string> stream_queries() {
  std::vector<std::string> result(idle_streams, "?tags=nothing");
  result.emplace_back("");
  return result;
}

const http_load as_fast{.lasts = std::chrono::milliseconds{1'000}};
constexpr int rounds = 5;

/// Measures adds a second. First waits two seconds at a low rate, because the journal still works
/// when the last add before was answered.
double rate_of(uint16_t port) {
  add_over_http(port, {.per_second = 10, .lasts = std::chrono::milliseconds{2'000}});
  return add_over_http(port, as_fast).per_second;
}

/// Servers of one measurement. Each measurement has new pages, because a full page is slower.
class servers {
public:
  test::running_server& begin(const std::string& name, const std::string& collector = {}) {
    auto data = (directory_.path() / name).string();
    auto config = directory_.file(name + ".json", configuration(collector));
    all_.push_back(
      std::make_unique<test::running_server>(data, std::vector<std::string>{"--config", config}));
    add_over_http(all_.back()->port(), as_fast); // warms the server up
    return *all_.back();
  }

private:
  test::temp_dir directory_;
  std::vector<std::unique_ptr<test::running_server>> all_;
};

/// Here and below, runs of both kinds alternate, so that other load on the machine affects both
/// alike.
void measure_rate(http_figures& result) {
  servers all;
  auto port = all.begin("rate").port();
  std::vector<double> alone{rate_of(port)}, shares;
  auto beside = [&] {
    open_streams streams{port, stream_queries()};
    return rate_of(port);
  };
  for (int round = 0; round < rounds; ++round) {
    auto share = 2 * beside();
    alone.push_back(rate_of(port));
    shares.push_back(share / (alone.back() + *(alone.end() - 2)));
  }
  result.adds_per_s = median(alone);
  result.beside_streams = median(shares);
}

void measure_half_rate(http_figures& result) {
  servers all;
  auto port = all.begin("half").port();
  http_load half{.per_second = result.adds_per_s / 2, .lasts = std::chrono::milliseconds{1'500}};
  auto p99 = [&] { // the second load counts, after changes have settled
    add_over_http(port, half);
    return add_over_http(port, half).p99_ms;
  };
  std::vector<double> alone, beside;
  for (int round = 0; round < rounds; ++round) {
    alone.push_back(p99());
    open_streams streams{port, stream_queries()};
    beside.push_back(p99());
  }
  result.p99_ms = median(alone);
  result.p99_beside_ms = median(beside);
}

/// Compares a server that is viewed with one that is not, under the same load.
void measure_viewers(http_figures& result) {
  collector to;
  servers all;
  auto plain = all.begin("plain").port();
  auto seen = all.begin("seen", to.url()).port();
  std::vector<double> watched, followed;
  for (int round = 0; round < 9; ++round) {
    auto alone = rate_of(plain);
    auto share_beside = [&](const char* query) {
      read_streams streams{seen, std::vector<std::string>(viewers, query)};
      return rate_of(seen) / alone;
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
  http_figures result;
  measure_rate(result);
  measure_half_rate(result);
  measure_viewers(result);
  return result;
}

} // namespace scratchpage::bench
