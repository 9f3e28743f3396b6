#include "scratchpage/runtime/mcp/http_sessions.hpp"

#include <utility>

namespace scratchpage::mcp {

bool http_sessions::make_room(timestamp now) {
  expire(now);
  if (entries_.size() < most_)
    return true;
  auto oldest = entries_.end();
  for (auto i = entries_.begin(); i != entries_.end(); ++i)
    if (i->second.is_idle()
        && (oldest == entries_.end() || i->second.last_use < oldest->second.last_use))
      oldest = i;
  if (oldest == entries_.end())
    return false;
  end(oldest);
  return true;
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
