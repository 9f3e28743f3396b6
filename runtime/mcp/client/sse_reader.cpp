#include "scratchpage/runtime/mcp/client/sse_reader.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <utility>

namespace scratchpage::mcp_client {

namespace {

constexpr uint32_t longest_retry_ms = 60'000;

std::optional<timespan> read_retry(std::string_view text) {
  uint32_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    return std::nullopt;
  return std::chrono::milliseconds{std::min(value, longest_retry_ms)};
}

} // namespace

sse_reader::sse_reader(size_t max_bytes, std::function<bool(std::string)> on_data)
  : max_bytes_{max_bytes},
    on_data_{std::move(on_data)} {}

bool sse_reader::feed(std::string_view piece) {
  while (!piece.empty()) {
    if (std::exchange(after_return_, false) && piece.front() == '\n') {
      piece.remove_prefix(1);
      continue;
    }
    auto end = piece.find_first_of("\r\n");
    line_ += piece.substr(0, end);
    if (line_.size() + data_.size() > max_bytes_) {
      too_long_ = true;
      return false;
    }
    if (end == std::string_view::npos)
      return true;
    after_return_ = piece[end] == '\r';
    piece.remove_prefix(end + 1);
    if (!take_line(std::exchange(line_, {})))
      return false;
  }
  return true;
}

bool sse_reader::take_line(std::string_view line) {
  if (line.empty())
    return dispatch();
  auto colon = line.find(':');
  auto field = line.substr(0, colon);
  auto value = colon == std::string_view::npos ? std::string_view{} : line.substr(colon + 1);
  if (value.starts_with(' '))
    value.remove_prefix(1);
  if (field == "data") {
    data_.append(has_data_ ? "\n" : "").append(value);
    has_data_ = true;
  } else if (field == "id" && value.find('\0') == std::string_view::npos) {
    last_id_ = value;
  } else if (field == "retry") {
    if (auto wait = read_retry(value))
      retry_ = wait;
  }
  return true;
}

bool sse_reader::dispatch() {
  has_data_ = false;
  auto data = std::exchange(data_, {});
  return data.empty() || on_data_(std::move(data));
}

} // namespace scratchpage::mcp_client
