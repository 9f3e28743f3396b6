#include "scratchpage/actors/turns/turns.hpp"

#include <algorithm>
#include <utility>

#include "scratchpage/actors/base/daemon.hpp"
#include "scratchpage/actors/page/draft_rules.hpp"
#include "scratchpage/actors/turns/turn_input.hpp"
#include "scratchpage/actors/turns/turn_outcome.hpp"
#include "scratchpage/actors/turns/turn_rules.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/observation_id.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/messages/turn_id.hpp"

namespace scratchpage {

namespace {

/// What a person said goes on the page whatever it is: nothing, or too much.
std::string content_of(const std::string& input) {
  if (input.find_first_not_of(" \t\r\n\v\f") == std::string::npos)
    return "(no text)";
  return std::string{utf8::prefix(input, draft_limits::content_bytes)};
}

} // namespace

turns_state::turns_state(handle::pointer self, agent_context agent, turns_config config,
  uint64_t team, scratch_page_actor page, frontal_cortex_actor cortex,
  episodic_memory_actor episodes, std::shared_ptr<number_source> numbers)
  : self_{self},
    agent_{std::move(agent)},
    config_{config},
    team_{team},
    page_{std::move(page)},
    cortex_{std::move(cortex)},
    episodes_{std::move(episodes)},
    trace_{agent_, "turns", static_cast<uint32_t>(component::turns)},
    numbers_{std::move(numbers)} {}

turns_state::handle::behavior_type turns_state::make_behavior() {
  return {
    [this](begin_turn& x) { return begin(std::move(x)); },
    [this](const await_turn& x) { return await(x); },
    [this](const end_turn& x) { return end(x); },
    [this](const list_turns& x) { return list(x); },
  };
}

caf::error turns_state::check(const begin_turn& request) const {
  if (auto err = check_request(request))
    return err;
  if (!request.agent_id.empty() && request.agent_id != agent_.agent_id)
    return fail(errc::not_found, "agent_id", "these are the turns of " + agent_.agent_id);
  if (auto err = check_share(request))
    return err;
  if (auto held = held_before(request))
    return fail(errc::conflict, "thread_id",
      "expected no turn of the thread to be held; end_turn ends " + held->by.turn_id);
  return must_wait(request) ? check_queue(request) : caf::error{};
}

/// Programs from outside together do not take all the places in the queue.
caf::error turns_state::check_queue(const begin_turn& request) const {
  auto is_full = [](uint64_t queued, uint64_t most, std::string_view of_what) {
    return queued < most ? caf::error{}
                         : fail(errc::overloaded, "thread_id",
                           ("expected at most " + std::to_string(most) + " turns").append(of_what));
  };
  if (auto err = is_full(queued_, config_.max_queued, " in the queue");
      err || !is_program(request.by))
    return err;
  uint64_t of_programs = 0;
  for (const auto& [id, thread] : threads_)
    of_programs += static_cast<uint64_t>(std::count_if(thread.waiting.begin(), thread.waiting.end(),
      [](const turn_ptr& x) { return is_program(x->request.by); }));
  return is_full(
    of_programs, share_of_programs(config_.max_queued), " of all programs together in the queue");
}

/// One principal cannot take all that there is of turns.
caf::error turns_state::check_share(const begin_turn& request) const {
  auto is_theirs = [&](const turn_ptr& x) { return counts_with(x->request.by, request.by); };
  auto open = std::count_if(
    running_.begin(), running_.end(), [&](const auto& x) { return is_theirs(x.second); });
  for (const auto& [id, thread] : threads_)
    open += std::count_if(thread.waiting.begin(), thread.waiting.end(), is_theirs);
  if (static_cast<uint64_t>(open) < config_.max_open_per_asker)
    return {};
  return fail(errc::overloaded, "by.name",
    "expected at most " + std::to_string(config_.max_open_per_asker) + " open turns of "
      + principal_of(*request.by) + "; end_turn ends one that is held");
}

turns_state::turn_ptr turns_state::held_before(const begin_turn& request) const {
  auto thread = threads_.find(request.thread_id);
  if (request.mode != turn_mode::sequential || thread == threads_.end())
    return nullptr;
  for (const auto& x : thread->second.begun)
    if (x->is_held && waits_for(request, x->request, false))
      return x;
  return nullptr;
}

bool turns_state::must_wait(const begin_turn& request) const {
  auto thread = threads_.find(request.thread_id);
  return request.mode == turn_mode::sequential && thread != threads_.end()
         && must_wait(request, thread->second, thread->second.waiting.size());
}

bool turns_state::must_wait(const begin_turn& request, const thread_turns& others, size_t before) {
  auto first = others.waiting.begin();
  return std::any_of(others.begun.begin(), others.begun.end(),
           [&](const turn_ptr& x) { return waits_for(request, x->request, !x->is_held); })
         || std::any_of(first, first + static_cast<ptrdiff_t>(before),
           [&](const turn_ptr& x) { return waits_for(request, x->request, false); });
}

caf::result<turn_result> turns_state::begin(begin_turn request) {
  if (auto err = check(request)) {
    trace_.write_error("begin_turn", asker_of(request), err, {{"thread_id", request.thread_id}});
    return err;
  }
  auto answer = self_->make_response_promise<turn_result>();
  auto x = std::make_shared<turn>(answer);
  x->request = std::move(request);
  x->request.input = content_of(x->request.input); // of the rest nothing is kept
  if (must_wait(x->request)) {
    ++queued_;
    trace_.write("queue_turn", asker_of(x->request),
      {{"thread_id", x->request.thread_id}, {"queued", queued_}});
    threads_[x->request.thread_id].waiting.push_back(x);
  } else {
    if (x->request.mode == turn_mode::sequential)
      threads_[x->request.thread_id].begun.push_back(x);
    start(x);
  }
  return answer;
}

caf::result<turn_result> turns_state::await(const await_turn& request) {
  auto by = request.by.value_or(as_user(""));
  if (by.role == role::tool)
    return fail(errc::forbidden, "by.role", "a tool may not read turns");
  if (auto err = check_turn_id(request.turn_id)) {
    trace_.write_error("await_turn", by, err);
    return err;
  }
  by.turn_id = request.turn_id;
  if (auto i = running_.find(request.turn_id); i != running_.end())
    return await_end_of(*i->second, request.by, std::move(by));
  for (const auto& result : ended_) {
    if (result.turn_id == request.turn_id) {
      trace_.write("await_turn", by);
      return result;
    }
  }
  auto err =
    fail(errc::not_found, "turn_id", "no such turn is running or kept: " + request.turn_id);
  trace_.write_error("await_turn", by, err);
  return err;
}

caf::result<turn_result> turns_state::await_end_of(
  turn& x, const std::optional<caller>& who, caller by) {
  by.cause = x.by.cause;
  auto answer = self_->make_response_promise<turn_result>();
  if (auto err = x.askers.join(answer, who, agent_.clock->steady())) {
    trace_.write_error("await_turn", by, err);
    answer.deliver(err);
  } else {
    trace_.write("await_turn", by);
  }
  return answer;
}

caf::result<turn_result> turns_state::end(const end_turn& request) {
  if (auto i = running_.find(request.turn_id); i != running_.end()) {
    if (auto err = check_ender(i->second->request.by, request.by)) {
      trace_.write_error("end_turn", *request.by, err, {{"turn_id", request.turn_id}});
      return err;
    }
    let_go(i->second);
  }
  return await({request.turn_id, request.by});
}

void turns_state::start(const turn_ptr& x) {
  auto id = make_id();
  if (!id) {
    x->by = asker_of(x->request);
    give_up(x, fail(errc::storage_unavailable, "", describe(id.error())));
    return;
  }
  auto& result = x->result;
  result.turn_id = std::move(*id);
  result.started_at = agent_.clock->now();
  auto usual = x->request.hold ? config_.held_deadline_ms : config_.deadline_ms;
  x->begun = agent_.clock->steady();
  x->deadline =
    x->begun + from_milliseconds(x->request.deadline_ms > 0 ? x->request.deadline_ms : usual);
  x->by = asker_of(x->request, result.turn_id);
  json::object detail{{"thread_id", x->request.thread_id}, {"mode", name_of(x->request.mode)},
    {"calls", x->request.plan.size()}};
  if (!x->request.traceparent.empty())
    detail["traceparent"] = x->request.traceparent;
  x->by.cause = trace_.write("begin_turn", x->by, std::move(detail));
  running_.emplace(result.turn_id, x);
  await_team(x);
}

/// A daemon that has not subscribed yet would miss the input.
void turns_state::await_team(const turn_ptr& x) {
  if (is_team_there_)
    return open(x);
  if (agent_.clock->steady() > x->begun + patience()) {
    give_up(x, fail(errc::deadline_exceeded, "team",
                 "expected " + std::to_string(team_) + " subscribers that take part in turns"));
    return;
  }
  ask(self_, page_, patience(), caf::get_atom_v)
    .then(
      [this, x](const page_stats& stats) {
        is_team_there_ = stats.in_turns >= team_;
        if (is_team_there_)
          await_team(x);
        else
          self_->run_delayed(std::chrono::milliseconds{1}, [this, x] { await_team(x); });
      },
      [this, x](const caf::error& err) { give_up(x, err); });
}

/// What is to be held must not be quiet before TURNS waits for that.
void turns_state::open(const turn_ptr& x) {
  auto failed = [this, x](const caf::error& err) { give_up(x, err); };
  ask(self_, page_, patience(), open_turn{x->by, x->request.by})
    .then(
      [this, x, failed] {
        if (!x->request.hold)
          return put_input(x);
        ask(self_, page_, patience(), hold_turn{x->by}).then([this, x] { put_input(x); }, failed);
      },
      failed);
}

void turns_state::put_input(const turn_ptr& x) {
  ask(self_, page_, patience(), add_observation{x->by, input_of(*x)})
    .then([this, x](const receipt&) { watch_over(x); },
      [this, x](const caf::error& err) {
        ask(self_, page_, patience(), close_turn{x->by})
          .then([this, x, err](const observation_list&) { give_up(x, err); },
            [this, x, err](const caf::error& as_well) {
              trace_.write_error("close_turn", x->by, as_well);
              give_up(x, err);
            });
      });
}

observation_draft turns_state::input_of(const turn& x) const {
  observation_draft draft;
  draft.type = "user_input";
  draft.content = x.request.input;
  draft.confidence = 1.0;
  draft.owner = "user";
  draft.context = x.request.context;
  if (!x.request.thread_id.empty())
    draft.context["thread_id"] = x.request.thread_id;
  if (!x.request.user_id.empty() || (x.request.by && is_person(*x.request.by)))
    draft.context["user_id"] = x.by.name;
  write_plan(draft, x.request.plan);
  if (x.request.by && is_owner(*x.request.by))
    write_owner(draft);
  return draft;
}

void turns_state::watch_over(const turn_ptr& x) {
  if (x->request.mode == turn_mode::background)
    ask(
      self_, page_, x->deadline - agent_.clock->steady(), await_quiet{x->by, quiet_stage::started})
      .then([this, x] { answer_in_background(x); }, [](const caf::error&) {});
  if (x->request.hold) {
    ask(self_, page_, x->deadline - agent_.clock->steady(), await_quiet{x->by, quiet_stage::worked})
      .then([this, x] { keep_open(x); }, [](const caf::error&) {});
    release(x);
  }
  ask(self_, page_, x->deadline - agent_.clock->steady(), await_quiet{x->by, quiet_stage::ended})
    .then([this, x] { close(x); },
      [this, x](const caf::error& err) {
        trace_.write_error("await_quiet", x->by, err);
        x->result.status = turn_status::timed_out;
        close(x);
      });
}

/// A background turn answers once everybody has read the input.
void turns_state::answer_in_background(const turn_ptr& x) {
  auto early = x->result;
  early.status = turn_status::background;
  early.response = "Working on it.";
  answer_early(x, std::move(early));
}

/// All have done their part: from here on TURNS holds the turn for who works outside.
void turns_state::keep_open(const turn_ptr& x) {
  if (x->is_let_go)
    return release(x);
  x->is_held = true;
  start_waiting(x->request.thread_id);
  ask(self_, page_, patience(), read_turn{x->by})
    .then(
      [this, x](const turn_so_far& found) {
        auto so_far = x->result;
        so_far.observations = in_order(found);
        find_goals_so_far(x, std::move(so_far));
      },
      [this, x](const caf::error& err) {
        trace_.write_error("read_turn", x->by, err);
        find_goals_so_far(x, x->result);
      });
}

void turns_state::find_goals_so_far(const turn_ptr& x, turn_result so_far) {
  read_outcome(so_far);
  so_far.status = turn_status::held;
  auto early = std::make_shared<turn_result>(std::move(so_far));
  ask(self_, cortex_, patience(), list_goals{x->by})
    .then(
      [this, x, early](goal_list& all) {
        take_goals(*early, those_about(early->observations, std::move(all.goals)));
        tell_held(x, std::move(*early));
      },
      [this, x, early](const caf::error& err) {
        trace_.write_error("list_goals", x->by, err);
        tell_held(x, std::move(*early));
      });
}

/// Unless it was ended meanwhile: then the answer is the result.
void turns_state::tell_held(const turn_ptr& x, turn_result so_far) {
  if (!x->is_let_go)
    answer_early(x, std::move(so_far));
}

/// Who began the turn does not wait for its end.
void turns_state::answer_early(const turn_ptr& x, turn_result early) {
  if (x->askers.answer_beginner(std::move(early)))
    trace_.write("answer_early", x->by);
}

void turns_state::let_go(const turn_ptr& x) {
  x->is_let_go = true;
  if (std::exchange(x->is_held, false))
    release(x);
}

void turns_state::release(const turn_ptr& x) {
  ask(self_, page_, patience(), release_turn{x->by})
    .then(
      [] {}, [this, x](const caf::error& err) { trace_.write_error("release_turn", x->by, err); });
}

void turns_state::close(const turn_ptr& x) {
  ask(self_, page_, patience(), close_turn{x->by})
    .then(
      [this, x](observation_list& turn) {
        x->result.observations = std::move(turn.observations);
        read_outcome(x->result, turn.left_out == 0);
        settle(x);
      },
      [this, x](const caf::error& err) {
        trace_.write_error("close_turn", x->by, err);
        settle(x);
      });
}

void turns_state::settle(const turn_ptr& x) {
  ask(self_, cortex_, patience(), settle_goals{x->by, x->result.observations})
    .then(
      [this, x](goal_list& moved) {
        take_goals(x->result, std::move(moved.goals));
        record(x);
      },
      [this, x](const caf::error& err) {
        trace_.write_error("settle_goals", x->by, err);
        record(x);
      });
}

void turns_state::record(const turn_ptr& x) {
  x->result.ended_at = agent_.clock->now();
  const auto& result = x->result;
  episode story{result.turn_id, x->request.thread_id, result.started_at, result.ended_at,
    result.observations, result.status};
  ask(self_, episodes_, patience(), record_episode{x->by, std::move(story)})
    .then([this, x] { finish(x); },
      [this, x](const caf::error& err) {
        trace_.write_error("record_episode", x->by, err);
        finish(x);
      });
}

void turns_state::finish(const turn_ptr& x) {
  trace_.write("end_turn", x->by,
    {{"status", name_of(x->result.status)}, {"observations", x->result.observations.size()},
      {"goals", x->result.goals.size()}},
    "success", x->begun);
  x->askers.deliver(x->result);
  keep(x->result);
  leave(x);
}

void turns_state::keep(const turn_result& x) {
  ended_.push_back(x);
  kept_bytes_ += memory_of(x);
  auto is_too_much = [this] { return kept_bytes_ > config_.kept_bytes && ended_.size() > 1; };
  while (ended_.size() > config_.kept_results || is_too_much()) {
    kept_bytes_ -= memory_of(ended_.front());
    ended_.pop_front();
  }
}

/// The turn could not even begin; whoever asked hears why.
void turns_state::give_up(const turn_ptr& x, const caf::error& err) {
  trace_.write_error("begin_turn", x->by, err);
  x->askers.deliver(err);
  leave(x);
}

void turns_state::leave(const turn_ptr& x) {
  running_.erase(x->by.turn_id);
  if (x->request.mode != turn_mode::sequential)
    return;
  std::erase(threads_[x->request.thread_id].begun, x);
  start_waiting(x->request.thread_id);
}

/// Those that wait for nothing any more. They all have begun before the first of them is at work,
/// for one that cannot begin leaves at once.
void turns_state::start_waiting(const std::string& thread_id) {
  auto found = threads_.find(thread_id);
  if (found == threads_.end())
    return;
  auto& thread = found->second;
  std::vector<turn_ptr> next;
  for (size_t i = 0; i < thread.waiting.size();) {
    auto x = thread.waiting[i];
    if (must_wait(x->request, thread, i)) {
      ++i;
      continue;
    }
    thread.waiting.erase(thread.waiting.begin() + static_cast<ptrdiff_t>(i));
    thread.begun.push_back(x);
    next.push_back(std::move(x));
  }
  queued_ -= next.size();
  if (thread.begun.empty() && thread.waiting.empty())
    threads_.erase(found);
  for (const auto& x : next)
    start(x);
}

timespan turns_state::patience() const {
  return from_milliseconds(config_.request_ms);
}

caf::expected<std::string> turns_state::make_id() {
  auto number = numbers_->next();
  if (!number)
    return number.error();
  auto id = "turn_" + to_yyyymmdd(agent_.clock->now()) + "_";
  append_number(id, *number);
  return id;
}

} // namespace scratchpage
