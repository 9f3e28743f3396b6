#pragma once

#include <cstdint>
#include <deque>
#include <memory>

#include "scratchpage/actors/base/outside_requests.hpp"
#include "scratchpage/actors/base/tracer.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/persistence/memories/semantic_store.hpp"

namespace scratchpage {

struct semantic_memory_config {
  /// How long the page may take to answer a subscription, how long to wait
  /// before asking again, and how often to ask at all.
  timespan subscribe_deadline = std::chrono::seconds{5};
  timespan subscribe_pause = std::chrono::seconds{1};
  uint32_t subscribe_attempts = 5;
  /// Lessons that wait for a store that could not take them; beyond it the
  /// oldest is given up, which the trace tells.
  uint64_t max_waiting = 1'000;

  static constexpr auto fields(auto all) {
    using self = semantic_memory_config;
    return all(optional("subscribe_deadline", &self::subscribe_deadline),
      optional("subscribe_pause", &self::subscribe_pause),
      optional("subscribe_attempts", &self::subscribe_attempts),
      optional("max_waiting", &self::max_waiting));
  }
};

/// The SEMANTIC MEMORY of one agent: what is known (contract 9). It subscribes
/// itself to the page's `learning` observations, from the first one that the
/// page still knows, and learns from each once, when it is added, also if it is
/// told again after a restart; a later change of one teaches nothing new. A batch
/// is answered when what it teaches is stored; what the store could not take is
/// offered to it again with the next, and what comes later waits behind it. Queries
/// from outside that wait come after all else.
class semantic_memory {
public:
  using handle = semantic_memory_actor;
  static constexpr const char* name = "semantic_memory";

  /// `store` is not null and belongs to this actor alone. Without a `page` it
  /// learns from what it is sent.
  semantic_memory(handle::pointer self, const agent_context& agent,
    std::shared_ptr<semantic_store> store, scratch_page_actor page,
    semantic_memory_config config = {});

  handle::behavior_type make_behavior();

private:
  /// A lesson and where it comes from.
  struct waiting_lesson {
    fact_lesson lesson;
    timestamp at;
    caller by;
    std::string observation_id;
    uint64_t number; ///< the observation's
  };

  void subscribe_to_page(uint32_t attempts_left);
  void take_in(const event_batch& batch);
  void take_in(const page_event& event);
  void learn_what_waits();
  caf::error learn(const waiting_lesson& what);
  void give_up_what_is_too_much(const caf::error& err);
  caf::expected<fact_list> query(const query_facts& request);
  caf::result<void> purge(const purge_observations& request);

  handle::pointer self_;
  std::shared_ptr<const scratchpage::clock> clock_;
  std::shared_ptr<semantic_store> store_;
  scratch_page_actor page_;
  semantic_memory_config config_;
  tracer trace_;
  uint64_t last_lesson_;               // that was taken in, learnt or waiting
  std::deque<waiting_lesson> waiting_; // in their order
  outside_requests<handle::pointer> outside_;
};

} // namespace scratchpage
