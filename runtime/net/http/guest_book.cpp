#include "scratchpage/runtime/net/http/guest_book.hpp"

#include <algorithm>

namespace scratchpage::http {

/// A connection's line. All of it is under the book's lock, but what the connection does.
struct guest_book::entry {
  guest_book* book = nullptr;
  std::string peer;
  std::atomic<stay> what = stay::unproven;
  std::atomic<uint64_t> whose = 0; ///< what it did last, or does
  std::function<void()> show_out;
  entries::iterator at;
  bool is_in = true;            ///< else its place belongs to another
  bool has_taken_place = false; ///< of another
};

guest_book::guest_book(uint64_t most, uint64_t most_of_peer)
  : most_{most},
    most_of_peer_{most_of_peer} {}

guest_book::guest guest_book::enter(const std::string& peer, bool needs_room) {
  auto made = std::make_shared<entry>();
  made->book = this;
  made->peer = peer;
  std::function<void()> show_out;
  std::unique_lock lock{mutex_};
  auto known = peers_.find(peer);
  auto is_peer_full = known != peers_.end() && known->second.size() >= most_of_peer_;
  if (is_peer_full || count_ >= most_ || needs_room) {
    const auto* among = is_peer_full ? &known->second : largest();
    auto leaves = among == nullptr ? nullptr : find_waiting(*among);
    if (!leaves)
      return {};
    show_out = std::exchange(leaves->show_out, nullptr);
    remove(*leaves);
    made->has_taken_place = true;
  }
  auto& of = peers_[peer];
  made->at = of.insert(of.end(), made);
  ++count_;
  lock.unlock();
  if (show_out)
    show_out();
  return guest{std::move(made)};
}

/// The one that came first of those that are least at work.
std::shared_ptr<guest_book::entry> guest_book::find_waiting(const entries& among) {
  for (auto what :
    {stay::refused, stay::begun, stay::leaving, stay::stalled, stay::unproven, stay::idle}) {
    auto found = std::find_if(
      among.begin(), among.end(), [what](const auto& x) { return x->show_out && x->what == what; });
    if (found != among.end())
      return *found;
  }
  return nullptr;
}

/// Those of the peer that has the most among those of whom somebody waits.
const guest_book::entries* guest_book::largest() const {
  const entries* result = nullptr;
  for (const auto& [peer, all] : peers_)
    if ((result == nullptr || all.size() > result->size()) && find_waiting(all))
      result = &all;
  return result;
}

/// Under the lock.
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
  return static_cast<uint64_t>(works) < std::max<uint64_t>(1, most_of_peer_ / 4);
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
  if (entry_->has_taken_place && !entry_->book->may_work(*entry_, whose))
    return false;
  entry_->whose.store(whose, std::memory_order_relaxed);
  is(stay::at_work);
  return true;
}

void guest_book::guest::on_shown_out(std::function<void()> then) {
  if (!entry_)
    return;
  std::lock_guard lock{entry_->book->mutex_};
  entry_->show_out = std::move(then);
}

void guest_book::guest::release() {
  auto gone = std::exchange(entry_, nullptr);
  if (!gone)
    return;
  std::function<void()> unused; // what it holds ends without the lock
  std::lock_guard lock{gone->book->mutex_};
  unused.swap(gone->show_out);
  gone->book->remove(*gone);
}

} // namespace scratchpage::http
