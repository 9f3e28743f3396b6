#pragma once

#include <map>
#include <memory>
#include <string>
#include <tuple>

#include "scratchpage/messages/time.hpp"
#include "scratchpage/runtime/mcp/server/client.hpp"
#include "scratchpage/runtime/mcp/server/http_outlet.hpp"
#include "scratchpage/runtime/mcp/server/session.hpp"

namespace scratchpage::mcp {

/// The sessions of an endpoint, by ids that nobody can guess: a bounded number, each
/// until it was not used for a while. Used on the strand.
class http_sessions {
public:
  struct entry {
    std::shared_ptr<session> state;
    client who;
    timestamp last_use;
    std::shared_ptr<stream_outlet> stream; ///< for what nobody asked for; null: none is open

    bool is_idle() const { return !stream && !state->is_busy(); }
  };

  http_sessions(size_t most, timespan idle)
    : most_{most},
      idle_{idle} {}

  /// Whether there is room for one more, if need be in the place of an idle one: of the client
  /// that has the most, and of these the one that was not used for longest. So nobody loses
  /// theirs to somebody who opens many. Programs whose names nobody has checked have as many as
  /// all of them have together, and among them whoever has the most loses one.
  bool make_room(timestamp now);

  void add(const std::string& id, entry x) { entries_.insert_or_assign(id, std::move(x)); }

  /// Null if there is none of that id that is this client's.
  entry* find(const std::string& id, const client& who, timestamp now);

  void remove(const std::string& id);

  /// Ends those that were idle for too long.
  void expire(timestamp now);

  size_t size() const { return entries_.size(); }

private:
  using map = std::map<std::string, entry, std::less<>>;

  using client_name = std::tuple<role, source_kind, std::string>;

  map::iterator end(map::iterator x);
  static client_name name_of(const caller& x);
  std::map<client_name, size_t> count_by_client() const;
  size_t count_claimed() const;

  size_t most_;
  timespan idle_;
  map entries_;
};

} // namespace scratchpage::mcp
