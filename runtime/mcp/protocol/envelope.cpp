#include "scratchpage/runtime/mcp/protocol/envelope.hpp"

#include "scratchpage/runtime/mcp/protocol/members.hpp"

namespace scratchpage::mcp {

namespace {

constexpr std::string_view token_name = "progressToken";

error malformed(std::string_view name, std::string_view expected) {
  return invalid_params("_meta." + std::string{name} + ": expected " + std::string{expected});
}

bool may_be_token(const json::value& x) {
  return x.is_string() ? x.get_string().size() <= most_id_bytes : x.is_int64() || x.is_uint64();
}

/// The members of a modern one, or the first that is wrong.
std::optional<error> read_modern(const json::object& from, envelope& to) {
  const auto* version = member(from, meta::version);
  if (version == nullptr || !version->is_string())
    return malformed(meta::version, "the version that you speak");
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

} // namespace

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
    result.spoken = era::modern;
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
  return error{unsupported_version, "this version is not spoken here",
    json::object{{"supported", {modern_version}}, {"requested", version}}};
}

} // namespace scratchpage::mcp
