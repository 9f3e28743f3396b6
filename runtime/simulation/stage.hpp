#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/expected.hpp>

#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/conversation.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/event.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/runtime/execution/virtual_time.hpp"
#include "scratchpage/runtime/host/ensemble.hpp"
#include "scratchpage/runtime/simulation/player.hpp"

namespace scratchpage {

/// An actor system on virtual time or on the wall clock, in which a conversation is played. A
/// player asks its actors and lets its time pass.
class stage {
public:
  /// `start` is the beginning of virtual time.
  stage(const play_options& options, timestamp start);

  caf::actor_system& system() { return system_; }
  std::shared_ptr<const scratchpage::clock> clock() const { return clock_; }

  /// An answer that may not have come yet.
  template <class T>
  struct pending {
    std::optional<caf::expected<T>> value;
  };

  /// Asks an actor. The answer comes during a later wait.
  template <class T, class Handle, class Request>
  std::shared_ptr<pending<T>> start(const Handle& whom, Request request) {
    auto answer = std::make_shared<pending<T>>();
    system_.spawn([this, answer, whom, request = std::move(request)](caf::event_based_actor* self) {
      ask(self, whom, caf::infinite, request)
        .then([this, answer](T& x) { arrive([&] { answer->value.emplace(std::move(x)); }); },
          [this, answer](const caf::error& err) { arrive([&] { answer->value.emplace(err); }); });
    });
    return answer;
  }

  /// Asks an actor and waits for the answer.
  template <class T, class Handle, class Request>
  caf::expected<T> request(const Handle& whom, Request request) {
    auto answer = start<T>(whom, std::move(request));
    if (auto err = wait_until([&] { return answer->value.has_value(); }))
      return err;
    return std::move(*answer->value);
  }

  /// Lets time pass until `done` returns true; it is called on this thread only. Errors: `internal`
  /// if nothing is left to happen in virtual time, `deadline_exceeded` after an hour of wall time.
  caf::error wait_until(const std::function<bool()>& done);

  /// Lets that much time pass, with everything that is due in it.
  void pass(timespan duration);

  /// Runs actors until all of them wait for time to pass.
  void settle();

private:
  static caf::actor_system_config& prepare(caf::actor_system_config& cfg, bool virtual_time);
  void arrive(const std::function<void()>& note);

  caf::actor_system_config cfg_;
  caf::actor_system system_;
  std::optional<virtual_time_driver> driver_; // absent: the wall clock
  std::shared_ptr<const scratchpage::clock> clock_;
  std::mutex mutex_; // on the wall clock, actors have other threads
  std::condition_variable arrived_;
};

/// Plays a recorded conversation as a model with a window would see it. Passes each message to the
/// CONVERSATIONS, and makes the model's prompt before each message of the assistant.
class window_play {
public:
  window_play(stage& on, const ensemble& team, uint32_t window, std::string thread_id);

  /// Passes the messages in order. Returns the events of the model, or an error of the actors.
  caf::expected<std::vector<model_moment>> tell(const std::vector<chat_message>& messages);

  /// What the scratchbook shows now.
  caf::expected<std::string> view();

  /// The figures so far: prompts and those over the window, compactions and what they moved, and
  /// forgotten items. An item is forgotten if it was open or pinned before a compaction and is
  /// neither in the next prompt nor in a `scratch_read`.
  const run_summary& counters() const { return counters_; }

  /// How many todos the scratchbook has now, and how many of them are open. None if it cannot be
  /// read.
  std::pair<uint64_t, uint64_t> todos();

private:
  caf::error tell_one(const chat_message& x, std::vector<model_moment>& moments);
  caf::error note_prompt(std::vector<model_moment>& moments);
  model_moment note(const conversation_stats& next);
  caf::expected<model_prompt> next_prompt(uint64_t& tokens);
  caf::expected<scratchbook> book();
  caf::error look_for(const scratchbook& before, const std::string& prompt);
  caf::expected<std::string> whole_view();

  stage& stage_;
  const ensemble& team_;
  uint32_t window_;
  std::string thread_id_;
  conversation_stats last_;
  run_summary counters_;
};

/// Records all changes of one page: the last form of every observation, and how often each kind of
/// change happened. Shared by the subscriber and the reader; thread-safe.
class page_recorder {
public:
  void see(const page_event& event);

  struct account {
    std::vector<observation_ptr> observations; ///< in the order in which they were added
    std::map<event_kind, uint64_t> changes;
    std::map<std::string, uint64_t> added_by_type;
    uint64_t seen = 0; ///< all changes; less than the page's sequence if one was lost
    uint64_t last_sequence = 0;
  };
  account read() const;

private:
  mutable std::mutex mutex_;
  account account_;
  std::map<std::string, size_t> index_; // of observations in the account, by id
};

/// Starts an actor that subscribes a recorder to a page from its first change on. It takes no part
/// in turns.
caf::actor spawn_page_recorder(
  caf::actor_system& system, scratch_page_actor page, std::shared_ptr<page_recorder> whose);

} // namespace scratchpage
