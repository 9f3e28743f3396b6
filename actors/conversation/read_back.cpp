#include "scratchpage/actors/conversation/read_back.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <caf/typed_event_based_actor.hpp>

#include "scratchpage/actors/conversation/thread_conversation.hpp"
#include "scratchpage/actors/tools/tool_answers.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

/// The last whole characters of a valid text, at most so many bytes.
std::string_view suffix(std::string_view text, size_t bytes) {
  auto from = text.size() - std::min(bytes, text.size());
  while (from < text.size() && (static_cast<unsigned char>(text[from]) & 0xC0) == 0x80)
    ++from;
  return text.substr(from);
}

/// The head, then `bytes` of the text: two thirds from its beginning, the rest from its end.
std::string shown(std::string_view head, std::string_view text, size_t bytes) {
  auto first = bytes - bytes / 3;
  std::string result{head};
  if (bytes == 0)
    return result;
  result.append("\n").append(utf8::prefix(text, first)).append("\n…");
  if (bytes >= 3)
    result.append("\n").append(suffix(text.substr(std::min(first, text.size())), bytes / 3));
  return result;
}

/// No text has more bytes per token.
constexpr uint64_t max_bytes_per_token = 8;

constexpr std::string_view inputs =
  R"({"type": "object", "properties": {
        "path": {"type": "string"},
        "offset": {"type": "integer", "minimum": 0}},
      "required": ["path"], "additionalProperties": false})";

struct read_back_inputs {
  std::string path;
  uint64_t offset = 0;

  static constexpr auto fields(auto all) {
    return all(
      required("path", &read_back_inputs::path), optional("offset", &read_back_inputs::offset));
  }
};

tool_manifest manifest() {
  tool_manifest result;
  result.tool_id = "read_back";
  result.description =
    "Earlier messages and long results, by the path shown. offset: next of the part before";
  result.inputs = json::parse(json::string_view{inputs.data(), inputs.size()}).get_object();
  result.idempotent = true;
  result.tags = {"scratchbook"};
  return result;
}

bool is_inside_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

tool_response failed(const tool_request& call, const std::string& path, const caf::error& err) {
  if (code_of(err) == errc::not_found)
    return failed_call(call, tool_failure::not_found, "path: expected a file that is there");
  return failed_call(call, tool_failure::transient, path + ": " + describe(err) + "; try again");
}

} // namespace

std::string preview_of(
  std::string_view text, std::string_view path, uint32_t max_tokens, const token_counter& count) {
  auto head = "[" + std::to_string(text.size()) + " bytes, about " + std::to_string(count(text))
              + " tokens, whole in " + std::string{path} + "]";
  if (count(head) > max_tokens) {
    auto bytes = largest_that_fits(
      path.size(), [&](size_t n) { return count(utf8::prefix(path, n)) <= max_tokens; });
    return std::string{utf8::prefix(path, bytes)};
  }
  auto bytes = largest_that_fits(
    text.size(), [&](size_t n) { return count(shown(head, text, n)) <= max_tokens; });
  return shown(head, text, bytes);
}

text_page page_of(std::string_view part, uint64_t offset, uint64_t size, uint32_t max_tokens,
  const token_counter& count) {
  while (!part.empty() && is_inside_character(part.front())) {
    part.remove_prefix(1);
    ++offset;
  }
  auto up_to = [&](size_t bytes) {
    text_page result{std::string{utf8::prefix(part, bytes)}, 0, size};
    auto end = offset + result.text.size();
    result.next = end < size ? end : 0;
    return result;
  };
  auto fits = [&](size_t bytes) { return count(to_text(to_json(up_to(bytes)))) <= max_tokens; };
  auto bytes = largest_that_fits(part.size(), fits);
  auto first = part.empty() ? 0 : utf8::first_character(part).bytes;
  return up_to(std::max(bytes, first));
}

tool_definition read_back_tool(read_back_setup setup) {
  actor_tool tool{[setup = std::move(setup)](
                    caf::actor_system& sys) { return spawn<read_back_state>(sys, setup); }};
  return {manifest(), std::move(tool)};
}

read_back_state::handle::behavior_type read_back_state::make_behavior() {
  return {[this](const tool_request& x) { return read(x); }};
}

caf::result<tool_response> read_back_state::read(const tool_request& request) {
  auto wanted = from_json<read_back_inputs>(json::value(request.inputs));
  if (!wanted)
    return failed_call(request, tool_failure::invalid_input, describe(wanted.error()));
  const auto& [path, offset] = *wanted;
  if (!is_of_conversation(path, request.thread_id))
    return failed_call(request, tool_failure::not_found,
      "path: expected a file of this conversation, such as " + history_path(request.thread_id));
  auto promise = self_->make_response_promise<tool_response>();
  tool_request about; // without the inputs, which the answer does not need
  about.request_id = request.request_id;
  about.tool_id = request.tool_id;
  read_file part{path, offset, max_bytes_per_token * setup_.page_tokens};
  ask(self_, setup_.files, call_timeout(request, {}), std::move(part))
    .then(
      [this, promise, about, offset = offset](const file_part& found) mutable {
        if (offset > 0 && offset >= found.size)
          return promise.deliver(failed_call(about, tool_failure::invalid_input,
            "offset: expected less than " + std::to_string(found.size) + ", the file's bytes"));
        auto page = page_of(found.bytes, offset, found.size, setup_.page_tokens, setup_.count);
        tool_response answer;
        answer.request_id = about.request_id;
        answer.outputs = to_json(page).get_object();
        promise.deliver(std::move(answer));
      },
      [promise, about, path = path](
        const caf::error& err) mutable { promise.deliver(failed(about, path, err)); });
  return promise;
}

} // namespace scratchpage
