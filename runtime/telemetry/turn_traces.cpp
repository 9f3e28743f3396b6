#include "scratchpage/runtime/telemetry/turn_traces.hpp"

#include "scratchpage/messages/json/json_view.hpp"
#include "scratchpage/messages/trace_context.hpp"
#include "scratchpage/persistence/store/checksum.hpp"

namespace scratchpage::telemetry {

namespace {

std::string hex(uint64_t x) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string result(16, '0');
  for (auto i = result.rbegin(); i != result.rend(); ++i, x >>= 4)
    *i = digits[x & 0xf];
  return result;
}

std::string text_in_detail(const trace_entry& x, std::string_view name) {
  const auto* found = x.detail.if_contains(view(name));
  return found != nullptr && found->is_string() ? std::string{found->get_string()} : std::string{};
}

} // namespace

bool begins_turn(const trace_entry& x) {
  return x.component == "turns" && x.operation == "begin_turn" && x.status == "success";
}

void turn_traces::note(const trace_entry& x) {
  if (!begins_turn(x))
    return;
  turn_place turn{trace_of(x.agent_id, x.turn_id), {}, text_in_detail(x, "thread_id")};
  if (auto asker = trace_context::parse(text_in_detail(x, "traceparent"))) {
    turn.trace_id = asker->trace_id;
    turn.parent_id = asker->parent_id;
  }
  turn_key key{x.agent_id, x.turn_id};
  std::lock_guard lock{mutex_};
  if (turns_.insert_or_assign(key, std::move(turn)).second)
    in_order_.push_back(std::move(key));
  for (; in_order_.size() > most_known; in_order_.pop_front())
    turns_.erase(in_order_.front());
}

turn_place turn_traces::place_of(const std::string& agent_id, const std::string& turn_id) const {
  {
    std::lock_guard lock{mutex_};
    if (auto found = turns_.find({agent_id, turn_id}); found != turns_.end())
      return found->second;
  }
  return {trace_of(agent_id, turn_id), {}, {}};
}

std::string turn_traces::span_of(std::string_view agent_id, span_id id) const {
  std::string of = hex(salt_);
  of.append("/").append(agent_id).append("#").append(hex(id));
  return hex(checksum_of(of) | 1); // 0 is no id
}

std::string turn_traces::trace_of(std::string_view agent_id, std::string_view what) const {
  std::string of = hex(salt_);
  of.append("/").append(agent_id).append("/").append(what);
  return hex(salt_ | 1) + hex(checksum_of(of));
}

} // namespace scratchpage::telemetry
