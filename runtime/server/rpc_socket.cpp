#include "scratchpage/runtime/server/rpc_service.hpp"

#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/events/event_feed.hpp"

namespace scratchpage::server {

namespace {

constexpr size_t max_in_work = 256;
constexpr size_t max_subscriptions = 16;

/// The calls and subscriptions of one client. The socket owns this object, and the subscriptions
/// end with the socket.
class rpc_socket : public std::enable_shared_from_this<rpc_socket> {
public:
  rpc_socket(agent_host& host, const rpc_service& service, rpc_clients& clients, principal who,
    std::shared_ptr<http::stream> socket, work_queue& long_messages)
    : host_{host},
      service_{service},
      clients_{clients},
      who_{std::move(who)},
      socket_{std::move(socket)},
      long_messages_{long_messages} {}

  void begin() {
    auto number = clients_.join([socket = socket_] {
      socket->write(R"({"jsonrpc":"2.0","method":"end","params":{}})", [](bool) {});
    });
    socket_->on_end([me = shared_from_this(), number] {
      me->end_all();
      me->clients_.leave(number); // after this, the service may end
    });
    socket_->on_message([me = shared_from_this()](std::string text) { me->hear(std::move(text)); });
  }

private:
  /// Long messages are parsed on another thread, so they may be answered after later ones.
  void hear(std::string text) {
    if (text.size() <= work_queue::long_bytes)
      return take(text);
    if (auto err = host_.check_memory())
      return write(json_rpc::refuse(nullptr, err));
    auto bytes = text.size();
    auto read = [me = shared_from_this(), text = std::move(text)] {
      if (me->is_admitted())
        me->take(text);
    };
    if (!long_messages_.later(std::move(read), bytes))
      socket_->close();
  }

  void take(const std::string& text) {
    auto message = rpc_service::read(text);
    auto* call =
      message.is_batch || !message.entries.front().call ? nullptr : &*message.entries.front().call;
    if (call != nullptr && call->method == "subscribe")
      return begin_subscription(std::move(*call));
    if (call != nullptr && call->method == "unsubscribe")
      return end_subscription(*call);
    if (!enter())
      return socket_->close();
    if (!clients_.begin_call()) {
      leave();
      return refuse(message);
    }
    auto batch = service_.answer(
      std::move(message), who_, [me = shared_from_this()](std::optional<std::string> answer) {
        me->leave();
        if (answer && me->is_admitted())
          me->write(std::move(*answer));
        me->clients_.end_call();
      });
    keep(batch);
  }

  /// Checks the client's access again, some time after its message came. Cuts it off if it has
  /// none.
  bool is_admitted() {
    auto refused = who_.check_admission ? who_.check_admission() : caf::error{};
    if (refused)
      socket_->cut_off();
    return !refused;
  }

  /// Remembers a long batch, so that its waiting calls are not made if the client disconnects.
  void keep(const std::shared_ptr<rpc_batch>& batch) {
    if (!batch->is_long())
      return;
    std::unique_lock lock{guard_};
    std::erase_if(batches_, [](const auto& x) { return x.expired(); });
    if (!has_ended_)
      return batches_.push_back(batch);
    lock.unlock();
    batch->abandon();
  }

  /// Ends the subscriptions and abandons the batches of this socket.
  void end_all() {
    std::unique_lock lock{guard_};
    has_ended_ = true;
    auto feeds = std::exchange(feeds_, {});
    auto batches = std::exchange(batches_, {});
    lock.unlock();
    for (const auto& [number, feed] : feeds)
      events::end_feed(feed);
    for (const auto& one : batches)
      if (auto left = one.lock())
        left->abandon();
  }

  void refuse(const json_rpc::message& message) {
    auto why = fail(errc::overloaded, "server", "the server is about to end; this was not done");
    if (auto answer = refuse_all(message, why))
      write(std::move(*answer));
  }

  void begin_subscription(json_rpc::request call) {
    auto id = call.id.value_or(nullptr);
    auto order = events::read_event_order(std::move(call.params), who_.by);
    if (!order)
      return write(json_rpc::refuse(id, order.error()));
    order->form = events::event_form::notification;
    order->request_id = id;
    if (!enter())
      return socket_->close();
    // the answer is sent on a thread of the host if the agent has to be recovered first
    auto begin = [me = shared_from_this(), order = std::move(*order)](
                   const caf::expected<hosted_agent_ptr>& agent) mutable {
      me->leave();
      if (agent)
        me->subscribe(**agent, std::move(order));
      else
        me->write(json_rpc::refuse(order.request_id, agent.error()));
    };
    host_.open(who_.agent_id, open_mode::existing, who_.by, std::move(begin));
  }

