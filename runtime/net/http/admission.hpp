#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>

#include "scratchpage/messages/text/key_text.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/runtime/net/http/http_answers.hpp"

namespace scratchpage::http {

/// What a connection is doing, in the order in which connections are evicted.
enum class stay : uint8_t {
  refused,  ///< it waits to be told that the server is overloaded
  begun,    ///< it has sent a part of a request's head
  leaving,  ///< the client has closed its side and most likely does not read the answer
  stalled,  ///< the client does not read what it is sent
  unproven, ///< it has never sent a complete request; it may be sending the body of its first one
  idle,     ///< it has, and may send another one or be sending the body of one
  at_work,  ///< a request is answered, or it carries a stream; it is never evicted
};

/// The connections by peer: a limited number in all and of each peer. When the limit is reached, a
/// new connection evicts the oldest of those that `stay` ranks first. So connections that only wait
/// keep nobody out. May be used from any thread.
class guest_book {
  struct entry;

public:
  /// At most `max` connections, and `max_of_peer` of one peer; neither is 0.
  guest_book(uint64_t max, uint64_t max_of_peer);

  /// Counts one connection as long as it lives; may be empty.
  class guest {
  public:
    guest() = default;
    guest(guest&& x) noexcept = default;
    guest& operator=(guest&& x) noexcept {
      std::swap(entry_, x.entry_);
      return *this;
    }
    ~guest() { release(); }

    explicit operator bool() const { return entry_ != nullptr; }

    /// Called on the connection's thread.
    void is(stay x);

    /// Asks to answer a request of the credential `whose`. False if the connection has evicted
    /// another one, and a quarter of its peer's connections already answer this credential: so one
    /// caller cannot evict the connections of others at the same address.
    bool goes_to_work(uint64_t whose);

    /// `then` is called at most once, on any thread, when another connection has taken the place of
    /// this one, which should end.
    void on_evicted(std::function<void()> then);

    void release();

  private:
    friend class guest_book;

    explicit guest(std::shared_ptr<entry> x)
      : entry_{std::move(x)} {}

    std::shared_ptr<entry> entry_;
  };

  /// Counts a connection from this peer. Empty if the limit is reached and no connection can be
  /// evicted. `needs_room`: another connection has to be evicted in any case.
  guest enter(const std::string& peer, bool needs_room = false);

  uint64_t max() const { return max_; }
  uint64_t count() const;

  /// False if `within` was not enough.
  bool wait_until_empty(timespan within);

private:
  using entries = std::list<std::shared_ptr<entry>>;

  static std::shared_ptr<entry> find_waiting(const entries& among);
  const entries* largest() const;
  void remove(entry& x);
  bool may_work(const entry& x, uint64_t whose) const;

  const uint64_t max_;
  const uint64_t max_of_peer_;
  mutable std::mutex mutex_;
  std::condition_variable empty_;
  std::unordered_map<std::string, entries, keyed_text_hash, std::equal_to<>> peers_;
  uint64_t count_ = 0;
};

/// Limits the requests of each peer by a bucket of tokens that refills with time. Remembers at most
/// `max_peers` peers; it forgets the one whose last request is the oldest, which begins with a full
/// bucket when it comes again. Must not be used by several threads at once.
class rate_limit {
public:
  using time_point = std::chrono::steady_clock::time_point;

  /// `per_second` 0: no limit. A full bucket has `burst` tokens.
  rate_limit(double per_second, uint64_t burst, uint64_t max_peers);

  bool is_on() const { return per_second_ > 0; }

  /// Takes a token of the peer. If there is none, gives the seconds, at least one, until there is.
  std::optional<uint32_t> take(const std::string& peer, time_point now);

  size_t known_peers() const { return by_peer_.size(); }

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
  std::list<bucket> buckets_; ///< the peer with the last request first
  std::unordered_map<std::string, std::list<bucket>::iterator, keyed_text_hash, std::equal_to<>>
    by_peer_;
};

/// The key under which an address is counted: the address itself, or the /64 network of an IPv6
/// address, since one machine may have all addresses of such a network.
std::string peer_key(const std::string& address);

/// The caller of a stream: one credential, from whatever address, or all clients without a
/// credential at one peer.
struct stream_caller {
  uint64_t credential = 0; ///< its hash; 0: none
  std::string peer;        ///< see `peer_key`
};

/// Limits the number of open streams: of all, of one caller, and of one peer. A stream lasts as
/// long as its reader wants, so a new one is refused rather than kept waiting. May be used from any
/// thread.
class stream_limit {
public:
  struct bounds {
    uint64_t all;
    uint64_t of_caller;
    uint64_t of_peer;
  };

  /// Counts one stream as long as it lives; may be empty.
  class permit {
  public:
    permit() = default;
    permit(permit&& x) noexcept
      : of_{std::exchange(x.of_, nullptr)},
        who_{std::move(x.who_)} {}
    permit& operator=(permit&& x) noexcept {
      std::swap(of_, x.of_);
      std::swap(who_, x.who_);
      return *this;
    }
    ~permit() { release(); }

    explicit operator bool() const { return of_ != nullptr; }

    void release() {
      if (auto* of = std::exchange(of_, nullptr))
        of->leave(who_);
    }

  private:
    friend class stream_limit;

    permit(stream_limit& of, stream_caller who)
      : of_{&of},
        who_{std::move(who)} {}

    stream_limit* of_ = nullptr;
    stream_caller who_;
  };

  explicit stream_limit(bounds max)
    : max_{max} {}

  /// Counts a stream. `overloaded` about `streams` if a limit is reached.
  std::variant<permit, refusal> enter(stream_caller who);

  uint64_t count() const;

private:
  /// The credential and "", or 0 and the peer.
  using key = std::pair<uint64_t, std::string>;

  static key key_of(const stream_caller& x);
  std::string refuses(const stream_caller& x) const;
  void leave(const stream_caller& x);

  const bounds max_;
  mutable std::mutex mutex_;
  uint64_t count_ = 0;
  std::map<key, uint64_t> callers_;
  std::map<std::string, uint64_t> peers_;
};

} // namespace scratchpage::http
