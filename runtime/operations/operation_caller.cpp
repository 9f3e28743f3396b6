#include "scratchpage/runtime/operations/operation_caller.hpp"

#include <utility>

#include <caf/action.hpp>
#include <caf/event_based_actor.hpp>

#include "scratchpage/messages/compat.hpp"

namespace scratchpage {

namespace {

/// It only runs what it is sent.
caf::behavior gateway(caf::event_based_actor*) {
  return {[](caf::unit_t) {}};
}

} // namespace

operation_caller::operation_caller(caf::actor_system& sys)
  : gateway_{sys.spawn(gateway)} {}

operation_caller::~operation_caller() {
  caf::anon_send_exit(gateway_, caf::exit_reason::user_shutdown);
}

void operation_caller::call(
  const operations_actor& to, call_operation request, on_answer then) const {
  run([to, request = std::move(request), then = std::move(then)](
        caf::event_based_actor* self) mutable {
    // Operations have limits of their own.
    ask(self, to, caf::infinite, std::move(request))
      .then([then](operation_answer& x) { then(std::move(x.result)); },
        [then](const caf::error& err) { then(err); });
  });
}

void operation_caller::run(std::function<void(caf::event_based_actor*)> work) const {
  // An action runs in the actor that gets it, so that the pointer is good then.
  auto* self = caf::actor_cast<caf::event_based_actor*>(gateway_);
  anon_tell(gateway_, caf::make_action([self, work = std::move(work)]() mutable { work(self); }));
}

} // namespace scratchpage
