#include "scratchpage/actors/turns/turn_rules.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "scratchpage/actors/page/draft_rules.hpp"
#include "scratchpage/actors/policies/call_plan.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/json/json_size.hpp"
#include "scratchpage/messages/limits.hpp"
#include "scratchpage/messages/text/key_text.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/messages/trace.hpp"

namespace scratchpage {

namespace {

/// The context member by which the caller gives a consent that it may not give, or "".
/// `user_consents` is for the embedding program alone, `confirms` and `declines` also for persons.
std::string_view claimed_consent(const begin_turn& x) {
  if (!x.by)
    return "";
  if (x.context.contains("user_consents"))
    return "user_consents";
  if (is_person(*x.by))
    return "";
  return x.context.contains("confirms")   ? "confirms"
         : x.context.contains("declines") ? "declines"
                                          : "";
}

/// Whether the caller may begin turns, and gives no consent that it may not give.
caf::error check_asker(const begin_turn& x) {
  if (x.by && x.by->role == role::tool)
    return fail(errc::forbidden, "by.role", "a tool may not begin turns");
  if (auto claimed = claimed_consent(x); !claimed.empty())
    return fail(errc::forbidden, "context." + std::string{claimed},
      "expected none: consent is given by the person who was asked, on a channel of their own");
  return {};
}

/// After this time, a call from outside has ended: its timeout is checked once a second.
constexpr timespan longest_wait =
  std::chrono::milliseconds{turn_limits::wait_ms} + std::chrono::seconds{2};

caf::error too_many(size_t max, const std::string& whose) {
  return fail(errc::overloaded, "turn_id",
    "expected at most " + std::to_string(max) + " calls" + whose + " that wait for one turn");
}

} // namespace

caller asker_of(const begin_turn& x, std::string turn_id) {
  auto is_persons = x.by && is_person(*x.by);
  auto user = !x.user_id.empty() ? x.user_id : is_persons ? x.by->name : "user";
  auto result = as_user(std::move(user), std::move(turn_id));
  if (x.by && !(is_persons && x.by->name == result.name))
    result.relayed_by = x.by->name;
  return result;
}

caf::error check_request(const begin_turn& x) {
  if (auto err = check_asker(x))
    return err;
  for (const auto& [field, text] : {std::pair{"thread_id", &x.thread_id}, {"user_id", &x.user_id}})
    if (text->size() > turn_limits::id_bytes || !is_key_text(*text))
      return fail(errc::invalid_request, field,
        "expected UTF-8 of at most " + std::to_string(turn_limits::id_bytes)
          + " bytes, without U+0000");
  if (!(x.deadline_ms >= 0 && x.deadline_ms <= begin_turn::longest_ms))
    return fail(
      errc::invalid_request, "deadline_ms", "expected 0 to 604800000 milliseconds, a week at most");
  if (!x.traceparent.empty() && !trace_context::parse(x.traceparent))
    return fail(errc::invalid_request, "traceparent",
      "expected it as in W3C Trace Context, such as 00-<32 hex>-<16 hex>-01");
  if (!utf8::is_valid(x.input))
    return fail(errc::invalid_request, "input", "expected valid UTF-8");
  if (json_size(x.context, draft_limits::context_bytes) > draft_limits::context_bytes)
    return fail(errc::invalid_request, "context",
      "expected at most " + std::to_string(draft_limits::context_bytes) + " bytes of JSON");
  if (auto err = check_plan(x.plan, "plan"))
    return err;
  auto plan = call_plan::make(x.plan);
  return plan ? caf::error{} : plan.error();
}

bool answers_by_name(const begin_turn& x) {
  auto names = [&](std::string_view key) {
    const auto* value = x.context.if_contains(json::string_view{key.data(), key.size()});
    const auto* list = value != nullptr ? value->if_array() : nullptr;
    return value != nullptr && (list == nullptr || !list->empty());
  };
  return x.by && is_person(*x.by) && (names("confirms") || names("declines") || names("answers"));
}

bool waits_for(const begin_turn& later, const begin_turn& earlier, bool earlier_is_at_work) {
  if (!later.by || !is_person(*later.by))
    return true;
  return is_same_principal(later.by, earlier.by) && (earlier_is_at_work || !answers_by_name(later));
}

caf::error check_ender(const std::optional<caller>& begun_by, const std::optional<caller>& by) {
  if (!by || is_owner(*by) || is_same_principal(begun_by, by))
    return {};
  return fail(errc::forbidden, "turn_id", "expected a turn that " + by->name + " has begun");
}

caf::error turn_askers::join(promise to, const std::optional<caller>& by, timespan now) {
  end_overdue(now);
  make_way_for(by);
  if (later_.size() >= turn_limits::askers)
    return too_many(turn_limits::askers, "");
  later_.push_back({std::move(to), by, now});
  return {};
}

/// Ends calls that nobody waits for any longer, so that no result is copied for them.
void turn_askers::end_overdue(timespan now) {
  std::erase_if(later_, [&](asker& x) {
    auto is_over = x.by && x.by->outside && now - x.since > longest_wait;
    if (is_over)
      x.to.deliver(fail(errc::deadline_exceeded, "turn_id", "expected the turn to end in time"));
    return is_over;
  });
}

void turn_askers::make_way_for(const std::optional<caller>& by) {
  auto is_theirs = [&](const asker& x) { return counts_with(x.by, by); };
  auto count = std::count_if(later_.begin(), later_.end(), is_theirs);
  if (static_cast<size_t>(count) < turn_limits::askers_of_one)
    return;
  auto first = std::find_if(later_.begin(), later_.end(), is_theirs);
  first->to.deliver(too_many(turn_limits::askers_of_one, " of " + principal_of(*by)));
  later_.erase(first);
}

bool turn_askers::answer_beginner(turn_result early) {
  if (!beginner_)
    return false;
  std::exchange(beginner_, std::nullopt)->deliver(std::move(early));
  return true;
}

void turn_askers::deliver(const turn_result& x) {
  deliver_all(x);
}

void turn_askers::deliver(const caf::error& x) {
  deliver_all(x);
}

template <class T>
void turn_askers::deliver_all(const T& x) {
  if (auto first = std::exchange(beginner_, std::nullopt))
    first->deliver(x);
  for (auto& one : std::exchange(later_, {}))
    one.to.deliver(x);
}

} // namespace scratchpage
