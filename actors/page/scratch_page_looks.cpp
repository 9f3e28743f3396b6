#include <chrono>

#include "scratchpage/actors/page/scratch_page.hpp"
#include "scratchpage/messages/compat.hpp"

/// How requests from outside that only look at the page take turns with all other requests. After
/// a few milliseconds of such work, whatever else is in the mailbox comes first, and the looks of
/// one principal come after those of others that wait.

namespace scratchpage {

namespace {

/// How long others wait for looks in a row, but for the look at which it ends.
constexpr timespan longest_run = std::chrono::milliseconds{5};

} // namespace

/// Whether anybody waits for the page who is not served as long as it looks for somebody.
bool scratch_page_state::do_others_wait() const {
  return !looks_.empty() || !batches_.empty() || !self_->mailbox().empty();
}

/// Counts a look that has just ended, and makes those that are still to come wait if it is the
/// turn of others.
void scratch_page_state::note_look(timespan begun) {
  if (!do_others_wait()) {
    looked_for_ = {};
    return;
  }
  looked_for_ += agent_.clock->steady() - begun;
  if (looked_for_ < longest_run)
    return;
  gives_way_ = true;
  self_->run_delayed(timespan::zero(), [this] { look_on(); });
}

void scratch_page_state::look_on() {
  gives_way_ = false;
  looked_for_ = {};
  while (!looks_.empty() && !gives_way_) {
    auto begun = agent_.clock->steady();
    looks_.take()();
    note_look(begun);
  }
}

/// When the work for a query ends that began at `begun`. Somebody from outside who asks for more
/// time than is usual has it as long as nobody else waits.
std::function<bool()> scratch_page_state::end_of_look(
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

} // namespace scratchpage
