#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <caf/actor_addr.hpp>
#include <caf/expected.hpp>

#include "scratchpage/actors/page/event_log.hpp"
#include "scratchpage/actors/page/observation_index.hpp"
#include "scratchpage/actors/page/page_config.hpp"
#include "scratchpage/actors/page/sequence_marks.hpp"
#include "scratchpage/actors/tracer.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/persistence/kept_positions.hpp"

namespace scratchpage {

/// Brings a page's changes to its subscribers. A subscriber is a filter, a
/// cursor in the log and a bit for each change there; a batch goes out as a
/// request, and the next one when it is answered (contract 5).
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
    : page_{std::move(page)} {}

  /// The sequence after which events will come; `overloaded` if too many
  /// subscribe or keep positions, `invalid_request` for a sequence that is yet to
  /// come.
  caf::expected<uint64_t> add(subscribe order);
  void remove(const caf::actor_addr& subscriber);
  /// Removes it for good: its position is forgotten.
  void cancel(const caf::actor_addr& subscriber);
  size_t size() const { return subscribers_.size(); }

  /// Notes who wants the change that was just appended to the log. Asked here,
  /// while the observation is at hand, and not when a batch is made up.
  void note(const page_event& event);

  /// Sends every subscriber that is not busy what it has not seen.
  void pump();

  /// Up to where all who take part in turns have acknowledged.
  uint64_t acknowledged() const;

private:
  struct subscriber {
    subscriber_actor handle;
    std::string name;
    observation_filter filter;
    observation_filter filter_for_ends; ///< without status: ends are told whatever it was
    sequence_marks wanted;              ///< of what is in the log
    bool part_of_turns = true;
    std::string keep_as;    ///< the name of its position
    uint64_t next = 0;      ///< first sequence that is not acknowledged
    uint64_t batch_end = 0; ///< first sequence after the batch on its way
    bool busy = false;
    unsigned failures = 0;
    uint64_t missed = 0;          ///< to be told as `lagged`, until acknowledged
    std::vector<uint64_t> resync; ///< numbers of the current state still to be told, newest first
    std::vector<uint64_t> told;   ///< those on their way, oldest first
  };

  caf::error check_position(const subscribe& order) const;
  void go_on_where_it_was(subscribe& order) const;
  void keep_position(const subscriber& x);
  uint64_t kept_of(const subscribe_from& from) const;
  void pump(uint64_t id, subscriber& x);
  event_list next_events(subscriber& x);
  event_list from_log(subscriber& x) const;
  void fill_from_state(subscriber& x, std::vector<page_event>& events) const;
  void fall_behind(subscriber& x);
  page_event lagged(const subscriber& x) const;
  bool concerns(const subscriber& x, const page_event& event) const;
  void on_acknowledged(uint64_t id);
  void on_failure(uint64_t id, const caf::error& err);

  surroundings page_;
  std::map<uint64_t, subscriber> subscribers_; // by order of arrival
  uint64_t last_id_ = 0;
};

} // namespace scratchpage
