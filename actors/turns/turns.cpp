#include "scratchpage/actors/turns/turns.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "scratchpage/actors/base/daemon.hpp"
#include "scratchpage/actors/base/keepsakes.hpp"
#include "scratchpage/actors/page/draft_rules.hpp"
#include "scratchpage/actors/turns/outside_work.hpp"
#include "scratchpage/actors/turns/turn_rules.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/limits.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

/// The content of the input's observation, which the page accepts even if the input is blank or too
/// long.
std::string content_of(const std::string& input) {
  if (input.find_first_not_of(" \t\r\n\v\f") == std::string::npos)
    return "(no text)";
  return std::string{utf8::prefix(input, draft_limits::content_bytes)};
}

/// Starts turns that the queue counts as begun. One that cannot begin ends at once.
void start(const std::vector<std::shared_ptr<turn_run>>& turns) {
  for (const auto& x : turns)
    x->start();
}

/// Adds ended turns to the list. A turn is still open for a moment after its episode can be read;
/// it is listed once, as ended.
void append_ended(turn_list& to, turn_list found, size_t limit) {
  std::set<std::string_view> ended;
  for (const auto& x : found.turns)
    ended.insert(x.turn_id);
  std::erase_if(to.turns, [&](const turn_summary& open) { return ended.contains(open.turn_id); });
  auto has_room_for_all = to.turns.size() + found.turns.size() <= limit;
  if (has_room_for_all)
    to.next_before = found.next_before;
  for (auto& x : found.turns) {
    if (to.turns.size() >= limit)
      return;
    to.turns.push_back(std::move(x));
  }
}

} // namespace

turns_state::turns_state(handle::pointer self, const agent_context& agent, turns_config config,
  uint64_t team, scratch_page_actor page, frontal_cortex_actor cortex,
  episodic_memory_actor episodes, std::shared_ptr<number_source> numbers)
  : config_{config},
    with_{self, agent, &config_, team, std::move(page), std::move(cortex), std::move(episodes),
      tracer{agent, "turns", static_cast<uint32_t>(component::turns)}, std::move(numbers)},
    ended_{config.kept_results, config.kept_bytes} {
  if (auto before = take_kept<kept_turns>(agent.kept)) {
    ended_ = std::move(before->ended);
    with_.numbers->go_on_after(before->last_number);
    with_.keeps_turns = before->keeps_turns;
    is_after_rest_ = true;
  }
  with_.on_begun = [this](turn_run& x) { running_.emplace(x.id(), x.shared_from_this()); };
  with_.on_held = [this](turn_run& x) { start(queue_.take_ready(x.request().thread_id)); };
  with_.on_ended = [this](turn_run& x, const turn_result* result) { on_ended(x, result); };
}

turns_state::~turns_state() {
  if (!with_.agent.may_wake())
    return;
  ended_.pack();
  auto bytes = ended_.bytes();
  with_.agent.kept->put(
    kept_turns{std::move(ended_), with_.numbers->last(), with_.keeps_turns}, bytes);
}

turns_state::handle::behavior_type turns_state::make_behavior() {
  if (!is_after_rest_ && with_.episodes)
    resume_kept();
  return {
    [this](begin_turn& x) { return begin(std::move(x)); },
    [this](const await_turn& x) { return await(x); },
    [this](const end_turn& x) { return end(x); },
    [this](const list_turns& x) { return list(x); },
    [this](const report_tool_call& x) { return report(x); },
  };
}

/// Goes on with the turns that were open when the process before ended. All requests wait until it
/// is known which.
void turns_state::resume_kept() {
  auto by = as_daemon("turns");
  ask(with_.self, with_.episodes, with_.timeout(), list_kept_turns{by})
    .await(
      [this](const kept_turn_list& found) {
        with_.keeps_turns = found.outlives_process;
        for (const auto& x : found.turns)
          resume(x);
      },
      [this, by](const caf::error& err) { with_.trace.write_error("list_kept_turns", by, err); });
}

void turns_state::resume(const kept_turn& x) {
  begin_turn request;
  request.thread_id = x.thread_id;
  request.user_id = x.user_id;
  request.mode = x.mode;
  request.hold = x.hold;
  request.traceparent = x.traceparent;
  request.by = x.by;
  auto run = std::make_shared<turn_run>(with_, std::move(request), std::nullopt);
  queue_.add_begun(run);
  run->resume(x);
}

caf::error turns_state::check(const begin_turn& request) const {
  if (auto err = check_request(request))
    return err;
  if (!request.agent_id.empty() && request.agent_id != with_.agent.agent_id)
    return fail(errc::not_found, "agent_id", "these are the turns of " + with_.agent.agent_id);
  if (auto err = check_share(request))
    return err;
  if (auto held = queue_.held_before(request))
    return fail(errc::conflict, "thread_id",
      "expected no turn of the thread to be held; end_turn ends " + held->id());
  return queue_.must_wait(request) ? check_queue(request) : caf::error{};
}

/// Whether the queue has a place for the turn. Outside programs together cannot fill the queue.
caf::error turns_state::check_queue(const begin_turn& request) const {
  auto is_full = [](uint64_t queued, uint64_t max, std::string_view of_what) {
    return queued < max ? caf::error{}
                        : fail(errc::overloaded, "thread_id",
                          ("expected at most " + std::to_string(max) + " turns").append(of_what));
  };
  if (auto err = is_full(queue_.waiting(), config_.max_queued, " in the queue");
      err || !is_program(request.by))
    return err;
  auto of_programs =
    queue_.count_waiting([](const auto& x) { return is_program(x->request().by); });
  return is_full(
    of_programs, share_of_programs(config_.max_queued), " of all programs together in the queue");
}

