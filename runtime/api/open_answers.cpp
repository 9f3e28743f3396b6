#include "scratchpage/runtime/api/open_answers.hpp"

#include <utility>

#include "scratchpage/messages/error.hpp"

namespace scratchpage {

uint64_t open_answers::begin(promise x, timespan patience, telemetry::begun_call what) {
  auto steps = static_cast<uint64_t>(patience / step) + 1;
  open_.emplace_hint(open_.end(), ++last_, entry{std::move(x), steps_ + steps, what});
  return last_;
}

void open_answers::count(const telemetry::begun_call& x, errc how) {
  if (metrics_)
    metrics_->end(x, how);
}

std::optional<open_answers::promise> open_answers::take(uint64_t number, errc how) {
  auto found = open_.find(number);
  if (found == open_.end())
    return std::nullopt;
  auto result = std::move(found->second.to);
  count(found->second.what, how);
  open_.erase(found);
  return result;
}

void open_answers::deliver(uint64_t number, operation_answer x) {
  if (auto to = take(number, errc::none))
    to->deliver(std::move(x));
}

void open_answers::refuse(uint64_t number, const caf::error& why) {
  if (auto to = take(number, code_of(why)))
    to->deliver(why);
}

void open_answers::advance() {
  ++steps_;
  for (auto i = open_.begin(); i != open_.end();) {
    if (i->second.until > steps_) {
      ++i;
      continue;
    }
    count(i->second.what, errc::deadline_exceeded);
    i->second.to.deliver(fail(errc::deadline_exceeded, "", "expected an answer in time"));
    i = open_.erase(i);
  }
}

} // namespace scratchpage
