#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "scratchpage/messages/event.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/request_key.hpp"
#include "scratchpage/messages/text/key_text.hpp"

namespace scratchpage {

/// The requests with keys that a page has carried out, and what it answered, so that it answers a
/// repeated request as before. It remembers those among the last `capacity` changes, the latest
/// ones if their observations take more than `max_bytes`. A request is known from the moment when
/// its changes are on their way to storage; a repetition then waits until they are made or refused.
class request_keys {
public:
  /// The digest of a request whose observation was purged: another one could confirm a guess.
  static constexpr uint64_t no_digest = 0;

  struct known {
    uint64_t digest = 0;
    uint64_t sequence = 0;       ///< of the change; 0: it is on its way to storage
    observation_ptr observation; ///< as the change left it; null while it is on its way
    std::vector<std::string> warnings;
    uint64_t bytes = 0; ///< memory that it takes, about

    bool is_under_way() const { return sequence == 0; }
  };

  request_keys(uint64_t capacity, uint64_t max_bytes)
    : capacity_{capacity},
      max_bytes_{max_bytes} {}

  /// What is known of the request; null: nothing. Valid until the next call.
  const known* find(const request_mark& x) const;

  /// The changes of the request are on their way to storage; @pre the request is not known.
  void begin(const request_mark& x);

  /// The change of the request was made, with this sequence. Sequences never become smaller.
  void keep(const request_mark& x, uint64_t sequence, const observation_ptr& observation);

  /// Forgets the request if its changes are on their way to storage: they were refused.
  void refuse(const request_mark& x);

  /// Calls `f` when the changes of a request that is under way were made or refused.
  void wait(const request_mark& x, std::function<void()> f);

  /// Takes out the functions that wait for the request.
  std::vector<std::function<void()>> take_waiting(const request_mark& x);

  /// A change with this sequence was made, with or without a key.
  void note(uint64_t sequence) {
    if (!order_.empty())
      forget_before(sequence + 1 - std::min(sequence, capacity_));
  }

  /// Sets the bytes that the keys and their observations may take, from the next one on.
  void keep_within(uint64_t max_bytes) { max_bytes_ = max_bytes; }

  /// Calls `f(observation_ptr&)` for each answer. Where it returns true, all else that tells of the
  /// observation goes, too.
  template <class F>
  void revise(F f) {
    for (auto& [name, x] : known_)
      if (x.observation && f(x.observation)) {
        x.warnings.clear();
        x.digest = no_digest;
      }
  }

  size_t size() const { return known_.size(); }

  /// The bytes, about, that the keys and their observations take.
  uint64_t bytes() const { return bytes_; }

private:
  using table = std::unordered_map<std::string, known, keyed_text_hash, std::equal_to<>>;

  static std::string name_of(const request_mark& x);
  static uint64_t bytes_of(const std::string& name, const known& x);
  void forget_before(uint64_t sequence);
  void forget_oldest();

  uint64_t capacity_;
  uint64_t max_bytes_;
  uint64_t bytes_ = 0;
  table known_;                           // by caller, key and part
  std::map<uint64_t, std::string> order_; // names of what is kept, by sequence
  std::unordered_map<std::string, std::vector<std::function<void()>>, keyed_text_hash,
    std::equal_to<>>
    waiting_;
};

} // namespace scratchpage
