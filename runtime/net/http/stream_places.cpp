#include "scratchpage/runtime/net/http/stream_places.hpp"

namespace scratchpage::http {

namespace {

template <class Map>
uint64_t count_in(const Map& all, const typename Map::key_type& key) {
  auto found = all.find(key);
  return found == all.end() ? 0 : found->second;
}

template <class Map>
void take_one(Map& all, const typename Map::key_type& key) {
  auto found = all.find(key);
  if (--found->second == 0)
    all.erase(found);
}

} // namespace

std::variant<stream_places::place, refusal> stream_places::enter(stream_caller who) {
  std::lock_guard lock{mutex_};
  if (auto expected = refuses(who); !expected.empty())
    return refusal{503, errc::overloaded, "streams", std::move(expected), 1};
  ++count_;
  ++callers_[key_of(who)];
  ++peers_[who.peer];
  return place{*this, std::move(who)};
}

uint64_t stream_places::count() const {
  std::lock_guard lock{mutex_};
  return count_;
}

stream_places::key stream_places::key_of(const stream_caller& x) {
  return x.credential == 0 ? key{0, x.peer} : key{x.credential, {}};
}

/// Under the lock. What is expected instead; "": there is a place.
std::string stream_places::refuses(const stream_caller& x) const {
  if (count_ >= most_.all)
    return "expected fewer streams at a time";
  if (count_in(callers_, key_of(x)) >= most_.of_caller)
    return "expected at most " + std::to_string(most_.of_caller) + " streams of one caller";
  if (count_in(peers_, x.peer) >= most_.of_peer)
    return "expected at most " + std::to_string(most_.of_peer) + " streams of one peer";
  return {};
}

void stream_places::leave(const stream_caller& x) {
  std::lock_guard lock{mutex_};
  --count_;
  take_one(callers_, key_of(x));
  take_one(peers_, x.peer);
}

} // namespace scratchpage::http
