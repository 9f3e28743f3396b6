#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <caf/actor_addr.hpp>
#include <caf/expected.hpp>

#include "scratchpage/actors/base/tracer.hpp"
#include "scratchpage/actors/page/event_log.hpp"
#include "scratchpage/actors/page/index/observation_index.hpp"
#include "scratchpage/actors/page/interests.hpp"
#include "scratchpage/actors/page/page_config.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/persistence/store/kept_positions.hpp"

namespace scratchpage {

/// Brings a page's changes to its subscribers. A subscriber is a cursor in the log
/// and an interest, which it shares with all who want the same; a batch goes out as
/// a request, and the next one when it is answered (contract 5). Who has nothing to
/// hear costs nothing: it waits in its interest until a change comes that is wanted.
class delivery {
public:
  struct surroundings {
    scratch_page_actor::pointer self;
    const page_config* config;
    const event_log* log;
    observation_index* index;
    const agent_context* agent;
    tracer* trace;
    kept_positions* positions;
    std::function<void()> acknowledged; ///< called after each acknowledgement
    uint64_t epoch = 0;
    /// Where each epoch began: after that sequence.
    std::map<uint64_t, uint64_t> epochs = {};
  };

  explicit delivery(surroundings page)
    : page_{std::move(page)},
      interests_{page_.config->log_capacity} {}

  /// The sequence after which events will come; `overloaded` if too many
  /// subscribe or keep positions, or if their filters take too much, `invalid_request` for a filter
  /// beyond `filter_limits` and for a sequence that is yet to come.
  caf::expected<uint64_t> add(subscribe order);
  void remove(const caf::actor_addr& subscriber);
  /// Removes it for good: its position is forgotten.
  void cancel(const caf::actor_addr& subscriber);
  size_t size() const { return subscribers_.size(); }
  size_t in_turns() const; ///< how many of them take part in turns
  std::vector<subscriber_state> states() const;

  /// Notes who wants the change that was just appended to the log. Asked here,
  /// while the observation is at hand, and not when a batch is made up.
  void note(const page_event& event);

  /// Sends what they have not seen to those that something new has come for and that
  /// are not busy.
  void pump();

  /// Up to where all who take part in turns have acknowledged.
  uint64_t acknowledged() const;

private:
  /// How much of the current state a subscriber has been told, which has fallen behind.
  struct state_cursor {
    uint64_t next = 0;      ///< first number that is not acknowledged
    uint64_t batch_end = 0; ///< first number after the batch on its way
    uint64_t end = 0;       ///< what comes from here on comes through the log

    bool is_told() const { return next >= end; }
  };

  /// What a subscriber takes of what there is for those from outside.
  struct room {
    std::string payer;       ///< for whom it counts; "": it is not from outside
    size_t filter_bytes = 0; ///< of memory, about
  };

  struct subscriber {
    uint64_t id = 0; ///< by order of arrival
    subscriber_actor handle;
    std::string name;
    room takes;
    interest* wants = nullptr;
    bool part_of_turns = true;
    std::string keep_as;    ///< the name of its position
    uint64_t at_once = 0;   ///< events in one batch at most
    uint64_t next = 0;      ///< first sequence that is not acknowledged; the log's end while idle
    uint64_t batch_end = 0; ///< first sequence that is wanted after the batch on its way
    bool waits = false;     ///< nothing is wanted after that batch, so far; see `interest::waiting`
    bool busy = false;
    uint64_t batch = 0;   ///< number of the batch on its way
    timespan told_at{};   ///< for the first time, on the clock that nobody sets
    timespan answer_by{}; ///< when that counts as lost
    unsigned failures = 0;
    bool is_set_aside = false; ///< silent for so long that nobody waits for its answer
    uint64_t missed = 0;       ///< to be told as `lagged`, until acknowledged
    state_cursor state;
  };
  using table = std::map<uint64_t, subscriber>;

  static caf::error check_filters(const subscribe& order);
  caf::error check_position(const subscribe& order) const;
  void go_on_where_it_was(subscribe& order) const;
  void keep_position(const subscriber& x);
  uint64_t kept_of(const subscribe_from& from) const;
  bool look_back(interest& x, uint64_t from, bool for_outside) const;
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
  part_of_matches state_from(uint64_t number, const interest& x, size_t most) const;
  std::function<bool()> end_of_slice(size_t of) const;
  void expect_answer(subscriber& x);
  void look_on_later(subscriber& x);
  page_event lagged(const subscriber& x) const;
  caf::expected<room> make_room(const caller& by, size_t filter_bytes);
  caf::error check_share(const caller& by, const room& wanted);
  bool drop_one_set_aside(const std::function<bool(const subscriber&)>& is_meant);
  subscriber* waiting_for(uint64_t id, uint64_t batch);
  void on_acknowledged(uint64_t id, uint64_t batch);
  void on_failure(uint64_t id, uint64_t batch, const caf::error& err);
  void on_silence(uint64_t id, uint64_t batch);
  bool has_failed_for_good(subscriber& x, const caf::error& err);
  void tell_again(subscriber& x);
  void take_back(subscriber& x);
  void watch_deadlines(timespan first);
  void give_up_overdue();

  surroundings page_;
  interests interests_;
  table subscribers_;
  uint64_t last_id_ = 0;
  uint64_t last_batch_ = 0;
  bool watches_deadlines_ = false;
  std::vector<uint64_t> awake_;           // ids of those to be looked at by `pump`
  std::set<const subscriber*> unsettled_; // part of turns, and something is not acknowledged
};

} // namespace scratchpage
