#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scratchpage/actors/policies/json_path.hpp"
#include "scratchpage/tests/support/team.hpp"
#include "scratchpage/tests/support/tools.hpp"

namespace scratchpage::test {

/// What the tools were asked; a base, so that it outlives them.
struct asked_tools {
  std::vector<tool_request> asked;
};

/// An ensemble whose tools report observations, and short ways to look at what
/// became of them.
struct tool_team : asked_tools, team {
  /// A tool whose n-th call reports the n-th of these JSON lists.
  void add_reporter(std::string tool_id, const std::vector<std::string>& reports);

  /// A tool that notes what it is asked and answers with what `answer` makes of it.
  void add_function(
    std::string tool_id, tool_function answer = [](const auto&) { return tool_response{}; }) {
    setup.tools.push_back(function(std::move(tool_id), [this, answer](const tool_request& x) {
      asked.push_back(x);

      return answer(x);
    }));
  }

  /// A turn with one call of a tool.
  turn_result use(std::string tool_id);

  /// What a tool reported and the page serves, in the order in which it was stored.
  std::vector<observation_ptr> noticed_by(std::string tool_id);

  /// The only observation that a tool reported.
  observation_ptr noticed_once_by(std::string tool_id);

  query_result tagged(std::vector<std::string> tags);
  observation_ptr get(const std::string& observation_id);
  std::vector<observation_ptr> archive();
  void advance_to(timestamp at);
  std::vector<trace_entry> entries(std::string_view operation, std::string_view status = {}) const;

  /// The page's entries of one kind about one observation.
  std::vector<trace_entry> entries_about(
    const observation_ptr& x, std::string_view operation = "add_observation") const;

  trace_entry entry_about(
    const observation_ptr& x, std::string_view operation = "add_observation") const;

  /// How many entries of one kind tell of an error that begins with `field`.
  size_t refused(std::string_view operation, errc code, std::string_view field) const;

  static json::array list(std::string_view text);
};

/// A call of a tool that first wants to know something from the page.
planned_call asking(
  std::string tool_id, std::vector<std::string> tags, std::vector<std::string> depends_on = {});

std::vector<std::string> ids_of(const std::vector<observation_ptr>& xs);

std::vector<std::string> contents_of(const std::vector<observation_ptr>& xs);

bool are_unique(std::vector<std::string> ids);

/// Why a request failed; `none` if it did not.
template <class T>
std::string failure_of(const caf::expected<T>& x) {
  return to_string(x ? errc::none : code_of(x.error()));
}

/// A list of texts, for BOOST_TEST with `per_element`.
using texts = std::vector<std::string>;

} // namespace scratchpage::test
