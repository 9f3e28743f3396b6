#include "scratchpage/runtime/server/service.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <caf/event_based_actor.hpp>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/main_thread.hpp"
#include "scratchpage/messages/version.hpp"
#include "scratchpage/runtime/api/arguments.hpp"
#include "scratchpage/runtime/api/operation_caller.hpp"
#include "scratchpage/runtime/api/operation_list.hpp"
#include "scratchpage/runtime/events/event_feed.hpp"
#include "scratchpage/runtime/events/event_order.hpp"
#include "scratchpage/runtime/execution/wall_clock.hpp"
#include "scratchpage/runtime/net/http/http_answers.hpp"
#include "scratchpage/runtime/net/http/server_config.hpp"
#include "scratchpage/runtime/net/http/target.hpp"
#include "scratchpage/runtime/server/metrics.hpp"
#include "scratchpage/runtime/server/rest.hpp"
#include "scratchpage/runtime/server/rpc_service.hpp"
#include "scratchpage/runtime/telemetry/metrics.hpp"
#include "scratchpage/runtime/web/assets.hpp"

namespace scratchpage::server {

namespace {

constexpr timespan readiness_timeout = std::chrono::seconds{2};
constexpr timespan between_checks = std::chrono::seconds{10};

bool is_get(const http::request& x) {
  return x.method == "GET" || x.method == "HEAD";
}

http::response expect_method(std::string_view allowed) {
  auto result =
    http::error_response(fail(errc::invalid_request, "method", "expected " + std::string{allowed}));
  result.status = 405;
  result.headers.push_back({"allow", std::string{allowed}});
  return result;
}

constexpr std::string_view session_path = "/v1/session";
constexpr std::string_view session_keys_path = "/v1/session/keys";

struct session_request {
  std::string key;

