#include "scratchpage/tests/runtime/server/documented_service.hpp"

#include <algorithm>
#include <utility>

#include <caf/scoped_actor.hpp>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/runtime/net/http/target.hpp"
#include "scratchpage/tests/runtime/server/broken_requests.hpp"
#include "scratchpage/tests/support/json_schema_check.hpp"
#include "scratchpage/tests/support/require_value.hpp"

namespace scratchpage::test {

namespace {

std::string plain_text(const json::value& x) {
  return x.is_string() ? std::string{x.get_string()} : to_text(x);
}

std::string as_text(schema_values& values, const described_parameter& x) {
  auto value = values.any(x.schema, x.name);
  return http::percent_encode(plain_text(value));
}

/// A parameter of a query string; a list repeats the parameter.
std::string as_parameter(schema_values& values, const described_parameter& x) {
  auto value = values.any(x.schema, x.name);
  if (!value.is_array())
    return x.name + "=" + http::percent_encode(plain_text(value));
  std::string result;
  for (const auto& one : value.get_array())
    result.append(result.empty() ? "" : "&")
      .append(x.name)
      .append("=")
      .append(http::percent_encode(plain_text(one)));
  return result;
}

/// Tests that the error names `at` or `parent`. If `at` is "", it may name anything.
void check_named(const http::request& asked, const http::response& got, const std::string& at,
  const std::string& parent) {
  auto field = field_of_refusal(got);
  if (field.empty() || (!names(field, at) && (parent.empty() || field != parent)))
    BOOST_ERROR("expected an error about " << at << "\n  " << shown(asked) << "\n  " << got.body);
}

/// Whether the error is about another part than `at`: earlier requests may have removed what
/// the path or `observation_ids` name, and an action needs a goal.
bool is_elsewhere(const described_operation& x, const std::string& field, const std::string& at) {
  return std::ranges::any_of(x.parameters,
           [&](const described_parameter& one) { return one.in == "path" && one.name == field; })
         || (at == "action_id" && field == "goal_id")
         || (at == "request_key" && field == "observation_ids");
}

/// A configuration without waiting for the disk, which does not change the answers.
config without_waiting_for_disks() {
  auto result = default_config();
  result.durability.durability = durability::async;
  return result;
}

} // namespace

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  auto at = text.find(what);
  return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

std::string shown(const http::request& x) {
  auto text = x.method + " " + x.path + (x.query.empty() ? "" : "?") + x.query + " " + x.body;
  return text.size() < 400 ? text : text.substr(0, 400) + "…";
}

std::string header_of(const http::response& x, std::string_view name) {
  for (const auto& one : x.headers)
    if (one.name == name)
      return one.value;
  return {};
}

std::string field_of_refusal(const http::response& x) {
  const json::value error = json::parse(x.body).at("error");
  const auto* field = error.as_object().if_contains("field");
  return field == nullptr ? std::string{} : std::string{field->as_string()};
}

documented_service::documented_service()
  : hosted{without_waiting_for_disks()} {}

documented_service::~documented_service() {
  BOOST_TEST_MESSAGE(requests << " requests, seed " << seed);
}

std::shared_ptr<awaited_answer> documented_service::begin(const http::request& x) {
  ++requests;
  auto back = std::make_shared<awaited_answer>();
  service.handle(x, back);
  return back;
}

// -- agents with content of each kind --------------------------------------------------

schema_values::known_values documented_service::settle_in(
  const std::string& agent_id, bool with_turn, bool is_held) {
  auto add = [&](const char* content) {
    return call(agent_id, "add_observation", {{"type", "observation"}, {"content", content}})
      .at("observation_id");
  };
  json::value turn = ""; // no turn
  if (with_turn)
    turn = call(agent_id, "begin_turn", {{"input", "How is it?"}, {"hold", is_held}}).at("turn_id");
  auto first = add("Smoke");
  auto resolved = add("Smoke is gone");
  call(agent_id, "update_observation",
    {{"observation_id", resolved}, {"changes", {{"status", "resolved"}}}});
  call(agent_id, "scratch_add", {{"kind", "task"}, {"title", "Look after it"}});
  require_value(add_goal(agent_id));
  BOOST_REQUIRE(!host->settle());
  schema_values::known_values result{{"thread", {"main"}}, {"goal_id", {"g1"}},
    {"action_id", {"a1"}}, {"id", {"s1"}}, {"type", {"observation", "alert"}}, {"cursor", {""}},
    {"from", {"now", "0-0"}}, {"expected_revision", {1}}, {"kind", {"task"}},
    {"thread_id", {"main"}}, {"mode", {"sequential"}}, {"deadline_ms", {0, 10'000}}};
  result["agent"].push_back(json::value(agent_id));
  result["observation_id"].push_back(first);
  result["observation_ids"].push_back(json::array(1, resolved));
  result["turn_id"].push_back(turn);
  result["plan"].push_back(json::array{});
  auto known = call(agent_id, "add_fact", {{"statement", "The cellar is dry"}});
  result["fact_id"].push_back(known.at("fact_id"));
  return result;
}

caf::expected<goal> documented_service::add_goal(const std::string& agent_id) {
  goal draft;
  draft.goal_id = "g1";
  draft.goal_type = "watch";
  draft.pending_actions.push_back({"a1", "look"});
  caf::scoped_actor self{host->system()};
  caf::expected<goal> result{caf::error{}};
  ask(self.ptr(), agent(agent_id)->cortex, std::chrono::minutes{1}, create_goal{by, draft})
    .receive([&](goal& x) { result = std::move(x); }, [&](const caf::error& err) { result = err; });
  return result;
}

uint64_t documented_service::sequence(const std::string& agent_id) {
  http::request x;
  x.method = "GET";
  x.path = "/v1/agents/" + agent_id + "/stats";
  x.headers = {{"host", "localhost"}};
  return json::parse(send(x).body).at("sequence").to_number<uint64_t>();
}

// -- requests ---------------------------------------------------------------------------

http::request documented_service::request(
  const described_operation& x, schema_values& values, bool least, std::string body) {
  http::request result;
  result.method = x.method;
  result.path = x.path;
  result.headers = {{"host", "localhost"},
    {"scratchpage-caller", R"({"role": "admin", "kind": "user", "name": "ann"})"}};
  for (const auto& one : x.parameters) {
    if (one.in == "path")
      result.path = replaced(result.path, "{" + one.name + "}", as_text(values, one));
    else if (one.in == "query" && (one.is_required || (!least && values.draw().percent(30))))
      result.query += (result.query.empty() ? "" : "&") + as_parameter(values, one);
  }
  if (!x.body.empty()) {
    result.headers.push_back({"content-type", "application/json"});
    result.body = std::move(body);
  }
  return result;
}

http::request documented_service::usual(const described_operation& x, schema_values& values) {
  auto body = x.body.empty() ? std::string{} : to_text(values.least(x.body));
  if (x.id == "rpc")
    body = R"({"jsonrpc": "2.0", "id": 1, "method": "goals_list"})";
  return request(x, values, true, body);
}

// -- answers ----------------------------------------------------------------------------

void documented_service::check_described(
  const described_operation& x, const http::request& asked, const http::response& got) const {
  auto complain = [&](const std::string& what) {
    BOOST_ERROR(what << "\n  " << shown(asked) << "\n  " << got.status << " " << got.body);
  };
  if (got.status >= 500)
    return complain("an error of the server's");
  const auto* response = x.responses.if_contains(std::to_string(got.status));
  if (response == nullptr && got.status < 400)
    return complain("a status that the document does not have");
  if (response == nullptr)
    response = &document.at_pointer("/components/responses/refused");
  const auto* content = response->as_object().if_contains("content");
  if (content == nullptr)
    return got.body.empty() ? void() : complain("a body that the document does not have");
  auto type = header_of(got, "content-type");
  const auto* form = content->as_object().if_contains(type);
  if (form == nullptr)
    return complain("a content type that the document does not have");
  if (type != "application/json")
    return;
  auto problem = json_schema_check{document}.violation(form->at("schema"), json::parse(got.body));
  if (!problem.empty())
    complain("not as the document says: " + problem);
}

void documented_service::check_refused(const described_operation& x, const http::request& asked,
  const http::response& got, const std::string& at, const std::string& parent) const {
  check_described(x, asked, got);
  if (got.status < 400 || got.status >= 500)
    BOOST_ERROR("expected to be refused about " << at << "\n  " << shown(asked) << "\n  "
                                                << got.status << " " << got.body);
  else
    check_named(asked, got, at, parent);
}

/// Ends a held turn, because it would block other turns of its thread.
void documented_service::let_go(const http::request& asked, const http::response& got) {
  constexpr std::string_view agents = "/v1/agents/";
  if (got.body.find(R"("status":"held")") == std::string::npos)
    return;
  auto agent =
    asked.path.substr(agents.size(), asked.path.find('/', agents.size()) - agents.size());
  call(agent, "end_turn", {{"turn_id", json::parse(got.body).at("turn_id")}});
}

void documented_service::check(const described_operation& x, const http::request& asked,
  const std::string& at, bool is_wrong, const std::string& parent) {
  auto got = send(asked);
  if (is_wrong)
    return check_refused(x, asked, got, at, parent);
  check_described(x, asked, got);
  let_go(asked, got);
  if (got.status >= 400 && got.status < 500 && !is_elsewhere(x, field_of_refusal(got), at))
    check_named(asked, got, at, parent);
}

} // namespace scratchpage::test
