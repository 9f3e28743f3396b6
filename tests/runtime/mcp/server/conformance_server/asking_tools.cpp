#include "scratchpage/messages/codec.hpp"
#include "scratchpage/tests/runtime/mcp/server/conformance_server/content.hpp"
#include "scratchpage/tests/runtime/mcp/server/conformance_server/fixture.hpp"
#include "scratchpage/tests/runtime/mcp/server/conformance_server/questions.hpp"

namespace scratchpage::test {

namespace {

json::object schema_with_text(std::string_view name) {
  return {{"type", "object"}, {"properties", {{view(name), {{"type", "string"}}}}},
    {"required", json::array{view(name)}}};
}

/// Asks the user, and returns their decision as the tool's result.
void ask_user(const call_ptr& by, mcp::question what) {
  by->ask({{"form", std::move(what)}}, [by](const mcp::answers& got) {
    const auto& answer = got.at("form");
    auto action = argument(answer, "action");
    const auto* content = mcp::object_in(answer, "content");
    by->give(says("User response: action=" + action
                  + ", content=" + (content != nullptr ? to_text(json::value(*content)) : "none")));
  });
}

void ask_model(const json::object& arguments, const call_ptr& by) {
  by->ask({{"prompt", prompt_of_model(argument(arguments, "prompt"), 100)}},
    [by](const mcp::answers& got) {
      by->give(says("LLM response: " + filled_in(got.at("prompt"), "text")));
    });
}

void ask_for_contact(const json::object& arguments, const call_ptr& by) {
  ask_user(by, form(argument(arguments, "message"),
                 {{"username", {{"type", "string"}, {"description", "User's response"}}},
                   {"email", {{"type", "string"}, {"description", "User's email address"}}}},
                 {"username", "email"}));
}

void ask_with_defaults(const json::object&, const call_ptr& by) {
  ask_user(by, form("Please review", {{"name", {{"type", "string"}, {"default", "John Doe"}}},
                                       {"age", {{"type", "integer"}, {"default", 30}}},
                                       {"score", {{"type", "number"}, {"default", 95.5}}},
                                       {"status", {{"type", "string"}, {"default", "active"},
                                                    {"enum", {"active", "inactive", "pending"}}}},
                                       {"verified", {{"type", "boolean"}, {"default", true}}}}));
}

/// The schema of a choice of three options with titles.
json::array titled_choices() {
  return {{{"const", "value1"}, {"title", "First Option"}},
    {{"const", "value2"}, {"title", "Second Option"}},
    {{"const", "value3"}, {"title", "Third Option"}}};
}

void ask_with_choices(const json::object&, const call_ptr& by) {
  json::array plain{"option1", "option2", "option3"};
  ask_user(by,
    form("Please choose",
      {{"untitledSingle", {{"type", "string"}, {"enum", plain}}},
        {"titledSingle", {{"type", "string"}, {"oneOf", titled_choices()}}},
        {"legacyEnum", {{"type", "string"}, {"enum", plain},
                         {"enumNames", {"Option One", "Option Two", "Option Three"}}}},
        {"untitledMulti", {{"type", "array"}, {"items", {{"type", "string"}, {"enum", plain}}}}},
        {"titledMulti", {{"type", "array"}, {"items", {{"anyOf", titled_choices()}}}}}}));
}

} // namespace

tool_fixtures asking_tools() {
  return {
    {"test_sampling", "Asks the client's model", ask_model, schema_with_text("prompt")},
    {"test_elicitation", "Asks the user", ask_for_contact, schema_with_text("message")},
    {"test_elicitation_sep1034_defaults", "Asks with defaults", ask_with_defaults},
    {"test_elicitation_sep1330_enums", "Asks with choices", ask_with_choices},
  };
}

} // namespace scratchpage::test
