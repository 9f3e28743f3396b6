#include "scratchpage/runtime/simulation/message_content.hpp"

#include <algorithm>
#include <array>

#include "scratchpage/messages/json/json_text.hpp"

namespace scratchpage {

namespace {

constexpr std::array<std::string_view, 5> text_types{
  "text", "input_text", "output_text", "summary_text", "refusal"};
constexpr std::array<std::string_view, 14> skipped_types{"image_url", "image", "image_file",
  "input_image", "input_audio", "audio", "file", "input_file", "document", "video", "video_url",
  "thinking", "redacted_thinking", "reasoning"};

template <class List>
bool is_in(const List& list, std::string_view x) {
  return std::find(list.begin(), list.end(), x) != list.end();
}

void add_line(std::string& to, std::string_view text) {
  to.append(to.empty() ? "" : "\n").append(text);
}

/// The text of a part: its `text`, which may be an object with a `value`, or its `refusal`.
std::string_view text_of_part(const json::object& x) {
  if (const auto* text = member_of(x, "text"); text != nullptr && text->is_object())
    return text_of(text->get_object(), "value");
  auto text = text_of(x, "text");
  return text.empty() ? text_of(x, "refusal") : text;
}

void read_part(const json::object& x, message_content& out) {
  auto type = text_of(x, "type");
  if (type == "tool_use")
    out.calls.push_back(&x);
  else if (type == "tool_result")
    out.answers.push_back(&x);
  else if (is_in(text_types, type) || (type.empty() && member_of(x, "text") != nullptr))
    add_line(out.text, text_of_part(x));
  else if (!is_in(skipped_types, type))
    out.unknown.push_back(&x);
}

bool is_part(const json::value& x) {
  return x.is_object() && !text_of(x.get_object(), "type").empty();
}

} // namespace

const json::value* member_of(const json::object& in, std::string_view name) {
  const auto* value = in.if_contains({name.data(), name.size()});
  return value == nullptr || value->is_null() ? nullptr : value;
}

std::string_view text_of(const json::object& in, std::string_view name) {
  const auto* value = member_of(in, name);
  if (value == nullptr || !value->is_string())
    return {};
  return {value->get_string().data(), value->get_string().size()};
}

message_content read_content(const json::value* in) {
  message_content result;
  if (in == nullptr || in->is_null())
    return result;
  if (in->is_string()) {
    result.text.assign(in->get_string().data(), in->get_string().size());
  } else if (in->is_object()) {
    read_part(in->get_object(), result);
  } else if (!in->is_array()) {
    result.text = to_text(*in);
  } else {
    for (const auto& x : in->get_array())
      if (x.is_object())
        read_part(x.get_object(), result);
      else if (x.is_string())
        add_line(result.text, {x.get_string().data(), x.get_string().size()});
      else if (!x.is_null())
        add_line(result.text, to_text(x));
  }
  return result;
}

message_content read_answer_content(const json::value* in) {
  auto is_data = [](const json::value& x) {
    if (x.is_object())
      return !is_part(x);
    const auto& list = x.get_array();
    return list.empty() || !std::all_of(list.begin(), list.end(), is_part);
  };
  if (in == nullptr || !(in->is_object() || in->is_array()) || !is_data(*in))
    return read_content(in);
  message_content result;
  result.text = to_text(*in);
  return result;
}

} // namespace scratchpage
