#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "scratchpage/messages/time.hpp"
#include "scratchpage/runtime/execution/strand.hpp"
#include "scratchpage/runtime/mcp/protocol/protocol.hpp"
#include "scratchpage/runtime/mcp/server/changes.hpp"
#include "scratchpage/runtime/mcp/server/outlet.hpp"

namespace scratchpage::mcp {

class call;

/// At most so many calls, and so many questions to the client, at a time.
inline constexpr size_t most_in_session = 256;

/// What is known of one client for as long as it is there, and what is under way for
/// it: a connection, or what began with `initialize`. Used on the strand.
class session : public std::enable_shared_from_this<session> {
public:
  using on_reply = std::function<void(const std::variant<json::value, error>&)>;

  explicit session(std::shared_ptr<strand> on)
    : on_{std::move(on)} {}

  // -- what `initialize` and later requests said
  std::string version;            ///< "": it has not begun
  std::set<std::string_view> can; ///< of `client_capabilities`
  log_level least = log_level::debug;
  wanted_changes wanted;
  std::vector<std::shared_ptr<const void>> places; ///< one for each resource that is wanted
  std::shared_ptr<void> subscription;              ///< to what is wanted

  /// Where goes what nobody asked for; nowhere if it is gone.
  std::weak_ptr<outlet> unasked;

  void announce(const change& x);

  // -- calls under way
  /// False if there is one of that id, or too many.
  bool enter(const json::value& id, const std::shared_ptr<call>& x);
  void leave(const json::value& id);
  void cancel(const json::value& id);

  bool is_busy() const { return !calls_.empty(); }

  // -- questions to the client
  /// Asks through `by`; `then` is called once, with what the client answers, or why
  /// it does not, within `patience`. Gives the question's number.
  uint64_t ask(std::string_view method, const json::object& params, outlet& by, timespan patience,
    on_reply then);
  /// Nobody waits for that answer any more.
  void forget(uint64_t question) { questions_.erase(question); }
  /// Takes a client's answer; of what was not asked it takes none.
  void take(const json::object& message);

  /// The client says nothing more: nobody listens, questions have no answers. What was
  /// asked is still answered.
  void hang_up();
  /// It is over: all that is under way is cancelled, too.
  void close();

private:
  void unsubscribe();
  void cancel_calls(bool all);
  void settle(uint64_t question, const std::variant<json::value, error>& reply);

  std::shared_ptr<strand> on_;
  std::map<std::string, std::weak_ptr<call>, std::less<>> calls_; // by the texts of their ids
  std::map<uint64_t, on_reply> questions_;
  uint64_t last_question_ = 0;
};

/// As a notification.
json::object notification_of(const change& x);

} // namespace scratchpage::mcp
