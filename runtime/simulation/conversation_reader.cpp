#include "scratchpage/runtime/simulation/conversation_reader.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "scratchpage/actors/policies/recovery_policy.hpp"
#include "scratchpage/actors/tools/tool_answers.hpp"
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
constexpr size_t quoted_bytes = 80; // of a name in a notice

std::string element(std::string_view list, size_t index) {
  return std::string{list} + "[" + std::to_string(index) + "]";
}

std::string quoted(std::string_view text) {
  return "\"" + utf8::shortened(one_line(text), quoted_bytes) + "\"";
}

json_limits limits_of_data() {
  return {.max_bytes = transcript_limits::line_bytes,
    .max_depth = 64,
    .max_members = json_limits::members_of_results};
}

/// Makes a response of a tool's recorded text. If it is a failure, `outputs.error` has its reason.
recorded_response interpret(const std::string& call_id, const std::string& content) {
  recorded_response result;
  result.call_id = call_id;
  auto value = parse_json(content, limits_of_data());
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

/// The inputs of a call: those in its text of JSON, and any other text as `raw`.
json::object inputs_of(std::string_view arguments) {
  auto value = parse_json(arguments, limits_of_data());
  if (value && value->is_object())
    return std::move(value->get_object());
  json::object result;
  if (!utf8::is_blank(arguments))
    result["raw"] = json::string_view{arguments.data(), arguments.size()};
  return result;
}

/// A text, or any other value as its JSON; "" if there is none.
std::string text_or_json(const json::object& in, std::string_view name) {
  const auto* value = member_of(in, name);
  if (value == nullptr)
    return {};
  return value->is_string() ? std::string{text_of(in, name)} : to_text(*value);
}

const json::array* messages_in(const json::value& in) {
  if (in.is_array())
    return &in.get_array();
  const auto* list = in.is_object() ? member_of(in.get_object(), "messages") : nullptr;
  return list != nullptr && list->is_array() ? &list->get_array() : nullptr;
}

} // namespace

caf::error conversation_reader::read(const json::value& in, conversation& out) {
  if (!in.is_object() && !in.is_array())
    return bad_input(file_, line_, "", "expected a conversation: an object with messages");
  if (in.is_object() && member_of(in.get_object(), "conversations") != nullptr
      && member_of(in.get_object(), "messages") == nullptr)
    return bad_input(file_, line_, "messages",
      "expected a list of messages with role and content; the form with conversations, from and "
      "value is not read");
  const auto* messages = messages_in(in);
  if (messages == nullptr || messages->empty())
    return bad_input(file_, line_, "messages", "expected a list of messages that is not empty");
  if (auto err = read_messages(*messages, in.is_array() ? "" : "messages"))
    return err;
  finish(out);
  return {};
}

caf::error conversation_reader::read_messages(const json::array& in, const std::string& path) {
  for (size_t i = 0; i < in.size(); ++i)
    read_message(in[i], element(path, i));
  if (turns_.empty())
    return bad_input(file_, line_, path, "expected a message of the role user");
  answer_open_calls();
  return {};
}

void conversation_reader::read_message(const json::value& in, const std::string& path) {
  if (!in.is_object())
    return note(path, "a message: an object with role and content");
  const auto& object = in.get_object();
  auto role = text_of(object, "role");
  if (role == "assistant") {
    read_assistant(object, path);
    after_assistant_ = true;
    return;
  }
  after_assistant_ = false;
  if (role == "user")
    return read_user(object, path);
  if (role == "tool" || role == "function")
    return read_tool(object, path, role == "function");
  if (role != "system" && role != "developer")
    return note(path + ".role", "one of system, developer, user, assistant, tool, function"
                                  + (role.empty() ? std::string{} : ", and not " + quoted(role)));
  auto content = read_content(member_of(object, "content"));
  note_unknown(content, path);
  instructions_.append(instructions_.empty() ? "" : "\n").append(content.text);
}

