#include "scratchpage/messages/codec.hpp"
#include "scratchpage/tests/runtime/mcp/server/conformance_server/content.hpp"
#include "scratchpage/tests/runtime/mcp/server/conformance_server/fixture.hpp"
#include "scratchpage/tests/runtime/mcp/server/conformance_server/questions.hpp"

namespace scratchpage::test {

namespace {

constexpr auto sealed = mcp::call::first_round::sealed;

mcp::question name_form() {
  return text_form("What is your name?", "name");
}

mcp::question confirmation() {
  return form("Please confirm", {{"ok", {{"type", "boolean"}}}}, {"ok"});
}

void needs_sampling(const json::object&, const call_ptr& by) {
  if (by->require("sampling"))
    by->give(says("ok"));
}

void asks_on_a_stream(const json::object&, const call_ptr& by) {
  by->progress(1);
  by->ask({{"user_name", name_form()}}, [by](const mcp::answers&) { by->give(says("ok")); });
}

void asks_user(const json::object&, const call_ptr& by) {
  by->ask({{"user_name", name_form()}}, [by](const mcp::answers& got) {
    by->give(says("Hello, " + filled_in(got.at("user_name"), "name") + "!"));
  });
}

void asks_model(const json::object&, const call_ptr& by) {
  by->ask({{"capital_question", prompt_of_model("What is the capital of France?", 100)}},
    [by](const mcp::answers& got) {
      by->give(says("It says: " + filled_in(got.at("capital_question"), "text")));
    });
}

void asks_for_roots(const json::object&, const call_ptr& by) {
  by->ask({{"client_roots", folders()}},
    [by](const mcp::answers& got) { by->give(says(to_text(got.at("client_roots").at("roots")))); });
}

void keeps_a_state(const json::object&, const call_ptr& by) {
  by->ask(
    {{"confirm", confirmation()}}, [by](const mcp::answers&) { by->give(says("state-ok")); },
    sealed);
}

void asks_for_all(const json::object&, const call_ptr& by) {
  mcp::questions all{{"user_name", name_form()}, {"client_roots", folders()},
    {"greeting", prompt_of_model("Generate a greeting", 50)}};
  by->ask(
    all, [by](const mcp::answers&) { by->give(says("all inputs received")); }, sealed);
}

void asks_twice(const json::object&, const call_ptr& by) {
  by->ask(
    {{"step1", text_form("Step 1: What is your name?", "name")}},
    [by](const mcp::answers& first) {
      auto name = filled_in(first.at("step1"), "name");
      by->ask({{"step2", text_form("Step 2: What is your favorite color?", "color")}},
        [by, name](const mcp::answers& second) {
          by->give(says(name + " likes " + filled_in(second.at("step2"), "color")));
        });
    },
    sealed);
}

/// Asks only questions that the client's capabilities allow.
void asks_what_it_can(const json::object&, const call_ptr& by) {
  mcp::questions possible;
  for (const auto& [name, x] : mcp::questions{
         {"model", prompt_of_model("Say hi", 10)}, {"user", name_form()}, {"roots", folders()}})
    if (by->client_can(mcp::capability_for(x)))
      possible.emplace(name, x);
  by->ask(possible,
    [by](const mcp::answers& got) { by->give(says(std::to_string(got.size()) + " answers")); });
}

} // namespace

tool_fixtures input_required_tools() {
  return {
    {"test_missing_capability", "Needs a client that can sample", needs_sampling},
    {"test_streaming_elicitation", "Asks after it has begun to tell", asks_on_a_stream},
    {"test_input_required_result_elicitation", "Asks the user", asks_user},
    {"test_input_required_result_sampling", "Asks the model", asks_model},
    {"test_input_required_result_list_roots", "Asks for folders", asks_for_roots},
    {"test_input_required_result_request_state", "Keeps a state", keeps_a_state},
    {"test_input_required_result_multiple_inputs", "Asks for all at once", asks_for_all},
    {"test_input_required_result_multi_round", "Asks twice", asks_twice},
    {"test_input_required_result_tampered_state", "Keeps a state", keeps_a_state},
    {"test_input_required_result_capabilities", "Asks what it can", asks_what_it_can},
  };
}

} // namespace scratchpage::test
