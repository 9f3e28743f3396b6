#include "scratchpage/runtime/api/operation_caller.hpp"

#include <mutex>
#include <unordered_map>
#include <utility>

#include <caf/action.hpp>
#include <caf/actor_companion.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/exit_reason.hpp>
#include <caf/sec.hpp>

#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/trace.hpp"
#include "scratchpage/runtime/api/operation_list.hpp"

namespace scratchpage {

namespace {

/// An actor that only runs the actions that it is sent.
caf::behavior gateway(caf::event_based_actor*) {
  return {[](caf::unit_t) {}};
}

/// Whether the actor that was asked has ended. That happens only when its agent ends.
bool has_ended(const caf::error& err) {
  return err.category()
           == caf::type_id_v<caf::exit_reason> || err == caf::sec::request_receiver_down
         || err == caf::sec::broken_promise;
}

caf::error refusal_of(const caf::error& err) {
  if (!has_ended(err))
    return err;
  return fail(errc::storage_unavailable, "agent",
    "expected an agent that stays open, but it has ended here; whether this was done is known when "
    "it is open again");
}

caf::expected<std::string> result_in(caf::message& x) {
  if (x.match_elements<operation_answer>())
    return std::move(x.get_mutable_as<operation_answer>(0).result);
  if (x.match_elements<caf::error>())
    return refusal_of(x.get_as<caf::error>(0));
  return fail(errc::internal, "", "expected an operation's answer");
}

caf::error with_effect(const caf::error& why, std::string_view operation) {
  if (!changes_something(operation))
    return why;
  return fail(code_of(why), field_of(why),
    why.context().get_as<std::string>(1) + "; the operation was executed");
}

} // namespace

/// The calls that are not answered yet, by the number of the request.
class operation_caller::calls {
public:
  /// Adds a call and gives the number of its request.
  uint64_t begin(on_answer then) {
    std::lock_guard lock{guard_};
    waiting_.emplace(++last_, std::move(then));
    return last_;
  }

  /// Called on the thread of the actor that answers, so that no other thread has to be woken.
  void answer(caf::mailbox_element& x) {
    if (auto then = take(x.mid.request_id().integer_value()))
      then(result_in(x.payload));
  }

private:
  on_answer take(uint64_t number) {
    std::lock_guard lock{guard_};
    auto found = waiting_.extract(number);
    return found ? std::move(found.mapped()) : nullptr;
  }

  std::mutex guard_;
  uint64_t last_ = 0;
  std::unordered_map<uint64_t, on_answer> waiting_;
};

operation_caller::operation_caller(caf::actor_system& sys)
  : calls_{std::make_shared<calls>()},
    companion_{sys.spawn<caf::actor_companion, caf::hidden>()},
    gateway_{sys.spawn(gateway)} {
  auto* companion = caf::actor_cast<caf::actor_companion*>(companion_);
  companion->on_enqueue([calls = calls_](caf::mailbox_element_ptr x) { calls->answer(*x); });
}

operation_caller::~operation_caller() {
  // Waits for callbacks that are running.
  caf::actor_cast<caf::actor_companion*>(companion_)->on_enqueue(nullptr);
  caf::anon_send_exit(gateway_, caf::exit_reason::user_shutdown);
}

void operation_caller::call(
  const operations_actor& to, call_operation request, on_answer then) const {
  // No timeout is needed: every operation is answered in time (`open_answers`).
  auto number = calls_->begin(std::move(then));
  enqueue_request(companion_, number, to, std::move(request));
}

void operation_caller::run(std::function<void(caf::event_based_actor*)> work) const {
  // The action runs in the gateway, so the pointer is valid then.
  auto* self = caf::actor_cast<caf::event_based_actor*>(gateway_);
  anon_tell(gateway_, caf::make_action([self, work = std::move(work)]() mutable { work(self); }));
}

http::held_bytes hold_result(
  caf::expected<std::string>& result, std::string_view operation, http::answer_budget& of) {
  if (!result)
    return {};
  auto err = of.check_call(result->size());
  auto held = err ? std::nullopt : of.take(result->size());
  if (held)
    return std::move(*held);
  result = with_effect(err ? err : http::too_many_answers(), operation);
  return {};
}

void continue_trace(call_operation& x, const std::string& traceparent) {
  constexpr auto member = argument_type::traceparent;
  if (traceparent.empty() || x.arguments.contains(member))
    return;
  const auto* what = find_operation(x.operation);
  if (what != nullptr && what->performed.takes.has_traceparent && trace_context::parse(traceparent))
    x.arguments[member] = traceparent;
}

void name_request(std::string_view operation, const std::optional<std::string>& request_key,
  json::object& arguments) {
  constexpr auto member = argument_type::request_key;
  if (request_key && !arguments.contains(member) && changes_something(operation))
    arguments[member] = *request_key;
}

} // namespace scratchpage
