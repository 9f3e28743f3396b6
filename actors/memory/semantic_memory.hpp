#pragma once

#include <cstdint>
#include <deque>
#include <memory>

#include "scratchpage/actors/memory/recent_ids.hpp"
#include "scratchpage/actors/tracer.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/persistence/semantic_store.hpp"

namespace scratchpage {

struct semantic_memory_config {
  /// How long the page may take to answer a subscription, how long to wait
  /// before asking again, and how often to ask at all.
  timespan subscribe_deadline = std::chrono::seconds{5};
  timespan subscribe_pause = std::chrono::seconds{1};
  uint32_t subscribe_attempts = 5;
  /// Observations that are known to be learnt from: at least as many as a page
  /// holds, since after a lag it tells all of them again.
  uint64_t remembered_observations = 20'000;
  /// Lessons that wait for a store that could not take them; beyond it the
  /// oldest is given up, which the trace tells.
  uint64_t max_waiting = 1'000;

  static constexpr auto fields(auto all) {
    using self = semantic_memory_config;
    return all(optional("subscribe_deadline", &self::subscribe_deadline),
      optional("subscribe_pause", &self::subscribe_pause),
      optional("subscribe_attempts", &self::subscribe_attempts),
      optional("remembered_observations", &self::remembered_observations),
      optional("max_waiting", &self::max_waiting));
  }
};

/// The SEMANTIC MEMORY of one agent: what is known (contract 9). It subscribes
/// itself to the page's `learning` observations, from the first one that the
/// page still knows, and learns from each once, when it is added; a later change
/// of one teaches nothing new. A batch is answered when what it teaches is
/// stored; what the store could not take is offered to it again with the next.
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
  };

  void subscribe_to_page(uint32_t attempts_left);
  void take_in(const event_batch& batch);
  void take_in(const page_event& event);
  void learn(waiting_lesson what);
  caf::result<fact_list> query(const query_facts& request);
  caf::result<void> purge(const purge_observations& request);

  handle::pointer self_;
  std::shared_ptr<const scratchpage::clock> clock_;
  std::shared_ptr<semantic_store> store_;
  scratch_page_actor page_;
  semantic_memory_config config_;
  tracer trace_;
  recent_ids learnt_;
  std::deque<waiting_lesson> waiting_;
};

} // namespace scratchpage
