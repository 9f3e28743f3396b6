#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/text/keyed_hash.hpp"

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

  /// Of those of whom nobody knows who they are.
  static constexpr share unknown = 2;

  /// The share of whoever put it on the page.
  share of(const source& x);

  /// Counts what was added to the share, or taken from it.
  void count(share x, int64_t observations, int64_t bytes);

  /// The same of what counts for a share and is not its own on the page: it is on its way, or
  /// somebody put it there on its behalf.
  void charge(share x, int64_t observations, int64_t bytes);

  /// What is never evicted of a share: an open question or an alert, evidence of an open goal, or
  /// both.
  struct guarded {
    share of = 0;
    int64_t bytes = 0;
    bool is_open = false;
    bool is_evidence = false;
  };

  /// Counts an observation as what it is from now on; what is neither does not count any more.
  void guard(uint64_t number, const guarded& x);

  /// Notes that nobody has checked the name of that source.
  void claim(share x);
  bool is_claimed(share x) const { return all_[x].is_claimed; }

  /// Notes that it comes from outside.
  void note_outside(share x) { all_[x].is_outside = true; }
  bool is_outside(share x) const { return all_[x].is_outside; }

  /// Whose it is, as `said_by` has it; all whose names nobody has checked have one.
  std::string name(share x) const;

  /// Calls `f(share)` for all that count as one with it: all whose names nobody has checked, or
  /// it alone.
  template <class F>
  void for_each_of_principal(share x, F&& f) const {
    if (!all_[x].is_claimed)
      return f(x);
    for (auto one : claimed_)
      f(one);
  }

  /// Whether it is a person's own.
  bool is_persons(share x) const { return all_[x].is_persons; }
  uint64_t observations(share x) const { return all_[x].observations; }
  uint64_t bytes(share x) const { return all_[x].bytes; }
  uint64_t open(share x) const { return all_[x].open; }
  uint64_t evidence(share x) const { return all_[x].evidence; }
  uint64_t guarded_bytes(share x) const { return all_[x].guarded_bytes; }
  uint64_t charged(share x) const { return all_[x].charged; }
  uint64_t charged_bytes(share x) const { return all_[x].charged_bytes; }

private:
  struct entry {
    bool is_persons = false;
    uint64_t observations = 0;
    uint64_t bytes = 0;
    uint64_t open = 0; ///< questions and alerts
    uint64_t evidence = 0;
    uint64_t guarded_bytes = 0; ///< of both
    uint64_t charged = 0;
    uint64_t charged_bytes = 0;
    bool is_claimed = false;
    bool is_outside = false;
    std::string name = {};
  };

  share make(std::string key, bool is_persons);
  void count_guarded(const guarded& x, int64_t sign);

  std::unordered_map<std::string, share, keyed_text_hash, std::equal_to<>> by_source_;
  std::vector<entry> all_;
  std::vector<share> claimed_;
  std::unordered_map<uint64_t, guarded> guarded_; ///< by number
  source last_;          ///< that was asked for, and its share: mostly it is the next one, too
  share last_share_ = 0; ///< a person without a name is nobody
};

} // namespace scratchpage
