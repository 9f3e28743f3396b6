#include "scratchpage/runtime/mcp/server/http_sessions.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace scratchpage::mcp {

bool http_sessions::make_room(timestamp now) {
  expire(now);
  if (entries_.size() < most_)
    return true;
  auto goes = entries_.end();
  std::tuple<size_t, size_t, timespan> best; // the first that goes
  auto counts = count_by_client();
  auto claimed = count_claimed();
  for (auto i = entries_.begin(); i != entries_.end(); ++i) {
    if (!i->second.is_idle())
      continue;
    const auto& by = i->second.who.by;
    auto of_client = counts.at(name_of(by));
    std::tuple candidate{by.claimed ? claimed : of_client, of_client, now - i->second.last_use};
    if (goes == entries_.end() || candidate > best) {
      goes = i;
      best = candidate;
    }
  }
  if (goes == entries_.end())
    return false;
  end(goes);
  return true;
}

http_sessions::client_name http_sessions::name_of(const caller& x) {
  return {x.role, x.kind, x.name};
}

std::map<http_sessions::client_name, size_t> http_sessions::count_by_client() const {
  std::map<client_name, size_t> result;
  for (const auto& [id, x] : entries_)
    ++result[name_of(x.who.by)];
  return result;
}

size_t http_sessions::count_claimed() const {
  auto is_one = [](const auto& x) { return x.second.who.by.claimed; };
  return static_cast<size_t>(std::count_if(entries_.begin(), entries_.end(), is_one));
}

http_sessions::entry* http_sessions::find(const std::string& id, const client& who, timestamp now) {
  expire(now);
  auto found = entries_.find(id);
  if (found == entries_.end() || !found->second.who.same_as(who))
    return nullptr;
  found->second.last_use = now;
  return &found->second;
}

void http_sessions::remove(const std::string& id) {
  if (auto found = entries_.find(id); found != entries_.end())
    end(found);
}

void http_sessions::expire(timestamp now) {
  for (auto i = entries_.begin(); i != entries_.end();)
    i = i->second.is_idle() && i->second.last_use + idle_ <= now ? end(i) : std::next(i);
}

http_sessions::map::iterator http_sessions::end(map::iterator x) {
  auto gone = std::move(x->second);
  auto next = entries_.erase(x);
  gone.state->close();
  if (gone.stream)
    gone.stream->end();
  return next;
}

} // namespace scratchpage::mcp
