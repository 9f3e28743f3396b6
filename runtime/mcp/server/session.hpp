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

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/runtime/execution/strand.hpp"
#include "scratchpage/runtime/mcp/protocol/protocol.hpp"
#include "scratchpage/runtime/mcp/server/changes.hpp"

namespace scratchpage::mcp {

/// Sends messages to the client: those of one request, or those that belong to no request. Used on
/// the server's strand.
class response_channel {
public:
  virtual ~response_channel() = default;

  /// Sends a notification or a question. Not after the answer.
  virtual void send(const json::object& message) = 0;

  /// Sends the answer, the last message.
  virtual void finish(const json::object& answer) = 0;

  /// As above, for the JSON of an answer with a result.
  virtual void finish(std::string answer) = 0;

  /// Ends the channel without an answer.
  virtual void end() = 0;

  /// The answer may never come, and messages may come at any time, so nothing may wait for the end.
  /// Call it before the first message.
  virtual void stay_open() {}

  /// `then` is called once on the strand if the client has gone.
  virtual void on_gone(std::function<void()> then) = 0;
};

class call;

/// How many calls, and how many questions to the client, a session may have at a time.
inline constexpr size_t max_in_session = 256;

/// The state of one client: of a connection, or of what began with `initialize`. It has the
/// client's capabilities, calls and questions. Used on the strand.
class session : public std::enable_shared_from_this<session> {
public:
  using on_reply = std::function<void(const std::variant<json::value, error>&)>;

  explicit session(std::shared_ptr<strand> on)
    : on_{std::move(on)} {}

  // -- from `initialize` and later requests
  std::string version;            ///< "": `initialize` has not come yet
  std::set<std::string_view> can; ///< of `client_capabilities`
  bool shows_forms = false;       ///< to its user, if it is asked to
  log_level least = log_level::debug;
  wanted_changes wanted;
  std::vector<std::shared_ptr<const void>> places; ///< one for each resource in `wanted`
  std::shared_ptr<void> subscription;              ///< to `wanted`

  /// The channel for messages that belong to no request; they are dropped if it has gone.
  std::weak_ptr<response_channel> unasked;

  void announce(const change& x);

  // -- open calls
  /// False if there is a call with that id already, or if there are too many.
  bool enter(const json::value& id, const std::shared_ptr<call>& x);
  void leave(const json::value& id);
  void cancel(const json::value& id);

  bool is_busy() const { return !calls_.empty(); }

  // -- questions to the client
  /// Sends a question through `by`. `then` is called once: with the client's answer, or with an
  /// error if there is none within `timeout`. Returns the number of the question.
  uint64_t ask(std::string_view method, const json::object& params, response_channel& by,
    timespan timeout, on_reply then);
  /// The answer to that question is not needed any more.
  void forget(uint64_t question) { questions_.erase(question); }
  /// Takes a client's answer. Ignores it if there is no such question.
  void take(const json::object& message);

  /// The client sends nothing more: ends its subscriptions and questions. Open requests are still
  /// answered.
  void hang_up();
  /// The session is over: cancels all open calls, too.
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

/// The change as a notification.
json::object notification_of(const change& x);

} // namespace scratchpage::mcp
