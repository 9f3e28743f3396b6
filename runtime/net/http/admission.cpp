#include "scratchpage/runtime/net/http/admission.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <arpa/inet.h>

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

/// One connection. All members but the atomic ones are guarded by the book's lock.
struct guest_book::entry {
  guest_book* book = nullptr;
  std::string peer;
  std::atomic<stay> what = stay::unproven;
  std::atomic<uint64_t> whose = 0; ///< the credential of its last request
  std::function<void()> evict;
  entries::iterator at;
  bool is_in = true;        ///< false: it was evicted
  bool has_evicted = false; ///< it has evicted another one
};

guest_book::guest_book(uint64_t max, uint64_t max_of_peer)
  : max_{max},
    max_of_peer_{max_of_peer} {}

guest_book::guest guest_book::enter(const std::string& peer, bool needs_room) {
  auto made = std::make_shared<entry>();
  made->book = this;
  made->peer = peer;
  std::function<void()> evict;
  std::unique_lock lock{mutex_};
  auto known = peers_.find(peer);
  auto is_peer_full = known != peers_.end() && known->second.size() >= max_of_peer_;
  if (is_peer_full || count_ >= max_ || needs_room) {
    const auto* among = is_peer_full ? &known->second : largest();
    auto leaves = among == nullptr ? nullptr : find_waiting(*among);
    if (!leaves)
      return {};
    evict = std::exchange(leaves->evict, nullptr);
    remove(*leaves);
    made->has_evicted = true;
  }
  auto& of = peers_[peer];
  made->at = of.insert(of.end(), made);
  ++count_;
  lock.unlock();
  if (evict)
    evict();
  return guest{std::move(made)};
}

/// The oldest connection of the kind that `stay` ranks first.
std::shared_ptr<guest_book::entry> guest_book::find_waiting(const entries& among) {
  for (auto what :
    {stay::refused, stay::begun, stay::leaving, stay::stalled, stay::unproven, stay::idle}) {
    auto found = std::find_if(
      among.begin(), among.end(), [what](const auto& x) { return x->evict && x->what == what; });
    if (found != among.end())
      return *found;
  }
  return nullptr;
}

/// The connections of the peer that has the most, among peers with one that can be evicted.
const guest_book::entries* guest_book::largest() const {
  const entries* result = nullptr;
  for (const auto& [peer, all] : peers_)
    if ((result == nullptr || all.size() > result->size()) && find_waiting(all))
      result = &all;
  return result;
}

/// Call it with the lock held.
void guest_book::remove(entry& x) {
  if (!std::exchange(x.is_in, false))
    return;
  auto of = peers_.find(x.peer);
  of->second.erase(x.at);
  if (of->second.empty())
    peers_.erase(of);
  if (--count_ == 0)
    empty_.notify_all();
}

bool guest_book::may_work(const entry& x, uint64_t whose) const {
  std::lock_guard lock{mutex_};
  auto of = peers_.find(x.peer);
  if (!x.is_in || of == peers_.end())
    return true;
  auto works = std::count_if(of->second.begin(), of->second.end(), [&](const auto& other) {
    return other->whose == whose && (other->what == stay::at_work || other->what == stay::stalled);
  });
  return static_cast<uint64_t>(works) < std::max<uint64_t>(1, max_of_peer_ / 4);
}

uint64_t guest_book::count() const {
  std::lock_guard lock{mutex_};
  return count_;
}

bool guest_book::wait_until_empty(timespan within) {
  std::unique_lock lock{mutex_};
  return empty_.wait_for(lock, within, [this] { return count_ == 0; });
}

void guest_book::guest::is(stay x) {
  if (entry_)
    entry_->what.store(x, std::memory_order_relaxed);
}

bool guest_book::guest::goes_to_work(uint64_t whose) {
  if (!entry_)
    return true;
  if (entry_->has_evicted && !entry_->book->may_work(*entry_, whose))
    return false;
  entry_->whose.store(whose, std::memory_order_relaxed);
  is(stay::at_work);
  return true;
}

