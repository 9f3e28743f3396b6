#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "scratchpage/actors/page/scratch_page.hpp"
#include "scratchpage/messages/compat.hpp"

/// Drafts that come together. They are added in slices, and whoever else asks the page has their
/// turn in between. Of several batches the first is added before the next one begins.

namespace scratchpage {

namespace {

/// How long others wait for a batch, but for the draft at which it ends. An ordinary batch takes
/// less.
constexpr timespan longest_slice = std::chrono::milliseconds{2};

} // namespace

void scratch_page_state::batch::settle() {
  if (--open == 0)
    answer.deliver(std::move(result));
}

caf::result<add_outcomes> scratch_page_state::add_all(add_observations& request) {
  auto answer = self_->make_response_promise<add_outcomes>();
  if (request.drafts.empty()) {
    answer.deliver(add_outcomes{});
    return answer;
  }
  auto all = std::make_shared<batch>();
  all->open = request.drafts.size();
  all->result.outcomes.resize(request.drafts.size());
  all->request = std::move(request);
  all->answer = answer;
  refuse_early(*all);
  turns_.expect(all->turn_id);
  batches_.push_back(std::move(all));
  if (batches_.size() == 1)
    add_some();
  return answer;
}

/// A turn that a draft names has to be open when the drafts come, and not only when the draft is
/// looked at: nobody waits with drafts for a turn that somebody will begin. The first turn that
/// they have is not quiet before all of them are added.
void scratch_page_state::refuse_early(batch& all) {
  if (turns_.is_open(all.request.by.turn_id))
    all.turn_id = all.request.by.turn_id;
  for (size_t i = 0; i < all.request.drafts.size(); ++i) {
    if (!all.request.drafts[i].source)
      continue;
    auto by = all.request.by;
    auto& err = all.result.outcomes[i].error;
    err = join_turn(by, all.request.drafts[i]);
    if (!err && all.turn_id.empty() && turns_.is_open(by.turn_id))
      all.turn_id = by.turn_id;
  }
}

void scratch_page_state::add_some() {
  auto until = agent_.clock->steady() + longest_slice;
  auto is_over = false;
  while (!batches_.empty() && !is_over) {
    auto all = batches_.front();
    add_next(all);
    if (all->next == all->request.drafts.size()) {
      batches_.pop_front();
      turns_.settle(all->turn_id);
    }
    is_over = agent_.clock->steady() >= until;
  }
  settle();
  if (!batches_.empty())
    self_->run_delayed(timespan::zero(), [this] { add_some(); });
}

void scratch_page_state::add_next(const std::shared_ptr<batch>& all) {
  auto i = all->next++;
  if (const auto& err = all->result.outcomes[i].error) {
    trace_.write_error("add_observation", all->request.by, err);
    all->settle();
    return;
  }
  add_observation one{all->request.by, std::move(all->request.drafts[i])};
  auto todo = plan_add(one);
  if (!todo) {
    all->result.outcomes[i].error = todo.error();
    all->settle();
    return;
  }
  auto finish = [all, i, said = std::move(todo->answer)](const caf::error& err) mutable {
    auto& outcome = all->result.outcomes[i];
    if (err)
      outcome.error = err;
    else
      outcome.stored = std::move(said);
    all->settle();
  };
  commit(std::move(todo->todo), one.by, todo->operation, std::move(finish));
}

} // namespace scratchpage
