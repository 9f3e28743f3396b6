#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace scratchpage {

/// What was made of lists of words, once for all agents of a process that have the same list. Such
/// values are made when an agent is opened; without this, each agent would need more memory for
/// them than for everything else. May be used from any thread.
template <class T>
class shared_lists {
public:
  /// The value for `list`: one that is in use, or else `make(list)`.
  template <class F>
  std::shared_ptr<const T> get(const std::vector<std::string>& list, F make) {
    std::lock_guard lock{guard_};
    if (auto found = made_.find(list); found != made_.end())
      if (auto known = found->second.lock())
        return known;
    std::erase_if(made_, [](const auto& x) { return x.second.expired(); });
    auto result = std::make_shared<const T>(make(list));
    made_.insert_or_assign(list, result);
    return result;
  }

private:
  std::mutex guard_;
  std::map<std::vector<std::string>, std::weak_ptr<const T>> made_;
};

} // namespace scratchpage
