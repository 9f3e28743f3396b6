#include "scratchpage/tests/disk/possible_pages.hpp"

#include <algorithm>
#include <iterator>

namespace scratchpage::test {

void possible_pages::succeed(const change& f, bool has_written) {
  for (auto& x : all_)
    f(x);
  if (has_written)
    in_doubt_.clear();
}

void possible_pages::end_process() {
  auto before = all_;
  is_first_left_ = true;
  for (const auto& f : in_doubt_)
    for (auto x : before) {
      f(x);
      all_.push_back(std::move(x));
    }
  in_doubt_.clear();
}

bool possible_pages::narrow(const std::function<bool(const kept_pages&)>& is_right) {
  std::vector<kept_pages> left;
  std::copy_if(all_.begin(), all_.end(), std::back_inserter(left), is_right);
  if (left.empty())
    return false;
  is_first_left_ = is_first_left_ && is_right(all_.front());
  all_ = std::move(left);
  return true;
}

} // namespace scratchpage::test
