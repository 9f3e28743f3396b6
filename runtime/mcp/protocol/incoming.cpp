#include "scratchpage/runtime/mcp/protocol/incoming.hpp"

#include <string>
#include <utility>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/mcp/protocol/protocol.hpp"

namespace scratchpage::mcp {

namespace {

constexpr json_limits message_limits{4u << 20, 32};

/// Answers have the id of what was asked, and none if nobody knows it.
not_understood refused(json::object answer) {
  if (const auto* id = answer.if_contains("id"); id != nullptr && id->is_null())
    answer.erase("id");
  return {std::move(answer)};
}

not_understood refused(rpc::code why, std::string_view message) {
  return refused(rpc::refuse(nullptr, why, message));
}

bool is_reply(const json::object& x) {
  return !x.contains("method") && (x.contains("result") || x.contains("error"));
}

bool may_be_id(const json::value& x) {
  return x.is_string() ? x.get_string().size() <= most_id_bytes : x.is_int64() || x.is_uint64();
}

} // namespace

incoming read_message(std::string_view text) {
  auto value = parse_json(text, message_limits);
  if (!value)
    return refused(rpc::code::parse_error, describe(value.error()));
  if (value->is_array())
    return refused(rpc::code::invalid_request, "expected one message, no batch");
  if (value->is_object() && is_reply(value->get_object()))
    return reply{std::move(value->get_object())};
  auto message = rpc::read_value(std::move(*value), most_id_bytes);
  auto& entry = message.entries.front();
  if (!entry.call)
    return refused(std::move(entry.refusal));
  if (entry.call->id && !may_be_id(*entry.call->id))
    return refused(rpc::code::invalid_request, "id: expected a text of at most "
                                                 + std::to_string(most_id_bytes)
                                                 + " bytes, or a whole number");
  return std::move(*entry.call);
}

} // namespace scratchpage::mcp
