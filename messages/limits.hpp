#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <caf/error.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/goal.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/query.hpp"
#include "scratchpage/messages/text/key_text.hpp"
#include "scratchpage/messages/turn.hpp"

namespace scratchpage {

/// The most results that one answer may hold (contract 3).
inline constexpr uint32_t max_query_limit = 1000;

/// No error if `limit` is from 1 to `max_query_limit`.
inline caf::error check_limit(uint32_t limit) {
  if (limit >= 1 && limit <= max_query_limit)
    return {};
  return fail(errc::invalid_request, "limit", "expected 1 to 1000, got " + std::to_string(limit));
}

/// Limits on a filter and a query from outside.
struct filter_limits {
  static constexpr size_t values = 100; ///< of `type`, `status`, `source`, `owner`, `tags` each
  static constexpr size_t context_paths = 64;   ///< in `context`
  static constexpr size_t text_bytes = 1'024;   ///< of each text in a filter, also of a path
  static constexpr size_t filters = 16;         ///< of one subscriber
  static constexpr size_t query_bytes = 16'384; ///< of the text of a query
  static constexpr size_t query_terms = 256;    ///< different words of a query that are searched
};

/// Limits on an answer.
struct answer_limits {
  /// About how much memory its observations take. `next_cursor` continues with the rest.
  static constexpr size_t bytes = size_t{16} << 20;
  static constexpr size_t conflict_ids = 1'000; ///< in all `conflicts`; beyond it, it is partial
};

/// No error if the filter keeps the limits; else `invalid_request` that names the member, after
/// `path` and a dot unless `path` is empty. If a member has too many values, none is examined.
caf::error check_filter(const observation_filter& x, std::string_view path);

/// As above, for the text of a query. `field` is its name in the error.
caf::error check_query_text(std::string_view text, std::string_view field);

/// Decides how many observations fit into one answer, by their bytes. The first one always fits, so
/// that a client that pages makes progress.
class answer_room {
public:
  explicit answer_room(uint64_t max_bytes)
    : most_{max_bytes} {}

  bool takes(const observation& x) {
    auto is_first = used_ == 0;
    used_ += memory_of(x);
    return is_first || used_ <= most_;
  }

private:
  uint64_t most_;
  uint64_t used_ = 0;
};

/// Limits on a goal and on the operations on goals.
struct goal_limits {
  static constexpr size_t id_bytes = 1'024; ///< of the id or the type of a goal or an action
  static constexpr size_t title_bytes = 1'024;
  static constexpr size_t description_bytes = 8'192; ///< of a goal, and of each of its actions
  static constexpr size_t actions = 256;
  static constexpr size_t context_bytes = size_t{64} * 1024; ///< of a new goal, as JSON
  static constexpr size_t observations = 1'000;              ///< that are linked to a goal
  static constexpr size_t evidence_bytes = 1'000; ///< of the content that a goal keeps of each
};

/// No error if the request keeps the limits; else `invalid_request` that names the member. The
/// limits bound the time of the check, whatever the size of the request.
caf::error check_limits(const create_goal& x);
caf::error check_limits(const update_goal& x);
caf::error check_limits(const get_goal& x);
caf::error check_limits(const list_goals& x);
caf::error check_limits(const complete_action& x);
caf::error check_limits(const refuse_action& x);

/// Limits on the id of a turn in a request. TURNS makes all ids of turns, and makes short ones,
/// such as turn_20251105_001, so a longer id names no turn.
struct turn_id_limits {
  static constexpr size_t bytes = 128;
};

/// No error if `x` may be the id of a turn; else `invalid_request` about `turn_id`.
inline caf::error check_turn_id(std::string_view x) {
  if (x.size() <= turn_id_limits::bytes && is_key_text(x))
    return {};
  return fail(errc::invalid_request, "turn_id",
    "expected a turn's id: a text of at most " + std::to_string(turn_id_limits::bytes) + " bytes");
}

/// Limits on the plan of a turn.
struct plan_limits {
  static constexpr size_t calls = 256;
  static constexpr size_t dependencies = 256; ///< of one call, in `depends_on` and `after` each
  static constexpr size_t id_bytes = 256;     ///< of the id of a call or a tool
  static constexpr size_t inputs_bytes = size_t{64} * 1024; ///< of one call, as JSON
  /// Of the whole plan as JSON, because the metadata of one observation has to hold it.
  static constexpr size_t plan_bytes = size_t{60} * 1024;
};

/// No error if the plan keeps the limits; else `invalid_request` that names the member. `path` is
/// the path of the plan. The limits bound the time of the check, whatever the size of the plan.
caf::error check_plan(const std::vector<planned_call>& plan, std::string_view path);

} // namespace scratchpage
