#include "scratchpage/runtime/mcp/client/http_transport.hpp"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/runtime/mcp/client/streamable_http.hpp"
#include "scratchpage/runtime/net/http_client/exchange.hpp"

namespace scratchpage::mcp_client {

namespace {

constexpr timespan timeout_at_end = std::chrono::seconds{2};
constexpr timespan first_pause = std::chrono::seconds{1};
constexpr timespan longest_pause = std::chrono::minutes{1};
constexpr size_t max_resumptions = 100; // of one answer
constexpr size_t max_queued = 256;

json_limits limits_of(size_t max_bytes) {
  return {.max_bytes = max_bytes, .max_depth = 64, .max_members = json_limits::members_of_results};
}

/// A message to send. An empty message means: listen for messages that belong to no request.
struct job {
  json::object message;
  std::optional<timespan> timeout;
};

std::string_view method_of(const json::object& message) {
  const auto* method = message.if_contains("method");
  if (method == nullptr || !method->is_string())
    return {};
  return {method->get_string().data(), method->get_string().size()};
}

bool is_request(const json::object& message) {
  return !method_of(message).empty() && message.contains("id");
}

/// Whether a request may take long, so that it must not delay others.
bool may_take_long(const json::object& message) {
  return method_of(message) == "tools/call" || method_of(message) == "subscriptions/listen";
}

bool is_success(unsigned status) {
  return status >= 200 && status < 300;
}

tool_failure class_of_status(unsigned status) {
  if (status == 401 || status == 403)
    return tool_failure::permission;
  return status == 429 || status >= 500 ? tool_failure::transient : tool_failure::other;
}

tool_failure class_of_end(http_client::ending end) {
  return end == http_client::ending::timed_out ? tool_failure::timeout : tool_failure::transient;
}

class http_transport : public transport {
public:
  http_transport(const server_config& server, event_sink sink)
    : server_{server},
      address_{http_client::read_address(server.url).value_or(http_client::address{})},
      max_bytes_{max_message_bytes(server)},
      sink_{std::move(sink)} {
    std::lock_guard guard{mutex_};
    add_worker(ordered_);
  }

  ~http_transport() override {
    {
      std::lock_guard guard{mutex_};
      stopped_ = true;
      for (auto& [id, exchange] : running_)
        exchange->cancel();
    }
    changed_.notify_all();
    for (auto& worker : workers_)
      worker.join();
    end_session();
  }

  bool send(const json::object& message, timespan timeout) override {
    std::lock_guard guard{mutex_};
    if (method_of(message) == "notifications/cancelled") {
      cancel(message);
      if (headers_.is_modern())
        return true; // the end of its stream is the cancellation
    }
    auto& to = may_take_long(message) ? side_by_side_ : ordered_;
    if (to.jobs.size() >= max_queued)
      return false;
    auto is_endless = method_of(message) == "subscriptions/listen";
    to.jobs.push_back({message, is_endless ? std::nullopt : std::optional{timeout}});
    if (&to == &side_by_side_)
      ensure_worker();
    changed_.notify_all();
    return true;
  }

private:
  /// Jobs, and the number of threads that work on them.
  struct queue {
    std::deque<job> jobs;
    size_t workers = 0;
    size_t idle = 0;
  };

  // -- threads --------------------------------------------------------------------------

  void add_worker(queue& of) {
    ++of.workers;
    workers_.emplace_back([this, &of] { work(of); });
  }

  /// Adds a thread if a job waits for one. At most one for each call at a time, one to listen and
  /// one to spare; none while the destructor joins them.
  void ensure_worker() {
    if (!stopped_ && side_by_side_.jobs.size() > side_by_side_.idle
        && side_by_side_.workers < server_.max_in_flight + size_t{2})
      add_worker(side_by_side_);
  }

  void work(queue& of) {
    std::unique_lock guard{mutex_};
    for (;;) {
      ++of.idle;
      changed_.wait(guard, [&] { return stopped_ || !of.jobs.empty(); });
      --of.idle;
      if (stopped_)
        return;
      auto next = std::move(of.jobs.front());
      of.jobs.pop_front();
      guard.unlock();
      if (next.message.empty())
        listen();
      else
        post(next);
      guard.lock();
    }
  }

  /// Waits. False if the transport is stopped.
  bool pause(timespan span) {
    std::unique_lock guard{mutex_};
    return !changed_.wait_for(guard, span, [this] { return stopped_; });
  }

