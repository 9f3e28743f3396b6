#include "scratchpage/runtime/host/agent_resting.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include <caf/typed_event_based_actor.hpp>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/page_operations.hpp"

namespace scratchpage {

namespace {

constexpr timespan answer_timeout = std::chrono::seconds{10};

} // namespace

agent_resting_state::agent_resting_state(
  handle::pointer self, std::unique_ptr<open_agent> agent, on_done then)
  : self_{self},
    agent_{std::move(agent)},
    then_{std::move(then)} {}

agent_resting_state::~agent_resting_state() {
  if (then_)
    std::exchange(then_, {})({std::move(agent_), {}});
}

agent_resting_state::handle::behavior_type agent_resting_state::make_behavior() {
  tell(self_, handle{self_}, caf::tick_atom_v);
  return {
    [this](caf::tick_atom) { ask_page(); },
    [this](caf::ok_atom) {
      done({nullptr, std::move(result_)});
    },
  };
}

void agent_resting_state::ask_page() {
  if (agent_->kept->is_working())
    return done({std::move(agent_), {}});
  ask(self_, agent_->handles->page, answer_timeout,
    rest_check{as_daemon("host"), agent_->team->team()})
    .then(
      [this](const rest_verdict& x) {
        if (x.may_rest && !agent_->kept->is_working())
          end_actors(x);
        else
          done({std::move(agent_), {}});
      },
      [this](const caf::error&) {
        done({std::move(agent_), {}});
      });
}

void agent_resting_state::end_actors(const rest_verdict& page) {
  const auto& next_deadline = page.next_deadline;
  result_ = {agent_->owner, agent_->kept, next_deadline, page.log_after};
  if (auto other = agent_->kept->next_deadline();
      other && (!next_deadline || *other < *next_deadline))
    result_.wake_at = other;
  agent_->ended->then([to = handle{self_}] { anon_tell(to, caf::ok_atom_v); });
  agent_.reset();
}

void agent_resting_state::done(outcome x) {
  auto then = std::exchange(then_, {});
  self_->quit();
  then(std::move(x));
}

} // namespace scratchpage
