#include "scratchpage/runtime/mcp/server/http_endpoint.hpp"

#include <algorithm>
#include <charconv>
#include <tuple>
#include <utility>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/text/display_text.hpp"
#include "scratchpage/runtime/auth/token.hpp"
#include "scratchpage/runtime/mcp/protocol/protocol.hpp"
#include "scratchpage/runtime/net/http/message.hpp"

namespace scratchpage::mcp {

namespace {

error mismatch(std::string_view header, std::string_view expected) {
  return {header_mismatch,
    "Header mismatch: " + std::string{header} + ": expected " + std::string{expected}, {}};
}

/// The member of a request's parameters that its `Mcp-Name` repeats; "": none.
std::string_view name_member(std::string_view method) {
  if (method == "tools/call" || method == "prompts/get")
    return "name";
  if (method == "tasks/get" || method == "tasks/update" || method == "tasks/cancel")
    return "taskId";
  return method == "resources/read" ? "uri" : "";
}

bool is_written_as(const json::value& x, const std::string& text) {
  if (x.is_string())
    return text_of(x) == text;
  if (x.is_bool())
    return text == (x.get_bool() ? "true" : "false");
  if (!x.is_number())
    return false;
  double number = 0;
  const auto* end = text.data() + text.size();
  auto [stop, failed] = std::from_chars(text.data(), end, number);
  return failed == std::errc{} && stop == end && number == x.to_number<double>();
}

std::optional<error> refuse_argument(
  const http::request& x, const header_argument& argument, const json::object* arguments) {
  const auto* given = argument_at(arguments, argument.path);
  auto header = header_in(x, argument.header);
  if (given == nullptr)
    return header ? std::optional{mismatch(argument.header, "none, since the argument is missing")}
                  : std::nullopt;
  auto text = header ? decoded(*header) : std::nullopt;
  if (text && is_written_as(*given, *text))
    return std::nullopt;
  return mismatch(argument.header, "the value of the argument");
}

constexpr size_t session_id_bytes = 24;
constexpr int32_t refused_by_transport = -32000;
constexpr int32_t no_such_session = -32001;
constexpr std::string_view of_sessions = "mcp-session-id";
constexpr std::string_view of_version = "mcp-protocol-version";

void respond(http::exchange& by, uint32_t status) {
  http::response nothing;
  nothing.status = status;
  by.respond(std::move(nothing));
}

/// Refuses a request. The answer has an id if it is known.
void refuse(http::exchange& by, uint32_t status, const error& why, const json::value& id = {}) {
  auto body = refusal(id, why);
  if (id.is_null())
    body.erase("id");
  by.respond(json_response(status, body));
}

void refuse(http::exchange& by, uint32_t status, std::string message) {
  refuse(by, status, error{refused_by_transport, std::move(message), {}});
}

void refuse_method(http::exchange& by, std::string_view allowed) {
  http::response answer;
  answer.status = 405;
  answer.headers.push_back({"Allow", std::string{allowed}});
  by.respond(std::move(answer));
}

bool is_legacy(std::string_view version) {
  return std::find(legacy_versions.begin(), legacy_versions.end(), version)
         != legacy_versions.end();
}

/// Whether the header names a revision in which every request names its version.
bool names_modern(const std::optional<std::string>& version) {
  return version && !is_legacy(*version) && *version >= "2026";
}

bool accepts(const http::request& x, std::string_view type) {
  auto accepted = header_in(x, "accept").value_or("*/*");
  return accepted.find(type) != std::string::npos || accepted.find("*/*") != std::string::npos;
}

bool is_json(const http::request& x) {
  constexpr std::string_view json_type = "application/json";
  auto type = header_in(x, "content-type").value_or("");
  auto plain = type.substr(0, type.find(';'));
  while (plain.ends_with(' '))
    plain.pop_back();
  return std::equal(plain.begin(), plain.end(), json_type.begin(), json_type.end(),
    [](unsigned char a, unsigned char b) { return std::tolower(a) == b; });
}

} // namespace

std::optional<std::string> header_in(const http::request& x, std::string_view name) {
  const auto* value = x.header(name);
  if (value == nullptr)
    return std::nullopt;
  return std::string{http::without_blanks(*value)};
}

std::optional<error> refuse_headers(const http::request& x, const json_rpc::request& call,
  const envelope& said, const header_arguments& tools) {
  if (header_in(x, "mcp-protocol-version") != said.version)
    return mismatch("MCP-Protocol-Version", "the value in _meta: " + said.version);
  if (auto why = refuse_version(said.version))
    return why;
  if (header_in(x, "mcp-method") != call.method)
    return mismatch("Mcp-Method", "the value of method: " + call.method);
  auto from = name_member(call.method);
  auto name = from.empty() ? std::nullopt : text_in(call.params, from);
  if (!name)
    return std::nullopt;
  auto header = header_in(x, "mcp-name");
  if (!header || decoded(*header) != name)
    return mismatch(
      "Mcp-Name", "the value of params." + std::string{from} + ": " + shown_name(*name));
  auto tool = call.method == "tools/call" ? tools.find(*name) : tools.end();
  if (tool == tools.end())
    return std::nullopt;
  for (const auto& argument : tool->second)
    if (auto why = refuse_argument(x, argument, object_in(call.params, "arguments")))
      return why;
  return std::nullopt;
}

bool http_sessions::make_room(timestamp now) {
  expire(now);
  if (entries_.size() < most_)
    return true;
  auto victim = entries_.end();
  std::tuple<size_t, size_t, timespan> best; // of the victim
  auto counts = count_by_client();
  auto claimed = count_claimed();
  for (auto i = entries_.begin(); i != entries_.end(); ++i) {
    if (!i->second.is_idle())
      continue;
    const auto& by = i->second.who.by;
    auto of_client = counts.at(name_of(by));
    std::tuple candidate{by.claimed ? claimed : of_client, of_client, now - i->second.last_use};
    if (victim == entries_.end() || candidate > best) {
      victim = i;
      best = candidate;
    }
  }
  if (victim == entries_.end())
    return false;
  end(victim);
  return true;
}

http_sessions::client_name http_sessions::name_of(const caller& x) {
  return {x.role, x.kind, x.name};
}

std::map<http_sessions::client_name, size_t> http_sessions::count_by_client() const {
  std::map<client_name, size_t> result;
  for (const auto& [id, x] : entries_)
    ++result[name_of(x.who.by)];
  return result;
}

size_t http_sessions::count_claimed() const {
  auto is_one = [](const auto& x) { return x.second.who.by.claimed; };
  return static_cast<size_t>(std::count_if(entries_.begin(), entries_.end(), is_one));
}

http_sessions::entry* http_sessions::find(
  const std::string& id, const principal& who, timestamp now) {
  expire(now);
  auto found = entries_.find(id);
  if (found == entries_.end() || !found->second.who.same_as(who))
    return nullptr;
  found->second.last_use = now;
  return &found->second;
}

void http_sessions::remove(const std::string& id) {
  if (auto found = entries_.find(id); found != entries_.end())
    end(found);
}

void http_sessions::expire(timestamp now) {
  for (auto i = entries_.begin(); i != entries_.end();)
    i = i->second.is_idle() && i->second.last_use + idle_ <= now ? end(i) : std::next(i);
}

http_sessions::map::iterator http_sessions::end(map::iterator x) {
  auto gone = std::move(x->second);
  auto next = entries_.erase(x);
  gone.state->close();
  if (gone.stream)
    gone.stream->end();
  return next;
}

http_endpoint::http_endpoint(std::shared_ptr<mcp::server> server, http_endpoint_config config)
  : server_{std::move(server)},
    config_{std::move(config)},
    sessions_{config_.max_sessions, config_.idle_session},
    header_arguments_{arguments_in_headers(server_->offers().tools())} {}

void http_endpoint::handle(http::request x, std::shared_ptr<http::exchange> by, principal who) {
  auto work = std::make_shared<asked>(asked{std::move(x), std::move(by), std::move(who), {}});
  if (work->request.method == "POST")
    work->message = read_message(work->request.body);
  server_->on()->post([self = shared_from_this(), work] { self->take(*work); });
}

void http_endpoint::take(asked& x) {
  if (auto err = config_.names.check(x.request))
    return refuse(*x.by, 403, describe(err));
  const auto& method = x.request.method;
  if (method == "POST")
    return take_post(x);
  if (method != "GET" && method != "DELETE")
    return refuse_method(*x.by, "GET, POST, DELETE");
  if (names_modern(header_in(x.request, of_version)))
    return refuse_method(*x.by, "POST");
  return method == "GET" ? take_get(x) : take_delete(x);
}

// -- sessions ------------------------------------------------------------------------

http_sessions::entry* http_endpoint::session_of(const asked& x, const json::value& id) {
  auto session_id = header_in(x.request, of_sessions);
  auto version = header_in(x.request, of_version);
  if (!session_id) {
    refuse(*x.by, 400, {refused_by_transport, "Mcp-Session-Id: expected one", {}}, id);
    return nullptr;
  }
  auto* found = sessions_.find(*session_id, x.who, server_->on()->now());
  if (found == nullptr) {
    refuse(*x.by, 404, {no_such_session, "Session not found", {}}, id);
    return nullptr;
  }
  if (version && !is_legacy(*version)) {
    refuse(*x.by, 400,
      {refused_by_transport, "MCP-Protocol-Version: expected a version with sessions", {}}, id);
    return nullptr;
  }
  return found;
}

/// Opens the stream for messages that belong to no request.
void http_endpoint::take_get(const asked& x) {
  if (!accepts(x.request, "text/event-stream"))
    return refuse(*x.by, 406, "Accept: expected text/event-stream");
  auto* found = session_of(x);
  if (found == nullptr)
    return;
  if (found->stream)
    return refuse(*x.by, 409, "this session has a stream already");
  auto ended = [weak = weak_from_this(), id = *header_in(x.request, of_sessions), who = x.who] {
    auto self = weak.lock();
    if (!self)
      return;
    if (auto* of = self->sessions_.find(id, who, self->server_->on()->now()))
      of->stream.reset();
  };
  found->stream = std::make_shared<stream_response_channel>(
    event_stream::begin(server_->on(), *x.by, http::at_drain::end, std::move(ended)));
  found->state->unasked = found->stream;
}

void http_endpoint::take_delete(const asked& x) {
  if (session_of(x) == nullptr)
    return;
  sessions_.remove(*header_in(x.request, of_sessions));
  respond(*x.by, 200);
}

void http_endpoint::begin_session(const asked& x, json_rpc::request call) {
  auto id = *call.id;
  auto now = server_->on()->now();
  if (auto known = header_in(x.request, of_sessions); known && sessions_.find(*known, x.who, now))
    return refuse(*x.by, 400,
      {static_cast<int32_t>(json_rpc::code::invalid_request), "this session has begun already", {}},
      id);
  if (auto why = server_->refuse_to_keep())
    return refuse(*x.by, 503, *why, id);
  if (!sessions_.make_room(now))
    return refuse(*x.by, 503, internal_error("too many sessions"), id);
  auto session_id = auth::random_text(session_id_bytes);
  auto begun = std::make_shared<session>(server_->on());
  auto back = std::make_shared<http_response_channel>(
    server_->on(), x.by, protocol_generation::legacy, session_id);
  server_->handle({std::move(call), {}, x.who, begun, std::move(back)});
  if (!begun->version.empty())
    sessions_.add(session_id, {std::move(begun), x.who, now, nullptr});
  look_after_sessions();
}

/// Ends idle sessions from time to time while there are any: a forgotten one would stay subscribed.
void http_endpoint::look_after_sessions() {
  if (sessions_.size() == 0 || std::exchange(looks_after_sessions_, true))
    return;
  server_->on()->after(config_.idle_session, [weak = weak_from_this()] {
    auto self = weak.lock();
    if (!self)
      return;
    self->sessions_.expire(self->server_->on()->now());
    self->looks_after_sessions_ = false;
    self->look_after_sessions();
  });
}

// -- messages ------------------------------------------------------------------------

void http_endpoint::take_post(asked& x) {
  if (!is_json(x.request))
    return refuse(*x.by, 415, "Content-Type: expected application/json");
  auto& message = *x.message;
  if (auto* wrong = std::get_if<not_understood>(&message))
    return x.by->respond(json_response(400, wrong->refusal));
  if (auto* answer = std::get_if<reply>(&message)) {
    if (auto* from = session_of(x)) {
      from->state->take(answer->message);
      respond(*x.by, 202);
    }
    return;
  }
  auto& call = std::get<json_rpc::request>(message);
  if (claims_modern(call.params) || names_modern(header_in(x.request, of_version)))
    return take_modern(x, std::move(call));
  take_legacy(x, std::move(call));
}

void http_endpoint::take_modern(const asked& x, json_rpc::request call) {
  if (!call.id) // a modern client cancels by closing the connection
    return respond(*x.by, 202);
  if (!accepts(x.request, "application/json") && !accepts(x.request, "text/event-stream"))
    return refuse(*x.by, 406, "Accept: expected application/json and text/event-stream");
  auto said = read_envelope(call.params, true);
  if (auto* why = std::get_if<error>(&said))
    return refuse(*x.by, 400, *why, *call.id);
  auto& envelope = std::get<mcp::envelope>(said);
  if (auto why = refuse_headers(x.request, call, envelope, header_arguments_))
    return refuse(*x.by, 400, *why, *call.id);
  auto back =
    std::make_shared<http_response_channel>(server_->on(), x.by, protocol_generation::modern);
  if (accepts(x.request, "text/event-stream"))
    back->stream_after(config_.slow_answer);
  server_->handle({std::move(call), std::move(envelope), x.who, nullptr, std::move(back)});
}

void http_endpoint::take_legacy(const asked& x, json_rpc::request call) {
  if (!accepts(x.request, "application/json") || !accepts(x.request, "text/event-stream"))
    return refuse(*x.by, 406, "Accept: expected application/json and text/event-stream");
  if (call.id && call.method == "initialize")
    return begin_session(x, std::move(call));
  auto* from = session_of(x, call.id ? *call.id : json::value{});
  if (from == nullptr)
    return;
  if (!call.id) {
    server::take_notification(call, *from->state);
    return respond(*x.by, 202);
  }
  auto said = read_envelope(call.params);
  auto back =
    std::make_shared<http_response_channel>(server_->on(), x.by, protocol_generation::legacy);
  back->stream_after(config_.slow_answer);
  server_->handle(
    {std::move(call), std::move(std::get<envelope>(said)), x.who, from->state, std::move(back)});
}

} // namespace scratchpage::mcp
