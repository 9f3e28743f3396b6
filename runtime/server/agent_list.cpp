#include "scratchpage/runtime/server/agent_list.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/runtime/api/arguments.hpp"
#include "scratchpage/runtime/net/http/target.hpp"

namespace scratchpage::server {

namespace {

caf::error read_details(const std::string& value, agent_list_order& to) {
  if (value != "true" && value != "false")
    return fail(errc::invalid_request, "details", "expected true or false, once");
  to.in_detail = value == "true";
  return {};
}

caf::error read_limit(const std::string& value, agent_list_order& to) {
  auto [end, ec] = std::from_chars(value.data(), value.data() + value.size(), to.limit);
  if (ec == std::errc{} && end == value.data() + value.size() && to.limit >= 1
      && to.limit <= agent_list_limits::ids)
    return {};
  return fail(errc::invalid_request, "limit",
    "expected a number from 1 to " + std::to_string(agent_list_limits::ids) + ", once");
}

caf::error read_cursor(const std::string& value, agent_list_order& to) {
  if (!utf8::is_valid(value) || value.find('\0') != std::string::npos)
    return fail(errc::invalid_request, "cursor", "expected the next_cursor of an earlier answer");
  to.after = value;
  return {};
}

} // namespace

caf::expected<agent_list_order> read_list_order(std::string_view query) {
  static const std::map<std::string, caf::error (*)(const std::string&, agent_list_order&),
    std::less<>>
    readers{{"details", read_details}, {"limit", read_limit}, {"cursor", read_cursor}};
  auto given = http::parse_query(query);
  if (!given)
    return given.error();
  agent_list_order result;
  std::set<std::string> names;
  for (const auto& [name, value] : *given) {
    auto reader = readers.find(name);
    if (reader == readers.end())
      return unknown_parameter(name);
    if (!names.insert(name).second)
      return fail(errc::invalid_request, name, "expected it once");
    if (auto err = reader->second(value, result))
      return err;
  }
  return result;
}

caf::expected<agent_list> list_some(
  store& in, const agent_list_order& which, const agent_check& check) {
  agent_list result;
  auto last = which.after;
  for (uint64_t left = agent_list_limits::looked_at; left > 0;) {
    auto next = in.agents_after(last, std::min(left, agent_list_limits::ids));
    if (!next)
      return next.error();
    for (auto& id : *next) {
      if (result.ids.size() == which.limit) {
        result.next_cursor = last;
        return result;
      }
      last = id;
      if (!check || !check(id))
        result.ids.push_back(std::move(id));
    }
    if (next->size() < std::min(left, agent_list_limits::ids))
      return result;
    left -= next->size();
  }
  result.next_cursor = last;
  return result;
}

} // namespace scratchpage::server
