#include "scratchpage/runtime/server/agent_overview.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include <caf/event_based_actor.hpp>

#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/goal.hpp"
#include "scratchpage/messages/page_operations.hpp"

namespace scratchpage::server {

namespace {

constexpr timespan overview_timeout = std::chrono::seconds{2};

/// The answers of one agent so far.
struct overview_answers {
  std::optional<page_stats> page;
  std::optional<query_result> questions;
  std::optional<query_result> newest;
  std::optional<goal_list> goals;
};

bool is_open(const goal& x) {
  return x.status != goal_status::completed && x.status != goal_status::abandoned;
}

/// Whether a person has to do or to confirm an action.
bool waits_for_person(const pending_action& x) {
  auto waits = x.status == action_status::pending || x.status == action_status::in_progress;
  return waits && (x.assigned_to == assignee::user || x.requires_confirmation);
}

uint64_t actions_for_persons(const goal_list& x) {
  uint64_t result = 0;
  for (const auto& one : x.goals)
    if (is_open(one))
      result += static_cast<uint64_t>(std::ranges::count_if(one.pending_actions, waits_for_person));
  return result;
}

json::object entry_of(const std::string& id, const overview_answers& x) {
  json::object result{{"agent_id", json::string_view{id.data(), id.size()}}};
  if (x.page) {
    result["live"] = x.page->live;
    result["open_turns"] = x.page->open_turns;
  }
  if (x.questions)
    result["questions"] = x.questions->total_count;
  if (x.newest && !x.newest->observations.empty())
    result["last_change_at"] = to_json(x.newest->observations.front()->created_at);
  if (x.goals) {
    result["goals"] = x.goals->total_count.value_or(x.goals->goals.size());
    result["actions"] = actions_for_persons(*x.goals);
  }
  return result;
}

/// One overview, which lives until every actor has answered or has timed out.
class overview : public std::enable_shared_from_this<overview> {
public:
  overview(overview_order order, std::function<void(json::array)> then)
    : order_{std::move(order)},
      then_{std::move(then)},
      answers_(order_.agents.size()) {}

  void begin(caf::event_based_actor* self) {
    waits_for_ = 1 + order_.agents.size() * (order_.with_goals ? 4 : 3);
    for (size_t i = 0; i < order_.agents.size(); ++i)
      ask_agent(self, *order_.agents[i], answers_[i]);
    one_less();
  }

private:
  void ask_agent(caf::event_based_actor* self, const hosted_agent& agent, overview_answers& to) {
    await<page_stats>(ask(self, agent.page, overview_timeout, caf::get_atom_v), to.page);
    query_observations query;
    query.by = order_.by;
    query.limit = 1;
    await<query_result>(ask(self, agent.page, overview_timeout, query), to.newest);
    query.filter.type = {"pending_confirmation"};
    await<query_result>(ask(self, agent.page, overview_timeout, query), to.questions);
    if (order_.with_goals)
      await<goal_list>(ask(self, agent.cortex, overview_timeout,
                         list_goals{order_.by,
                           {goal_status::pending, goal_status::in_progress, goal_status::blocked},
                           overview_limits::goals}),
        to.goals);
  }

  template <class T, class Asked>
  void await(Asked asked, std::optional<T>& to) {
    std::move(asked).then(
      [me = shared_from_this(), &to](const T& x) {
        to = x;
        me->one_less();
      },
      [me = shared_from_this()](const caf::error&) { me->one_less(); });
  }

  void one_less() {
    if (--waits_for_ > 0)
      return;
    json::array result;
    for (size_t i = 0; i < answers_.size(); ++i)
      result.push_back(entry_of(order_.agents[i]->id, answers_[i]));
    then_(std::move(result));
  }

  overview_order order_;
  std::function<void(json::array)> then_;
  std::vector<overview_answers> answers_;
  size_t waits_for_ = 0;
};

} // namespace

void collect_overview(
  caf::event_based_actor* self, overview_order order, std::function<void(json::array)> then) {
  std::make_shared<overview>(std::move(order), std::move(then))->begin(self);
}

} // namespace scratchpage::server