  /// @pre The mutex is held.
  void cancel(const json::object& message) {
    const auto* params = message.if_contains("params");
    const auto* id = params != nullptr && params->is_object()
                       ? params->get_object().if_contains("requestId")
                       : nullptr;
    auto found = id != nullptr ? running_.find(to_text(*id)) : running_.end();
    if (found != running_.end())
      found->second->cancel();
    if (id != nullptr)
      std::erase_if(side_by_side_.jobs, [&](const job& x) {
        const auto* own = x.message.if_contains("id");
        return own != nullptr && *own == *id;
      });
  }

  // -- exchanges --------------------------------------------------------------------------

  /// Runs an exchange, which `cancel` finds by `key`.
  http_client::outcome run(const std::string& key, const http_client::request& request,
    std::optional<timespan> timeout, const http_client::reader& reader) {
    auto exchange = std::make_shared<http_client::exchange>();
    {
      std::lock_guard guard{mutex_};
      if (stopped_)
        return {http_client::ending::cancelled, "is being stopped"};
      running_[key] = exchange;
    }
    auto result = exchange->run(request, timeout, reader);
    std::lock_guard guard{mutex_};
    running_.erase(key);
    return result;
  }

  http_client::request request_of(std::string method, const json::object* message) {
    std::lock_guard guard{mutex_};
    return {std::move(method), address_, headers_.of(server_.headers, message),
      message != nullptr ? to_text(*message) : std::string{}};
  }

  /// The part of an answer that has come so far.
  struct answer {
    http_client::head head;
    std::string body;   ///< unless it is a stream
    bool found = false; ///< the answer itself has come
    bool too_long = false;
    std::string last_id; ///< where a broken stream can be resumed
    timespan retry = first_pause;
  };

  http_client::outcome read(const std::string& key, const http_client::request& request,
    std::optional<timespan> timeout, const json::value* id, answer& into) {
    sse_reader events{
      max_bytes_, [&](std::string data) { return take_event(std::move(data), id, into); }};
    http_client::reader reader;
    reader.on_head = [&](const http_client::head& head) {
      into.head = head;
      return true;
    };
    reader.on_body = [&](std::string_view piece) {
      if (into.head.content_type == "text/event-stream" && is_success(into.head.status))
        return events.feed(piece);
      into.too_long = into.body.size() + piece.size() > max_bytes_;
      if (!into.too_long)
        into.body += piece;
      return !into.too_long;
    };
    auto outcome = run(key, request, timeout, reader);
    into.too_long = into.too_long || events.is_too_long();
    if (!events.last_id().empty())
      into.last_id = events.last_id();
    into.retry = events.retry().value_or(into.retry);
    return outcome;
  }

  /// Takes the data of an event. False once the answer to `id` has come.
  bool take_event(std::string data, const json::value* id, answer& into) {
    if (id != nullptr)
      into.found = is_answer_to(data, *id) || into.found;
    return tell_message(std::move(data)) && !into.found;
  }

  bool is_answer_to(const std::string& text, const json::value& id) const {
    auto message = parse_json(text, limits_of(max_bytes_));
    const auto* object = message ? message->if_object() : nullptr;
    const auto* own =
      object != nullptr && !object->contains("method") ? object->if_contains("id") : nullptr;
    return own != nullptr && *own == id;
  }

  void post(const job& x) {
    const auto* id = is_request(x.message) ? x.message.if_contains("id") : nullptr;
    auto key = id != nullptr ? to_text(*id) : std::string{"a notification"};
    const time_left left{x.timeout};
    answer got;
    auto outcome = read(key, request_of("POST", &x.message), left(), id, got);
    for (size_t i = 0; id != nullptr && may_resume(outcome, got) && i < max_resumptions; ++i) {
      if (!pause(got.retry))
        return;
      auto request = request_of("GET", nullptr);
      request.headers.emplace_back("Last-Event-ID", got.last_id);
      outcome = read(key, request, left(), id, got);
    }
    conclude(x.message, id, outcome, got);
  }

  /// Whether a stream ended or broke before the answer came.
  static bool may_resume(const http_client::outcome& outcome, const answer& got) {
    return !got.found && !got.too_long && !got.last_id.empty() && is_success(got.head.status)
           && (outcome.end == http_client::ending::done
               || outcome.end == http_client::ending::failed);
  }

