#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string_view>

#include <caf/expected.hpp>

#include "scratchpage/actors/base/outside_requests.hpp"
#include "scratchpage/actors/base/tracer.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/persistence/memories/episodic_store.hpp"
#include "scratchpage/persistence/memories/semantic_store.hpp"
#include "scratchpage/persistence/privacy/pii_masker.hpp"

namespace scratchpage {

/// How long requests from outside wait for an EPISODIC MEMORY.
struct episodic_timeouts {
  timespan list = from_milliseconds(query_limits::waiting_ms); ///< for a list of turns
  timespan query = list;                                       ///< for whole episodes
};

/// The EPISODIC MEMORY of one agent: what happened, turn by turn (contract 9). It answers a
/// `record_episode` when the episode is stored. Episodes to be recorded, and requests of the
/// ensemble, come before requests from outside that wait.
class episodic_memory {
public:
  using handle = episodic_memory_actor;
  static constexpr const char* name = "episodic_memory";

  /// `store` is not null and is used by this actor alone.
  episodic_memory(handle::pointer self, const agent_context& agent,
    std::shared_ptr<episodic_store> store, episodic_timeouts timeouts = {});

  handle::behavior_type make_behavior();

private:
  caf::result<void> record(record_episode& request);
  caf::result<void> keep(const keep_turn& request);
  caf::result<void> drop(const drop_turn& request);
  caf::result<kept_turn_list> list_kept(const list_kept_turns& request);
  caf::expected<episode_list> query(const query_episodes& request);
  caf::expected<turn_list> list(const list_turns& request);
  caf::result<void> remove(const forget& request);
  void purge(const purge_observations& request);

  std::shared_ptr<episodic_store> store_;
  tracer trace_;
  episodic_timeouts timeouts_;
  outside_requests<handle::pointer> outside_;
};

/// Returns the lesson of a `learning` observation: its `metadata.fact`. If the lesson has no
/// statement, tags or ids, those are the observation's content, tags and id. Error:
/// `invalid_request`, which names the member, for a malformed fact: nothing is learnt from it,
/// because its outcome is not known.
caf::expected<fact_lesson> fact_lesson_of(const observation& x);

struct semantic_memory_config {
  /// How long the page may take to answer a subscription, how long to wait before the next attempt,
  /// and the number of attempts.
  timespan subscribe_deadline = std::chrono::seconds{5};
  timespan subscribe_pause = std::chrono::seconds{1};
  uint32_t subscribe_attempts = 5;
  /// Lessons that wait because the store could not take them. If there are more, the oldest is
  /// given up and traced.
  uint64_t max_waiting = 1'000;

  static constexpr auto fields(auto all) {
    using self = semantic_memory_config;
    return all(optional("subscribe_deadline", &self::subscribe_deadline),
      optional("subscribe_pause", &self::subscribe_pause),
      optional("subscribe_attempts", &self::subscribe_attempts),
      optional("max_waiting", &self::max_waiting));
  }
};

/// The SEMANTIC MEMORY of one agent: the facts that it knows (contract 9). It subscribes to the
/// page's `learning` observations, from the first one that the page still has. It learns from each
/// of them once, when it is added, even if the event is delivered again after a restart; later
/// changes of the observation teach nothing. A batch is answered when its lessons are stored.
/// Lessons that the store could not take are offered again with the next batch, and later lessons
/// wait behind them. Queries from outside wait until nothing else is to be done.
class semantic_memory {
public:
  using handle = semantic_memory_actor;
  static constexpr const char* name = "semantic_memory";

  /// `store` is not null and is used by this actor alone. Without a `page` the memory does not
  /// subscribe: it learns from the batches that it is sent. `masker` masks what callers state;
  /// null: nothing is masked.
  semantic_memory(handle::pointer self, const agent_context& agent,
    std::shared_ptr<semantic_store> store, scratch_page_actor page,
    semantic_memory_config config = {}, std::shared_ptr<const pii_masker> masker = nullptr);
  semantic_memory(const semantic_memory&) = delete;
  semantic_memory& operator=(const semantic_memory&) = delete;
  ~semantic_memory();

  handle::behavior_type make_behavior();

private:
  /// What is kept during a rest.
  struct kept_numbers {
    uint64_t last_lesson; ///< that was taken in
    uint64_t last_fact;
  };

  /// A lesson, and the observation that it comes from.
  struct waiting_lesson {
    fact_lesson lesson;
    timestamp at;
    caller by;
    std::string observation_id;
    uint64_t number; ///< of the observation
  };

  void subscribe_to_page(uint32_t attempts_left);
  void take_in(const event_batch& batch);
  void take_in(const page_event& event);
  void learn_waiting();
  caf::error learn(const waiting_lesson& what);
  void drop_excess(const caf::error& err);
  caf::expected<fact_list> query(const query_facts& request);
  caf::result<fact> add(add_fact& request);
  caf::result<fact> update(update_fact& request);
  caf::result<void> remove(const forget& request);
  caf::result<fact> tell_change(
    std::string_view operation, const caller& by, const caf::expected<fact>& changed);
  caf::result<void> purge(const purge_observations& request);

  handle::pointer self_;
  std::shared_ptr<keepsakes> kept_; ///< null if the agent never rests
  std::shared_ptr<const scratchpage::clock> clock_;
  std::shared_ptr<semantic_store> store_;
  scratch_page_actor page_;
  semantic_memory_config config_;
  std::shared_ptr<const pii_masker> masker_;
  tracer trace_;
  uint64_t last_lesson_;               // number of the last one that was taken in
  std::deque<waiting_lesson> waiting_; // the oldest first
  work_flag waits_;                    // while lessons wait
  work_flag doubts_;                   // while the store is in doubt
  std::optional<uint64_t> woken_at_;   // the page's last change before it was woken
  outside_requests<handle::pointer> outside_;
};

} // namespace scratchpage
