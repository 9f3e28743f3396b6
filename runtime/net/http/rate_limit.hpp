#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <unordered_map>

#include "scratchpage/messages/text/keyed_hash.hpp"

namespace scratchpage::http {

/// How many requests a peer may make: each has a bucket of tokens that refills with
/// time. Keeps at most so many peers; the one that has been silent longest is
/// forgotten, and would begin with a full bucket. Not for several threads.
class rate_limit {
public:
  using time_point = std::chrono::steady_clock::time_point;

  /// `per_second` 0: no limit. `burst` tokens are in a full bucket.
  rate_limit(double per_second, uint64_t burst, uint64_t max_peers);

  bool is_on() const { return per_second_ > 0; }

  /// Takes a token of the peer's; or says in how many seconds, at least one, there is
  /// one again.
  std::optional<uint32_t> take(const std::string& peer, time_point now);

  size_t known_peers() const { return places_.size(); }

private:
  struct bucket {
    std::string peer;
    double tokens;
    time_point filled;
  };

  bucket& bucket_of(const std::string& peer, time_point now);

  double per_second_;
  double burst_;
  size_t max_peers_;
  std::list<bucket> buckets_; ///< those seen last are first
  std::unordered_map<std::string, std::list<bucket>::iterator, keyed_text_hash, std::equal_to<>>
    places_;
};

/// Under which name an address is counted: itself, or the /64 network of an IPv6 one,
/// of which a single machine may have all.
std::string peer_key(const std::string& address);

} // namespace scratchpage::http
