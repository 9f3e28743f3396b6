#include "scratchpage/runtime/simulation/recorded_calls.hpp"

#include <iterator>
#include <utility>

namespace scratchpage {

std::optional<recorded_call> open_calls::take(
  std::string_view recorded_id, std::string_view tool_id) {
  auto fits = [&](const entry& x) {
    return recorded_id.empty() ? tool_id.empty() || x.call.tool_id == tool_id
                               : x.call.recorded_id == recorded_id;
  };
  auto found = open_.end();
  auto has_name = false;
  for (auto i = open_.begin(); i != open_.end(); ++i) {
    if (!fits(*i))
      continue;
    auto is_named = i->call.tool_id == tool_id;
    auto is_later = found == open_.end() || i->message > found->message;
    if (is_later || (is_named && !has_name)) {
      found = i;
      has_name = is_named;
    }
  }
  if (found == open_.end())
    return {};
  auto result = std::move(found->call);
  open_.erase(found);
  return result;
}

std::vector<recorded_call> open_calls::take_all() {
  std::vector<recorded_call> result;
  for (auto& x : open_)
    result.push_back(std::move(x.call));
  open_.clear();
  return result;
}

} // namespace scratchpage
