#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "scratchpage/actors/page/scratch_page.hpp"
#include "scratchpage/messages/compat.hpp"

/// Work that is done in slices, so that other requests are handled in between: the drafts of an
/// `add_observations`, requests from outside that only read the page, and the words of new texts.

namespace scratchpage {

namespace {

/// How long one slice of drafts takes. The last draft may exceed it. Most batches take less.
constexpr timespan longest_slice = std::chrono::milliseconds{2};

/// How long one slice of new texts takes, and the pause before it while others wait. A slice ends
/// after so many texts, too: the time is looked at only now and then, and a page on virtual time
/// would see none pass.
constexpr timespan text_slice = std::chrono::microseconds{500};
constexpr timespan text_pause = std::chrono::milliseconds{20};
constexpr size_t texts_in_slice = 32;

} // namespace

// -- batches of drafts ----------------------------------------------------------------------

void scratch_page_state::batch::settle() {
  if (--open == 0)
    answer.deliver(std::move(result));
}

caf::result<add_outcomes> scratch_page_state::add_all(add_observations& request) {
  if (const auto& key = request.by.request_key; !key.empty())
    if (auto err = check_request_key(key))
      return err;
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

/// Refuses drafts for turns that are not open now. The check is made when the batch comes, because
/// a turn that is opened later must not get these drafts. The first open turn of the drafts is not
/// quiet until all drafts are handled.
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
  add_one(all, i, {all->request.by, std::move(all->request.drafts[i])});
}

void scratch_page_state::add_one(const std::shared_ptr<batch>& all, size_t i, add_observation one) {
  auto mark = this->mark(one, static_cast<uint32_t>(i));
  auto known = look_up(mark);
  auto& outcome = all->result.outcomes[i];
  if (known && *known != nullptr && (*known)->is_under_way()) {
    keys_.wait(
      mark, [this, all, i, one = std::move(one)]() mutable { add_one(all, i, std::move(one)); });
    return;
  }
  if (known && *known != nullptr) {
    trace_repeated(mark, **known, one.by);
    outcome.stored = {(*known)->observation, (*known)->warnings};
    all->settle();
    return;
  }
  auto todo = known ? plan_add(one) : known.error();
  if (!todo) {
    outcome.error = todo.error();
    all->settle();
    return;
  }
  mark.warnings = todo->answer.warnings;
  begin_request(todo->todo, mark);
  auto finish = [this, all, i, said = std::move(todo->answer), mark = std::move(mark)](
                  const caf::error& err) mutable {
    auto& to = all->result.outcomes[i];
    if (err)
      to.error = err;
    else
      to.stored = std::move(said);
    all->settle();
    end_request(mark, err);
  };
  commit(std::move(todo->todo), one.by, todo->operation, std::move(finish));
}

// -- reading --------------------------------------------------------------------------------

/// Whether other requests wait while the page reads.
bool scratch_page_state::do_others_wait() const {
  return reads_.is_anybody_waiting() || !batches_.empty() || !self_->mailbox().empty();
}

/// Counts the time of a read that has just ended. If the slice is over, further reads wait until
/// the other requests were handled.
void scratch_page_state::note_read(timespan begun) {
  if (!do_others_wait())
    reads_.note_unhindered();
  else if (reads_.note(agent_.clock->steady() - begun))
    self_->run_delayed(timespan::zero(), [this] { continue_reading(); });
}

void scratch_page_state::continue_reading() {
  reads_.begin_slice();
  while (auto read = reads_.next()) {
    auto begun = agent_.clock->steady();
    read();
    note_read(begun);
  }
}

/// A function that returns whether the time of a query is over that began at `begun`. A caller from
/// outside that asks for more than the usual time gets it while no other request waits.
std::function<bool()> scratch_page_state::end_of_query(
  const query_observations& request, timespan begun) const {
  auto usual = begun + from_milliseconds(setup_.limits.query_deadline_ms);
  auto last = request.deadline ? begun + *request.deadline : usual;
  if (!request.by.outside || last <= usual)
    return after(last);
  return [this, usual, last] {
    auto at = agent_.clock->steady();
    return at >= last || (at >= usual && do_others_wait());
  };
}

// -- new texts ------------------------------------------------------------------------------

/// Indexes new texts soon, so that the next query with a text need not do it. When nobody waits, it
/// goes on until all is done. While others wait, it is put off: in a flood of additions it could
/// not keep up anyway, and the next query does the rest. A page at which somebody always waits
/// still indexes a slice each second.
void scratch_page_state::index_texts() {
  index_texts_after(text_pause);
}

void scratch_page_state::index_texts_after(timespan pause) {
  if (!index_.can_catch_up() || !timer_.begin_indexing())
    return;
  self_->run_delayed(pause, [this] {
    timer_.end_indexing();
    if (timer_.is_time_to_index(do_others_wait())) {
      index_.catch_up(texts_in_slice, after(agent_.clock->steady() + text_slice));
      share_memory();
    }
    index_texts_after(do_others_wait() ? text_pause : timespan::zero());
  });
}

} // namespace scratchpage
