#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include <caf/expected.hpp>

#include "scratchpage/runtime/client/link.hpp"
#include "scratchpage/runtime/client/subscription.hpp"

namespace scratchpage::serve {

/// Follows a page through the connections that it takes: when one is lost, it subscribes
/// on another after the last event that it told. It never lets a server wait: when its
/// listener is slower than the page, it leaves, and comes again where it was.
class event_follower final : public subscription {
public:
  /// Waits until the server has confirmed. Errors: as in `event_listener::on_end`.
  static caf::expected<std::unique_ptr<subscription>> begin(
    rpc::endpoint to, follow_order order, event_listener tell);

  ~event_follower() override;

private:
  /// At most so many events wait for the listener.
  static constexpr size_t most_waiting = 4'096;

  event_follower(rpc::endpoint to, follow_order order, event_listener tell);

  void run();
  caf::error connect();
  caf::expected<json::value> subscribe_on(rpc::link& link);
  void take(json::object event);
  void note_end();
  void tell_until_lost();
  void tell_one(json::object event);
  bool rest(timespan pause);
  void has_begun(const caf::error& why);

  const rpc::endpoint to_;
  const follow_order order_;
  const event_listener tell_;
  std::string place_;               ///< after which it goes on
  std::unique_ptr<rpc::link> link_; ///< of the thread alone
  std::mutex guard_;
  std::condition_variable changed_;
  std::deque<json::object> waiting_;
  std::optional<caf::expected<json::value>> answer_; ///< to the order
  bool is_lost_ = false;                             ///< the connection, or it was given up
  bool ends_ = false;
  std::optional<caf::error> begun_; ///< how the first order ended
  std::thread thread_;
};

} // namespace scratchpage::serve
