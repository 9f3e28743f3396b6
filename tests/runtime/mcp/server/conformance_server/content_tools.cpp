#include "scratchpage/tests/runtime/mcp/server/conformance_server/content.hpp"
#include "scratchpage/tests/runtime/mcp/server/conformance_server/fixture.hpp"

namespace scratchpage::test {

namespace {

/// A tool with a constant result.
tool_fixture constant(std::string name, std::string description, json::object result) {
  return {std::move(name), std::move(description),
    [result = std::move(result)](const json::object&, const call_ptr& by) { by->give(result); }};
}

json::object holds(json::array content) {
  return {{"content", std::move(content)}};
}

json::object fails(std::string_view text) {
  auto result = says(text);
  result["isError"] = true;
  return result;
}

} // namespace

tool_fixtures content_tools() {
  json::object audio{{"type", "audio"}, {"data", view(silent_wav)}, {"mimeType", "audio/wav"}};
  return {
    constant("test_simple_text", "A text", says("This is a simple text response for testing.")),
    constant("test_image_content", "An image", holds({image_block()})),
    constant("test_audio_content", "A sound", holds({std::move(audio)})),
    constant("test_embedded_resource", "A resource",
      holds({resource_block(
        "test://embedded-resource", "text/plain", "This is an embedded resource content.")})),
    constant("test_multiple_content_types", "A text, an image and a resource",
      holds({text_block("Multiple content types test:"), image_block(),
        resource_block(
          "test://mixed-content-resource", "application/json", R"({"test":"data","value":123})")})),
    constant("test_error_handling", "Always fails",
      fails("This tool intentionally returns an error for testing")),
  };
}

} // namespace scratchpage::test
