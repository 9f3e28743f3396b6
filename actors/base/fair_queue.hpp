#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <string>

#include "scratchpage/messages/caller.hpp"

namespace scratchpage {

/// What tells principals apart where each has only so much. All programs whose names nobody has
/// checked are one.
std::string principal_key(const caller& by);

/// Work for principals from outside that waits until there is time for it. The principals are
/// served one after another, a piece of work each, however much one of them asks for. All programs
/// whose names nobody has checked are one principal.
class fair_queue {
public:
  using work = std::function<void()>;

  /// At most so many pieces of one principal wait.
  explicit fair_queue(size_t most)
    : most_{most} {}

  bool has_room_for(const caller& by) const;

  void add(const caller& by, work x);

  /// The next one; there has to be one.
  work take();

  bool empty() const { return order_.empty(); }

private:
  size_t most_;
  std::map<std::string, std::deque<work>> waiting_; ///< by principal, none of them empty
  std::deque<std::string> order_;                   ///< the principals, whoever is next first
};

} // namespace scratchpage
