#include "scratchpage/tests/runtime/server/hosted.hpp"

#include <utility>

#include <caf/scoped_actor.hpp>

#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/api/operation_answers.hpp"
#include "scratchpage/tests/support/require_value.hpp"

namespace scratchpage::test {

hosted::hosted(config x)
  : with{std::move(x)} {
  host_again();
}
hosted::~hosted() = default;

void hosted::host_again() {
  host.reset();
  auto opened = require_value(storage::open((path() / "data").string()));
  host = std::make_unique<agent_host>(std::move(opened), with);
}

hosted_agent_ptr hosted::agent(const std::string& id) {
  return require_value(host->open(id, open_mode::create));
}

caf::expected<json::value> hosted::try_to(
  const std::string& id, const std::string& operation, json::object arguments) {
  auto to = agent(id)->operations;
  caf::scoped_actor self{host->system()};
  caf::expected<json::value> result{fail(errc::internal, "", "expected an answer")};
  ask(self.ptr(), to, std::chrono::minutes{1},
    call_operation{by, "main", operation, std::move(arguments)})
    .receive([&](const operation_answer& x) { result = parse_result(x.result); },
      [&](const caf::error& err) { result = err; });
  return result;
}

json::value hosted::call(
  const std::string& id, const std::string& operation, json::object arguments) {
  return require_value(try_to(id, operation, std::move(arguments)));
}

} // namespace scratchpage::test
