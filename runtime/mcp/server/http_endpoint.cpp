#include "scratchpage/runtime/mcp/server/http_endpoint.hpp"

#include <algorithm>
#include <utility>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/auth/random_text.hpp"
#include "scratchpage/runtime/mcp/protocol/members.hpp"

namespace scratchpage::mcp {

namespace {

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

/// An answer with an id only if it is known.
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

/// Whether the header names a revision where every request says its version.
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

http_endpoint::http_endpoint(std::shared_ptr<mcp::server> server, http_endpoint_config config)
  : server_{std::move(server)},
    config_{std::move(config)},
    sessions_{config_.most_sessions, config_.idle_session},
    header_arguments_{arguments_in_headers(server_->offers().tools())} {}

void http_endpoint::handle(http::request x, std::shared_ptr<http::exchange> by, client who) {
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
      {refused_by_transport, "MCP-Protocol-Version: expected one that sessions speak", {}}, id);
    return nullptr;
  }
  return found;
}

/// Opens the stream of what nobody asked for.
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
  found->stream = std::make_shared<stream_outlet>(
    event_stream::begin(server_->on(), *x.by, http::at_drain::end, std::move(ended)));
  found->state->unasked = found->stream;
}

void http_endpoint::take_delete(const asked& x) {
  if (session_of(x) == nullptr)
    return;
  sessions_.remove(*header_in(x.request, of_sessions));
  respond(*x.by, 200);
}

void http_endpoint::begin_session(const asked& x, rpc::request call) {
  auto id = *call.id;
  auto now = server_->on()->now();
  if (auto known = header_in(x.request, of_sessions); known && sessions_.find(*known, x.who, now))
    return refuse(*x.by, 400,
      {static_cast<int32_t>(rpc::code::invalid_request), "this session has begun already", {}}, id);
  if (auto why = server_->refuse_to_keep())
    return refuse(*x.by, 503, *why, id);
  if (!sessions_.make_room(now))
    return refuse(*x.by, 503, internal_error("too many sessions"), id);
  auto session_id = random_text(session_id_bytes);
  auto begun = std::make_shared<session>(server_->on());
  auto back = std::make_shared<http_outlet>(server_->on(), x.by, era::legacy, session_id);
  server_->handle({std::move(call), {}, x.who, begun, std::move(back)});
  if (!begun->version.empty())
    sessions_.add(session_id, {std::move(begun), x.who, now, nullptr});
  look_after_sessions();
}

/// As long as there are any: those that nobody uses listen to changes.
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
  auto& call = std::get<rpc::request>(message);
  if (claims_modern(call.params) || names_modern(header_in(x.request, of_version)))
    return take_modern(x, std::move(call));
  take_legacy(x, std::move(call));
}

void http_endpoint::take_modern(const asked& x, rpc::request call) {
  if (!call.id) // to cancel, one closes the connection
    return respond(*x.by, 202);
  if (!accepts(x.request, "application/json") && !accepts(x.request, "text/event-stream"))
    return refuse(*x.by, 406, "Accept: expected application/json and text/event-stream");
  auto said = read_envelope(call.params, true);
  if (auto* why = std::get_if<error>(&said))
    return refuse(*x.by, 400, *why, *call.id);
  auto& envelope = std::get<mcp::envelope>(said);
  if (auto why = refuse_headers(x.request, call, envelope, header_arguments_))
    return refuse(*x.by, 400, *why, *call.id);
  auto back = std::make_shared<http_outlet>(server_->on(), x.by, era::modern);
  if (accepts(x.request, "text/event-stream"))
    back->stream_after(config_.slow_answer);
  server_->handle({std::move(call), std::move(envelope), x.who, nullptr, std::move(back)});
}

void http_endpoint::take_legacy(const asked& x, rpc::request call) {
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
  auto back = std::make_shared<http_outlet>(server_->on(), x.by, era::legacy);
  back->stream_after(config_.slow_answer);
  server_->handle(
    {std::move(call), std::move(std::get<envelope>(said)), x.who, from->state, std::move(back)});
}

} // namespace scratchpage::mcp
