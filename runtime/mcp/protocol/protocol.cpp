#include "scratchpage/runtime/mcp/protocol/protocol.hpp"

#include <string>
#include <utility>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/net/json_rpc/json_rpc.hpp"

namespace scratchpage::mcp {

namespace {

constexpr std::string_view token_name = "progressToken";

error malformed(std::string_view name, std::string_view expected) {
  return invalid_params("_meta." + std::string{name} + ": expected " + std::string{expected});
}

bool may_be_token(const json::value& x) {
  return x.is_string() ? x.get_string().size() <= max_id_bytes : x.is_int64() || x.is_uint64();
}

/// Reads the members of a modern envelope. Returns the error about the first one that is wrong.
std::optional<error> read_modern(const json::object& from, envelope& to) {
  const auto* version = member(from, meta::version);
  if (version == nullptr || !version->is_string())
    return malformed(meta::version, "the version of the protocol that the request uses");
  to.version = text_of(*version);
  const auto* capabilities = object_in(from, meta::capabilities);
  if (capabilities == nullptr)
    return malformed(meta::capabilities, "an object");
  to.capabilities = *capabilities;
  if (const auto* level = member(from, meta::log_level); level != nullptr) {
    if (!level->is_string() || !from_string(level->get_string(), to.least.emplace()))
      return malformed(meta::log_level, "one of " + all_names<log_level>());
  }
  return std::nullopt;
}

constexpr json_limits message_limits{4u << 20, 32};

/// An answer has the id of its request, and no `id` if that is unknown.
not_understood refused(json::object answer) {
  if (const auto* id = answer.if_contains("id"); id != nullptr && id->is_null())
    answer.erase("id");
  return {std::move(answer)};
}

not_understood refused(json_rpc::code why, std::string_view message) {
  return refused(json_rpc::refuse(nullptr, why, message));
}

bool is_reply(const json::object& x) {
  return !x.contains("method") && (x.contains("result") || x.contains("error"));
}

bool may_be_id(const json::value& x) {
  return x.is_string() ? x.get_string().size() <= max_id_bytes : x.is_int64() || x.is_uint64();
}

} // namespace

bool has_tasks_extension(const json::object& capabilities) {
  const auto* extensions = object_in(capabilities, "extensions");
  return extensions != nullptr && object_in(*extensions, tasks_extension) != nullptr;
}

error missing_tasks_extension() {
  json::object extensions{{view(tasks_extension), json::object{}}};
  json::object required{{"extensions", std::move(extensions)}};
  return {missing_capability,
    "the client has to declare the extension " + std::string{tasks_extension},
    json::object{{"requiredCapabilities", std::move(required)}}};
}

error invalid_params(std::string message) {
  return {static_cast<int32_t>(json_rpc::code::invalid_params), std::move(message), {}};
}

error internal_error(std::string message) {
  return {static_cast<int32_t>(json_rpc::code::internal_error), std::move(message), {}};
}

json::object refusal(const json::value& id, const error& why) {
  json::object inner{{"code", why.code}, {"message", why.message}};
  if (!why.data.is_null())
    inner["data"] = why.data;
  return {{"jsonrpc", "2.0"}, {"id", id}, {"error", std::move(inner)}};
}

bool claims_modern(const json::object& params) {
  const auto* meta = object_in(params, "_meta");
  return meta != nullptr && member(*meta, meta::version) != nullptr;
}

std::variant<envelope, error> read_envelope(const json::object& params, bool must_be_modern) {
  envelope result;
  const auto* meta = object_in(params, "_meta");
  if (must_be_modern || claims_modern(params)) {
    if (meta == nullptr)
      return invalid_params("_meta: expected an object");
    result.spoken = protocol_generation::modern;
    if (auto wrong = read_modern(*meta, result))
      return std::move(*wrong);
  }
  if (meta != nullptr)
    if (const auto* token = member(*meta, token_name); token != nullptr && may_be_token(*token))
      result.progress_token = *token;
  return result;
}

std::optional<error> refuse_version(const std::string& version) {
  if (version == modern_version)
    return std::nullopt;
  return error{unsupported_version, "this version is not supported",
    json::object{{"supported", {modern_version}}, {"requested", version}}};
}

incoming read_message(std::string_view text) {
  auto value = parse_json(text, message_limits);
  if (!value)
    return refused(json_rpc::code::parse_error, describe(value.error()));
  if (value->is_array())
    return refused(json_rpc::code::invalid_request, "expected one message, not a batch");
  if (value->is_object() && is_reply(value->get_object()))
    return reply{std::move(value->get_object())};
  auto message = json_rpc::read_value(std::move(*value), max_id_bytes);
  auto& entry = message.entries.front();
  if (!entry.call)
    return refused(std::move(entry.refusal));
  if (entry.call->id && !may_be_id(*entry.call->id))
    return refused(json_rpc::code::invalid_request, "id: expected a text of at most "
                                                      + std::to_string(max_id_bytes)
                                                      + " bytes, or a whole number");
  return std::move(*entry.call);
}

} // namespace scratchpage::mcp
