#include "scratchpage/runtime/cli/commands/local_person.hpp"

#include <utility>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/cli/commands/opening.hpp"
#include "scratchpage/runtime/cli/io/command_line.hpp"

namespace scratchpage {

void local_person::start(
  std::string operation, json::object arguments, agent_client::on_answer then) {
  auto is_queued = work_.later([this, operation, arguments, then]() mutable {
    call(std::move(operation), std::move(arguments), std::move(then));
  });
  if (!is_queued)
    then(fail(errc::overloaded, "", "expected fewer answers of persons at once"));
}

void local_person::call(
  std::string operation, json::object arguments, agent_client::on_answer then) {
  if (!agent_) {
    auto opened = open_agent(options_, open_mode::existing, {as_admin(login_name()), {}});
    if (!opened)
      return then(opened.error());
    agent_ = std::move(*opened);
  }
  agent_->start(std::move(operation), std::move(arguments), std::move(then));
}

} // namespace scratchpage
