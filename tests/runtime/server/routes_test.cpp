#include <boost/test/unit_test.hpp>

#include <set>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/api/operation_list.hpp"
#include "scratchpage/runtime/api/operation_schemas.hpp"
#include "scratchpage/runtime/server/rest.hpp"
#include "scratchpage/runtime/server/rpc_service.hpp"
#include "scratchpage/tests/support/operation_schema.hpp"

/// The operations and arguments of paths and query strings.

namespace scratchpage::test {

namespace {

using namespace server;

http::request request(std::string method, std::string path, std::string body = {}) {
  http::request x;
  x.method = std::move(method);
  auto question = path.find('?');
  x.path = path.substr(0, question);
  if (question != std::string::npos)
    x.query = path.substr(question + 1);
  x.body = std::move(body);
  return x;
}

rest_call call_of(const http::request& x) {
  auto read = read_rest(x);
  if (auto* refused = std::get_if<http::response>(&read))
    BOOST_FAIL(refused->body);
  return std::get<rest_call>(std::move(read));
}

/// The refusal as "400 field", or "none".
std::string refusal_of(const http::request& x) {
  auto read = read_rest(x);
  auto* refused = std::get_if<http::response>(&read);
  if (refused == nullptr)
    return "none";
  auto error = json::parse(refused->body).at("error");
  return std::to_string(refused->status) + " " + std::string{error.at("field").as_string()};
}

const std::string ada = "/v1/agents/ada";

} // namespace

BOOST_AUTO_TEST_SUITE(routes)

BOOST_AUTO_TEST_CASE(a_draft_is_posted_to_an_agents_observations) {
  auto x = call_of(request("POST", "/v1/agents/ada%20b/observations", R"({"type": "alert"})"));
  BOOST_TEST(x.agent_id == "ada b");
  BOOST_TEST(x.operation == "add_observation");
  BOOST_TEST(to_text(json::value(x.arguments)) == R"({"type":"alert"})");
  BOOST_TEST(x.status == 201u);
}

BOOST_AUTO_TEST_CASE(a_path_gives_arguments_and_the_thread) {
  auto x = call_of(request("PATCH", ada + "/threads/trip/items/s1", R"({"status": "done"})"));
  BOOST_TEST(x.operation == "scratch_update");
  BOOST_TEST(x.thread_id == "trip");
  BOOST_TEST(to_text(json::value(x.arguments)) == R"({"status":"done","id":"s1"})");
}

BOOST_AUTO_TEST_CASE(a_query_string_is_read_as_what_its_parameters_are) {
  auto x = call_of(request("GET", ada
                                    + "/observations?query=server+room&tags=a&tags=b&type=alert&"
                                      "min_confidence=0.5&limit=3&context.goal_id=trip&"
                                      "context.task=7&deadline_ms=20"));
  BOOST_TEST(
    to_text(json::value(x.arguments))
    == R"({"query":"server room","tags":["a","b"],"type":["alert"],"min_confidence":0.5,"limit":3,)"
       R"("context":{"goal_id":"trip","task":7},"deadline_ms":20})");
}

BOOST_AUTO_TEST_CASE(a_path_of_names_alone_stands_before_one_with_parameters) {
  BOOST_TEST(
    call_of(request("GET", ada + "/observations/active")).operation == "get_active_observations");
  auto x = call_of(request("GET", ada + "/observations/obs_1"));
  BOOST_TEST(x.operation == "get_observation");
  BOOST_TEST(to_text(json::value(x.arguments)) == R"({"observation_id":"obs_1"})");
}

BOOST_AUTO_TEST_CASE(head_is_as_get) {
  BOOST_TEST(call_of(request("HEAD", ada + "/goals")).operation == "goals_list");
}

BOOST_AUTO_TEST_CASE(what_cannot_be_read_is_refused_by_name) {
  BOOST_TEST(refusal_of(request("GET", "/v1/agents/ada/nothing")) == "404 path");
  BOOST_TEST(refusal_of(request("GET", "/v1/agents")) == "404 path");
  BOOST_TEST(refusal_of(request("PUT", ada + "/goals")) == "405 method");
  BOOST_TEST(refusal_of(request("POST", ada + "/observations", "{")) == "400 body");
  BOOST_TEST(refusal_of(request("POST", ada + "/observations", "[]")) == "400 body");
  BOOST_TEST(refusal_of(request("GET", ada + "/observations?limit=many")) == "400 limit");
  BOOST_TEST(refusal_of(request("GET", ada + "/observations?limit=1&limit=2")) == "400 limit");
  BOOST_TEST(refusal_of(request("GET", ada + "/observations?colour=red")) == "400 colour");
  BOOST_TEST(refusal_of(request("GET", ada + "/observations?colour.a=red")) == "400 colour.a");
  BOOST_TEST(refusal_of(request("GET", ada + "/observations?context=1")) == "400 context");
  BOOST_TEST(refusal_of(request("GET", ada + "/observations?query=%zz")) == "400 query");
  BOOST_TEST(
    refusal_of(request("PATCH", ada + "/goals/g1", R"({"goal_id": "g2"})")) == "400 goal_id");
}

BOOST_AUTO_TEST_CASE(the_ids_of_a_target_are_short) {
  auto refused_field = [](const std::string& query) {
    auto target = read_rpc_target(query);
    return target ? "none" : field_of(target.error());
  };
  std::string longest(rpc_target::id_bytes, 'x');
  BOOST_TEST(refused_field("agent=" + longest + "&thread=" + longest) == "none");
  BOOST_TEST(refused_field("agent=" + longest + "x") == "agent");
  BOOST_TEST(refused_field("thread=" + longest + "x") == "thread");
}

BOOST_AUTO_TEST_CASE(a_method_that_a_path_does_not_have_is_told_which_it_has) {
  auto read = read_rest(request("PUT", ada + "/context"));
  auto refused = std::get<http::response>(read);
  BOOST_REQUIRE(refused.headers.size() == 2u);
  BOOST_TEST(refused.headers[1].name == "allow");
  BOOST_TEST(refused.headers[1].value == "GET, POST");
}

BOOST_AUTO_TEST_CASE(a_form_that_a_web_page_could_send_is_no_json) {
  auto x = request("POST", ada + "/observations", R"({"type": "alert"})");
  x.headers.push_back({"content-type", "text/plain"});
  BOOST_TEST(refusal_of(x) == "415 content-type");
  x.headers[0].value = "application/json; charset=utf-8";
  BOOST_TEST(refusal_of(x) == "none");
}

BOOST_AUTO_TEST_CASE(every_operation_has_a_route_and_every_route_an_operation) {
  std::set<std::string_view> routed;
  for (const auto& x : all_routes())
    routed.insert(x.operation);
  for (const auto& x : all_operations())
    if (x.name != "list_observations") // it has the same route as a query without a text
      BOOST_TEST(routed.erase(x.name) == 1u, x.name);
  BOOST_TEST(routed.empty());
}

BOOST_AUTO_TEST_CASE(every_operation_is_described_whole) {
  BOOST_REQUIRE(!all_operations().empty());
  for (const auto& x : all_operations()) {
    auto schema = schema_of_operation(x.name);
    BOOST_TEST(schema.arguments.at("type").as_string() == "object", x.name);
    BOOST_TEST(schema.arguments.at("additionalProperties").as_bool() == false, x.name);
    BOOST_TEST(!schema.arguments.at("properties").as_object().contains("by"), x.name);
    // The members that models get are part of the complete schema.
    if (const auto told = x.input_schema(); told.contains("properties"))
      for (const auto& member : told.at("properties").as_object())
        BOOST_TEST(schema.arguments.at("properties").as_object().contains(member.key()),
          std::string{x.name} + "." + std::string{member.key()});
  }
}

BOOST_AUTO_TEST_CASE(the_document_has_every_route_with_its_parameters) {
  auto document = openapi_document();
  BOOST_TEST(document.at("openapi").as_string() == "3.1.0");
  std::set<std::string> ids;
  for (const auto& x : all_routes()) {
    const auto& path = document.at("paths").at(json::string_view{x.path.data(), x.path.size()});
    std::string method{x.method};
    for (auto& c : method)
      c = static_cast<char>(c - 'A' + 'a');
    const auto& operation = path.at(method).as_object();
    BOOST_TEST(ids.insert(std::string{operation.at("operationId").as_string()}).second, x.path);
    BOOST_TEST(operation.contains("requestBody") == (x.from == arguments_in::body), x.path);
    BOOST_TEST(operation.at("parameters").as_array().size() >= parameters_of(x).size(), x.path);
    BOOST_TEST(operation.at("responses").as_object().contains(std::to_string(x.status)), x.path);
  }
}

BOOST_AUTO_TEST_CASE(the_document_says_each_struct_once_and_refers_to_it) {
  auto document = openapi_document();
  const auto& schemas = document.at("components").at("schemas").as_object();
  for (const auto* name : {"draft", "observation_draft", "observation", "query_result", "goal",
         "turn_result", "scratchbook_item", "error", "refusal", "planned_call"})
    BOOST_TEST(schemas.contains(name), name);
  const auto& observations = document.at("paths").at("/v1/agents/{agent}/observations");
  const auto& added = observations.at("post").at("requestBody");
  BOOST_TEST(added.at("content").at("application/json").at("schema").at("$ref").as_string()
             == "#/components/schemas/draft");
  const auto& found = observations.at("get").at("responses").at("200");
  BOOST_TEST(found.at("content").at("application/json").at("schema").at("$ref").as_string()
             == "#/components/schemas/query_result");
}

BOOST_AUTO_TEST_CASE(every_reference_of_the_document_leads_somewhere) {
  const json::value document = openapi_document();
  auto text = to_text(document);
  size_t references = 0;
  constexpr std::string_view mark = R"("$ref":"#)";
  for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1)) {
    auto begin = at + mark.size();
    boost::json::error_code ec;
    const auto* there =
      document.find_pointer(text.substr(begin, text.find('"', begin) - begin), ec);
    BOOST_TEST(there != nullptr, text.substr(at, 80));
    ++references;
  }
  BOOST_TEST(references > 100u);
}

BOOST_AUTO_TEST_CASE(a_path_says_what_its_parameters_are) {
  auto document = openapi_document();
  const auto& goal = document.at("paths").at("/v1/agents/{agent}/goals/{goal_id}").at("get");
  const auto& parameters = goal.at("parameters").as_array();
  BOOST_REQUIRE(parameters.size() == 2u);
  BOOST_TEST(parameters[0].at("description").as_string() == "The agent");
  BOOST_TEST(parameters[1].at("description").as_string() == "Which goal");
  BOOST_TEST(parameters[1].at("schema").at("examples").at(0).as_string() == "goal_1");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
