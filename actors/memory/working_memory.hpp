#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "scratchpage/actors/base/tracer.hpp"
#include "scratchpage/actors/memory/context_assembler.hpp"
#include "scratchpage/messages/handles.hpp"

namespace scratchpage {

struct working_memory_config {
  context_config context;
  /// How long each part may take; one that is late is left empty.
  timespan part_deadline = std::chrono::milliseconds{250};
  /// How many of each are asked for, 1 to 1000; goals come all.
  uint32_t max_observations = 50;
  uint32_t max_facts = 50;
  uint32_t max_episodes = 20;
  /// Contexts that may be in the making; more are refused as `overloaded`.
  uint32_t max_in_flight = 64;
  uint32_t max_in_flight_per_source = 16; ///< of one principal from outside

  static constexpr auto fields(auto all) {
    using self = working_memory_config;
    return all(optional("context", &self::context), optional("part_deadline", &self::part_deadline),
      optional("max_observations", &self::max_observations),
      optional("max_facts", &self::max_facts), optional("max_episodes", &self::max_episodes),
      optional("max_in_flight", &self::max_in_flight),
      optional("max_in_flight_per_source", &self::max_in_flight_per_source));
  }
};

/// No error if the shares are sound and limits and deadline are not 0.
caf::error validate(const working_memory_config& config);

/// Whom a WORKING MEMORY asks. A handle that is not set leaves its part empty.
struct working_memory_sources {
  scratch_page_actor page;
  frontal_cortex_actor goals;
  semantic_memory_actor facts;
  episodic_memory_actor episodes;
};

/// The WORKING MEMORY of one agent (contract 9): asks for all parts at once and
/// puts together what came in time. A part that fails or is late is left empty
/// and traced; the answer still comes.
class working_memory {
public:
  using handle = working_memory_actor;
  static constexpr const char* name = "working_memory";

  /// An invalid `config` ends the actor with that error.
  working_memory(handle::pointer self, const agent_context& agent, working_memory_sources sources,
    working_memory_config config = {}, token_counter count = estimate_tokens);

  handle::behavior_type make_behavior();

private:
  /// One context in the making.
  struct assembly;
  using assembly_ptr = std::shared_ptr<assembly>;

  caf::result<assembled_context> assemble(assemble_context& request);
  caf::error check_room(const caller& by) const;
  void read_observations(const assembly_ptr& job);
  void read_goals(const assembly_ptr& job);
  void read_facts(const assembly_ptr& job);
  void read_episodes(const assembly_ptr& job);
  void part_is_in(const assembly_ptr& job);
  void part_failed(const assembly_ptr& job, const char* part, const caf::error& err);
  void finish(assembly& job);

  handle::pointer self_;
  std::shared_ptr<const scratchpage::clock> clock_;
  working_memory_sources sources_;
  working_memory_config config_;
  context_assembler assembler_;
  tracer trace_;
  uint32_t in_flight_ = 0;
  std::map<std::string, uint32_t> of_outsiders_; // of those, by principal; none of them 0
};

} // namespace scratchpage
