#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "scratchpage/actors/base/tracer.hpp"
#include "scratchpage/actors/storage/housekeeping_config.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/persistence/privacy/privacy_config.hpp"
#include "scratchpage/persistence/privacy/retention.hpp"
#include "scratchpage/persistence/store/store.hpp"

namespace scratchpage {

/// What a housekeeping looks after, and who holds copies of it.
struct housekeeping_setup {
  housekeeping_config config;
  privacy_config privacy;
  std::shared_ptr<scratchpage::store> store; ///< not null
  ownership owner;
  journal_actor journal;
  scratch_page_actor page;
  frontal_cortex_actor cortex;
  episodic_memory_actor episodes;
  semantic_memory_actor facts;
};

/// The HOUSEKEEPING of one agent's stored history: compresses what left the page
/// some time ago, purges what held personal data after its retention, forgets the
/// changes before the horizon. Once at the start and then in intervals, in small
/// steps between which others write. What goes wrong is traced and tried again in
/// the next round. Blocks its thread: spawn it detached.
class housekeeping_state {
public:
  using handle = housekeeping_actor;
  static constexpr const char* name = "housekeeping";

  housekeeping_state(handle::pointer self, const agent_context& agent, housekeeping_setup setup);

  handle::behavior_type make_behavior();

private:
  enum class stage : uint8_t { pack, retain, forget, rest };

  void step();
  void pack();
  void retain();
  void forget();
  void rest();
  void fold_up(uint64_t until, uint64_t before, std::function<void()> then);
  void tell_everybody();
  template <class Handle>
  void tell_one(const Handle& who, const std::shared_ptr<uint64_t>& missing);
  void go_on(stage next);
  void give_up(std::string_view operation, const caf::error& err);
  timestamp days_ago(double days) const;
  void trace(std::string_view operation, json::object detail);

  handle::pointer self_;
  std::shared_ptr<const scratchpage::clock> clock_;
  housekeeping_setup setup_;
  tracer trace_;
  stage stage_ = stage::pack;
  std::unique_ptr<retention> retention_; // of this round
  uint64_t packed_ = 0;                  // in this round
  bool has_folded_ = false;              // likewise
  bool has_forgotten_ = false;           // likewise
};

} // namespace scratchpage
