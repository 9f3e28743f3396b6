#include "scratchpage/runtime/mcp/server/tool_result.hpp"

#include "scratchpage/messages/json/json_text.hpp"

namespace scratchpage::mcp {

json::object text_block(std::string_view text) {
  return {{"type", "text"}, {"text", view(text)}};
}

json::object tool_refusal(std::string_view why) {
  return {{"content", {text_block(why)}}, {"isError", true}};
}

std::string tool_result(std::string_view answer) {
  std::string content;
  if (!answer.starts_with('{'))
    answer = content.append(R"({"result":)").append(answer).append(1, '}');
  std::string result;
  result.reserve(answer.size() * 5 / 2);
  result.append(R"("content":[{"type":"text","text":)");
  append_quoted(result, answer);
  return result.append(R"(}],"structuredContent":)").append(answer);
}

} // namespace scratchpage::mcp
