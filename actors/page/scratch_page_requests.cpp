#include <string>
#include <utility>

#include "scratchpage/actors/page/scratch_page.hpp"
#include "scratchpage/messages/error.hpp"

/// Requests with keys: what is known of them, and what their repetitions wait for.

namespace scratchpage {

/// The mark of a request whose personal data is masked, so that its digest tells nothing of that
/// data. A draft that is too long is refused anyway.
request_mark scratch_page_state::mark(const add_observation& x, uint32_t part) const {
  if (x.by.request_key.empty() || !setup_.masker || check_sizes(x.draft))
    return mark_of(x, part);
  auto masked = x;
  setup_.masker->mask(masked.draft);
  return mark_of(masked, part);
}

request_mark scratch_page_state::mark(const update_observation& x) const {
  if (x.by.request_key.empty() || !setup_.masker || check_sizes(x.changes))
    return mark_of(x);
  auto masked = x;
  setup_.masker->mask(masked.changes);
  return mark_of(masked);
}

/// What is known of a request with this mark; null if nothing is. Error: `conflict` if the caller
/// has used the key for another request; `invalid_request` if it is malformed.
caf::expected<const request_keys::known*> scratch_page_state::look_up(
  const request_mark& mark) const {
  if (mark.key.empty())
    return nullptr;
  if (auto err = check_request_key(mark.key))
    return err;
  const auto* known = keys_.find(mark);
  if (known != nullptr && known->digest != mark.digest && known->digest != request_keys::no_digest)
    return fail(errc::conflict, "request_key",
      "expected a new key for a new request; this one was used for another");
  return known;
}

/// Marks the change of a plan, so that the request is known from now on.
void scratch_page_state::begin_request(page_changes& todo, request_mark& mark) {
  if (mark.key.empty() || todo.empty())
    return;
  keys_.begin(mark);
  todo.back().request = mark; // others only make room for it
}

/// The changes of the request were made or refused: continues its repetitions.
void scratch_page_state::end_request(const request_mark& mark, const caf::error& err) {
  if (mark.key.empty())
    return;
  if (err)
    keys_.refuse(mark);
  for (auto& repetition : keys_.take_waiting(mark))
    repetition();
}

/// Traces that a request is answered as before.
void scratch_page_state::trace_repeated(
  const request_mark& mark, const request_keys::known& known, const caller& by) {
  trace_.write("repeat_answer", by, {{"request_key", mark.key}, {"sequence", known.sequence}});
}

} // namespace scratchpage