void guest_book::guest::on_evicted(std::function<void()> then) {
  if (!entry_)
    return;
  std::lock_guard lock{entry_->book->mutex_};
  entry_->evict = std::move(then);
}

void guest_book::guest::release() {
  auto gone = std::exchange(entry_, nullptr);
  if (!gone)
    return;
  std::function<void()> unused; // destroyed without the lock
  std::lock_guard lock{gone->book->mutex_};
  unused.swap(gone->evict);
  gone->book->remove(*gone);
}

rate_limit::rate_limit(double per_second, uint64_t burst, uint64_t max_peers)
  : per_second_{per_second},
    burst_{static_cast<double>(burst)},
    max_peers_{std::max<uint64_t>(max_peers, 1)} {}

std::optional<uint32_t> rate_limit::take(const std::string& peer, time_point now) {
  if (!is_on())
    return std::nullopt;
  auto& of = bucket_of(peer, now);
  std::chrono::duration<double> passed = std::max(now, of.filled) - of.filled;
  of.tokens = std::min(burst_, of.tokens + passed.count() * per_second_);
  of.filled = std::max(now, of.filled);
  if (of.tokens >= 1) {
    of.tokens -= 1;
    return std::nullopt;
  }
  return static_cast<uint32_t>(std::max(1.0, std::ceil((1 - of.tokens) / per_second_)));
}

rate_limit::bucket& rate_limit::bucket_of(const std::string& peer, time_point now) {
  if (auto known = by_peer_.find(peer); known != by_peer_.end()) {
    buckets_.splice(buckets_.begin(), buckets_, known->second);
    return buckets_.front();
  }
  if (buckets_.size() == max_peers_) {
    by_peer_.erase(buckets_.back().peer);
    buckets_.pop_back();
  }
  buckets_.push_front({peer, burst_, now});
  by_peer_.emplace(peer, buckets_.begin());
  return buckets_.front();
}

std::string peer_key(const std::string& address) {
  std::array<unsigned char, 16> bytes{};
  if (::inet_pton(AF_INET6, address.c_str(), bytes.data()) != 1)
    return address;
  std::fill(bytes.begin() + 8, bytes.end(), static_cast<unsigned char>(0));
  std::array<char, INET6_ADDRSTRLEN> text{};
  ::inet_ntop(AF_INET6, bytes.data(), text.data(), text.size());
  return std::string{text.data()} + "/64";
}

std::variant<stream_limit::permit, refusal> stream_limit::enter(stream_caller who) {
  std::lock_guard lock{mutex_};
  if (auto expected = refuses(who); !expected.empty())
    return refusal{503, errc::overloaded, "streams", std::move(expected), 1};
  ++count_;
  ++callers_[key_of(who)];
  ++peers_[who.peer];
  return permit{*this, std::move(who)};
}

uint64_t stream_limit::count() const {
  std::lock_guard lock{mutex_};
  return count_;
}

stream_limit::key stream_limit::key_of(const stream_caller& x) {
  return x.credential == 0 ? key{0, x.peer} : key{x.credential, {}};
}

/// What is expected instead; "": another stream is allowed. Call it with the lock held.
std::string stream_limit::refuses(const stream_caller& x) const {
  if (count_ >= max_.all)
    return "expected fewer streams at a time";
  if (count_in(callers_, key_of(x)) >= max_.of_caller)
    return "expected at most " + std::to_string(max_.of_caller) + " streams of one caller";
  if (count_in(peers_, x.peer) >= max_.of_peer)
    return "expected at most " + std::to_string(max_.of_peer) + " streams of one peer";
  return {};
}

void stream_limit::leave(const stream_caller& x) {
  std::lock_guard lock{mutex_};
  --count_;
  take_one(callers_, key_of(x));
  take_one(peers_, x.peer);
}

} // namespace scratchpage::http
