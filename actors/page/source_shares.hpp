#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "scratchpage/actors/page/index/block_table.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/text/key_text.hpp"

namespace scratchpage {

/// How much of a page each source takes, so that no source takes the room of the others. What a
/// relay says for a user counts for the relay. There are `max_shares` shares. Sources that come
/// later share one, so that a principal gains nothing by many names.
class source_shares {
public:
  source_shares();

  /// The number of a share.
  using share = uint16_t;

  static constexpr share max_shares = 1'024;

  /// The share of sources that are not known any more.
  static constexpr share unknown = 2;

  /// The share of a source.
  share of(const source& x);

  /// Adds observations and bytes on the page to a share. Negative numbers take them away.
  void count(share x, int64_t observations, int64_t bytes);

  /// The same for observations that count for a share but are not its own observations on the page:
  /// they are on their way to storage, or the ensemble added them because of the share's source.
  void charge(share x, int64_t observations, int64_t bytes);

  /// A protected observation of a share: an open question or alert, evidence of an open goal, or
  /// both.
  struct guarded {
    share of = 0;
    int64_t bytes = 0;
    bool is_open = false;
    bool is_evidence = false;
  };

  /// Replaces what is counted for the observation. If `x` is neither open nor evidence, nothing is
  /// counted for it any more.
  void guard(uint64_t number, const guarded& x);

  /// Notes that the name of the share's source was not checked.
  void claim(share x);
  bool is_claimed(share x) const { return all_[x].is_claimed; }

  /// Notes that the share's source comes from outside.
  void note_outside(share x) { all_[x].is_outside = true; }
  bool is_outside(share x) const { return all_[x].is_outside; }

  /// The name of the share's source, as `said_by` returns it. All sources whose names were not
  /// checked have the same one.
  const std::string& name(share x) const;

  /// Calls `f(share)` for all shares of the same principal: for all shares whose names were not
  /// checked if this is one of them, otherwise only for this one.
  template <class F>
  void for_each_of_principal(share x, F&& f) const {
    if (!all_[x].is_claimed)
      return f(x);
    for (auto one : claimed_)
      f(one);
  }

  /// Whether the share belongs to a person.
  bool is_persons(share x) const { return all_[x].is_persons; }
  uint64_t observations(share x) const { return all_[x].observations; }
  uint64_t bytes(share x) const { return all_[x].bytes; }
  uint64_t open(share x) const { return all_[x].open; }
  uint64_t evidence(share x) const { return all_[x].evidence; }
  uint64_t guarded_bytes(share x) const { return all_[x].guarded_bytes; }
  uint64_t charged(share x) const { return all_[x].charged; }
  uint64_t charged_bytes(share x) const { return all_[x].charged_bytes; }

  /// The memory, about, that this object takes.
  uint64_t memory() const;

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
  source last_;          ///< the last argument of `of`, because the next one is often the same
  share last_share_ = 0; ///< the result for it; at first for a person without a name
};

/// The order in which observations are evicted from a full page: first by the share that has to
/// give up room, then by the lowest weight, then by the least recent use. Protected observations
/// are never evicted. All operations take constant time; `victim` takes one step for each share and
/// for each distinct weight of a share. Takes 12 bytes for each observation.
class eviction_order {
public:
  /// The share that an observation belongs to. Memory for a share that was used once is not freed.
  using share = uint16_t;

  /// Adds an observation, as used just now.
  void insert(uint64_t number, int64_t weight, share of = 0);

  /// Notes that the observation was used. Here and below, unknown numbers are ignored.
  void touch(uint64_t number);
  void erase(uint64_t number);

  /// A protected observation is never the victim. When its protection ends, it counts as used at
  /// that time.
  void protect(uint64_t number, bool on);

  using spares = std::function<bool(uint64_t)>;
  using claim = std::function<double(share)>;

  /// The next observation to be evicted that is not spared, of the share for which `claims` returns
  /// the highest number; nothing if all are spared or protected. Takes one step for each spared
  /// observation that comes before it.
  std::optional<uint64_t> victim(
    const spares& is_spared = [](uint64_t) { return false; },
    const claim& claims = [](share) { return 0.0; }) const;

  /// The same within one share.
  std::optional<uint64_t> victim_of(share x, const spares& is_spared) const;

  size_t size() const { return nodes_.size(); }

  /// The whole order, as `restore` takes it over into an empty one.
  std::string packed() const;
  void restore(std::string_view packed);

private:
  /// An element of a linked list. Neighbours are stored as their low 32 bits; the ends of the list
  /// refer to themselves.
  struct node {
    uint32_t older = 0;
    uint32_t newer = 0;
    uint32_t lane : 31 = 0;
    uint32_t is_protected : 1 = 0;
  };

  /// The unprotected observations of one weight in a share, as a list in the order of their use.
  struct lane {
    share of = 0;
    uint64_t oldest = 0;
    uint64_t newest = 0;
    size_t size = 0;
  };

  void link(uint64_t number, node& x);
  void unlink(uint64_t number, const node& x);

  block_table<node> nodes_;
  std::vector<lane> lanes_;
  std::map<std::pair<share, int64_t>, uint32_t> lane_of_; // by share and weight
  std::vector<size_t> evictable_;                         // of each share
};

} // namespace scratchpage
