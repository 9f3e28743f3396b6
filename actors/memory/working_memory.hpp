#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "scratchpage/actors/base/tracer.hpp"
#include "scratchpage/actors/memory/context_assembler.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/messages/shared_settings.hpp"

namespace scratchpage {

struct working_memory_config {
  context_config context;
  /// How long each part may take. A part that is late is left empty.
  timespan part_deadline = std::chrono::milliseconds{250};
  /// How many of each are requested. In [1, 1000]. All goals are requested.
  uint32_t max_observations = 50;
  uint32_t max_facts = 50;
  uint32_t max_episodes = 20;
  /// Contexts that may be in progress. Further requests are refused as `overloaded`.
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

/// No error if `context` is valid, the numbers of entries are in [1, 1000], and nothing is 0.
caf::error validate(const working_memory_config& config);

/// The actors that a WORKING MEMORY asks. The part of a handle that is not set stays empty.
struct working_memory_sources {
  scratch_page_actor page;
  frontal_cortex_actor goals;
  semantic_memory_actor facts;
  episodic_memory_actor episodes;
};

/// The WORKING MEMORY of one agent (contract 9): it asks for all parts at the same time and makes
/// a context of those that come in time. A part that fails or is late is traced and left empty;
/// the request is answered all the same.
class working_memory {
public:
  using handle = working_memory_actor;
  static constexpr const char* name = "working_memory";

  /// An invalid `config` ends the actor with that error.
  working_memory(handle::pointer self, const agent_context& agent, working_memory_sources sources,
    working_memory_config config = {}, token_counter count = estimate_tokens,
    shared_settings<text_config> text = {});

  handle::behavior_type make_behavior();

private:
  /// One context in progress.
  struct assembly;
  using assembly_ptr = std::shared_ptr<assembly>;

  caf::result<assembled_context> assemble(assemble_context& request);
  caf::error check_room(const caller& by) const;
  void read_observations(const assembly_ptr& job);
  void read_what_waits(const assembly_ptr& job);
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
  std::map<std::string, uint32_t> from_outside_; // of these, by principal; none of them is 0
};

} // namespace scratchpage
