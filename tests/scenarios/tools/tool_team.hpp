#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/tests/support/team.hpp"
#include "scratchpage/tests/support/tools.hpp"

namespace scratchpage::test {

/// The requests that the tools received. A base class, so that it outlives the tools.
struct asked_tools {
  std::vector<tool_request> asked;
};

/// An ensemble whose tools report observations, with helpers that look them up.
struct tool_team : asked_tools, team {
  /// Adds a tool whose n-th call reports the observations of the n-th JSON list.
  void add_reporter(std::string tool_id, const std::vector<std::string>& reports);

  /// Adds a tool that appends each request to `asked`, and answers with the result of `answer`.
  void add_function(
    std::string tool_id, tool_function answer = [](const auto&) { return tool_response{}; }) {
    setup.tools.push_back(function(std::move(tool_id), [this, answer](const tool_request& x) {
      asked.push_back(x);

      return answer(x);
    }));
  }

  /// Runs a turn that calls the tool once.
  turn_result use(std::string tool_id);

  /// The observations of a tool that the page serves, in the order in which they were stored.
  std::vector<observation_ptr> noticed_by(std::string tool_id);

  /// The only observation of a tool that the page serves.
  observation_ptr noticed_once_by(std::string tool_id);

  query_result tagged(std::vector<std::string> tags);
  observation_ptr get(const std::string& observation_id);
  std::vector<observation_ptr> archive();
  void advance_to(timestamp at);
  std::vector<trace_entry> entries(std::string_view operation, std::string_view status = {}) const;

  /// The page's trace entries of one operation on one observation.
  std::vector<trace_entry> entries_about(
    const observation_ptr& x, std::string_view operation = "add_observation") const;

  trace_entry entry_about(
    const observation_ptr& x, std::string_view operation = "add_observation") const;

  /// How many entries of one operation have the error `code` with a text that contains `field`.
  size_t refused(std::string_view operation, errc code, std::string_view field) const;

  static json::array list(std::string_view text);
};

/// A call of a tool with a query: the tool gets the matching observations of the page.
planned_call asking(
  std::string tool_id, std::vector<std::string> tags, std::vector<std::string> depends_on = {});

std::vector<std::string> ids_of(const std::vector<observation_ptr>& xs);

std::vector<std::string> contents_of(const std::vector<observation_ptr>& xs);

bool are_unique(std::vector<std::string> ids);

/// The name of the error code of a failed request, "none" if it succeeded.
template <class T>
std::string failure_of(const caf::expected<T>& x) {
  return to_string(x ? errc::none : code_of(x.error()));
}

/// A list of texts, for BOOST_TEST with `per_element`.
using texts = std::vector<std::string>;

} // namespace scratchpage::test
