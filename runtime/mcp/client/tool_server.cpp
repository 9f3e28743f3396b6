#include "scratchpage/runtime/mcp/client/tool_server.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/json/json.hpp"

namespace scratchpage::mcp_client {

namespace {

constexpr size_t max_lists = 256; // requests for the tools that wait

bool is_call(const json::object& message) {
  const auto* method = message.if_contains("method");
  return method != nullptr && *method == json::value("tools/call");
}

} // namespace

tool_server::tool_server(handle::pointer self, const agent_context& agent, tool_server_setup setup)
  : self_{self},
    setup_{std::move(setup)},
    clock_{agent.clock},
    trace_{agent, "tool_server", setup_.trace_number} {}

tool_server::~tool_server() {
  if (inbox_)
    inbox_->close(); // first, since a thread of the transport may wait for room in it
}

tool_server::handle::behavior_type tool_server::make_behavior() {
  auto known = with_variables(setup_.config, setup_.name, setup_.variables);
  if (known) {
    config_ = std::move(known->config);
    secrets_ = std::move(known->secrets);
    connect();
  } else {
    phase_ = phase::hopeless;
    last_problem_ = describe(known.error());
    note("connect", name_of(errc::invalid_request), {{"error", last_problem_}});
  }
  return {[this](tool_request& x) { return accept(std::move(x)); },
    [this](const list_tools&) { return list(); }, [this](caf::tick_atom) { on_events(); }};
}

caf::result<tool_list> tool_server::list() {
  auto promise = self_->make_response_promise<tool_list>();
  lists_.push_back(promise);
  auto is_first_attempt = phase_ == phase::connecting && attempt_ == 1;
  if (!is_first_attempt || lists_.size() > max_lists)
    answer_lists();
  return promise;
}

void tool_server::answer_lists() {
  for (auto& promise : std::exchange(lists_, {}))
    promise.deliver(tool_list{listed_});
}

// -- the connection -------------------------------------------------------------------

void tool_server::connect() {
  phase_ = phase::connecting;
  was_up_ = false;
  congested_ = false;
  lists_soon_ = false;
  ++attempt_;
  auto me = caf::actor_cast<handle>(self_);
  inbox_ = std::make_shared<event_inbox>(
    2 * max_message_bytes(config_), [me] { anon_tell(me, caf::tick_atom_v); });
  session_limits limits;
  limits.max_message_bytes = max_message_bytes(config_);
  limits.max_result_bytes = config_.max_result_bytes;
  session_events events;
  events.send = [this](const json::object& message) {
    auto wait = is_call(message) ? call_timeout_ : from_milliseconds(config_.connect_timeout_ms);
    congested_ = !transport_->send(message, wait) || congested_;
  };
  events.offer = [this](tool_listing found) { come_up(std::move(found)); };
  events.changed = [this] { list_tools_soon(); };
  events.answer = [this](uint64_t number, call_outcome outcome) {
    on_outcome(number, std::move(outcome));
  };
  session_ = std::make_unique<session>(
    offer_rules{setup_.name, config_.tools, config_.timeout_ms, !config_.url.empty()}, limits,
    std::move(events));
  transport_ = setup_.connect(
    config_, [inbox = inbox_](transport_event x) { return inbox->put(std::move(x)); });
  session_->begin();
  self_->run_delayed(
    from_milliseconds(config_.connect_timeout_ms), [this, attempt = attempt_] { check(attempt); });
}

/// Gives up an attempt that takes too long.
void tool_server::check(uint64_t attempt) {
  if (attempt == attempt_ && phase_ == phase::connecting)
    lose(
      "was not ready within " + std::to_string(std::llround(config_.connect_timeout_ms)) + " ms");
}

void tool_server::on_events() {
  if (!session_)
    return;
  for (auto& event : inbox_->take()) {
    if (event.what == transport_event::kind::ended)
      return lose(std::move(event.text));
    if (event.what == transport_event::kind::message)
      session_->receive(event.text);
    else
      session_->on_lost(event.id, event.why, event.text);
    if (session_->broken())
      return lose(*session_->broken());
  }
  if (congested_)
    lose("does not read what it is sent");
}

void tool_server::come_up(tool_listing found) {
  tools_.clear();
  for (const auto& manifest : found.tools)
    tools_.emplace(manifest->tool_id, manifest);
  listed_.clear();
  for (const auto& [id, manifest] : tools_)
    listed_.push_back(manifest);
  auto is_new = phase_ == phase::connecting;
  phase_ = phase::up;
  was_up_ = true;
  json::object detail{
    {"server", session_->server()}, {"version", session_->version()}, {"tools", tools_.size()}};
  if (!found.left_out.empty())
    detail["left_out"] = to_json(found.left_out);
  note(is_new ? "connect" : "refresh_tools", found.left_out.empty() ? "success" : "warning",
    std::move(detail));
  answer_lists();
  std::vector<uint64_t> unsent;
  for (const auto& [key, x] : calls_)
    if (x.number == 0)
      unsent.push_back(key);
  for (auto key : unsent)
    send(key);
}

void tool_server::list_tools_soon() {
  if (std::exchange(lists_soon_, true))
    return;
  auto pause = pace_.pause(clock_->steady());
  if (pause == timespan::zero())
    return list_tools_now();
  self_->run_delayed(pause, [this, attempt = attempt_] {
    if (attempt == attempt_ && phase_ == phase::up)
      list_tools_now();
  });
}

void tool_server::list_tools_now() {
  lists_soon_ = false;
  pace_.begin(clock_->steady());
  session_->list();
}

/// Ends the connection, which is lost or unusable, and connects again later.
void tool_server::lose(std::string why) {
  last_problem_ = without_secrets(std::move(why), secrets_);
  note(was_up_ ? "lose" : "connect", "error", {{"error", last_problem_}});
  phase_ = phase::waiting;
  inbox_->close();
  transport_.reset();
  session_.reset();
  ++failures_;
  fail_calls(!was_up_, "connection lost: " + last_problem_);
  answer_lists();
  connect_later();
}

void tool_server::connect_later() {
  auto doublings = std::min(failures_ - 1, 20u);
  auto pause = std::min<timespan>(setup_.min_backoff * (1 << doublings), setup_.max_backoff);
  self_->run_delayed(pause, [this, attempt = attempt_] {
    if (attempt == attempt_ && phase_ == phase::waiting)
      connect();
  });
}

std::string tool_server::describe_state() const {
  if (phase_ == phase::hopeless)
    return "cannot be connected to: " + last_problem_;
  return last_problem_.empty() ? "is not connected yet"
                               : "is unavailable and will be tried again: " + last_problem_;
}

// -- calls ------------------------------------------------------------------------------

caf::result<tool_response> tool_server::accept(tool_request request) {
  auto found = tools_.find(request.tool_id);
  auto is_failing = phase_ == phase::hopeless || (phase_ == phase::waiting && !was_up_);
  if (is_failing || (phase_ != phase::up && found == tools_.end()))
    return failed_call(request,
      phase_ == phase::hopeless ? tool_failure::other : tool_failure::transient,
      setup_.name + " " + describe_state());
  if (found == tools_.end())
    return failed_call(request, tool_failure::not_found,
      "tool " + printable(request.tool_id) + " not found; the server has no such tool");
  if (calls_.size() >= config_.max_in_flight)
    return overloaded_call(request, config_.max_in_flight);
  auto key = ++last_call_;
  auto& added = calls_[key];
  added.answer = self_->make_response_promise<tool_response>();
  added.timer =
    self_->run_delayed(call_timeout(request, *found->second), [this, key] { on_deadline(key); });
  added.request = std::move(request);
  auto result = added.answer;
  if (phase_ == phase::up)
    send(key);
  return result;
}

timespan tool_server::timeout_of(const tool_request& request) const {
  tool_manifest by_default;
  by_default.timeout_ms = config_.timeout_ms;
  return call_timeout(request, by_default);
}

void tool_server::send(uint64_t key) {
  auto& x = calls_.at(key);
  // A little longer than the timer of the call, which cancels it on the server.
  call_timeout_ = timeout_of(x.request) + std::chrono::seconds{1};
  auto traceparent = setup_.traceparent ? setup_.traceparent(x.request) : std::string{};
  x.number =
    session_->call(own_name(x.request.tool_id, setup_.name), x.request.inputs, traceparent);
  if (std::exchange(congested_, false))
    session_->on_lost(json::value(x.number), tool_failure::transient,
      "overloaded: it does not read as fast as it is asked");
}

void tool_server::on_outcome(uint64_t number, call_outcome outcome) {
  auto found = std::find_if(
    calls_.begin(), calls_.end(), [&](const auto& x) { return x.second.number == number; });
  if (found == calls_.end())
    return;
  failures_ = 0;
  tool_response response;
  response.request_id = found->second.request.request_id;
  response.status = outcome.status;
  response.outputs = std::move(outcome.outputs);
  if (auto* error = response.outputs.if_contains("error"); error != nullptr && error->is_string())
    *error = view(without_secrets(std::string{error->get_string()}, secrets_));
  answer(found->first, std::move(response));
}

void tool_server::on_deadline(uint64_t key) {
  auto found = calls_.find(key);
  if (found == calls_.end())
    return;
  const auto& x = found->second;
  if (x.number != 0 && session_)
    session_->cancel(x.number, "timed out");
  answer(key, timed_out_call(x.request, timeout_of(x.request)));
}

void tool_server::fail_calls(bool also_unsent, const std::string& text) {
  std::vector<uint64_t> failed;
  for (const auto& [key, x] : calls_)
    if (also_unsent || x.number != 0)
      failed.push_back(key);
  for (auto key : failed)
    answer(key, failed_call(calls_.at(key).request, tool_failure::transient,
                  setup_.name + " did not answer: " + text));
}

void tool_server::answer(uint64_t key, tool_response response) {
  auto found = calls_.find(key);
  found->second.timer.dispose();
  found->second.answer.deliver(std::move(response));
  calls_.erase(found);
}

void tool_server::note(std::string_view operation, std::string_view status, json::object detail) {
  detail["name"] = setup_.name;
  trace_.write(operation, as_daemon("tool_server"), std::move(detail), status);
}

} // namespace scratchpage::mcp_client