  void subscribe(const hosted_agent& agent, events::event_order order) {
    std::unique_lock lock{guard_};
    if (has_ended_) // meanwhile
      return;
    if (feeds_.size() >= max_subscriptions)
      return write(json_rpc::refuse(
        order.request_id, fail(errc::overloaded, "", "expected at most 16 subscriptions")));
    auto number = order.number = ++last_number_;
    auto feed = events::begin_feed(host_.system(), agent.page, socket_, std::move(order));
    feeds_.emplace(number, feed);
    lock.unlock();
    forget_at_its_end(feed, number);
  }

  /// A subscription ends by itself if the page refuses it, and then counts no longer. If it has
  /// ended already, the function is called at once.
  void forget_at_its_end(const caf::actor& feed, uint64_t number) {
    feed->attach_functor([socket = weak_from_this(), number] {
      auto me = socket.lock();
      if (!me)
        return;
      std::lock_guard lock{me->guard_};
      me->feeds_.erase(number);
    });
  }

  void end_subscription(const json_rpc::request& call) {
    const auto* number = call.params.if_contains("subscription");
    boost::json::error_code ec;
    auto wanted = number != nullptr && number->is_number() ? number->to_number<uint64_t>(ec) : 0;
    auto found = ec ? 0 : end(wanted);
    if (!call.id)
      return;
    if (found > 0)
      return write(json_rpc::answer(*call.id, nullptr));
    write(json_rpc::refuse(
      *call.id, fail(errc::not_found, "subscription", "expected the number of a subscription")));
  }

  size_t end(uint64_t number) {
    std::lock_guard lock{guard_};
    auto found = feeds_.find(number);
    if (found == feeds_.end())
      return 0;
    events::end_feed(found->second);
    feeds_.erase(found);
    return 1;
  }

  bool enter() {
    std::lock_guard lock{guard_};
    return in_work_++ < max_in_work;
  }

  void leave() {
    std::lock_guard lock{guard_};
    --in_work_;
  }

  void write(std::string text) {
    socket_->write(std::move(text), [](bool) {});
  }

  void write(const json::object& x) { write(to_text(x)); }

  agent_host& host_;
  const rpc_service& service_;
  rpc_clients& clients_;
  const principal who_;
  const std::shared_ptr<http::stream> socket_;
  work_queue& long_messages_;
  std::mutex guard_;
  size_t in_work_ = 0;
  uint64_t last_number_ = 0;
  std::map<uint64_t, caf::actor> feeds_;
  std::vector<std::weak_ptr<rpc_batch>> batches_; ///< long ones
  bool has_ended_ = false;
};

} // namespace

uint64_t rpc_clients::join(std::function<void()> say_end) {
  uint64_t number = 0;
  {
    std::lock_guard lock{guard_};
    number = ++last_;
    clients_.emplace(number, say_end);
    if (!ends_)
      return number;
  }
  say_end();
  return number;
}

void rpc_clients::leave(uint64_t client) {
  std::lock_guard lock{guard_};
  clients_.erase(client);
  changed_.notify_all();
}

bool rpc_clients::begin_call() {
  std::lock_guard lock{guard_};
  calls_ += ends_ ? 0 : 1;
  return !ends_;
}

void rpc_clients::end_call() {
  std::lock_guard lock{guard_};
  --calls_;
  changed_.notify_all();
}

void rpc_clients::begin_to_end() {
  std::vector<std::function<void()>> all;
  {
    std::lock_guard lock{guard_};
    if (std::exchange(ends_, true))
      return;
    all.reserve(clients_.size());
    for (const auto& [number, say_end] : clients_)
      all.push_back(say_end);
  }
  for (const auto& say_end : all)
    say_end();
}

bool rpc_clients::await_none(timespan within) {
  std::unique_lock lock{guard_};
  return changed_.wait_for(lock, within, [this] { return calls_ == 0 && clients_.empty(); });
}

void serve_rpc(agent_host& host, const rpc_service& service, rpc_clients& clients, principal who,
  const std::shared_ptr<http::stream>& socket, work_queue& long_messages) {
  std::make_shared<rpc_socket>(host, service, clients, std::move(who), socket, long_messages)
    ->begin();
}

} // namespace scratchpage::server
