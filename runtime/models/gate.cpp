#include "scratchpage/runtime/models/gate.hpp"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

#include <caf/actor_cast.hpp>
#include <caf/event_based_actor.hpp>

#include "scratchpage/actors/base/daemon.hpp"
#include "scratchpage/messages/compat.hpp"

namespace scratchpage::models {

namespace {

/// What a request has used. An endpoint that was late has worked all the same.
uint64_t used_tokens(const chat_reply& x, uint64_t expected) {
  auto told = x.prompt_tokens + x.answer_tokens;
  auto is_silent = x.outcome == reply_outcome::answered || x.outcome == reply_outcome::late;
  return told == 0 && is_silent ? expected : told;
}

/// Why there is no answer of the model, for people.
std::string why_not(const chat_reply& x) {
  auto result = std::string{name_of(x.outcome)};
  return x.error.empty() ? result : result + ": " + x.error;
}

} // namespace

// -- the inbox ----------------------------------------------------------------------------

void gate_inbox::put(job x) {
  std::lock_guard lock{guard_};
  if (!is_closed_)
    jobs_.push_back(std::move(x));
}

std::deque<gate_inbox::job> gate_inbox::take() {
  std::lock_guard lock{guard_};
  return std::exchange(jobs_, {});
}

/// The jobs are destroyed without the lock: their ends may call back.
void gate_inbox::close() {
  std::deque<job> dropped;
  std::lock_guard lock{guard_};
  is_closed_ = true;
  dropped.swap(jobs_);
}

// -- the budget ---------------------------------------------------------------------------

bool token_budget::take(const std::string& turn_id, uint64_t tokens) {
  if (turn_id.empty())
    return tokens <= per_turn_;
  auto [found, is_new] = used_.try_emplace(turn_id, 0);
  if (is_new) {
    in_order_.push_back(turn_id);
    if (in_order_.size() > model_limits::turns) {
      used_.erase(in_order_.front());
      in_order_.pop_front();
    }
  }
  if (found->second + tokens > per_turn_)
    return false;
  found->second += tokens;
  return true;
}

void token_budget::settle(const std::string& turn_id, uint64_t taken, uint64_t used) {
  if (auto found = used_.find(turn_id); found != used_.end())
    found->second = found->second - std::min(found->second, taken) + used;
}

// -- the gate -----------------------------------------------------------------------------

struct model_gate_state::request {
  explicit request(model_question x)
    : asked{std::move(x)} {}