/// A message of a user that has only answers of tools is no turn.
void conversation_reader::read_user(const json::object& in, const std::string& path) {
  auto content = read_content(member_of(in, "content"));
  note_unknown(content, path);
  for (const auto* x : content.answers)
    add_answer(text_of(*x, "tool_use_id"), {}, read_answer_content(member_of(*x, "content")).text,
      path + ".content");
  if (!content.answers.empty() && utf8::is_blank(content.text))
    return;
  messages_.push_back({chat_role::user, content.text, {}, {}, {}});
  begin_turn_with(std::move(content.text));
}

void conversation_reader::read_assistant(const json::object& in, const std::string& path) {
  auto content = read_content(member_of(in, "content"));
  note_unknown(content, path);
  if (content.text.empty())
    content.text = text_of(in, "refusal");
  messages_.push_back({chat_role::assistant, content.text, {}, {}, {}});
  new_calls_.clear();
  read_calls(in, path, content);
  if (turns_.empty())
    return;
  auto& said = turns_.back().recorded_response;
  if (!new_calls_.empty())
    said.clear(); // only what follows the calls counts
  else if (!utf8::is_blank(content.text))
    said.append(said.empty() ? "" : "\n").append(content.text);
}

void conversation_reader::read_tool(
  const json::object& in, const std::string& path, bool is_function) {
  auto content = read_answer_content(member_of(in, "content"));
  note_unknown(content, path);
  auto id = text_of(in, "tool_call_id");
  add_answer(is_function ? std::string_view{} : id, text_of(in, "name"), content.text, path);
}

void conversation_reader::begin_turn_with(std::string content) {
  close_messages();
  auto& turn = turns_.emplace_back();
  turn.request.user_id = "user";
  turn.request.thread_id = main_thread;
  turn.request.input = utf8::is_blank(content) ? std::string{no_text} : std::move(content);
  if (turns_.size() == 1)
    turn.request.plan = std::move(early_plan_);
  else
    previous_calls_.clear();
}

/// Gives the messages before the user message that was read last to the turn that ends with it.
/// Messages before the first turn belong to that.
void conversation_reader::close_messages() {
  if (turns_.empty())
    return;
  auto next = std::prev(messages_.end());
  auto& of = turns_.back().messages;
  of.insert(of.end(), messages_.begin(), next);
  messages_.erase(messages_.begin(), next);
}

std::vector<planned_call>& conversation_reader::plan() {
  return turns_.empty() ? early_plan_ : turns_.back().request.plan;
}

/// Reads the calls of a message, in whichever form it has them.
void conversation_reader::read_calls(
  const json::object& in, const std::string& path, const message_content& content) {
  unanswered_.begin_message(after_assistant_);
  const auto* list = member_of(in, "tool_calls");
  if (list != nullptr && list->is_array())
    for (size_t i = 0; i < list->get_array().size(); ++i)
      read_call(list->get_array()[i], element(path + ".tool_calls", i));
  else if (list != nullptr)
    note(path + ".tool_calls", "a list of calls");
  const auto* older = member_of(in, "function_call");
  if (older != nullptr && new_calls_.empty()) {
    if (older->is_object())
      add_call({}, older->get_object(), "arguments", path + ".function_call");
    else
      note(path + ".function_call", "an object with name and arguments");
  }
  for (const auto* x : content.calls)
    add_call(text_of(*x, "id"), *x, "input", path + ".content");
  if (!new_calls_.empty())
    previous_calls_ = new_calls_;
}

