#include "scratchpage/runtime/cli/io/request_log.hpp"

#include <utility>

#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

constexpr auto per_second = static_cast<double>(request_log::most_refused_per_second);

/// How much somebody should care about an answer. Of a storage that fails the host tells itself.
log_level level_of(uint32_t status) {
  if (status >= 500)
    return status == 503 ? log_level::warning : log_level::error;
  auto is_refusal = status == 401 || status == 403 || status == 429;
  return is_refusal ? log_level::warning : log_level::debug;
}

} // namespace

request_log::request_log(log& to)
  : to_{to},
    allowed_{per_second, per_second, std::chrono::steady_clock::now()} {}

void request_log::tell(const http::answered_request& x, time_point now) {
  auto how = level_of(x.status);
  if (!to_.tells(how) || (how >= log_level::warning && !may_tell(now)))
    return;
  constexpr size_t most = 200;
  to_.write(how, "request",
    {{"status", x.status}, {"method", x.method}, {"path", utf8::shortened(x.path, most)},
      {"ms", in_milliseconds(x.took)}, {"peer", x.peer}});
}

bool request_log::may_tell(time_point now) {
  uint64_t left_out = 0;
  {
    std::lock_guard lock{guard_};
    if (!allowed_.take(now)) {
      ++left_out_;
      return false;
    }
    left_out = std::exchange(left_out_, 0);
  }
  if (left_out > 0)
    to_.write(log_level::warning, "requests_not_told", {{"count", left_out}});
  return true;
}

} // namespace scratchpage
