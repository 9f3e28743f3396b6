#include "scratchpage/runtime/mcp/envelope.hpp"

namespace scratchpage::mcp {

namespace {

const json::value* meta_of(const rpc::request& x, std::string_view name) {
  const auto* meta = x.params.if_contains("_meta");
  const auto* members = meta != nullptr ? meta->if_object() : nullptr;
  return members != nullptr ? members->if_contains(json::string_view{name.data(), name.size()})
                            : nullptr;
}

error malformed(std::string_view name, std::string_view expected) {
  return {static_cast<int32_t>(rpc::code::invalid_params),
    "_meta." + std::string{name} + ": expected " + std::string{expected}, {}};
}

} // namespace

std::variant<era, error> era_of(const rpc::request& x) {
  const auto* version = meta_of(x, meta::version);
  if (version == nullptr)
    return x.method == "server/discover"
             ? std::variant<era, error>{malformed(meta::version, "the version that you speak")}
             : era::legacy;
  if (!version->is_string())
    return malformed(meta::version, "a text");
  const auto* capabilities = meta_of(x, meta::capabilities);
  if (capabilities == nullptr || !capabilities->is_object())
    return malformed(meta::capabilities, "an object");
  if (version->get_string() != modern_version)
    return error{unsupported_version, "this version is not spoken here",
      json::object{{"supported", {modern_version}}, {"requested", *version}}};
  return era::modern;
}

} // namespace scratchpage::mcp
