#include "scratchpage/runtime/server/rpc_target.hpp"

#include <utility>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/api/json_schema.hpp"
#include "scratchpage/runtime/api/query_arguments.hpp"
#include "scratchpage/runtime/net/http/target.hpp"

namespace scratchpage::serve {

namespace {

caf::error check_length(std::string_view name, const std::string& id) {
  if (id.size() <= rpc_target::id_bytes)
    return {};
  return fail(errc::invalid_request, name,
    "expected at most " + std::to_string(rpc_target::id_bytes) + " bytes");
}

} // namespace

const json::object& schema_of_rpc_target() {
  static const auto schema = json_schema<rpc_target>(members::closed);
  return schema;
}

caf::expected<rpc_target> read_rpc_target(std::string_view query) {
  auto parameters = http::parse_query(query);
  if (!parameters)
    return std::move(parameters.error());
  auto arguments = arguments_of_query(*parameters, schema_of_rpc_target());
  if (!arguments)
    return std::move(arguments.error());
  auto target = from_json<rpc_target>(json::value(std::move(*arguments)));
  if (!target)
    return target;
  if (auto err = check_length("agent", target->agent))
    return err;
  if (auto err = check_length("thread", target->thread))
    return err;
  return target;
}

} // namespace scratchpage::serve
