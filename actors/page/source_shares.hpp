#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "scratchpage/messages/observation.hpp"

namespace scratchpage {

/// How much of a page each source takes, so that no one source can take it from the others.
/// A user's words that somebody relays are the relay's. Sources beyond `most` count
/// together: whoever uses many names gains nothing by it.
class source_shares {
public:
  source_shares();

  /// Names a source's share.
  using share = uint16_t;

  static constexpr share most = 1'024;

  /// The share of whoever put it on the page.
  share of(const source& x);

  /// Counts what was added to the share, or taken from it.
  void count(share x, int64_t observations, int64_t bytes);

  /// Whether it is a person's own.
  bool is_persons(share x) const { return all_[x].is_persons; }
  uint64_t observations(share x) const { return all_[x].observations; }
  uint64_t bytes(share x) const { return all_[x].bytes; }

private:
  struct entry {
    bool is_persons = false;
    uint64_t observations = 0;
    uint64_t bytes = 0;
  };

  share make(std::string key, bool is_persons);

  std::unordered_map<std::string, share> by_source_;
  std::vector<entry> all_;
  source last_;          ///< that was asked for, and its share: mostly it is the next one, too
  share last_share_ = 0; ///< a person without a name is nobody
};

} // namespace scratchpage
