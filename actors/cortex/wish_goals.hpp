#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scratchpage/actors/cortex/goal_book.hpp"
#include "scratchpage/messages/goal.hpp"
#include "scratchpage/messages/time.hpp"

namespace scratchpage {

struct wish_limits {
  static constexpr size_t threads = 1'000;        ///< whose last response is remembered
  static constexpr size_t response_bytes = 2'000; ///< of it that are remembered
  static constexpr size_t wishes = 4;             ///< of one input that become goals
};

/// The type of a goal that comes from a wish of a user.
inline constexpr std::string_view wish_goal = "wish";

/// Goals from what users want (contract 14). When a turn ends, its input, its calls and its
/// response open, change, block, complete or drop goals of that user in that thread. One wish is
/// one goal, whoever repeats it.
class wish_goals {
public:
  /// @pre `goals` and `time` outlive it
  wish_goals(goal_book& goals, const clock& time, double stale_days);

  /// Returns the ids of the goals that it made or changed.
  std::vector<std::string> settle(const settle_goals& request);

  /// The last responses, for a rest.
  struct last_words {
    std::map<std::string, std::string> responses; // by thread and user
    std::list<std::string> threads;               // the longest silent first

    uint64_t bytes() const; ///< of memory, about
  };

  last_words take_last_words() { return std::exchange(last_, {}); }
  void restore(last_words x) { last_ = std::move(x); }

  /// The goals that the last `settle` has made.
  std::vector<std::string> take_begun() { return std::exchange(begun_, {}); }

private:
  struct story;

  std::optional<story> read(const settle_goals& request);
  void take_words(const story& x);
  void drop(const story& x, const goal& latest);
  void open(const story& x);
  void move_on(const story& x);
  void end_told(const story& x, const goal& meant, const std::string& tool_id);
  void end_stale(const story& x);
  const goal* current(const story& x) const;
  std::vector<goal> open_ones(const story& x) const;
  const goal* same_wish(const story& x, const std::string& topic) const;
  const goal* vague_wish(const story& x) const;
  bool is_named_goal(const story& x, const std::string& title) const;
  const goal* meant_by_call(const story& x, const std::string& tool_id) const;
  void change(const story& x, const goal& from, std::string_view operation, goal_status status,
    std::string note = {});
  void remember(const std::string& thread, std::string_view response);
  std::string last_response(const std::string& thread) const;

  goal_book& goals_;
  const clock& time_;
  timespan stale_after_;
  std::vector<std::string> moved_;
  std::vector<std::string> begun_;
  last_words last_;
};

} // namespace scratchpage
