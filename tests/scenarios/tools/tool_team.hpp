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
  void add_reporter(std::string tool_id, const std::vector<std::string>& reports) {
    std::vector<recorded_response> responses;
    for (const auto& text : reports) {
      auto& response = responses.emplace_back();
      response.outputs["found"] = true;
      for (const auto& one : list(text))
        response.observations.push_back(one);
    }
    add_tool(manifest(std::move(tool_id)), std::move(responses));
  }

  /// A tool that notes what it is asked and answers with what `answer` makes of it.
  void add_function(
    std::string tool_id, tool_function answer = [](const auto&) { return tool_response{}; }) {
    setup.tools.push_back(function(std::move(tool_id), [this, answer](const tool_request& x) {
      asked.push_back(x);
      return answer(x);
    }));
  }

  /// A turn with one call of a tool.
  turn_result use(std::string tool_id) { return say("Go ahead", {call(std::move(tool_id))}); }

  /// What a tool reported and the page serves, in the order in which it was stored.
  std::vector<observation_ptr> noticed_by(std::string tool_id) {
    observation_filter filter;
    filter.source = {std::move(tool_id)};
    auto result = query(std::move(filter)).observations;
    std::erase_if(result, [](const observation_ptr& x) { return x->type == "tool_result"; });
    std::reverse(result.begin(), result.end());
    return result;
  }

  /// The only observation that a tool reported.
  observation_ptr noticed_once_by(std::string tool_id) {
    auto found = noticed_by(std::move(tool_id));
    BOOST_REQUIRE(found.size() == 1u);
    return found.front();
  }

  query_result tagged(std::vector<std::string> tags) {
    observation_filter filter;
    filter.tags = std::move(tags);
    return query(std::move(filter));
  }

  observation_ptr get(const std::string& observation_id) {
    return value(ask(host->page(), get_observation{as_daemon("probe"), observation_id}));
  }

  std::vector<observation_ptr> archive() {
    list_archive request;
    request.by = as_daemon("probe");
    request.limit = 1000;
    return value(ask(host->page(), std::move(request))).observations;
  }

  void advance_to(timestamp at) { advance(at - now()); }

  std::vector<trace_entry> entries(std::string_view operation, std::string_view status = {}) const {
    auto result = trace->entries();
    std::erase_if(result, [&](const trace_entry& x) {
      return x.operation != operation || (!status.empty() && x.status != status);
    });
    return result;
  }

  /// The page's entries of one kind about one observation.
  std::vector<trace_entry> entries_about(
    const observation_ptr& x, std::string_view operation = "add_observation") const {
    auto result = entries(operation, "success");
    std::erase_if(result, [&](const trace_entry& one) {
      return text_at(one.detail, "observation_id") != x->observation_id;
    });
    return result;
  }

  trace_entry entry_about(
    const observation_ptr& x, std::string_view operation = "add_observation") const {
    auto found = entries_about(x, operation);
    BOOST_REQUIRE(found.size() == 1u);
    return found.front();
  }

  /// How many entries of one kind tell of an error that begins with `field`.
  size_t refused(std::string_view operation, errc code, std::string_view field) const {
    auto found = entries(operation, name_of(code));
    auto part = std::string{": "}.append(field);
    return static_cast<size_t>(std::count_if(found.begin(), found.end(),
      [&](const auto& x) { return text_at(x.detail, "error").find(part) != std::string::npos; }));
  }

  static json::array list(std::string_view text) { return value(parse_json(text)).get_array(); }
};

/// A call of a tool that first wants to know something from the page.
inline planned_call asking(
  std::string tool_id, std::vector<std::string> tags, std::vector<std::string> depends_on = {}) {
  auto result = call(std::move(tool_id));
  result.scratch_page_query.emplace().filters.tags = std::move(tags);
  result.depends_on = std::move(depends_on);
  return result;
}

inline std::vector<std::string> ids_of(const std::vector<observation_ptr>& xs) {
  std::vector<std::string> result;
  for (const auto& x : xs)
    result.push_back(x->observation_id);
  return result;
}

inline std::vector<std::string> contents_of(const std::vector<observation_ptr>& xs) {
  std::vector<std::string> result;
  for (const auto& x : xs)
    result.push_back(x->content);
  return result;
}

inline bool are_unique(std::vector<std::string> ids) {
  std::sort(ids.begin(), ids.end());
  return std::adjacent_find(ids.begin(), ids.end()) == ids.end();
}

/// Why a request failed; `none` if it did not.
template <class T>
std::string failure_of(const caf::expected<T>& x) {
  return to_string(x ? errc::none : code_of(x.error()));
}

/// A list of texts, for BOOST_TEST with `per_element`.
using texts = std::vector<std::string>;

} // namespace scratchpage::test
