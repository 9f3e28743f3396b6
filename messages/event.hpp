#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "scratchpage/messages/boxed.hpp"
#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/request_key.hpp"

namespace scratchpage {

/// What happened to an observation (contract 5). The first six are changes and
/// stand in the page's log; `lagged` and `current` exist only in a stream, for
/// a subscriber that fell behind what the log still holds.
enum class event_kind : uint8_t {
  added,
  updated,
  archived,
  expired,
  evicted,
  linked,
  lagged,  ///< `missed` events are gone; what follows is the current state
  current, ///< one matching observation as it is now, after `lagged`
};

template <>
inline constexpr std::array<std::string_view, 8> enum_names<event_kind>{
  "added", "updated", "archived", "expired", "evicted", "linked", "lagged", "current"};

/// Whether the observation is no longer on the page after such an event.
constexpr bool is_end(event_kind kind) {
  return kind == event_kind::archived || kind == event_kind::expired || kind == event_kind::evicted;
}

/// One entry of the page's log.
struct page_event {
  uint64_t sequence = 0; ///< gapless per agent, from 1
  event_kind kind = event_kind::added;
  uint32_t bytes = 0; ///< approximate size of the observation; for the page only, never sent
  timestamp at;
  std::string turn_id;         ///< the turn that caused it, "" for timers
  span_id cause = 0;           ///< the page's trace entry of the change
  observation_ptr observation; ///< as it is after the change; null for `lagged`
  uint64_t missed = 0;         ///< `lagged` only
  /// The request that asked for it, if that has a key. Only the journal keeps it: subscribers do
  /// not get it.
  boxed<request_mark> request;

  static constexpr auto fields(auto all) {
    using self = page_event;
    return all(required("sequence", &self::sequence), required("kind", &self::kind),
      required("at", &self::at), optional("turn_id", &self::turn_id),
      optional("cause", &self::cause), optional("observation", &self::observation),
      optional("missed", &self::missed));
  }
};

/// A read-only list of events, in order. Lists share their events: a page makes an event once for
/// all its subscribers. Between processes events are sent by value.
class event_list {
public:
  /// Iterates over the events behind the pointers.
  class iterator {
  public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = page_event;
    using difference_type = std::ptrdiff_t;
    using pointer = const page_event*;
    using reference = const page_event&;

    iterator() = default;
    explicit iterator(const page_event* const* at)
      : at_{at} {}

    reference operator*() const { return **at_; }
    pointer operator->() const { return *at_; }
    iterator& operator++() {
      ++at_;
      return *this;
    }
    iterator operator++(int) { return iterator{at_++}; }
    bool operator==(const iterator&) const = default;

  private:
    const page_event* const* at_ = nullptr;
  };

  event_list() = default;
  event_list(std::vector<page_event> events) { // NOLINT: implicit on purpose
    auto owner = std::make_shared<const std::vector<page_event>>(std::move(events));
    events_.reserve(owner->size());
    for (const auto& x : *owner)
      push_back(x, owner);
  }

  /// `x` must live as long as `owner` and must not change.
  template <class T>
  void push_back(const page_event& x, const std::shared_ptr<T>& owner) {
    events_.push_back(&x);
    if (owners_.empty() || owners_.back().get() != owner.get())
      owners_.push_back(owner);
  }

  void reserve(size_t count) { events_.reserve(count); }
  size_t size() const { return events_.size(); }
  bool empty() const { return events_.empty(); }
  const page_event& operator[](size_t i) const { return *events_[i]; }
  iterator begin() const { return iterator{events_.data()}; }
  iterator end() const { return iterator{events_.data() + events_.size()}; }

  template <class Inspector>
  friend bool inspect(Inspector& f, event_list& x) {
    std::vector<page_event> events;
    if constexpr (Inspector::is_loading) {
      if (!f.apply(events))
        return false;
      x = event_list{std::move(events)};
      return true;
    } else {
      events.assign(x.begin(), x.end());
      return f.apply(events);
    }
  }

private:
  std::vector<const page_event*> events_;
  std::vector<std::shared_ptr<const void>> owners_; // keep the events alive; repeats are left out
};

/// What the PAGE sends to a subscriber. The answer acknowledges the batch, and only then the page
/// sends the next one.
struct event_batch {
  std::string agent_id;
  event_list events;
  uint64_t epoch = 0; ///< of the page; needed, with the last sequence, to resume later

  static constexpr auto fields(auto all) {
    using self = event_batch;
    return all(required("agent_id", &self::agent_id), required("events", &self::events),
      optional("epoch", &self::epoch));
  }
};

} // namespace scratchpage
