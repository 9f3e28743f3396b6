#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include <caf/typed_response_promise.hpp>

#include "scratchpage/actors/base/outside_requests.hpp"
#include "scratchpage/actors/base/tracer.hpp"
#include "scratchpage/actors/scratchbook/scratchbook_rules.hpp"
#include "scratchpage/actors/scratchbook/thread_scratchbook.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/messages/text/tokens.hpp"
#include "scratchpage/persistence/privacy/pii_masker.hpp"

namespace scratchpage {

/// The actors that the SCRATCHBOOKS ask, and the masker that they use.
struct scratchbook_parts {
  file_keeper_actor files;
  frontal_cortex_actor goals = {}; ///< null: items cannot be linked to goals
  /// Masks personal data in items; null: nothing is masked.
  std::shared_ptr<const pii_masker> masker = {};
};

/// The SCRATCHBOOKS of one agent (contract 11). This actor has an actor for each thread, which it
/// spawns at the first request for the thread. It ends actors that nobody waits for when there are
/// too many, or when their books take too much memory. If there is no room for another book,
/// requests wait, and the principals that wait are served one after another. All requests are
/// traced.
class scratchbooks_state {
public:
  using handle = scratchbook_actor;
  static constexpr const char* name = "scratchbooks";

  /// An invalid `config` ends the actor with that error.
  scratchbooks_state(handle::pointer self, const agent_context& agent, scratchbook_parts parts,
    scratchbook_config config = {}, token_counter count = estimate_tokens);
  ~scratchbooks_state();

  handle::behavior_type make_behavior();

private:
  struct open_thread {
    scratchbook_actor actor;
    book_bytes bytes; ///< those of a full book, until the file is read
    uint64_t in_flight = 0;
    uint64_t last_use = 0; ///< higher for a later use
    uint32_t number = 0;   ///< of its tracer
  };

  /// The numbers of the tracers, which go on after a rest.
  struct kept_numbers {
    uint32_t opened = 0;
    std::map<std::string, uint32_t, std::less<>> of_threads;
  };

  template <class Answer, class Request>
  caf::result<Answer> forward(std::string_view operation, Request& x);
  template <class Answer, class Request>
  void pass(std::string_view operation, Request& x, caf::typed_response_promise<Answer> answer);
  void on_passed(const std::string& thread_id);
  void watch_goal_changes();
  uint32_t number_for(const std::string& thread_id);
  thread_scratchbook_setup setup_of_thread(uint32_t number) const;
  open_thread& thread_of(const std::string& id);
  uint64_t bytes_of_full() const;
  uint64_t bytes_open() const;
  bool make_room();
  bool close_one();
  void trace(std::string_view operation, const caller& by, const std::string& thread_id,
    const caf::error& err);

  handle::pointer self_;
  agent_context agent_;
  scratchbook_parts parts_;
  scratchbook_config config_;
  token_counter count_;
  tracer trace_;
  std::map<std::string, open_thread, std::less<>> threads_;
  fair_queue waiting_; ///< requests that wait for room
  uint64_t uses_ = 0;
  kept_numbers numbers_; ///< of the threads that were open before the rest
};

} // namespace scratchpage
