#include "scratchpage/runtime/execution/delayed_actions.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace scratchpage {

bool delayed_actions::is_later(const entry& a, const entry& b) {
  return std::tie(a.at, a.number) > std::tie(b.at, b.number);
}

void delayed_actions::add(time_point at, caf::action what) {
  all_.push_back({at, ++last_, std::move(what)});
  std::push_heap(all_.begin(), all_.end(), is_later);
}

std::optional<delayed_actions::time_point> delayed_actions::first() const {
  if (all_.empty())
    return std::nullopt;
  return all_.front().at;
}

std::vector<caf::action> delayed_actions::take_due(time_point now) {
  std::vector<caf::action> result;
  while (!all_.empty() && all_.front().at <= now) {
    std::pop_heap(all_.begin(), all_.end(), is_later);
    result.push_back(std::move(all_.back().what));
    all_.pop_back();
  }
  return result;
}

std::vector<caf::action> delayed_actions::take_disposed() {
  std::vector<caf::action> result;
  if (all_.size() < sweep_at_)
    return result;
  auto waits = [](const entry& x) { return !x.what.disposed(); };
  auto rest = std::partition(all_.begin(), all_.end(), waits);
  for (auto i = rest; i != all_.end(); ++i)
    result.push_back(std::move(i->what));
  all_.erase(rest, all_.end());
  std::make_heap(all_.begin(), all_.end(), is_later);
  sweep_at_ = std::max(few, 2 * all_.size());
  return result;
}

} // namespace scratchpage
