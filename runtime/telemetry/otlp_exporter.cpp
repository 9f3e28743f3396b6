#include "scratchpage/runtime/telemetry/otlp_exporter.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>
#include <string_view>
#include <utility>
#include <variant>

#include <time.h>

#include "scratchpage/messages/json_writer.hpp"
#include "scratchpage/messages/threads.hpp"
#include "scratchpage/messages/trace.hpp"
#include "scratchpage/messages/version.hpp"

namespace scratchpage::telemetry {

namespace {

// Spans are written as text directly: one has about ten attributes of three JSON values each.

// Numbers of the schema's enumerations.
constexpr std::string_view internal_kind = "1";
constexpr std::string_view server_kind = "2";
constexpr std::string_view error_status = "2";

/// 64-bit integers are strings in the JSON of protocol buffers.
void append_integer(text_appender& out, int64_t x) {
  out.add('"');
  append_json(out, x);
  out.add('"');
}

void append_value(text_appender& out, const span::value& x) {
  struct writer {
    text_appender& out;

    void operator()(const std::string& text) const {
      out.add(R"({"stringValue":)");
      append_quoted(out, text);
    }
    void operator()(int64_t number) const {
      out.add(R"({"intValue":)");
      append_integer(out, number);
    }
    void operator()(double number) const {
      out.add(R"({"doubleValue":)");
      append_json(out, number);
    }
    void operator()(bool truth) const {
      out.add(R"({"boolValue":)");
      append_json(out, truth);
    }
  };
  std::visit(writer{out}, x);
  out.add('}');
}

void append_attribute(text_appender& out, std::string_view name, const span::value& value) {
  out.add(R"({"key":)");
  append_quoted(out, name);
  out.add(R"(,"value":)");
  append_value(out, value);
  out.add('}');
}

/// `,"name":"text"`.
void append_text_member(text_appender& out, std::string_view name, std::string_view text) {
  detail::append_key(out, ',', name);
  append_quoted(out, text);
}

void append_time(text_appender& out, std::string_view name, timestamp x) {
  detail::append_key(out, ',', name);
  append_integer(
    out, std::chrono::duration_cast<std::chrono::nanoseconds>(x.time_since_epoch()).count());
}

void append_span(text_appender& out, const span& x) {
  out.add(R"({"kind":)");
  out.add(x.is_server ? server_kind : internal_kind);
  append_text_member(out, "traceId", x.trace_id);
  append_text_member(out, "spanId", x.span_id);
  if (!x.parent_id.empty())
    append_text_member(out, "parentSpanId", x.parent_id);
  append_text_member(out, "name", x.name);
  append_time(out, "startTimeUnixNano", x.began);
  append_time(out, "endTimeUnixNano", x.ended);
  out.add(R"(,"attributes":[)");
  auto is_first = true;
  for (const auto& [name, value] : x.attributes) {
    if (!std::exchange(is_first, false))
      out.add(',');
    append_attribute(out, name, value);
  }
  out.add(']');
  if (!x.error.empty()) {
    out.add(R"(,"status":{"code":)");
    out.add(error_status);
    append_text_member(out, "message", x.error);
    out.add('}');
  }
  out.add('}');
}

void append_resource(text_appender& out, const std::string& service_name) {
  append_attribute(out, "service.name", service_name);
  out.add(',');
  append_attribute(out, "service.version", std::string{version});
  out.add(',');
  append_attribute(out, "telemetry.sdk.language", std::string{"cpp"});
  out.add(',');
  append_attribute(out, "telemetry.sdk.name", std::string{"scratchpage"});
}

void append_request(
  text_appender& out, std::span<const span> spans, const std::string& service_name) {
  out.add(R"({"resourceSpans":[{"resource":{"attributes":[)");
  append_resource(out, service_name);
  out.add(R"(]},"scopeSpans":[{"scope":{"name":"scratchpage")");
  append_text_member(out, "version", version);
  out.add(R"(},"spans":[)");
  auto is_first = true;
  for (const auto& x : spans) {
    if (!std::exchange(is_first, false))
      out.add(',');
    append_span(out, x);
  }
  out.add("]}]}]}");
}

constexpr size_t entries_at_once = 512;
/// How long entries are collected before they are sent, unless there are `entries_at_once`.
constexpr auto gathering = std::chrono::seconds{1};
constexpr timespan request_timeout = std::chrono::seconds{2};
constexpr timespan timeout_at_end = std::chrono::milliseconds{1'500};
/// Sending uses at most this fraction of a core (1 / `parts_of_core`), so that a burst does not
/// slow the threads that caused it.
constexpr int parts_of_core = 20;
constexpr auto longest_rest = std::chrono::milliseconds{200};
/// The pauses between attempts; a batch is dropped after the last one.
constexpr std::array pauses{std::chrono::milliseconds{500}, std::chrono::milliseconds{2'000},
  std::chrono::milliseconds{5'000}};

http_client::address traces_of(const std::string& endpoint) {
  auto result = *http_client::read_address(endpoint);
  constexpr std::string_view path = "/v1/traces";
  if (!result.target.ends_with(path)) {
    while (result.target.ends_with('/'))
      result.target.pop_back();
    result.target += path;
  }
  return result;
}

/// Whether the protocol says to try again (OTLP, "Failures").
bool is_worth_another_try(unsigned status) {
  return status == 429 || status == 502 || status == 503 || status == 504;
}

std::chrono::nanoseconds read(clockid_t which) {
  timespec x{};
  clock_gettime(which, &x);
  return std::chrono::seconds{x.tv_sec} + std::chrono::nanoseconds{x.tv_nsec};
}

/// The CPU time of the calling thread.
timespan worked() {
  return read(CLOCK_THREAD_CPUTIME_ID);
}

/// The steady clock at its last tick, some milliseconds ago. Reading it costs a fifth of the exact
/// time.
std::chrono::steady_clock::time_point last_tick() {
  return std::chrono::steady_clock::time_point{read(CLOCK_MONOTONIC_COARSE)};
}

} // namespace

std::string to_otlp_json(std::span<const span> spans, const std::string& service_name) {
  std::string result;
  {
    text_appender out{result};
    append_request(out, spans, service_name);
  }
  return result;
}

otlp_exporter::otlp_exporter(telemetry_config with, uint64_t salt)
  : config_{std::move(with)},
    to_{traces_of(config_.otlp_endpoint)},
    traces_{std::make_shared<turn_traces>(salt)},
    spans_{traces_},
    in_turns_{{config_.in_turns_per_second, static_cast<double>(config_.max_waiting), last_tick()}},
    outside_turns_{
      {config_.outside_turns_per_second, config_.outside_turns_per_second, last_tick()}},
    thread_{require_thread([this] { work(); })} {}

otlp_exporter::~otlp_exporter() {
  {
    std::unique_lock lock{mutex_};
    is_ending_ = true;
    ends_at_ = std::chrono::steady_clock::now() + timeout_at_end;
    news_.notify_all();
    if (!news_.wait_until(lock, ends_at_, [this] { return has_ended_; }) && on_its_way_ != nullptr)
      on_its_way_->cancel();
  }
  thread_.join();
}

void otlp_exporter::offer(const trace_entry& entry) {
  traces_->note(entry); // at once, since calls of tools may come before the entry is sent
  auto now = last_tick();
  auto& from = lane_of(entry);
  size_t count = 0;
  if (from.shut_at.load(std::memory_order_relaxed) == now) {
    dropped_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  {
    std::lock_guard lock{mutex_};
    if (!is_wanted(from, now)) {
      dropped_.fetch_add(1, std::memory_order_relaxed);
      return;
    }
    waiting_.push_back(entry);
    waiting_.back().observation = {}; // spans do not use it
    count = waiting_.size();
  }
  if (count == 1 || count == entries_at_once)
    news_.notify_one();
}

std::string otlp_exporter::traceparent_of(
  const std::string& agent_id, const std::string& turn_id, span_id cause) const {
  trace_context result{
    traces_->place_of(agent_id, turn_id).trace_id, traces_->span_of(agent_id, cause)};
  return result.to_traceparent();
}

/// Entries outside turns have a rate of their own, so that programs that write as fast as they can
/// do not displace turns.
otlp_exporter::lane& otlp_exporter::lane_of(const trace_entry& x) {
  return x.turn_id.empty() ? outside_turns_ : in_turns_;
}

bool otlp_exporter::is_wanted(lane& from, steady_time now) {
  if (waiting_.size() < config_.max_waiting && from.left.take(now))
    return true;
  from.shut_at.store(now, std::memory_order_relaxed);
  return false;
}

void otlp_exporter::work() {
  lower_thread_priority();
  std::unique_lock lock{mutex_};
  while (true) {
    news_.wait(lock, [this] { return !waiting_.empty() || is_ending_; });
    auto is_over = is_ending_ && std::chrono::steady_clock::now() >= ends_at_;
    if (waiting_.empty() || is_over) {
      has_ended_ = true;
      news_.notify_all();
      return;
    }
    news_.wait_for(
      lock, gathering, [this] { return waiting_.size() >= entries_at_once || is_ending_; });
    std::vector<trace_entry> some;
    auto count = std::min(waiting_.size(), entries_at_once);
    auto end = waiting_.begin() + static_cast<std::ptrdiff_t>(count);
    std::move(waiting_.begin(), end, std::back_inserter(some));
    waiting_.erase(waiting_.begin(), end);
    lock.unlock();
    auto before = worked();
    send(some);
    auto rest = std::min<timespan>((parts_of_core - 1) * (worked() - before), longest_rest);
    lock.lock();
    news_.wait_for(lock, rest, [this] { return is_ending_; });
  }
}

void otlp_exporter::send(const std::vector<trace_entry>& some) {
  std::vector<span> spans;
  for (const auto& x : some)
    if (auto one = spans_.take(x))
      spans.push_back(std::move(*one));
  if (spans.empty())
    return;
  auto service = config_.service_name.empty() ? std::string{"scratchpage"} : config_.service_name;
  auto body = to_otlp_json(spans, service);
  auto end = post(body);
  for (auto pause = pauses.begin();
       end == outcome::to_be_tried_again && pause != pauses.end() && may_try_again(*pause); ++pause)
    end = post(body);
  (end == outcome::taken ? exported_ : dropped_).fetch_add(spans.size(), std::memory_order_relaxed);
}

/// Waits. False if the exporter is ending.
bool otlp_exporter::may_try_again(timespan pause) {
  std::unique_lock lock{mutex_};
  return !news_.wait_for(lock, pause, [this] { return is_ending_; });
}

otlp_exporter::outcome otlp_exporter::post(const std::string& body) {
  http_client::request request{"POST", to_, {{"content-type", "application/json"}}, body};
  for (const auto& [name, value] : config_.otlp_headers)
    request.headers.emplace_back(name, value);
  unsigned status = 0;
  http_client::reader reader;
  reader.on_head = [&](const http_client::head& x) {
    status = x.status;
    return false; // the body is not needed
  };
  reader.on_body = [](std::string_view) { return false; };
  http_client::exchange exchange;
  on_its_way(&exchange);
  auto ended = exchange.run(request, request_timeout, reader);
  on_its_way(nullptr);
  if (ended.end != http_client::ending::done || is_worth_another_try(status))
    return outcome::to_be_tried_again;
  return status / 100 == 2 ? outcome::taken : outcome::refused;
}

/// Registers the current request, so that the destructor can cancel it.
void otlp_exporter::on_its_way(http_client::exchange* x) {
  std::lock_guard lock{mutex_};
  on_its_way_ = x;
  if (x != nullptr && is_ending_ && std::chrono::steady_clock::now() >= ends_at_)
    x->cancel();
}

void otlp_exporter::write_metrics(metrics_text& to) const {
  to.only("scratchpage_otlp_exported_spans_total", metric_type::counter,
    "Spans that a collector has accepted.", static_cast<double>(exported_.load()));
  to.only("scratchpage_otlp_dropped_spans_total", metric_type::counter,
    "Spans that were too many, or that no collector has accepted.",
    static_cast<double>(dropped_.load()));
}

} // namespace scratchpage::telemetry
