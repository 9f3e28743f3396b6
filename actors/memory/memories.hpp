#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "scratchpage/actors/base/tracer.hpp"
#include "scratchpage/actors/page/index/index_config.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/messages/shared_settings.hpp"

namespace scratchpage {

/// The actors that MEMORIES asks. A part that is not set has nothing.
struct memories_sources {
  scratch_page_actor page;
  frontal_cortex_actor goals;
  semantic_memory_actor facts;
  episodic_memory_actor episodes;
  housekeeping_actor housekeeping; ///< not set if nothing is stored
};

/// The MEMORIES of one agent: searches all of them with one ranking, and forgets (contract 14). It
/// asks for all parts at the same time. A part that fails or is late is traced, and the answer is
/// partial.
class memories_state {
public:
  using handle = memories_actor;
  static constexpr const char* name = "memories";

  memories_state(handle::pointer self, const agent_context& agent, memories_sources sources,
    shared_settings<text_config> text = {});

  handle::behavior_type make_behavior();

private:
  struct searching;
  using search_ptr = std::shared_ptr<searching>;
  struct forgetting;
  using forget_ptr = std::shared_ptr<forgetting>;

  caf::result<memory_hits> search(search_memory& request);
  caf::error check(const search_memory& request) const;
  template <class Answer, class Handle, class Request, class Take>
  void read(
    const search_ptr& job, const char* part, const Handle& from, Request request, Take take);
  void read_episodes(const search_ptr& job);
  void finish(searching& job);

  caf::result<forgotten> remove(forget& request);
  void remove_own(const forget_ptr& job);
  void remove_fact(const forget_ptr& job);
  void remove_turn(const forget_ptr& job);
  void remove_episode(const forget_ptr& job);
  void archive(const forget_ptr& job, size_t index);
  void purge(const forget_ptr& job);
  void purge_copies(const forget_ptr& job);
  template <class Handle>
  void purge_copy(const forget_ptr& job, const Handle& who, const purge_observations& what);
  void end(const forget_ptr& job, const caf::error& err = {});

  handle::pointer self_;
  std::shared_ptr<const scratchpage::clock> clock_;
  memories_sources sources_;
  shared_settings<text_config> text_;
  tracer trace_;
  work_count work_;
  uint32_t in_flight_ = 0;
  std::map<std::string, uint32_t> from_outside_; // searches, by principal; none of them is 0
};

} // namespace scratchpage
