#include "scratchpage/runtime/net/http/server_config.hpp"

#include <algorithm>

#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include "scratchpage/messages/config_check.hpp"

namespace scratchpage::http {

namespace {

constexpr auto mebibyte = 1'048'576.0;

/// Bytes for the path of a Unix domain socket, with the zero at its end (sockaddr_un).
constexpr size_t socket_path_room = 108;

void check_span(config_check& check, std::string_view field, timespan x) {
  constexpr auto day = 24.0 * 3'600'000.0;
  check.range(field, in_milliseconds(x), 1, day);
}

constexpr uint64_t usual_reserve = 256;
/// A server that has just started has 25 descriptors open.
constexpr uint64_t least_reserve = 40;
/// A higher limit is of no use and slows the start of programs, which closes all descriptors.
constexpr rlim_t max_wanted = 65'536;

} // namespace

caf::error validate(const server_config& x) {
  config_check check{"http"};
  check.require(!x.address.empty(), "address", "an IPv4 or IPv6 address")
    .require(x.socket_path.size() < socket_path_room, "socket_path", "at most 107 bytes")
    .require(x.certificate_file.empty() == x.key_file.empty(), "key_file",
      "a key with a certificate, and neither without the other")
    .require(x.socket_path.empty() || x.certificate_file.empty(), "certificate_file",
      "none for a local socket")
    .range("threads", static_cast<double>(x.threads), 1, 64)
    .range("max_connections", static_cast<double>(x.max_connections), 1, 1e6)
    .range("max_connections_per_peer", static_cast<double>(x.max_connections_per_peer), 1, 1e6)
    .range("max_streams", static_cast<double>(x.max_streams), 0, 1e6)
    .range("max_streams_per_caller", static_cast<double>(x.max_streams_per_caller), 0, 1e6)
    .range("max_header_bytes", static_cast<double>(x.max_header_bytes), 256, mebibyte)
    .range("max_target_bytes", static_cast<double>(x.max_target_bytes), 16,
      static_cast<double>(x.max_header_bytes))
    .range("max_body_bytes", static_cast<double>(x.max_body_bytes), 0, 1024 * mebibyte)
    .range("max_bodies_bytes", static_cast<double>(x.max_bodies_bytes),
      static_cast<double>(x.max_body_bytes), 1e15)
    .range("max_waiting_bytes", static_cast<double>(x.max_waiting_bytes), 1024, 1024 * mebibyte)
    .range("max_answer_bytes", static_cast<double>(x.max_answer_bytes), 1024, 1024 * mebibyte)
    .range("max_batch_bytes", static_cast<double>(x.max_batch_bytes),
      static_cast<double>(x.max_answer_bytes), 1024 * mebibyte)
    .range("max_answers_bytes", static_cast<double>(x.max_answers_bytes),
      2 * static_cast<double>(x.max_batch_bytes), 1e15) // a batch is joined from its answers
    .range("refusal_pause_ms", in_milliseconds(x.refusal_pause), 0, 60'000)
    .range("requests_per_second", x.requests_per_second, 0, 1e6)
    .range("request_burst", static_cast<double>(x.request_burst), 1, 1e6)
    .range("max_peers", static_cast<double>(x.max_peers), 1, 1e6);
  check_span(check, "header_timeout_ms", x.header_timeout);
  check_span(check, "body_timeout_ms", x.body_timeout);
  check_span(check, "idle_timeout_ms", x.idle_timeout);
  check_span(check, "write_timeout_ms", x.write_timeout);
  check_span(check, "answer_timeout_ms", x.answer_timeout);
  return check.error();
}

uint64_t connection_limit(const server_config& x) {
  auto limit = descriptor_limit();
  return std::max<uint64_t>(1, std::min(x.max_connections, limit - reserved_descriptors(limit)));
}

server_config with_connections(server_config x, uint64_t max) {
  if (max >= x.max_connections)
    return x;
  auto share = static_cast<double>(x.max_connections_per_peer) * static_cast<double>(max)
               / static_cast<double>(x.max_connections);
  x.max_connections = max;
  x.max_connections_per_peer = std::max<uint64_t>(1, static_cast<uint64_t>(share));
  return x;
}

uint64_t connection_limit_of_peer(const server_config& x) {
  auto max = connection_limit(x);
  return x.socket_path.empty() ? with_connections(x, max).max_connections_per_peer : max;
}

uint64_t stream_limit_of_caller(const server_config& x) {
  constexpr uint64_t share = 4;
  return x.max_streams_per_caller > 0 ? x.max_streams_per_caller
                                      : std::max<uint64_t>(1, x.max_streams / share);
}

uint64_t stream_limit_of_peer(const server_config& x) {
  return std::max<uint64_t>(1, std::min(connection_limit(x), connection_limit_of_peer(x)) / 2);
}

timespan tick_of(const server_config& x) {
  auto shortest =
    std::min({x.header_timeout, x.body_timeout, x.idle_timeout, x.write_timeout, x.answer_timeout});
  return std::clamp<timespan>(
    shortest / 8, std::chrono::milliseconds{1}, std::chrono::milliseconds{500});
}

uint64_t raise_descriptor_limit() {
  struct rlimit now {};
  if (::getrlimit(RLIMIT_NOFILE, &now) == 0 && now.rlim_cur < std::min(now.rlim_max, max_wanted)) {
    now.rlim_cur = std::min(now.rlim_max, max_wanted);
    ::setrlimit(RLIMIT_NOFILE, &now);
  }
  return descriptor_limit();
}

uint64_t descriptor_limit() {
  struct rlimit now {};
  return ::getrlimit(RLIMIT_NOFILE, &now) == 0 ? now.rlim_cur : RLIM_INFINITY;
}

uint64_t reserved_descriptors(uint64_t limit) {
  return std::min(std::clamp(limit / 4, least_reserve, usual_reserve), limit / 2);
}

descriptor_plan descriptor_plan::of(uint64_t limit, uint64_t of_agent, uint64_t max_agents) {
  auto rest = limit - reserved_descriptors(limit);
  auto agents =
    of_agent == 0 ? max_agents : std::clamp<uint64_t>(rest / 3 / of_agent, 1, max_agents);
  auto taken = std::min(agents * of_agent, rest / 2); // an agent may have many tools
  return {agents, std::max<uint64_t>(1, rest - taken)};
}

bool is_in_reserve(int descriptor) {
  auto limit = descriptor_limit();
  return static_cast<uint64_t>(descriptor) >= limit - reserved_descriptors(limit) / 4;
}

bool are_descriptors_scarce() {
  auto next = ::eventfd(0, EFD_CLOEXEC);
  if (next < 0)
    return true;
  ::close(next);
  return is_in_reserve(next);
}

} // namespace scratchpage::http
