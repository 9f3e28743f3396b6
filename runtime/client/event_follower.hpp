#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include <caf/expected.hpp>

#include "scratchpage/runtime/client/agent_client.hpp"
#include "scratchpage/runtime/client/link.hpp"

namespace scratchpage::client {

/// Follows the events of a page through lost connections: it connects again, and subscribes after
/// the last event that it has passed on. If its listener is slower than the page, it disconnects
/// and connects again later, so that the server never waits for it.
class event_follower final : public subscription {
public:
  /// Waits until the server has confirmed the subscription. Errors: see `event_listener::on_end`.
  static caf::expected<std::unique_ptr<subscription>> begin(
    endpoint to, follow_order order, event_listener tell);

  ~event_follower() override;

private:
  /// Events that wait for the listener.
  static constexpr size_t max_waiting = 4'096;

  event_follower(endpoint to, follow_order order, event_listener tell);

  void run();
  caf::error connect();
  caf::expected<json::value> subscribe_on(link& link);
  void take(json::object event);
  void note_end();
  void tell_until_lost();
  void tell_one(json::object event);
  bool rest(timespan pause);
  void has_begun(const caf::error& why);

  const endpoint to_;
  const follow_order order_;
  const event_listener tell_;
  std::string position_;       ///< of the last event that was passed on
  std::unique_ptr<link> link_; ///< used only on `thread_`
  std::mutex guard_;
  std::condition_variable changed_;
  std::deque<json::object> waiting_;
  std::optional<caf::expected<json::value>> answer_; ///< to the subscription
  bool is_lost_ = false;                             ///< the connection is lost or given up
  bool ends_ = false;
  std::optional<caf::error> begun_; ///< the result of the first subscription
  std::thread thread_;
};

} // namespace scratchpage::client
