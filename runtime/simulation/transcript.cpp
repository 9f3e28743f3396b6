#include "scratchpage/runtime/simulation/input_file.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "scratchpage/actors/policies/recovery_policy.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/input_text.hpp"
#include "scratchpage/messages/json/json_text.hpp"
#include "scratchpage/messages/main_thread.hpp"
#include "scratchpage/messages/text/display_text.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

constexpr std::string_view no_text = "(no text)"; // an observation's content may not be blank
constexpr latency_range transcript_latency{50, 800};
constexpr std::array<std::string_view, 5> roles{"system", "developer", "user", "assistant", "tool"};

std::string_view view(const json::string& x) {
  return {x.data(), x.size()};
}

/// A member that exists and is not null.
const json::value* member(const json::object& in, std::string_view name) {
  const auto* value = in.if_contains({name.data(), name.size()});
  return value == nullptr || value->is_null() ? nullptr : value;
}

std::string element(std::string_view list, size_t index) {
  return std::string{list} + "[" + std::to_string(index) + "]";
}

/// Makes a response of a tool's recorded text. If it is a failure, `outputs.error` has its reason.
recorded_response interpret(const std::string& call_id, const std::string& content) {
  recorded_response result;
  result.call_id = call_id;
  auto value = parse_json(content, {.max_bytes = max_transcript_line,
                                     .max_depth = 64,
                                     .max_members = json_limits::members_of_results});
  if (value && value->is_object())
    result.outputs = std::move(value->get_object());
  else
    result.outputs["content"] = content;
  auto why = content.starts_with("Error") ? failure_in(content) : failure_in(result.outputs);
  if (why) {
    result.status = tool_status::error;
    result.outputs["error"] = *why;
  }
  return result;
}

/// Reads the conversation of one line, and keeps the first error.
class conversation_reader {
public:
  conversation_reader(std::string_view file, size_t line)
    : file_{file},
      line_{line} {}

  bool read(const json::value& in, conversation& out) {
    out.file = file_;
    if (!in.is_object())
      return refuse("", "a conversation: an object with id and messages");
    const auto& object = in.get_object();
    if (!read_id(object, out.id))
      return false;
    out.agents = {out.id};
    const auto* messages = member(object, "messages");
    if (messages == nullptr || !messages->is_array() || messages->get_array().empty())
      return refuse("messages", "a list of messages that is not empty");
    const auto& list = messages->get_array();
    for (size_t i = 0; i < list.size(); ++i)
      if (!read_message(list[i], element("messages", i)))
        return false;
    if (turns_.empty())
      return refuse("messages", "a message of the role user");
    finish(out);
    return true;
  }

  caf::error take_error() { return std::move(error_); }

private:
  bool read_id(const json::object& in, std::string& out) {
    const auto* id = member(in, "id");
    if (id == nullptr || !id->is_string() || utf8::is_blank(view(id->get_string())))
      return refuse("id", "a text that names the conversation");
    out = view(id->get_string());
    return true;
  }

  bool read_message(const json::value& in, const std::string& path) {
    if (!in.is_object())
      return refuse(path, "a message: an object with role and content");
    const auto& object = in.get_object();
    const auto* role = member(object, "role");
    auto name = role != nullptr && role->is_string() ? view(role->get_string()) : "";
    if (std::find(roles.begin(), roles.end(), name) == roles.end())
      return refuse(path + ".role", "one of system, developer, user, assistant, tool");
    std::string content;
    if (!read_content(object, path + ".content", content))
      return false;
    if (name == "user") {
      messages_.push_back({chat_role::user, content, {}, {}, {}});
      begin_turn_with(std::move(content));
    } else if (name == "tool") {
      return read_answer(object, path, content);
    } else if (name == "assistant") {
      messages_.push_back({chat_role::assistant, content, {}, {}, {}});
      return read_reply(object, path, content);
    } else {
      instructions_.append(instructions_.empty() ? "" : "\n").append(content);
    }
    return true;
  }

  /// Reads a text, nothing, or a list of parts, of which only the texts are used.
  bool read_content(const json::object& in, const std::string& path, std::string& out) {
    const auto* content = member(in, "content");
    if (content == nullptr)
      return true;
    if (content->is_string()) {
      out = view(content->get_string());
      return true;
    }
    if (!content->is_array())
      return refuse(path, "a text, null, or a list of parts");
    const auto& parts = content->get_array();
    for (size_t i = 0; i < parts.size(); ++i)
      if (!read_part(parts[i], element(path, i), out))
        return false;
    return true;
  }

