#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include <caf/error.hpp>

#include "scratchpage/messages/caller.hpp"

namespace scratchpage {

/// How many agents of a host each program has opened. One program can open at most three quarters
/// of the possible agents, so that a quarter is left to the others.
class program_shares {
public:
  /// `most`: agents that may be open at a time.
  explicit program_shares(size_t most)
    : most_of_one_{most - most / 4} {}

  /// The key under which the agents that a caller opens are counted: all programs without a token
  /// have one key. "": a person or an admin, who is not limited.
  static std::string key_of(const caller& by);

  /// `overloaded` about `agent` if the caller has opened as many as one program may.
  caf::error check(const caller& by) const;

  /// How many more agents than it may the program with this key has open. More than 0 where others
  /// of its agents are about to rest.
  size_t excess(std::string_view key) const;

  bool is_any_beyond() const;

  /// Counts an agent that a program opens, until it leaves.
  void enter(const std::string& key);
  void leave(std::string_view key);

private:
  size_t most_of_one_;
  std::map<std::string, size_t, std::less<>> open_; ///< by key; never 0
};

} // namespace scratchpage
