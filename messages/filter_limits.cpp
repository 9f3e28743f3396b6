#include "scratchpage/messages/filter_limits.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "scratchpage/messages/error.hpp"

namespace scratchpage {

namespace {

caf::error too_many(std::string_view field, size_t most) {
  return fail(errc::invalid_request, field, "expected at most " + std::to_string(most) + " values");
}

caf::error too_long(std::string_view field) {
  return fail(errc::invalid_request, field,
    "expected at most " + std::to_string(filter_limits::text_bytes) + " bytes in each");
}

bool is_long(std::string_view x) {
  return x.size() > filter_limits::text_bytes;
}

caf::error check_texts(std::string_view field, const std::vector<std::string>& x) {
  if (x.size() > filter_limits::values)
    return too_many(field, filter_limits::values);
  return std::any_of(x.begin(), x.end(), is_long) ? too_long(field) : caf::error{};
}

caf::error check_context(const observation_filter& x) {
  if (x.context.size() > filter_limits::context_paths)
    return too_many("context", filter_limits::context_paths);
  for (const auto& [path, value] : x.context)
    if (is_long(path) || (value.is_string() && is_long(std::string_view{value.get_string()})))
      return too_long(is_long(path) ? "context" : "context." + path);
  return {};
}

} // namespace

caf::error check_filter(const observation_filter& x) {
  const std::pair<std::string_view, const std::vector<std::string>*> texts[] = {
    {"type", &x.type}, {"source", &x.source}, {"owner", &x.owner}, {"tags", &x.tags}};
  for (const auto& [field, values] : texts)
    if (auto err = check_texts(field, *values))
      return err;
  if (x.status.size() > filter_limits::values)
    return too_many("status", filter_limits::values);
  if (x.turn_id && is_long(*x.turn_id))
    return too_long("turn_id");
  return check_context(x);
}

} // namespace scratchpage
