#include "scratchpage/runtime/mcp/stdio_session.hpp"

#include <utility>

#include <caf/typed_event_based_actor.hpp>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/compat.hpp"

namespace scratchpage::mcp {

namespace {

/// Answers a line when nothing refers to it any more: a notification at once, a
/// request when its answer is written.
class line_in_work {
public:
  explicit line_in_work(caf::typed_response_promise<void> x)
    : done_{std::move(x)} {}
  line_in_work(const line_in_work&) = delete;
  line_in_work& operator=(const line_in_work&) = delete;
  ~line_in_work() { done_.deliver(); }

private:
  caf::typed_response_promise<void> done_;
};

} // namespace

stdio_session::stdio_session(
  handle::pointer self, operations_actor operations, client who, line_sink out)
  : self_{self},
    operations_{std::move(operations)},
    who_{std::move(who)},
    out_{std::move(out)},
    server_{[this](std::string operation, json::object arguments, const server::on_result& then) {
      run(std::move(operation), std::move(arguments), then);
    }} {}

stdio_session::handle::behavior_type stdio_session::make_behavior() {
  return {[this](const std::string& line) -> caf::result<void> {
    auto promise = self_->make_response_promise<void>();
    auto work = std::make_shared<line_in_work>(promise);
    server_.answer(
      line, [this, work](const json::object& answer) { out_(to_text(json::value(answer))); });
    return promise;
  }};
}

void stdio_session::run(
  std::string operation, json::object arguments, const server::on_result& then) {
  call_operation request{who_.by, who_.thread_id, std::move(operation), std::move(arguments)};
  // The operation has its own limit.
  ask(self_, operations_, caf::infinite, std::move(request))
    .then([then](operation_answer& x) { then(std::move(x)); },
      [then](const caf::error& err) { then(err); });
}

} // namespace scratchpage::mcp
