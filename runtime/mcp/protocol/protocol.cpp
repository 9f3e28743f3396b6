#include "scratchpage/runtime/mcp/protocol/protocol.hpp"

#include <utility>

#include "scratchpage/runtime/net/json_rpc/json_rpc.hpp"

namespace scratchpage::mcp {

error invalid_params(std::string message) {
  return {static_cast<int32_t>(rpc::code::invalid_params), std::move(message), {}};
}

error internal_error(std::string message) {
  return {static_cast<int32_t>(rpc::code::internal_error), std::move(message), {}};
}

json::object refusal(const json::value& id, const error& why) {
  json::object inner{{"code", why.code}, {"message", why.message}};
  if (!why.data.is_null())
    inner["data"] = why.data;
  return {{"jsonrpc", "2.0"}, {"id", id}, {"error", std::move(inner)}};
}

} // namespace scratchpage::mcp