  bool read_part(const json::value& in, const std::string& path, std::string& out) {
    if (!in.is_object())
      return refuse(path, "a part: an object with type");
    const auto* type = member(in.get_object(), "type");
    if (type == nullptr || !type->is_string())
      return refuse(path + ".type", "a text");
    if (type->get_string() != "text")
      return true; // a page has no room for pictures and other data
    const auto* text = member(in.get_object(), "text");
    if (text == nullptr || !text->is_string())
      return refuse(path + ".text", "a text");
    out.append(out.empty() ? "" : "\n").append(view(text->get_string()));
    return true;
  }

  void begin_turn_with(std::string input) {
    close_messages();
    auto& turn = turns_.emplace_back();
    turn.request.thread_id = main_thread;
    turn.request.user_id = "user";
    turn.request.input = utf8::is_blank(input) ? std::string{no_text} : std::move(input);
    if (turns_.size() > 1)
      previous_calls_.clear();
    else
      turn.request.plan = std::move(early_plan_);
  }

  /// Gives the messages before the user message that was read last to the turn that ends with it.
  /// Messages before the first turn belong to that.
  void close_messages() {
    if (turns_.empty())
      return;
    auto next = std::prev(messages_.end());
    auto& of = turns_.back().messages;
    of.insert(of.end(), messages_.begin(), next);
    messages_.erase(messages_.begin(), next);
  }

  std::vector<planned_call>& plan() {
    return turns_.empty() ? early_plan_ : turns_.back().request.plan;
  }

  bool read_reply(const json::object& in, const std::string& path, const std::string& content) {
    const auto* calls = member(in, "tool_calls");
    if (calls != nullptr && !calls->is_array())
      return refuse(path + ".tool_calls", "a list");
    if (calls == nullptr || calls->get_array().empty()) {
      if (!turns_.empty() && !utf8::is_blank(content))
        turns_.back()
          .recorded_response.append(turns_.back().recorded_response.empty() ? "" : "\n")
          .append(content);
      return true;
    }
    if (!turns_.empty())
      turns_.back().recorded_response.clear(); // only what follows the calls counts
    std::vector<std::string> ids;
    const auto& list = calls->get_array();
    for (size_t i = 0; i < list.size(); ++i)
      if (!read_call(list[i], element(path + ".tool_calls", i), ids))
        return false;
    previous_calls_ = std::move(ids);
    return true;
  }

  bool read_call(const json::value& in, const std::string& path, std::vector<std::string>& ids) {
    if (!in.is_object())
      return refuse(path, "a call: an object with id and function");
    const auto* id = member(in.get_object(), "id");
    if (id == nullptr || !id->is_string() || id->get_string().empty())
      return refuse(path + ".id", "a text that names the call");
    const auto* function = member(in.get_object(), "function");
    if (function == nullptr || !function->is_object())
      return refuse(path + ".function", "an object with name and arguments");
    const auto* name = member(function->get_object(), "name");
    if (name == nullptr || !name->is_string() || utf8::is_blank(view(name->get_string())))
      return refuse(path + ".function.name", "a text that names the tool");
    planned_call call;
    call.call_id = unique_id(std::string{view(id->get_string())});
    call.tool_id = view(name->get_string());
    call.after = previous_calls_;
    if (!read_arguments(function->get_object(), path + ".function.arguments", call.inputs))
      return false;
    unanswered_.push_back({std::string{view(id->get_string())}, call.call_id, call.tool_id});
    messages_.back().calls.push_back({call.call_id, call.tool_id, to_text(call.inputs)});
    ids.push_back(call.call_id);
    tool(call.tool_id);
    plan().push_back(std::move(call));
    return true;
  }

  bool read_arguments(const json::object& in, const std::string& path, json::object& out) {
    const auto* arguments = member(in, "arguments");
    if (arguments == nullptr)
      return true;
    if (arguments->is_object()) {
      out = arguments->get_object();
      return true;
    }
    if (!arguments->is_string())
      return refuse(path, "a text of JSON, or an object");
    auto text = view(arguments->get_string());
    auto value = parse_json(
      text, {.max_bytes = max_transcript_line, .max_members = json_limits::members_of_results});
    if (value && value->is_object())
      out = std::move(value->get_object());
    else if (!utf8::is_blank(text))
      out["raw"] = arguments->get_string();
    return true;
  }

