#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <variant>

#include "scratchpage/runtime/net/http/refusal.hpp"

namespace scratchpage::http {

/// For whom a stream is: whoever has a credential, wherever they call from, or all at one peer
/// who have none.
struct stream_caller {
  uint64_t credential = 0; ///< stands for it; 0: none
  std::string peer;        ///< as with rates
};

/// How many streams there may be at a time, of one caller and of one peer as well: a stream lasts
/// as long as its reader likes, so nobody can wait until another makes room. May be used from any
/// thread.
class stream_places {
public:
  struct bounds {
    uint64_t all;
    uint64_t of_caller;
    uint64_t of_peer;
  };

  /// The place of one stream, for as long as it lasts; may be none.
  class place {
  public:
    place() = default;
    place(place&& x) noexcept
      : of_{std::exchange(x.of_, nullptr)},
        who_{std::move(x.who_)} {}
    place& operator=(place&& x) noexcept {
      std::swap(of_, x.of_);
      std::swap(who_, x.who_);
      return *this;
    }
    ~place() { release(); }

    explicit operator bool() const { return of_ != nullptr; }

    void release() {
      if (auto* of = std::exchange(of_, nullptr))
        of->leave(who_);
    }

  private:
    friend class stream_places;

    place(stream_places& of, stream_caller who)
      : of_{&of},
        who_{std::move(who)} {}

    stream_places* of_ = nullptr;
    stream_caller who_;
  };

  explicit stream_places(bounds most)
    : most_{most} {}

  /// `overloaded` about `streams` if there are as many as may be of all, this caller or this peer.
  std::variant<place, refusal> enter(stream_caller who);

  uint64_t count() const;

private:
  /// All who call with one credential have one key.
  using key = std::pair<uint64_t, std::string>;

  static key key_of(const stream_caller& x);
  std::string refuses(const stream_caller& x) const;
  void leave(const stream_caller& x);

  const bounds most_;
  mutable std::mutex mutex_;
  uint64_t count_ = 0;
  std::map<key, uint64_t> callers_;
  std::map<std::string, uint64_t> peers_;
};

} // namespace scratchpage::http
