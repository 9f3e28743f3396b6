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
#include "scratchpage/actors/scratchbook/scratchbook_rules.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/messages/text/tokens.hpp"
#include "scratchpage/messages/time.hpp"

namespace scratchpage {

/// The bytes of memory that a book takes, about. The actor of the book writes the number, and the
/// actor that opened the book reads it.
using book_bytes = std::shared_ptr<std::atomic<uint64_t>>;

/// What the SCRATCHBOOK of a thread is made of.
struct thread_scratchbook_setup {
  agent_context agent;
  uint32_t trace_number; ///< the number of its tracer, unique within the agent
  file_keeper_actor files;
  frontal_cortex_actor goals; ///< null: items cannot be linked to goals
  scratchbook_config config;
  token_counter count = estimate_tokens;
  book_bytes bytes = {}; ///< null: the size is not reported
};

/// The SCRATCHBOOK of one thread, which is one file. Changes that come while the file is written
/// are made together, in their order, and saved next. Each change is answered when it is durable,
/// and readers see durable changes only. After a large file was written, this actor pauses for as
/// long as the write took. A change that completes a linked item waits until the FRONTAL CORTEX has
/// completed the goal. Goals that were completed while the book was closed are found when the file
/// is read.
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
    std::string item_id; ///< "" for a change that adds an item
    change apply;
    caf::typed_response_promise<scratchbook_item> answer;
    bool concerns_goals; ///< it may concern a goal, and the Frontal Cortex was not asked yet
  };

  /// A change that was made and is being saved, or that was refused.
  struct made_change {
    outcome made;
    caf::typed_response_promise<scratchbook_item> answer;
  };

  /// An item before and after a change that was only tried.
  struct trial {
    std::optional<scratchbook_item> before; ///< empty for a new item
    scratchbook_item after;
  };

  caf::result<scratchbook_item> enqueue(
    const caller& by, std::string item_id, bool concerns_goals, change x);
  template <class T>
  caf::result<T> when_read(std::function<T()> read);
  bool is_ready() const { return book_ && !is_loading_; }
  void load();
  void on_loaded(const file_part& x);
  caf::error not_the_latest_version(const std::string& why) const;
  void begin_with(stored_scratchbook x, uint64_t bytes);
  void on_not_loaded(const caf::error& err);
  void answer_readers(const caf::error& err);

  void on_goal_changed(goal_changed x);
  void remember(goal_changed x);
  std::optional<trial> try_out(const waiting_change& x, const scratchbook& in) const;
  void ask_about(const trial& x);
  void trace_completed(const goal_changed& x, const std::vector<std::string>& items);

  void commit();
  void pause_if_large();
  void note_size(uint64_t stored);
  bool is_too_large(size_t bytes, size_t changes) const;
  void save(scratchbook next, std::vector<made_change> made, goals_by_id goals);
  void not_saved(std::vector<made_change>& made, const caf::error& why, const goals_by_id& goals);
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
  work_count work_;
  std::optional<scratchbook> book_; // as it is stored; empty before it was read
  book_bytes bytes_;
  uint64_t stored_bytes_ = 0;
  uint64_t revision_ = 0; // the last one that was written, or may have been written
  bool is_loading_ = false;
  bool is_busy_ = false;    // it saves, or waits for the Frontal Cortex
  bool is_pausing_ = false; // after it has saved a large file
  bool commits_after_pause_ = false;
  timespan begun_{}; // when the current commit began, on the steady clock
  std::deque<waiting_change> changes_;
  goals_by_id changed_goals_;                                   // not handled yet
  std::vector<std::function<void(const caf::error&)>> readers_; // they wait for the file
};

} // namespace scratchpage