  std::string unique_id(std::string id) {
    std::replace(id.begin(), id.end(), '/', '_'); // a request's id has one after the turn's id
    auto result = id;
    for (size_t n = 2; !ids_.insert(result).second; ++n)
      result = id + "#" + std::to_string(n);
    return result;
  }

  /// The recording of a tool. Creates it if the tool is new.
  recorded_tool& tool(const std::string& tool_id) {
    auto same = [&](const tool_definition& x) { return x.manifest.tool_id == tool_id; };
    auto i = std::find_if(tools_.begin(), tools_.end(), same);
    if (i == tools_.end()) {
      i = tools_.emplace(tools_.end());
      i->manifest.tool_id = tool_id;
      i->manifest.description = "Gives recorded answers";
      recorded_tool recording;
      recording.latency = transcript_latency;
      i->kind = std::move(recording);
    }
    return std::get<recorded_tool>(i->kind);
  }

  bool read_answer(const json::object& in, const std::string& path, const std::string& content) {
    const auto* id = member(in, "tool_call_id");
    if (id == nullptr || !id->is_string())
      return refuse(path + ".tool_call_id", "the id of an earlier call");
    auto named = view(id->get_string());
    auto call = std::find_if(unanswered_.rbegin(), unanswered_.rend(),
      [&](const open_call& x) { return x.recorded_id == named; });
    if (call == unanswered_.rend())
      return refuse(path + ".tool_call_id",
        "the id of an earlier call that has no answer yet, but no such call is named \""
          + utf8::shortened(one_line(named), 80) + "\"");
    messages_.push_back({chat_role::tool, content, {}, call->call_id, call->tool_id});
    tool(call->tool_id).responses.push_back(interpret(call->call_id, content));
    unanswered_.erase(std::next(call).base());
    return true;
  }

  void finish(conversation& out) {
    auto where = std::string{file_} + ":" + std::to_string(line_);
    auto& last = turns_.back().messages;
    last.insert(last.end(), messages_.begin(), messages_.end());
    out.instructions = std::move(instructions_);
    for (auto& turn : turns_) {
      turn.request.agent_id = out.id;
      turns_step step;
      step.turns.push_back(std::move(turn));
      out.steps.push_back({where, std::move(step)});
    }
    out.tools = std::move(tools_);
  }

  bool refuse(std::string_view field, const std::string& expected) {
    error_ = bad_input(file_, line_, field, "expected " + expected);
    return false;
  }

  struct open_call {
    std::string recorded_id;
    std::string call_id;
    std::string tool_id;
  };

  std::string_view file_;
  size_t line_;
  caf::error error_;
  std::vector<replay_turn> turns_;
  std::vector<chat_message> messages_; ///< belong to no turn yet
  std::string instructions_;
  std::vector<planned_call> early_plan_;    ///< of calls before the first user message
  std::vector<std::string> previous_calls_; ///< of the turn's latest message with calls
  std::vector<open_call> unanswered_;
  std::set<std::string> ids_;
  std::vector<tool_definition> tools_;
};

caf::error read_line(std::string_view text, std::string_view file, size_t line, conversation& out) {
  if (text.size() > max_transcript_line)
    return bad_input(file, line, "",
      "expected a line of at most " + std::to_string(max_transcript_line >> 20) + " MiB");
  auto value = parse_input(text, file, line);
  if (!value)
    return value.error();
  conversation_reader reader{file, line};
  return reader.read(*value, out) ? caf::error{} : reader.take_error();
}

} // namespace

caf::expected<std::vector<conversation>> read_transcript(
  std::string_view text, std::string_view file) {
  std::vector<conversation> result;
  std::set<std::string> ids;
  text = skip_bom(text);
  for (size_t line = 1; !text.empty(); ++line) {
    auto end = text.find('\n');
    auto current = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (current.ends_with('\r'))
      current.remove_suffix(1);
    if (utf8::is_blank(current))
      continue;
    auto& next = result.emplace_back();
    if (auto err = read_line(current, file, line, next))
      return err;
    if (!ids.insert(next.id).second)
      return bad_input(file, line, "id",
        "expected an id of its own, but an earlier line has \"" + utf8::shortened(next.id, 80)
          + "\" too");
  }
  if (result.empty())
    return bad_input(file, 0, "", "expected at least one conversation, but the file has none");
  return result;
}

} // namespace scratchpage
