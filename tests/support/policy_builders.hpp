#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/turn.hpp"

/// Short functions that create the arguments of policies.

namespace scratchpage::test {

inline json::object parse_object(std::string_view text) {
  return json::parse(json::string_view{text.data(), text.size()}).as_object();
}

/// A live observation of a daemon, with the members that policies read.
inline observation seen(std::string id, std::string type, std::string content,
  std::vector<std::string> tags = {}, double confidence = 0.9) {
  observation x;
  x.observation_id = std::move(id);
  x.type = std::move(type);
  x.content = std::move(content);
  x.tags = std::move(tags);
  x.confidence = confidence;
  x.source = {source_kind::daemon, "executor", "turn_1", {}};
  return x;
}

inline observation from_tool(observation x, std::string tool) {
  x.source = {source_kind::tool, std::move(tool), "turn_1", {}};
  return x;
}

inline planned_call call(std::string id, std::string tool, std::vector<std::string> depends_on = {},
  std::vector<std::string> after = {}) {
  planned_call x;
  x.call_id = std::move(id);
  x.tool_id = std::move(tool);
  x.depends_on = std::move(depends_on);
  x.after = std::move(after);
  return x;
}

inline tool_manifest tool(std::string id) {
  tool_manifest x;
  x.tool_id = std::move(id);
  return x;
}

/// A list as one text, which is easy to compare and to read in a failure.
template <class List>
std::string listed(const List& list) {
  std::string result;
  for (const auto& one : list)
    result.append(result.empty() ? "" : " ").append(one);
  return result;
}

} // namespace scratchpage::test