  static constexpr auto fields(auto all) { return all(required("key", &session_request::key)); }
};

/// Paths that need no authentication.
bool is_for_everybody(std::string_view path) {
  return path == "/healthz" || path == "/readyz" || path == "/openapi.json";
}

/// The key in an `Idempotency-Key`: a string of RFC 8941 in quotation marks, or the bare key.
std::string key_in(std::string_view header) {
  auto is_quoted = header.size() > 1 && header.front() == '"' && header.back() == '"';
  return std::string{is_quoted ? header.substr(1, header.size() - 2) : header};
}

/// Puts the agent and the thread of a target into the principal.
void set_target(principal& who, rpc_target target) {
  who.agent_id = std::move(target.agent);
  who.thread_id = std::move(target.thread);
  who.may_begin = target.make && who.may_write;
}

caf::error check_agent(const principal& who, const std::string& agent_id) {
  return who.check_agent ? who.check_agent(agent_id) : caf::error{};
}

/// The agent in a path such as `/v1/agents/ID/events`; nothing if the path is another one.
std::optional<std::string> agent_of(
  const std::vector<std::string>& segments, std::string_view name) {
  auto fits =
    segments.size() == 4 && segments[0] == "v1" && segments[1] == "agents" && segments[3] == name;
  return fits ? std::optional{segments[2]} : std::nullopt;
}

/// Whether a request may open a stream.
bool may_open_stream(const http::request& x) {
  return x.path == "/mcp"
         || (x.method == "GET"
             && (x.path == "/rpc" || x.path.ends_with("/events") || is_download(x.path)));
}

void check_later(
  caf::event_based_actor* self, const std::weak_ptr<auth::stream_revalidator>& streams) {
  self->run_delayed(between_checks, [self, streams] {
    if (auto open = streams.lock()) {
      open->check();
      check_later(self, streams);
    }
  });
}

/// Answers that the server is ready if all journals from `next` on are.
void ask_journals(caf::event_based_actor* self, const std::vector<journal_actor>& journals,
  size_t next, const std::shared_ptr<http::exchange>& to) {
  if (next == journals.size())
    return to->respond(http::json_response(200, {{"status", "ready"}}));
  ask(self, journals[next], readiness_timeout, caf::get_atom_v)
    .then(
      [self, journals, next, to](const journal_stats& x) {
        if (x.failures == 0)
          return ask_journals(self, journals, next + 1, to);
        to->respond(http::error_response(fail(errc::storage_unavailable, "", "the storage fails")));
      },
      [to](const caf::error& err) { to->respond(http::error_response(err)); });
}

} // namespace

service::service(agent_host& host, auth::authenticator& by, auth::host_check names)
  : host_{host},
    authenticator_{by},
    names_{std::move(names)},
    operations_{host.system()},
    calls_{host, agents_, operations_},
    rpc_{calls_, host.answers()},
    mcp_{host, calls_, names_},
    streams_{std::make_shared<auth::stream_revalidator>(by)},
    started_{wall_clock{}.now()},
    downloads_{host},
    long_bodies_{{max_long_bodies, std::min(max_long_bytes, host.with().http.max_bodies_bytes)},
      work_queue::pace::gives_way},
    agents_{host} {
  operations_.run([streams = std::weak_ptr{streams_}](
                    caf::event_based_actor* self) { check_later(self, streams); });
}

service::~service() {
  streams_->end();
}

void service::begin_to_end() {
  ends_ = true;
  clients_.begin_to_end();
  downloads_.begin_to_end();
}

void service::handle(http::request x, exchange_ptr to) {
  if (is_for_everybody(x.path)) {
    // Health probes call the server by its address.
    if (auto err = names_.check_probe(x))
      return to->respond(http::error_response(err));
    return is_get(x) ? tell_everybody(x.path, to) : to->respond(expect_method("GET"));
  }
  if (auto err = names_.check(x))
    return to->respond(http::error_response(err));
  if (const auto* file = web::find_asset(x.path))
    return to->respond(is_get(x) ? web::answer(*file, x) : expect_method("GET"));
  if (x.path == session_path || x.path == session_keys_path)
    return answer_session(x, to);
  auto who = authenticator_.admit(x);
  if (!who)
    return to->respond(http::error_response(who.error()));
  if (auto refused = refuse_content(x))
    return to->respond(std::move(*refused));
  if (x.body.size() <= work_queue::long_bytes)
    return route(std::move(x), std::move(*who), std::move(to));
  if (auto err = host_.check_memory())
    return to->respond(http::error_response(err));
  auto bytes = x.body.size();
  auto asked = std::make_shared<http::request>(std::move(x));
  auto work = [this, asked, to] {
    auto still = authenticator_.admit(*asked);
    if (!still)
      return to->respond(http::error_response(still.error()));
    route(std::move(*asked), std::move(*still), to);
  };
  if (!long_bodies_.later(std::move(work), bytes))
    to->respond(
      http::error_response(fail(errc::overloaded, "body", "expected fewer long bodies at once")));
}

void service::route(http::request x, principal who, exchange_ptr to) {
  if (const auto* traceparent = x.header("traceparent"))
    who.traceparent = *traceparent;
  if (may_open_stream(x) || authenticator_.may_withdraw())
    to = streams_->watch(x, std::move(to));
  if (x.path == "/rpc")
    return answer_rpc(x, std::move(who), to);
  if (x.path == "/mcp")
    return answer_mcp(std::move(x), std::move(who), to);
  if (x.path == "/metrics")
    return is_get(x) ? tell_metrics(x, who, to) : to->respond(expect_method("GET"));
  if (x.path == "/v1/agents")
    return is_get(x) ? list_agents(x, who, to) : to->respond(expect_method("GET"));
  if (const auto* key = x.header("idempotency-key"))
    who.request_key = key_in(*key);
  admitted(x, who, to);
}

void service::tell_everybody(std::string_view path, const exchange_ptr& to) {
  if (path == "/healthz")
    return to->respond(http::json_response(200, {{"status", "ok"}, {"version", version}}));
  if (path == "/readyz")
    return tell_readiness(to);
  static const auto text = to_text(json::value(openapi_document()));
  to->respond(http::json_text_response(200, text));
}

void service::admitted(const http::request& x, principal& who, const exchange_ptr& to) {
  auto segments = http::path_segments(x.path);
  if (!segments)
    return to->respond(http::error_response(segments.error()));
  if (auto copy = read_download(*segments)) {
    if (x.method != "GET")
      return to->respond(expect_method("GET"));
    who.check_admission = streams_->admission_of(x);
    return downloads_.answer(std::move(*copy), who, to);
  }
  auto with_events = agent_of(*segments, "events");
  auto with_threads = agent_of(*segments, "threads");
  if (!with_events && !with_threads)
    answer_rest(x, *segments, who, to);
  else if (!is_get(x) || (with_events && x.method != "GET"))
    to->respond(expect_method("GET"));
  else if (with_events)
    answer_events(x, *with_events, who, to);
  else
    list_threads(x, *with_threads, who, to);
}

void service::answer_rest(const http::request& x, const std::vector<std::string>& segments,
  principal& who, const exchange_ptr& to) {
  auto read = read_rest(x, segments);
  if (auto* refused = std::get_if<http::response>(&read))
    return to->respond(std::move(*refused));
  auto call = std::make_shared<rest_call>(std::get<rest_call>(std::move(read)));
  if (auto err = check_agent(who, call->agent_id))
    return to->respond(http::error_response(err));
  if (auto err = check_may(who, call->operation))
    return to->respond(http::error_response(err));
  who.agent_id = call->agent_id;
  who.thread_id = call->thread_id.empty() ? main_thread : call->thread_id;
  who.may_begin = true;
  calls_.perform(who, call->operation, std::move(call->arguments),
    [call, to, answers = host_.answers()](caf::expected<std::string> result) {
      auto held = hold_result(result, call->operation, *answers);
      to->respond(
        result ? rest_answer(*call, std::move(*result)) : rest_refusal(*call, result.error()));
    });
}

void service::answer_rpc(const http::request& x, principal who, const exchange_ptr& to) {
  auto target = read_rpc_target(x.query);
  if (!target)
    return to->respond(http::error_response(target.error()));
  if (auto err = check_agent(who, target->agent))
    return to->respond(http::error_response(err));
  if (x.method != "POST" && x.method != "GET")
    return to->respond(expect_method("POST, or GET with a WebSocket"));
  if (ends_)
    return to->respond(
      http::error_response(fail(errc::overloaded, "server", "the server is about to end")));
  auto may_begin = target->make;
  set_target(who, std::move(*target));
  who.check_admission = streams_->admission_of(x);
  if (x.method == "POST")
    return make_calls(x.body, who, to);
  accept_rpc(std::move(who), may_begin, to);
}

/// Calls of a batch that have not begun are not made if the client disconnects.
void service::make_calls(
  std::string_view body, const principal& who, const exchange_ptr& to) const {
  auto batch = rpc_.answer(rpc_service::read(body), who, [to](std::optional<std::string> answer) {
    to->respond(
      answer ? http::json_text_response(200, std::move(*answer)) : http::response{204, {}, {}});
  });
  if (batch->is_long())
    to->on_gone([batch = std::weak_ptr{batch}] {
      if (auto left = batch.lock())
        left->abandon();
    });
}

/// A WebSocket may be opened before its agent exists: the first change on it creates the agent.
void service::accept_rpc(principal who, bool may_begin, const exchange_ptr& to) {
  auto agent_id = who.agent_id;
  auto by = who.by;
  auto accept = [this, who = std::move(who), may_begin, to](
                  const caf::expected<hosted_agent_ptr>& agent) {
    if (!agent && !(may_begin && code_of(agent.error()) == errc::not_found))
      return to->respond(http::error_response(agent.error()));
    if (auto socket = to->accept_websocket())
      return serve_rpc(host_, rpc_, clients_, who, socket, long_bodies_);
    to->respond(expect_method("POST, or GET with a WebSocket"));
  };
  agents_.with(agent_id, open_mode::existing, by, std::move(accept));
}

void service::answer_mcp(http::request x, principal who, const exchange_ptr& to) {
  auto target = read_mcp_target(x.query);
  if (!target)
    return to->respond(http::error_response(target.error()));
  if (auto err = check_agent(who, target->agent))
    return to->respond(http::error_response(err));
  who.simple_tools = target->tools == tool_set::simple;
  set_target(who, std::move(*target));
  who.check_agent = nullptr; // done, and each call has a copy of the principal
  mcp_.answer(std::move(x), std::move(who), to);
}

/// `POST /v1/session` opens a person's session with a key, `POST /v1/session/keys` makes another
/// key, `GET /v1/session` describes the caller.
void service::answer_session(const http::request& x, const exchange_ptr& to) {
  if (x.method == "POST" && x.path == session_path)
    return open_session(x, to);
  auto who = authenticator_.admit(x);
  if (!who)
    return to->respond(http::error_response(who.error()));
  if (x.path == session_keys_path)
    return x.method == "POST" ? make_session_key(*who, to) : to->respond(expect_method("POST"));
  if (!is_get(x))
    return to->respond(expect_method("GET, POST"));
  to->respond(http::json_response(
    200, {{"name", who->by.name}, {"role", name_of(who->by.role)}, {"kind", name_of(who->by.kind)},
           {"owner", is_owner(who->by)}, {"may_write", who->may_write}}));
}

void service::open_session(const http::request& x, const exchange_ptr& to) {
  if (auto refused = refuse_content(x))
    return to->respond(std::move(*refused));
  auto* persons = authenticator_.persons();
  if (persons == nullptr)
    return to->respond(http::error_response(fail(errc::forbidden, "key",
      "expected a token: 'scratchpage token add --name … --person' makes one for a person")));
  auto given = from_json_text<session_request>(x.body, {4'096, 2});
  if (!given)
    return to->respond(http::error_response(given.error()));
  auto opened = persons->open(given->key, wall_clock{}.now());
  if (!opened)
    return to->respond(http::error_response(opened.error()));
  to->respond(http::json_response(200, {{"token", *opened}}));
}

void service::make_session_key(const principal& who, const exchange_ptr& to) {
  auto* persons = authenticator_.persons();
  if (persons == nullptr || !is_owner(who.by))
    return to->respond(http::error_response(fail(
      errc::forbidden, "by", "expected the user of this machine, and a server without tokens")));
  to->respond(http::json_response(200, {{"address", persons->address(wall_clock{}.now())}}));
}

void service::answer_events(const http::request& x, const std::string& agent_id,
  const principal& who, const exchange_ptr& to) {
  if (auto err = check_agent(who, agent_id))
    return to->respond(http::error_response(err));
  auto order = events::read_event_order(x, who.by);
  if (!order)
    return to->respond(http::error_response(order.error()));
  agents_.with(agent_id, open_mode::existing, who.by,
    [this, to, order = std::move(*order)](caf::expected<hosted_agent_ptr> agent) mutable {
      if (!agent)
        return to->respond(http::error_response(agent.error()));
      operations_.run([page = (*agent)->page, to, order = std::move(order)](
                        caf::event_based_actor* self) mutable {
        events::begin_events(self, page, to, std::move(order));
      });
    });
}

void service::count_with(std::function<http::server_stats()> stats) {
  std::lock_guard lock{stats_mutex_};
  stats_ = std::move(stats);
}

/// Reports on the agents that were used last, of those that the client may access.
void service::tell_metrics(const http::request& x, const principal& who, const exchange_ptr& to) {
  if (auto query = http::parse_query(x.query); !query)
    return to->respond(http::error_response(query.error()));
  else if (!query->empty())
    return to->respond(http::error_response(unknown_parameter(query->front().first)));
  auto may_see = [&](const hosted_agent& one) { return !check_agent(who, one.id); };
  metrics_order order{
    &host_, host_.latest_agents(most_measured_agents, may_see), {}, started_, wall_clock{}.now()};
  std::ranges::sort(order.agents, {}, [](const hosted_agent_ptr& one) { return one->id; });
  {
    std::lock_guard lock{stats_mutex_};
    if (stats_)
      order.http = stats_();
    order.stored = stored_;
  }
  count_stored_again();
  operations_.run([order = std::move(order), to](caf::event_based_actor* self) mutable {
    collect_metrics(self, std::move(order), [to](std::string text) {
      to->respond({200,
        {{"content-type", std::string{telemetry::metrics_text::content_type}},
          {"cache-control", "no-store"}},
        std::move(text)});
    });
  });
}

/// Counts what is stored for the next time that metrics are asked for, since nobody should wait for
/// the storage here.
void service::count_stored_again() {
  {
    std::lock_guard lock{stats_mutex_};
    if (std::exchange(counts_stored_, true))
      return;
  }
  auto count = [this] {
    auto found = count_stored(host_);
    std::lock_guard lock{stats_mutex_};
    stored_ = std::move(found);
    counts_stored_ = false;
  };
  if (!agents_.later(std::move(count))) {
    std::lock_guard lock{stats_mutex_};
    counts_stored_ = false;
  }
}

/// The error if no other client could connect now.
caf::error service::check_room() {
  if (http::are_descriptors_scarce())
    return fail(errc::overloaded, "descriptors", "expected free file descriptors");
  std::lock_guard lock{stats_mutex_};
  auto now = stats_ ? stats_() : http::server_stats{};
  if (now.max_connections == 0 || now.connections < now.max_connections)
    return {};
  return fail(errc::overloaded, "connections",
    "expected fewer than " + std::to_string(now.max_connections) + " connections");
}

/// The service is ready if it would accept a change: the storage works, clients can connect, there
/// is memory, no other server has just taken an agent, and the server is not stopping.
void service::tell_readiness(const exchange_ptr& to) {
  if (ends_)
    return to->respond(
      http::error_response(fail(errc::overloaded, "", "the server is about to end")));
  if (auto err = check_room())
    return to->respond(http::error_response(err));
  if (auto err = host_.check_memory())
    return to->respond(http::error_response(err));
  if (auto err = host_.check_claims())
    return to->respond(http::error_response(err));
  operations_.run([to, journals = host_.journals()](
                    caf::event_based_actor* self) { ask_journals(self, journals, 0, to); });
}

local_server::local_server(agent_host& host, std::shared_ptr<auth::person_sessions> persons)
  : authenticator_{role::admin, auth::claims::of_anybody, std::move(persons)},
    service_{host, authenticator_} {}

caf::expected<std::unique_ptr<local_server>> local_server::start(agent_host& host,
  const std::string& socket_path, std::shared_ptr<auth::person_sessions> persons) {
  std::unique_ptr<local_server> result{new local_server{host, std::move(persons)}};
  http::server_config config;
  config.socket_path = socket_path;
  auto started = http::server::start(
    config,
    [&service = result->service_](http::request x, const std::shared_ptr<http::exchange>& to) {
      service.handle(std::move(x), to);
    },
    {}, host.answers());
  if (!started)
    return started.error();
  result->server_ = std::move(*started);
  return result;
}

bool local_server::end(timespan within) {
  wall_clock clock;
  auto until = clock.steady() + within;
  service_.begin_to_end();
  auto answered = service_.await_clients(within);
  return server_->drain(std::max<timespan>(until - clock.steady(), timespan{0})) && answered;
}

} // namespace scratchpage::server
