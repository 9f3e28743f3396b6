#include "scratchpage/tests/runtime/mcp/server/conformance_server/content.hpp"
#include "scratchpage/tests/runtime/mcp/server/conformance_server/fixture.hpp"
#include "scratchpage/tests/runtime/mcp/server/conformance_server/questions.hpp"

namespace scratchpage::test {

namespace {

/// A prompt with each block as a message of the user.
json::object user_says(json::array blocks) {
  json::array messages;
  for (auto& x : blocks)
    messages.push_back({{"role", "user"}, {"content", std::move(x)}});
  return {{"messages", std::move(messages)}};
}

void simple(const json::object&, const call_ptr& by) {
  by->give(user_says({text_block("This is a simple prompt for testing.")}));
}

void with_arguments(const json::object& arguments, const call_ptr& by) {
  by->give(user_says({text_block("Prompt with arguments: arg1='" + argument(arguments, "arg1")
                                 + "', arg2='" + argument(arguments, "arg2") + "'")}));
}

void with_resource(const json::object& arguments, const call_ptr& by) {
  by->give(user_says({resource_block(argument(arguments, "resourceUri"), "text/plain",
                        "Embedded resource content for testing."),
    text_block("Please process the embedded resource above.")}));
}

void with_image(const json::object&, const call_ptr& by) {
  by->give(user_says({image_block(), text_block("Please analyze the image above.")}));
}

void asks_first(const json::object&, const call_ptr& by) {
  by->ask({{"user_context", text_form("What context should the prompt use?", "context")}},
    [by](const mcp::answers& got) {
      by->give(user_says({text_block("Context: " + filled_in(got.at("user_context"), "context"))}));
    });
}

} // namespace

std::vector<prompt_fixture> prompt_fixtures() {
  return {
    {"test_simple_prompt", "Without arguments", {}, simple},
    {"test_prompt_with_arguments", "With two arguments", {"arg1", "arg2"}, with_arguments},
    {"test_prompt_with_embedded_resource", "With a resource", {"resourceUri"}, with_resource},
    {"test_prompt_with_image", "With an image", {}, with_image},
    {"test_input_required_result_prompt", "Asks the user first", {}, asks_first},
  };
}

} // namespace scratchpage::test
