#include "scratchpage/runtime/net/json_rpc/json_rpc.hpp"

#include <utility>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"

namespace scratchpage::json_rpc {

namespace {

constexpr int frozen_codes_begin = -32000;

json::object envelope(const json::value& id) {
  return {{"jsonrpc", "2.0"}, {"id", id}};
}

json::object error_of(const json::value& id, int number, std::string_view text) {
  auto result = envelope(id);
  result["error"] = {{"code", number}, {"message", json::string_view{text.data(), text.size()}}};
  return result;
}

bool may_be_id(const json::value& x, size_t max_bytes) {
  return (x.is_string() && x.get_string().size() <= max_bytes) || x.is_number() || x.is_null();
}

entry refusal(const json::value& id, std::string_view expected) {
  return {std::nullopt, refuse(id, code::invalid_request, expected)};
}

entry read_entry(json::value& value, size_t id_bytes) {
  auto* object = value.if_object();
  if (object == nullptr)
    return refusal(nullptr, "expected an object with jsonrpc, method and params");
  const auto* id = object->if_contains("id");
  if (id != nullptr && !may_be_id(*id, id_bytes))
    return refusal(nullptr,
      "id: expected a number, or a text of at most " + std::to_string(id_bytes) + " bytes");
  const auto& known_id = id != nullptr ? *id : json::value{};
  const auto* version = object->if_contains("jsonrpc");
  if (version == nullptr || !version->is_string() || version->get_string() != "2.0")
    return refusal(known_id, "jsonrpc: expected \"2.0\"");
  const auto* method = object->if_contains("method");
  if (method == nullptr || !method->is_string())
    return refusal(known_id, "method: expected a text");
  auto* params = object->if_contains("params");
  if (params != nullptr && !params->is_object() && !params->is_null())
    return {std::nullopt,
      refuse(known_id, code::invalid_params, "params: expected an object, arguments by name")};
  request call;
  if (id != nullptr)
    call.id = *id;
  call.method = method->get_string();
  if (params != nullptr && params->is_object())
    call.params = std::move(params->get_object());
  return {std::move(call), {}};
}

} // namespace

message read(std::string_view text, const json_limits& limits) {
  auto value = parse_json(text, limits);
  if (!value)
    return {{{std::nullopt, refuse(nullptr, code::parse_error, describe(value.error()))}}, false};
  auto result = read_value(std::move(*value));
  result.bytes = text.size();
  return result;
}

message read_value(json::value value, size_t id_bytes) {
  auto* batch = value.if_array();
  if (batch == nullptr)
    return {{read_entry(value, id_bytes)}, false};
  if (batch->empty() || batch->size() > max_in_batch)
    return {{refusal(nullptr, "expected a batch of 1 to " + std::to_string(max_in_batch))}, false};
  message result{{}, true};
  result.entries.reserve(batch->size());
  for (auto& one : *batch)
    result.entries.push_back(read_entry(one, id_bytes));
  return result;
}

json::object answer(const json::value& id, json::value result) {
  auto whole = envelope(id);
  whole["result"] = std::move(result);
  return whole;
}

std::string answer_text(const json::value& id, std::string_view result) {
  std::string whole = R"({"jsonrpc":"2.0","id":)";
  append_text(whole, id);
  whole += R"(,"result":)";
  whole += result;
  whole += '}';
  return whole;
}

json::object refuse(const json::value& id, code why, std::string_view message) {
  return error_of(id, static_cast<int>(why), message);
}

json::object refuse(const json::value& id, const caf::error& why) {
  auto is_method = code_of(why) == errc::not_found && field_of(why) == "operation";
  auto number = is_method ? static_cast<int>(code::method_not_found)
                          : frozen_codes_begin - static_cast<int>(code_of(why));
  auto result = error_of(id, number, describe(why));
  result["error"].get_object()["data"] = to_json(why);
  return result;
}

std::optional<std::string> join(const message& to, std::vector<std::string> answers) {
  if (answers.empty())
    return std::nullopt;
  if (!to.is_batch)
    return std::move(answers.front());
  std::string all;
  for (const auto& one : answers) {
    all += all.empty() ? '[' : ',';
    all += one;
  }
  all += ']';
  return all;
}

} // namespace scratchpage::json_rpc
