#include "scratchpage/runtime/client/agent_client.hpp"

#include <future>

namespace scratchpage {

caf::expected<json::value> agent_client::call(std::string operation, json::object arguments) {
  std::promise<caf::expected<std::string>> answered;
  start(std::move(operation), std::move(arguments),
    [&](caf::expected<std::string> x) { answered.set_value(std::move(x)); });
  return parse_result(answered.get_future().get());
}

} // namespace scratchpage
