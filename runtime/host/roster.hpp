#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <caf/actor.hpp>
#include <caf/actor_cast.hpp>

namespace scratchpage {

/// The actors of one ensemble, and the names of the daemons that its turns wait for. May be used
/// from any thread.
class roster {
public:
  /// Each actor holds `token` until it has ended (see `end_watch`), and so does the roster.
  explicit roster(std::shared_ptr<void> token);

  /// From now on the actor ends with the ensemble; at once if the ensemble has ended.
  template <class Handle>
  Handle adopt(Handle x) {
    add(caf::actor_cast<caf::actor>(x));
    return x;
  }

  /// From now on turns wait for a daemon of this name, or no longer.
  void join(std::string name);
  void leave(const std::string& name);
  /// The names of the daemons that turns wait for, in the order in which they joined.
  std::vector<std::string> team() const;

  /// Ends all actors, the last one first.
  void end();

private:
  void add(caf::actor x);

  const std::shared_ptr<void> token_;
  mutable std::mutex guard_; // of what follows
  bool has_ended_ = false;
  std::vector<std::string> team_;
  std::vector<caf::actor> all_; // in the order in which they were spawned
};

} // namespace scratchpage
