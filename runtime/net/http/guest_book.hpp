#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

#include "scratchpage/messages/text/keyed_hash.hpp"
#include "scratchpage/messages/time.hpp"

namespace scratchpage::http {

/// What a connection is doing, as far as it matters to who would like to have its place: the
/// first to go come first.
enum class stay : uint8_t {
  refused,  ///< it is told in a moment that there is too much to do
  begun,    ///< it has begun a request's head and not ended it
  leaving,  ///< it is answered, and has said its last: most likely nobody reads that
  stalled,  ///< it takes nothing of what it is sent
  unproven, ///< it has never asked anything completely
  idle,     ///< it has, and may ask again
  at_work,  ///< it is answered, or carries a stream; it never goes
};

/// Who is connected, by peer: a bounded number in all, and of each peer. Who comes when all
/// places are taken gets that of the one who came first of those that are the first to go (`stay`).
/// So connections that only wait shut nobody out. May be used from any thread.
class guest_book {
  struct entry;

public:
  /// `most` connections, of one peer `most_of_peer`; neither is 0.
  guest_book(uint64_t most, uint64_t most_of_peer);

  /// One connection, for as long as it lasts; may be none.
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

    /// From the connection's thread.
    void is(stay x);

    /// It would go to work for `whose`, which stands for a credential. False if it has taken
    /// another's place and its peer's connections work for that one in a quarter of its places
    /// already: so those of one caller do not take the places of others who call from there.
    bool goes_to_work(uint64_t whose);

    /// `then` is called at most once, on any thread: the place belongs to another now, and the
    /// connection should end.
    void on_shown_out(std::function<void()> then);

    void release();

  private:
    friend class guest_book;

    explicit guest(std::shared_ptr<entry> x)
      : entry_{std::move(x)} {}

    std::shared_ptr<entry> entry_;
  };

  /// A place for a connection from this peer. None if there is no place, and all that are
  /// taken are at work. `needs_room`: as if all were taken.
  guest enter(const std::string& peer, bool needs_room = false);

  uint64_t most() const { return most_; }
  uint64_t count() const;

  /// False if `within` was not enough.
  bool wait_until_empty(timespan within);

private:
  using entries = std::list<std::shared_ptr<entry>>;

  static std::shared_ptr<entry> find_waiting(const entries& among);
  const entries* largest() const;
  void remove(entry& x);
  bool may_work(const entry& x, uint64_t whose) const;

  const uint64_t most_;
  const uint64_t most_of_peer_;
  mutable std::mutex mutex_;
  std::condition_variable empty_;
  std::unordered_map<std::string, entries, keyed_text_hash, std::equal_to<>> peers_;
  uint64_t count_ = 0;
};

} // namespace scratchpage::http