  void conclude(const json::object& message, const json::value* id,
    const http_client::outcome& outcome, const answer& got) {
    if (got.head.status == 404 && lost_session(message))
      return tell({transport_event::kind::ended, "the server has ended the session"});
    if (method_of(message) == "initialize")
      remember_session(got.head);
    if (method_of(message) == "notifications/initialized" && is_success(got.head.status))
      begin_to_listen();
    if (id == nullptr || got.found || outcome.end == http_client::ending::cancelled)
      return;
    if (outcome.end != http_client::ending::done)
      return tell_lost(*id, class_of_end(outcome.end), outcome.error);
    if (got.too_long)
      return tell_lost(*id, tool_failure::other,
        "answered with more than " + std::to_string(max_bytes_) + " bytes");
    take_body(*id, got);
  }

  void take_body(const json::value& id, const answer& got) {
    auto body = parse_json(got.body, limits_of(max_bytes_));
    auto* object = body ? body->if_object() : nullptr;
    if (object != nullptr && (object->contains("result") || object->contains("error"))) {
      if (object->contains("error"))
        (*object)["id"] = id; // an error may have no id
      tell_message(to_text(*body));
      return;
    }
    if (!is_success(got.head.status))
      return tell_lost(id, class_of_status(got.head.status),
        "answered with HTTP status " + std::to_string(got.head.status) + " "
          + printable(got.head.reason, 64));
    tell_lost(id, tool_failure::other, "answered with something that is no answer");
  }

  // -- the session ----------------------------------------------------------------------------

  bool lost_session(const json::object& message) {
    std::lock_guard guard{mutex_};
    return headers_.has_session() && method_of(message) != "initialize";
  }

  void remember_session(const http_client::head& head) {
    const auto* session = head.header("Mcp-Session-Id");
    std::lock_guard guard{mutex_};
    if (is_success(head.status))
      headers_.set_session(session != nullptr ? *session : std::string{});
  }

  void begin_to_listen() {
    std::lock_guard guard{mutex_};
    side_by_side_.jobs.push_back({});
    ensure_worker();
    changed_.notify_all();
  }

  /// Receives messages that belong to no request, until the server does not offer them any more.
  void listen() {
    answer got;
    for (auto wait = first_pause;; wait = std::min(2 * wait, longest_pause)) {
      auto request = request_of("GET", nullptr);
      if (!got.last_id.empty())
        request.headers.emplace_back("Last-Event-ID", got.last_id);
      auto before = std::move(got.last_id);
      got = {};
      got.last_id = std::move(before);
      auto outcome = read("listening", request, std::nullopt, nullptr, got);
      auto is_offered = is_success(got.head.status) && got.head.content_type == "text/event-stream";
      if (outcome.end == http_client::ending::cancelled || !is_offered || got.too_long)
        return;
      if (!pause(std::max(wait, got.retry)))
        return;
    }
  }

  /// Ends the session. Called after the last exchange, when no other thread uses this object.
  void end_session() {
    if (!headers_.has_session())
      return;
    http_client::request request{"DELETE", address_, headers_.of(server_.headers, nullptr), {}};
    http_client::exchange{}.run(request, timeout_at_end,
      {[](const http_client::head&) { return false; }, [](std::string_view) { return false; }});
  }

  // -- telling ------------------------------------------------------------------------------------

  bool tell_message(std::string text) {
    {
      std::lock_guard guard{mutex_};
      headers_.learn_from(text, max_bytes_);
    }
    transport_event event;
    event.text = std::move(text);
    return sink_(std::move(event));
  }

  void tell_lost(const json::value& id, tool_failure why, std::string text) {
    transport_event event;
    event.what = transport_event::kind::lost;
    event.text = std::move(text);
    event.id = id;
    event.why = why;
    tell(std::move(event));
  }

  void tell(transport_event event) { sink_(std::move(event)); }

  server_config server_;
  http_client::address address_;
  size_t max_bytes_;
  event_sink sink_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stopped_ = false;
  http_headers headers_;
  queue ordered_;      ///< the beginning, notifications, listings: sent one after the other
  queue side_by_side_; ///< calls and listening: concurrently
  std::map<std::string, std::shared_ptr<http_client::exchange>> running_;
  std::vector<std::thread> workers_;
};

} // namespace

std::unique_ptr<transport> connect_over_http(const server_config& server, event_sink sink) {
  return std::make_unique<http_transport>(server, std::move(sink));
}

} // namespace scratchpage::mcp_client
