#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <caf/actor_addr.hpp>
#include <caf/expected.hpp>

#include "scratchpage/actors/base/owned_timer.hpp"
#include "scratchpage/actors/base/tracer.hpp"
#include "scratchpage/actors/page/event_log.hpp"
#include "scratchpage/actors/page/filter_groups.hpp"
#include "scratchpage/actors/page/index/observation_index.hpp"
#include "scratchpage/actors/page/page_config.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/persistence/store/stored_numbers.hpp"

namespace scratchpage {

/// Delivers a page's changes to its subscribers. A subscriber is a position in the log and a filter
/// group, which it shares with all subscribers that have the same filters. A batch is sent as a
/// request, and the next one when it is answered (contract 5). A subscriber without new events
/// costs nothing: it waits in its group until a change matches.
class delivery {
public:
  /// The parts of the page that deliveries need. All pointers outlive the delivery.
  struct context {
    scratch_page_actor::pointer self;
    const page_config* config;
    const event_log* log;
    observation_index* index;
    const agent_context* agent;
    tracer* trace;
    subscriber_positions* positions;
    std::function<void()> acknowledged; ///< called after each acknowledgement
    uint64_t epoch = 0;
    /// For each epoch, the sequence after which it began.
    std::map<uint64_t, uint64_t> epochs = {};
  };

  explicit delivery(context page)
    : page_{std::move(page)},
      groups_{page_.config->log_capacity} {}

  /// Adds a subscriber, and returns the sequence after which its events begin. Errors: `overloaded`
  /// if there are too many subscribers or kept positions, or if filters take too many bytes;
  /// `invalid_request` for a filter beyond `filter_limits` and for a sequence in the future.
  caf::expected<uint64_t> add(subscribe request);
  void remove(const caf::actor_addr& subscriber);
  /// Removes a subscriber and forgets its kept position.
  void cancel(const caf::actor_addr& subscriber);
  size_t size() const { return subscribers_.size(); }
  size_t in_turns() const; ///< number of subscribers that take part in turns
  std::vector<subscriber_state> states() const;

  /// Notes which groups match the change that was just appended to the log. This is done once, when
  /// the change is appended, and not each time a batch is made.
  void note(const page_event& event);

  /// Sends a batch to each subscriber that has new events and no batch on its way.
  void pump();

  /// The sequence up to which all subscribers that take part in turns have acknowledged.
  uint64_t acknowledged() const;

private:
  /// How much of the current state was sent to a subscriber that has fallen behind the log.
  struct state_cursor {
    uint64_t next = 0;      ///< first number that is not acknowledged
    uint64_t batch_end = 0; ///< first number after the batch on its way
    uint64_t end = 0;       ///< observations from this number on come through the log

    bool is_told() const { return next >= end; }
  };

  /// What a subscriber takes of the limits for callers from outside.
  struct room {
    std::string payer;       ///< the principal that it counts for; "": it is not from outside
    size_t filter_bytes = 0; ///< of memory, about
  };

  struct subscriber {
    uint64_t id = 0; ///< by order of arrival
    subscriber_actor handle;
    std::string name;
    room takes;
    filter_group* wants = nullptr;
    bool part_of_turns = true;
    std::string keep_as;    ///< the name of its kept position
    uint64_t at_once = 0;   ///< maximum of events in one batch
    uint64_t next = 0;      ///< first sequence that is not acknowledged; the log's end while idle
    uint64_t batch_end = 0; ///< first matching sequence after the batch on its way
    bool waits = false;     ///< no change after that batch matches yet: it is in `wants->waiting`
    bool busy = false;      ///< a batch is on its way
    uint64_t batch = 0;     ///< the number of that batch
    timespan told_at{};     ///< when the batch was sent first, on the steady clock
    timespan answer_by{};   ///< when the batch counts as lost
    unsigned failures = 0;
    bool is_set_aside = false; ///< it did not answer for so long that nothing waits for it
    uint64_t missed = 0;       ///< events to be reported as `lagged`, until that is acknowledged
    state_cursor state;
  };
  using table = std::map<uint64_t, subscriber>;

  static caf::error check_filters(const subscribe& request);
  caf::error check_position(const subscribe& request) const;
  void begin_at_kept_position(subscribe& request) const;
  void keep_position(const subscriber& x);
  uint64_t last_kept(const subscribe_from& from) const;
  bool look_back(filter_group& x, uint64_t from, bool for_outside) const;
  uint64_t state_left(const subscriber& x) const;
  void drop(table::iterator at);
  template <class F>
  void drop_if(F is_meant);
  void wait(subscriber& x);
  void wait_no_longer(subscriber& x);
  void wake(subscriber& x, uint64_t sequence);
  void pump(subscriber& x);
  event_list next_events(subscriber& x);
  event_list from_log(subscriber& x);
  void fill_from_state(subscriber& x, std::vector<page_event>& events) const;
  void fall_behind(subscriber& x);
  part_of_matches state_from(uint64_t number, const filter_group& x, size_t limit) const;
  std::function<bool()> end_of_slice(size_t slices) const;
  void expect_answer(subscriber& x);
  void continue_search_later(subscriber& x);
  page_event lagged(const subscriber& x) const;
  caf::expected<room> make_room(const caller& by, size_t filter_bytes);
  caf::error check_share(const caller& by, const room& wanted);
  bool drop_one_set_aside(const std::function<bool(const subscriber&)>& is_meant);
  subscriber* waiting_for(uint64_t id, uint64_t batch);
  void on_acknowledged(uint64_t id, uint64_t batch);
  void on_failure(uint64_t id, uint64_t batch, const caf::error& err);
  void on_silence(uint64_t id, uint64_t batch);
  bool has_failed_for_good(subscriber& x, const caf::error& err);
  void send_again(subscriber& x);
  void take_back(subscriber& x);
  void watch_deadlines(timespan first);
  void give_up_overdue();

  context page_;
  filter_groups groups_;
  table subscribers_;
  uint64_t last_id_ = 0;
  uint64_t last_batch_ = 0;
  bool watches_deadlines_ = false;
  owned_timer deadline_;
  std::vector<uint64_t> awake_;           // ids of subscribers that `pump` looks at
  std::set<const subscriber*> unsettled_; // they take part in turns and have events to acknowledge
};

} // namespace scratchpage