void conversation_reader::read_call(const json::value& in, const std::string& path) {
  if (!in.is_object())
    return note(path, "a call: an object with id and function");
  const auto& object = in.get_object();
  auto id = text_of(object, "id");
  const auto* function = member_of(object, "function");
  const auto* custom = member_of(object, "custom");
  if (function != nullptr && function->is_object())
    return add_call(id, function->get_object(), "arguments", path + ".function");
  if (custom != nullptr && custom->is_object())
    return add_call(id, custom->get_object(), "input", path + ".custom");
  if (member_of(object, "name") != nullptr) // as some programs write it
    return add_call(id, object, member_of(object, "args") != nullptr ? "args" : "arguments", path);
  note(path + ".function", "an object with name and arguments, or custom with name and input");
}

/// Adds a call of the tool that `named` names. An `input` that is a text is kept as that.
void conversation_reader::add_call(std::string_view id, const json::object& named,
  std::string_view arguments, const std::string& path) {
  auto name = text_of(named, "name");
  if (utf8::is_blank(name))
    return note(path + ".name", "a text that names the tool");
  planned_call call;
  call.call_id = unique_id(std::string{id.empty() ? "call" : id});
  call.tool_id = name;
  call.after = previous_calls_;
  auto text = text_or_json(named, arguments);
  const auto* given = member_of(named, arguments);
  if (arguments == "input" && given != nullptr && given->is_string())
    call.inputs["input"] = text;
  else
    call.inputs = inputs_of(text);
  messages_.back().calls.push_back({call.call_id, call.tool_id, to_text(call.inputs)});
  unanswered_.add({std::string{id}, call.call_id, call.tool_id});
  new_calls_.push_back(call.call_id);
  tool(call.tool_id);
  plan().push_back(std::move(call));
}

void conversation_reader::add_answer(
  std::string_view id, std::string_view name, const std::string& content, const std::string& path) {
  auto call = unanswered_.take(id, name);
  if (!call) {
    auto named = !id.empty()     ? " with the id " + quoted(id)
                 : !name.empty() ? " of the tool " + quoted(name)
                                 : std::string{};
    return note(
      path, "an answer to an earlier call that has none yet, but there is no such call" + named);
  }
  messages_.push_back({chat_role::tool, content, {}, call->call_id, call->tool_id});
  tool(call->tool_id).responses.push_back(interpret(call->call_id, content));
}

void conversation_reader::note_unknown(const message_content& content, const std::string& path) {
  if (content.unknown.empty())
    return;
  auto type = text_of(*content.unknown.front(), "type");
  note(path + ".content", "parts of a known type, such as text, image_url, tool_use or tool_result"
                            + (type.empty() ? std::string{} : ", and not " + quoted(type)));
}

/// The recording of a tool. Creates it if the tool is new.
recorded_tool& conversation_reader::tool(const std::string& tool_id) {
  auto [i, is_new] = tool_index_.try_emplace(tool_id, tools_.size());
  if (is_new) {
    auto& made = tools_.emplace_back();
    made.manifest.tool_id = tool_id;
    made.manifest.description = "Gives recorded answers";
    recorded_tool recording;
    recording.latency = transcript_latency;
    made.kind = std::move(recording);
  }
  return std::get<recorded_tool>(tools_[i->second].kind);
}

std::string conversation_reader::unique_id(std::string id) {
  std::replace(id.begin(), id.end(), '/', '_'); // a request's id has one after the turn's id
  for (auto& n = ids_[id];;) {
    if (++n == 1)
      return id;
    auto result = id + "#" + std::to_string(n);
    if (ids_.try_emplace(result, 1).second)
      return result;
  }
}

void conversation_reader::answer_open_calls() {
  for (const auto& call : unanswered_.take_all()) {
    recorded_response response;
    response.call_id = call.call_id;
    response.status = tool_status::partial;
    response.outputs = unanswered_outputs("the transcript has no answer to this call");
    response.latency_ms = 0;
    tool(call.tool_id).responses.push_back(std::move(response));
  }
}

void conversation_reader::finish(conversation& out) {
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

void conversation_reader::note(std::string_view field, const std::string& expected) {
  notices_.note(bad_input(file_, line_, field, "expected " + expected + "; it is left out"));
}

} // namespace scratchpage
