#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <caf/typed_response_promise.hpp>

#include "scratchpage/actors/base/tracer.hpp"
#include "scratchpage/actors/scratchbook/linked_goals.hpp"
#include "scratchpage/actors/scratchbook/scratchbook_config.hpp"
#include "scratchpage/actors/scratchbook/scratchbook_rules.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/messages/text/token_estimate.hpp"
#include "scratchpage/messages/time.hpp"

namespace scratchpage {

/// About what a book takes in memory. Its actor writes it, and whoever opened the book reads it.
using book_bytes = std::shared_ptr<std::atomic<uint64_t>>;

/// What the SCRATCHBOOK of a thread is made of.
struct thread_scratchbook_setup {
  agent_context agent;
  uint32_t trace_number; ///< tells it apart from the agent's others
  file_keeper_actor files;
  frontal_cortex_actor goals; ///< null: nothing is linked to goals
  scratchbook_config config;
  token_counter count = estimate_tokens;
  book_bytes bytes = {}; ///< null: nobody wants to know
};

/// The SCRATCHBOOK of one thread, which is one file. Changes that come while the
/// file is written are made together, in their order, and written next; each is
/// answered when it is durable. A large file rests after it was written, as long as
/// that took. Readers see what is durable. A change that completes
/// what is linked to a goal waits for the FRONTAL CORTEX, which has the goal
/// completed first; what was completed there while nobody looked is found when the
/// file is read.
class thread_scratchbook_state {
public:
  using handle = scratchbook_actor;
  static constexpr const char* name = "thread_scratchbook";

  thread_scratchbook_state(
    handle::pointer self, std::string thread_id, thread_scratchbook_setup setup);

  handle::behavior_type make_behavior();

private:
  using change = std::function<caf::expected<scratchbook_item>(scratchbook&)>;
  using outcome = caf::expected<scratchbook_item>;
  using goals_by_id = std::map<std::string, goal_changed>;

  struct waiting_change {
    caller by;
    std::string item_id; ///< "" if it adds one
    change apply;
    caf::typed_response_promise<scratchbook_item> answer;
    bool concerns_goals; ///< it may, and the Frontal Cortex was not asked yet
  };

  /// A change that was made and is being written, or was refused.
  struct made_change {
    outcome made;
    caf::typed_response_promise<scratchbook_item> answer;
  };

  /// What a change would make of an item.
  struct trial {
    std::optional<scratchbook_item> before; ///< none if it is a new one
    scratchbook_item after;
  };

  caf::result<scratchbook_item> enqueue(
    const caller& by, std::string item_id, bool concerns_goals, change x);
  template <class T>
  caf::result<T> when_read(std::function<T()> read);
  bool is_ready() const { return book_ && !is_loading_; }
  void load();
  void on_loaded(const file_part& x);
  caf::error not_what_was_acknowledged(const std::string& why) const;
  void begin_with(stored_scratchbook x, uint64_t bytes);
  void on_not_loaded(const caf::error& err);
  void answer_readers(const caf::error& err);

  void hear(goal_changed x);
  void keep_in_mind(goal_changed x);
  std::optional<trial> try_out(const waiting_change& x, const scratchbook& in) const;
  void ask_about(const trial& x);
  void trace_completed(const goal_changed& x, const std::vector<std::string>& items);

  void commit();
  void rest();
  void note_size(uint64_t stored);
  bool is_too_much(size_t bytes, size_t changes) const;
  void save(scratchbook next, std::vector<made_change> made, goals_by_id heard);
  void not_saved(std::vector<made_change>& made, const caf::error& why, const goals_by_id& heard);
  int64_t now_ns() const;

  handle::pointer self_;
  std::string thread_id_;
  std::string path_;
  file_keeper_actor files_;
  std::shared_ptr<const scratchpage::clock> clock_;
  scratchbook_config config_;
  token_counter count_;
  linked_goals goals_;
  tracer trace_;
  std::optional<scratchbook> book_; // as it is stored; none before it was read
  book_bytes bytes_;
  uint64_t stored_bytes_ = 0;
  uint64_t revision_ = 0; // of what was written last, or may have been
  bool is_loading_ = false;
  bool is_busy_ = false;    // it writes, or waits for the Frontal Cortex
  bool is_resting_ = false; // it does neither for a while, as it has written much
  bool is_wanted_ = false;  // after that rest
  timespan begun_{};        // when it began with the changes that it makes, on the steady clock
  std::deque<waiting_change> changes_;
  goals_by_id heard_;                                           // and not looked at yet
  std::vector<std::function<void(const caf::error&)>> readers_; // until it is read
};

} // namespace scratchpage
