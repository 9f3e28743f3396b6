#include "scratchpage/tests/scenarios/tools/tool_team.hpp"

#include <algorithm>

#include "scratchpage/actors/language/words.hpp"

namespace scratchpage::test {

void tool_team::add_reporter(std::string tool_id, const std::vector<std::string>& reports) {
  std::vector<recorded_response> responses;
  for (const auto& text : reports) {
    auto& response = responses.emplace_back();
    response.outputs["found"] = true;
    for (const auto& one : list(text))
      response.observations.push_back(one);
  }
  add_tool(manifest(std::move(tool_id)), std::move(responses));
}

turn_result tool_team::use(std::string tool_id) {
  return say("Go ahead", {call(std::move(tool_id))});
}

std::vector<observation_ptr> tool_team::noticed_by(std::string tool_id) {
  observation_filter filter;
  filter.source = {std::move(tool_id)};
  auto result = query(std::move(filter)).observations;
  std::erase_if(result, [](const observation_ptr& x) { return x->type == "tool_result"; });
  std::reverse(result.begin(), result.end());
  return result;
}

observation_ptr tool_team::noticed_once_by(std::string tool_id) {
  auto found = noticed_by(std::move(tool_id));
  BOOST_REQUIRE(found.size() == 1u);
  return found.front();
}

query_result tool_team::tagged(std::vector<std::string> tags) {
  observation_filter filter;
  filter.tags = std::move(tags);
  return query(std::move(filter));
}

observation_ptr tool_team::get(const std::string& observation_id) {
  return value(ask(host->page(), get_observation{as_daemon("probe"), observation_id}));
}

std::vector<observation_ptr> tool_team::archive() {
  list_archive request;
  request.by = as_daemon("probe");
  request.limit = 1000;
  return value(ask(host->page(), std::move(request))).observations;
}

void tool_team::advance_to(timestamp at) {
  advance(at - now());
}

std::vector<trace_entry> tool_team::entries(
  std::string_view operation, std::string_view status) const {
  auto result = trace->entries();
  std::erase_if(result, [&](const trace_entry& x) {
    return x.operation != operation || (!status.empty() && x.status != status);
  });
  return result;
}

std::vector<trace_entry> tool_team::entries_about(
  const observation_ptr& x, std::string_view operation) const {
  auto result = entries(operation, "success");
  std::erase_if(result, [&](const trace_entry& one) {
    return text_at(one.detail, "observation_id") != x->observation_id;
  });
  return result;
}

trace_entry tool_team::entry_about(const observation_ptr& x, std::string_view operation) const {
  auto found = entries_about(x, operation);
  BOOST_REQUIRE(found.size() == 1u);
  return found.front();
}

size_t tool_team::refused(std::string_view operation, errc code, std::string_view field) const {
  auto found = entries(operation, name_of(code));
  auto part = std::string{": "}.append(field);
  return static_cast<size_t>(std::count_if(found.begin(), found.end(),
    [&](const auto& x) { return text_at(x.detail, "error").find(part) != std::string::npos; }));
}

json::array tool_team::list(std::string_view text) {
  return value(parse_json(text)).get_array();
}

planned_call asking(
  std::string tool_id, std::vector<std::string> tags, std::vector<std::string> depends_on) {
  auto result = call(std::move(tool_id));
  result.scratch_page_query.emplace().filters.tags = std::move(tags);
  result.depends_on = std::move(depends_on);
  return result;
}

std::vector<std::string> ids_of(const std::vector<observation_ptr>& xs) {
  std::vector<std::string> result;
  result.reserve(xs.size());
  for (const auto& x : xs)
    result.push_back(x->observation_id);
  return result;
}

std::vector<std::string> contents_of(const std::vector<observation_ptr>& xs) {
  std::vector<std::string> result;
  result.reserve(xs.size());
  for (const auto& x : xs)
    result.push_back(x->content);
  return result;
}

bool are_unique(std::vector<std::string> ids) {
  std::sort(ids.begin(), ids.end());
  return std::adjacent_find(ids.begin(), ids.end()) == ids.end();
}

} // namespace scratchpage::test