  model_question asked;
  timespan begun{}; ///< steady time
  span_id span = 0;
  std::string body = {};
  std::string key = {};
  uint64_t tokens = 0; ///< taken from the budget
  caf::disposable deadline = {};
  bool is_over = false;
};

model_gate_state::model_gate_state(handle::pointer self, const agent_context& agent,
  const model_config& with, model_access access, std::shared_ptr<gate_inbox> inbox,
  bool has_threads)
  : self_{self},
    agent_{agent},
    config_{with},
    access_{std::move(access)},
    inbox_{std::move(inbox)},
    has_threads_{has_threads},
    trace_{agent, name, static_cast<uint32_t>(component::models)},
    budget_{with.tokens_per_turn},
    works_{agent.work()} {}

model_gate_state::~model_gate_state() {
  inbox_->close();
  if (access_.endpoint)
    access_.endpoint->stop();
}

model_gate_state::handle::behavior_type model_gate_state::make_behavior() {
  return {[this](caf::ok_atom) {
    for (auto& job : inbox_->take())
      job(*this);
    note_work();
  }};
}

void model_gate_state::take(model_question x) {
  works_.set(true);
  auto next = std::make_shared<request>(std::move(x));
  next->begun = agent_.clock->steady();
  next->span = trace_.reserve(next->asked.by);
  if (running_ >= config_.concurrency && waiting_.size() >= config_.max_waiting) {
    finish(next, failed_reply(reply_outcome::overloaded, "too many requests wait"));
    return;
  }
  // The timer is a part of the request, so it does not keep it.
  next->deadline =
    self_->run_delayed(from_milliseconds(config_.deadline_ms), [this, weak = std::weak_ptr{next}] {
      auto late = weak.lock();
      if (!late)
        return;
      std::erase(waiting_, late);
      finish(late, failed_reply(reply_outcome::late, "no answer before the deadline"));
      note_work();
    });
  waiting_.push_back(std::move(next));
  begin_next();
}

/// A request that was late is still asked: its endpoint is busy with it.
void model_gate_state::note_work() {
  works_.set(running_ > 0 || !waiting_.empty());
}

void model_gate_state::begin_next() {
  while (running_ < config_.concurrency && !waiting_.empty()) {
    auto next = std::move(waiting_.front());
    waiting_.pop_front();
    if (!next->is_over)
      begin(next);
  }
}

void model_gate_state::begin(const request_ptr& x) {
  const auto& turn = x->asked.by.turn_id;
  x->tokens = tokens_of(x->asked.what);
  if (!budget_.take(turn, x->tokens)) {
    finish(x, failed_reply(reply_outcome::over_budget, "the turn has too few tokens left"));
    return;
  }
  ++running_;
  x->body = to_body(x->asked.what, config_.model);
  x->key = key_of(x->body);
  if (access_.replies)
    if (auto kept = access_.replies->find(x->key))
      return wait_for(x, std::move(*kept));
  if (!access_.endpoint)
    return wait_for(x, failed_reply(reply_outcome::not_recorded, "no reply to it is recorded"));
  if (has_threads_)
    return ask_on_thread(x);
  ask_endpoint(x);
}

/// On virtual time.
void model_gate_state::ask_endpoint(const request_ptr& x) {
  auto traceparent = access_.traceparent ? access_.traceparent(x->asked.by.turn_id, x->span) : "";
  auto reply = access_.endpoint->ask(x->body, traceparent, time_left(*x));
  if (access_.replies)
    access_.replies->keep(x->key, x->asked.what.daemon, reply);
  wait_for(x, std::move(reply));
}

void model_gate_state::ask_on_thread(const request_ptr& x) {
  auto traceparent = access_.traceparent ? access_.traceparent(x->asked.by.turn_id, x->span) : "";
  auto work = [from = access_.endpoint, replies = access_.replies, inbox = inbox_,
                gate = self_->address(), x, traceparent,
                left = time_left(*x)](caf::event_based_actor*) {
    auto reply = from->ask(x->body, traceparent, left);
    if (replies)
      replies->keep(x->key, x->asked.what.daemon, reply);
    inbox->put([x, reply = std::move(reply)](model_gate_state& me) { me.answered(x, reply); });
    if (auto there = caf::actor_cast<model_gate_actor>(gate))
      anon_tell(there, caf::ok_atom_v);
  };
  try {
    self_->system().spawn<caf::detached>(std::move(work));
  } catch (const std::system_error&) { // there is no thread
    wait_for(x, failed_reply(reply_outcome::overloaded, "there is no thread to ask on"));
  }
}

/// Lets the latency of a reply pass that is there already.
void model_gate_state::wait_for(const request_ptr& x, chat_reply reply) {
  auto latency = std::chrono::milliseconds{reply.latency_ms};
  self_->run_delayed(latency, [this, x, reply = std::move(reply)] {
    answered(x, reply);
    note_work();
  });
}

void model_gate_state::answered(const request_ptr& x, const chat_reply& reply) {
  --running_;
  budget_.settle(x->asked.by.turn_id, x->tokens, used_tokens(reply, x->tokens));
  finish(x, reply);
  begin_next();
}

void model_gate_state::finish(const request_ptr& x, const chat_reply& reply) {
  if (std::exchange(x->is_over, true))
    return;
  x->deadline.dispose();
  x->deadline = {};
  auto then = std::exchange(x->asked.then, nullptr);
  auto end = then(reply);
  if (!end.by_model && reply.outcome != reply_outcome::answered)
    end.why = why_not(reply);
  note(*x, reply, end);
}

timespan model_gate_state::time_left(const request& x) const {
  return x.begun + from_milliseconds(config_.deadline_ms) - agent_.clock->steady();
}

void model_gate_state::note(const request& x, const chat_reply& reply, const reply_use& end) {
  auto took = agent_.clock->steady() - x.begun;
  if (access_.metrics)
    access_.metrics->count(x.asked.what.daemon, reply, end.by_model, took);
  json::object detail{{"daemon", x.asked.what.daemon}, {"outcome", name_of(reply.outcome)},
    {"decided_by", end.by_model ? "model" : "rules"}, {"model", config_.model},
    {"prompt_tokens", reply.prompt_tokens}, {"answer_tokens", reply.answer_tokens},
    {"cached_tokens", reply.cached_tokens}};
  if (!end.why.empty())
    detail["why"] = end.why;
  trace_.write_reserved(x.span, "ask_model", x.asked.by, std::move(detail),
    end.by_model ? "success" : "warning", x.begun);
}

model_gate::model_gate(caf::actor_system& system, const agent_context& agent,
  const model_config& with, model_access access, bool has_threads)
  : actor_{spawn<model_gate_state>(system, agent, with, std::move(access), inbox_, has_threads)} {}

void model_gate::ask(model_question x) const {
  inbox_->put([asked = std::move(x)](model_gate_state& me) { me.take(asked); });
  anon_tell(actor_, caf::ok_atom_v);
}

} // namespace scratchpage::models
