#include "scratchpage/messages/plan_limits.hpp"

#include <algorithm>
#include <string>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/config_check.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/filter_limits.hpp"
#include "scratchpage/messages/json/json_size.hpp"

namespace scratchpage {

namespace {

std::string at_most(size_t most, std::string_view what) {
  return "at most " + std::to_string(most) + " " + std::string{what};
}

bool is_long(const std::string& id) {
  return id.size() > plan_limits::id_bytes;
}

bool are_few(const std::vector<std::string>& ids) {
  return ids.size() <= plan_limits::dependencies;
}

bool are_short(const std::vector<std::string>& ids) {
  return std::none_of(ids.begin(), ids.end(), is_long);
}

caf::error check_call(const planned_call& x, const std::string& path) {
  auto few = at_most(plan_limits::dependencies, "calls");
  auto brief = "ids of " + at_most(plan_limits::id_bytes, "bytes");
  config_check result{path};
  result.require(are_few(x.depends_on), "depends_on", few).require(are_few(x.after), "after", few);
  if (result.error())
    return result.error();
  result.require(!is_long(x.call_id), "call_id", at_most(plan_limits::id_bytes, "bytes"))
    .require(!is_long(x.tool_id), "tool_id", at_most(plan_limits::id_bytes, "bytes"))
    .require(are_short(x.depends_on), "depends_on", brief)
    .require(are_short(x.after), "after", brief)
    .require(is_within(x.inputs, plan_limits::inputs_bytes), "inputs",
      at_most(plan_limits::inputs_bytes, "bytes of JSON"));
  if (x.scratch_page_query)
    result.also(
      check_filter(x.scratch_page_query->filters, sub_path(path, "scratch_page_query.filters")));
  return result.error();
}

} // namespace

caf::error check_plan(const std::vector<planned_call>& plan, std::string_view path) {
  if (plan.size() > plan_limits::calls)
    return fail(errc::invalid_request, path,
      "expected " + at_most(plan_limits::calls, "calls") + ", got " + std::to_string(plan.size()));
  size_t bytes = 0;
  for (size_t i = 0; i < plan.size(); ++i) {
    if (auto err = check_call(plan[i], sub_path({}, path, i)))
      return err;
    bytes += json_size(to_json(plan[i]), plan_limits::plan_bytes) + 1;
    if (bytes > plan_limits::plan_bytes)
      return fail(errc::invalid_request, path,
        "expected " + at_most(plan_limits::plan_bytes, "bytes of JSON"));
  }
  return {};
}

} // namespace scratchpage