/// Whether the caller's principal may have another open turn.
caf::error turns_state::check_share(const begin_turn& request) const {
  auto is_theirs = [&](const auto& x) { return counts_with(x->request().by, request.by); };
  auto open = std::count_if(
    running_.begin(), running_.end(), [&](const auto& x) { return is_theirs(x.second); });
  if (static_cast<uint64_t>(open) + queue_.count_waiting(is_theirs) < config_.max_open_per_asker)
    return {};
  return fail(errc::overloaded, "by.name",
    "expected at most " + std::to_string(config_.max_open_per_asker) + " open turns of "
      + principal_of(*request.by) + "; end_turn ends one that is held");
}

caf::result<turn_result> turns_state::begin(begin_turn request) {
  if (auto err = check(request)) {
    with_.trace.write_error(
      "begin_turn", asker_of(request), err, {{"thread_id", request.thread_id}});
    return err;
  }
  auto answer = with_.self->make_response_promise<turn_result>();
  request.input = content_of(request.input); // the rest of a long input is not kept
  auto x = std::make_shared<turn_run>(with_, std::move(request), answer);
  if (queue_.must_wait(x->request())) {
    queue_.add_waiting(x);
    with_.trace.write("queue_turn", asker_of(x->request()),
      {{"thread_id", x->request().thread_id}, {"queued", queue_.waiting()}});
  } else {
    queue_.add_begun(x);
    x->start();
  }
  return answer;
}

caf::result<turn_result> turns_state::await(const await_turn& request) {
  auto by = request.by.value_or(as_user(""));
  if (by.role == role::tool)
    return fail(errc::forbidden, "by.role", "a tool may not read turns");
  if (auto err = check_turn_id(request.turn_id)) {
    with_.trace.write_error("await_turn", by, err);
    return err;
  }
  by.turn_id = request.turn_id;
  if (auto i = running_.find(request.turn_id); i != running_.end())
    return await_end_of(*i->second, request.by, std::move(by));
  if (auto result = ended_.find(request.turn_id)) {
    with_.trace.write("await_turn", by);
    return std::move(*result);
  }
  auto err =
    fail(errc::not_found, "turn_id", "no such turn is running or kept: " + request.turn_id);
  with_.trace.write_error("await_turn", by, err);
  return err;
}

caf::result<turn_result> turns_state::await_end_of(
  turn_run& x, const std::optional<caller>& who, caller by) {
  by.cause = x.cause();
  auto answer = with_.self->make_response_promise<turn_result>();
  if (auto err = x.join(answer, who)) {
    with_.trace.write_error("await_turn", by, err);
    answer.deliver(err);
  } else {
    with_.trace.write("await_turn", by);
  }
  return answer;
}

caf::result<turn_result> turns_state::end(const end_turn& request) {
  if (auto err = check_response(request.response)) {
    with_.trace.write_error("end_turn", request.by.value_or(as_user("")), err);
    return err;
  }
  if (auto i = running_.find(request.turn_id); i != running_.end()) {
    if (auto err = check_ender(i->second->request().by, request.by)) {
      with_.trace.write_error("end_turn", *request.by, err, {{"turn_id", request.turn_id}});
      return err;
    }
    i->second->let_go(request.response, request.by);
  }
  return await({request.turn_id, request.by});
}

/// A report is taken only while the turn is open, and only from the one who may end it.
caf::result<reported_call> turns_state::report(const report_tool_call& request) {
  auto refused = [&](caf::error err) {
    with_.trace.write_error("report_tool_call", request.by.value_or(as_user("")), err);
    return err;
  };
  if (request.by && request.by->role == role::tool)
    return refused(fail(errc::forbidden, "by.role", "a tool may not report calls"));
  if (auto err = check_turn_id(request.turn_id))
    return refused(err);
  if (auto err = check_report(request))
    return refused(err);
  auto i = running_.find(request.turn_id);
  if (i == running_.end())
    return refused(fail(errc::not_found, "turn_id", "no such turn is open: " + request.turn_id));
  if (auto err = check_ender(i->second->request().by, request.by))
    return refused(err);
  auto answer = with_.self->make_response_promise<reported_call>();
  i->second->report(request, answer);
  return answer;
}

void turns_state::on_ended(turn_run& x, const turn_result* result) {
  if (result != nullptr)
    ended_.add(*result);
  running_.erase(x.id());
  start(queue_.remove(x.shared_from_this()));
}

caf::result<turn_list> turns_state::list(const list_turns& request) {
  if (request.by.role == role::tool)
    return fail(errc::forbidden, "by.role", "a tool may not list turns");
  if (request.limit < 1 || request.limit > list_turns::most)
    return fail(errc::invalid_request, "limit",
      "expected a number from 1 to " + std::to_string(list_turns::most));
  turn_list first;
  if (!request.before)
    first.turns = open_turns();
  first.turns.resize(std::min<size_t>(first.turns.size(), request.limit));
  if (first.turns.size() == request.limit)
    return first;
  auto answer = with_.self->make_response_promise<turn_list>();
  ask(with_.self, with_.episodes, with_.timeout(), list_turns{request})
    .then(
      [answer, all = std::move(first), limit = request.limit](turn_list& found) mutable {
        append_ended(all, std::move(found), limit);
        answer.deliver(std::move(all));
      },
      [answer](const caf::error& err) mutable { answer.deliver(err); });
  return answer;
}

/// The open turns, the latest first.
std::vector<turn_summary> turns_state::open_turns() const {
  std::vector<turn_summary> result;
  for (const auto& [id, x] : running_)
    result.push_back(x->summary());
  std::sort(result.begin(), result.end(), [](const auto& a, const auto& b) {
    return std::tie(a.started_at, a.turn_id) > std::tie(b.started_at, b.turn_id);
  });
  return result;
}

} // namespace scratchpage
