#include "scratchpage/actors/conversation/conversation_log.hpp"

#include <utility>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"

namespace scratchpage {

std::string to_line(const chat_message& x) {
  return to_text(to_json(x)) + "\n";
}

caf::expected<read_log> from_lines(std::string_view text) {
  read_log result;
  for (auto number = 1; !text.empty(); ++number) {
    auto end = text.find('\n');
    if (end == std::string_view::npos) {
      result.is_torn = true;
      break;
    }
    auto message = from_json_text<chat_message>(text.substr(0, end), {.max_bytes = text.size()});
    if (!message)
      return fail(errc::internal, "line " + std::to_string(number), describe(message.error()));
    result.messages.push_back(std::move(*message));
    text.remove_prefix(end + 1);
  }
  return result;
}

} // namespace scratchpage
