#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scratchpage/runtime/execution/strand.hpp"
#include "scratchpage/runtime/mcp/protocol/envelope.hpp"
#include "scratchpage/runtime/mcp/server/client.hpp"
#include "scratchpage/runtime/mcp/server/input.hpp"
#include "scratchpage/runtime/mcp/server/outlet.hpp"
#include "scratchpage/runtime/mcp/server/request_state.hpp"
#include "scratchpage/runtime/mcp/server/session.hpp"
#include "scratchpage/runtime/net/json_rpc/json_rpc.hpp"

namespace scratchpage::mcp {

/// What all calls of a server share.
struct call_parts {
  std::shared_ptr<strand> on;
  json::object server_info;
  timespan patience; ///< with a client that was asked something
  request_state states;
};

/// One request and all that its handler can do with it, in either revision. A handler
/// answers it once, by `give` or `refuse`; what comes later is passed over. Used on
/// the strand.
class call : public std::enable_shared_from_this<call> {
public:
  struct setup {
    rpc::request asked; ///< with an id
    envelope said;
    client who;
    std::shared_ptr<session> in; ///< null: it stands alone
    std::shared_ptr<outlet> back;
  };

  call(std::shared_ptr<const call_parts> parts, setup x)
    : parts_{std::move(parts)},
      x_{std::move(x)} {}

  era spoken() const { return x_.said.spoken; }
  bool is_modern() const { return spoken() == era::modern; }
  const std::string& method() const { return x_.asked.method; }
  const json::object& params() const { return x_.asked.params; }
  const json::value& id() const { return *x_.asked.id; }
  const client& who() const { return x_.who; }
  const std::shared_ptr<session>& in() const { return x_.in; }
  const std::shared_ptr<strand>& on() const { return parts_->on; }

  /// "elicitation", "sampling", "roots", …
  bool client_can(std::string_view capability) const;

  /// True if it can; else the call is refused.
  bool require(std::string_view capability);

  // -- while it lasts
  /// How far it is, of how much, if the client wants to know. Only ever more.
  void progress(double done, std::optional<double> of = {}, std::string_view message = {});

  /// Told to a client that wants to hear of what matters so much.
  void log(log_level level, const json::value& data, std::string_view logger = {});

  /// Any other notification.
  void notify(std::string_view method, json::object params);

  /// Nobody waits for its end. What it was asked with, which may be long, is forgotten.
  void stay_open();
  bool stays_open() const { return stays_open_; }

  /// Called once if the client does not want the answer any more.
  void on_cancel(std::function<void()> then) { when_cancelled_.push_back(std::move(then)); }

  // -- asking the client
  enum class first_round : uint8_t {
    open,   ///< an answer may come with the request itself, also with its first
    sealed, ///< only answers to what was asked here before count
  };

  /// Asks the client for all of it and goes on with the answers. A modern client is
  /// asked by the result, and calls again: its handler runs anew from its beginning,
  /// and what was answered before is known. The call is refused if the client cannot
  /// do that, does not answer in time, or answers something else.
  void ask(const questions& what, const std::function<void(const answers&)>& then,
    first_round sealing = first_round::open);

  // -- its end
  void give(json::object result);
  /// As `give`, of a complete result: the JSON of its members, without braces around it.
  void give_members(std::string members);
  void refuse(const error& why);
  /// Refused as a resource that is not there.
  void refuse_resource(const std::string& uri);
  /// The client waits no longer.
  void cancel();
  bool is_over() const { return over_; }

  /// Reads what a modern client has answered; why it cannot be read.
  std::optional<error> read_input();

private:
  bool end_once();
  std::string identity() const;
  void ask_by_result(
    const questions& what, const std::function<void(const answers&)>& then, first_round sealing);
  void ask_by_requests(const questions& what, const std::function<void(const answers&)>& then);
  json::object sealed_answers(const answers& partly) const;

  std::shared_ptr<const call_parts> parts_;
  setup x_;
  bool over_ = false;
  bool stays_open_ = false;
  std::vector<std::function<void()>> when_cancelled_;
  bool has_state_ = false;
  answers known_;   // of earlier rounds
  answers arrived_; // with this request
};

} // namespace scratchpage::mcp
