#include "scratchpage/runtime/models/endpoint.hpp"

#include <charconv>
#include <chrono>
#include <utility>

namespace scratchpage::models {

namespace {

using steady = std::chrono::steady_clock;

http_client::address completions_of(const std::string& base) {
  auto result = *http_client::read_address(base);
  while (result.target.ends_with('/'))
    result.target.pop_back();
  result.target += "/chat/completions";
  return result;
}

/// The pause that the header asks for. A date instead of seconds is not read.
std::optional<timespan> retry_after(const http_client::head& x) {
  const auto* text = x.header("retry-after");
  unsigned seconds = 0;
  if (text == nullptr)
    return std::nullopt;
  auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), seconds);
  if (error != std::errc{} || end != text->data() + text->size())
    return std::nullopt;
  return std::chrono::seconds{seconds};
}

/// Whether a status says that the same request may be answered later (RFC 9110, RFC 6585).
bool may_pass(unsigned status) {
  return status == 408 || status == 429 || status >= 500;
}

chat_reply cancelled() {
  return failed_reply(reply_outcome::unavailable, "the request was ended");
}

uint64_t whole_milliseconds(timespan x) {
  return static_cast<uint64_t>(std::chrono::ceil<std::chrono::milliseconds>(x).count());
}

} // namespace

http_endpoint::http_endpoint(const model_config& with, std::string key)
  : to_{completions_of(with.address)},
    key_{std::move(key)},
    attempts_{with.attempts} {}

chat_reply http_endpoint::ask(
  const std::string& body, const std::string& traceparent, timespan within) {
  auto begun = steady::now();
  auto pause = first_pause;
  attempt last{failed_reply(reply_outcome::late, "no time was left to ask")};
  for (uint32_t made = 1;; ++made, pause *= 2) {
    auto left = within - (steady::now() - begun);
    if (left <= timespan{})
      break;
    last = try_once(body, traceparent, left);
    auto next = last.pause.value_or(pause);
    left = within - (steady::now() - begun);
    if (!last.may_pass || made >= attempts_ || next >= left)
      break;
    if (!wait(next)) {
      last.reply = cancelled();
      break;
    }
  }
  last.reply.latency_ms = whole_milliseconds(steady::now() - begun);
  return std::move(last.reply);
}

http_endpoint::attempt http_endpoint::try_once(
  const std::string& body, const std::string& traceparent, timespan within) {
  http_client::request request{
    "POST", to_, {{"content-type", "application/json"}, {"accept", "application/json"}}, body};
  if (!key_.empty())
    request.headers.emplace_back("authorization", "Bearer " + key_);
  if (!traceparent.empty())
    request.headers.emplace_back("traceparent", traceparent);
  http_client::head head;
  std::string text;
  auto is_too_large = false;
  http_client::reader reader;
  reader.on_head = [&](const http_client::head& x) {
    head = x;
    return true;
  };
  reader.on_body = [&](std::string_view piece) {
    is_too_large = text.size() + piece.size() > model_limits::answer_bytes;
    if (!is_too_large)
      text += piece;
    return !is_too_large;
  };
  http_client::exchange exchange;
  if (!begin(exchange))
    return {cancelled()};
  auto how = exchange.run(request, within, reader);
  end(exchange);
  if (is_too_large)
    return {failed_reply(reply_outcome::too_large,
      "expected at most " + std::to_string(model_limits::answer_bytes) + " bytes")};
  switch (how.end) {
  case http_client::ending::timed_out:
    return {failed_reply(reply_outcome::late, how.error)};
  case http_client::ending::cancelled:
    return {cancelled()};
  case http_client::ending::failed:
    return {failed_reply(reply_outcome::unavailable, how.error), true};
  case http_client::ending::done:
    break;
  }
  if (head.status / 100 == 2)
    return {read_response(head.content_type, text)};
  auto passes = may_pass(head.status);
  return {failed_reply(passes ? reply_outcome::unavailable : reply_outcome::rejected,
            "status " + std::to_string(head.status) + ": "
              + read_error_text(without_key(std::move(text)))),
    passes, retry_after(head)};
}

/// Some endpoints repeat the key in the texts of their errors.
std::string http_endpoint::without_key(std::string text) const {
  if (!key_.empty())
    for (size_t at = 0; (at = text.find(key_, at)) != std::string::npos;)
      text.replace(at, key_.size(), "***");
  return text;
}

bool http_endpoint::begin(http_client::exchange& x) {
  std::lock_guard lock{guard_};
  return !is_stopped_ && running_.insert(&x).second;
}

void http_endpoint::end(http_client::exchange& x) {
  std::lock_guard lock{guard_};
  running_.erase(&x);
}

/// Waits before the next attempt. False if the requests are ended meanwhile.
bool http_endpoint::wait(timespan pause) {
  std::unique_lock lock{guard_};
  return !stopping_.wait_for(lock, pause, [this] { return is_stopped_; });
}

void http_endpoint::stop() {
  std::lock_guard lock{guard_};
  is_stopped_ = true;
  stopping_.notify_all();
  for (auto* one : running_)
    one->cancel();
}

} // namespace scratchpage::models
