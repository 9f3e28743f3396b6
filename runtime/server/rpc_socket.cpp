#include "scratchpage/runtime/server/rpc_socket.hpp"

#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/events/event_feed.hpp"

namespace scratchpage::serve {

namespace {

constexpr size_t most_in_work = 256;
constexpr size_t most_subscriptions = 16;

/// What one client has asked on its socket. It lives as long as that does: the socket
/// holds it, and what it holds in turn ends with the socket.
class rpc_socket : public std::enable_shared_from_this<rpc_socket> {
public:
  rpc_socket(agent_host& host, const rpc_service& service, rpc_clients& clients, rpc_client client,
    std::shared_ptr<http::stream> socket, work_queue& long_messages)
    : host_{host},
      service_{service},
      clients_{clients},
      client_{std::move(client)},
      socket_{std::move(socket)},
      long_messages_{long_messages} {}

  void begin() {
    auto number = clients_.join([socket = socket_] {
      socket->write(R"({"jsonrpc":"2.0","method":"end","params":{}})", [](bool) {});
    });
    socket_->on_end([me = shared_from_this(), number] {
      me->end_all();
      me->clients_.leave(number); // the service may end then
    });
    socket_->on_message([me = shared_from_this()](std::string text) { me->hear(std::move(text)); });
  }

private:
  /// What takes long to read is read elsewhere, and so may be answered after what came later.
  void hear(std::string text) {
    if (text.size() <= work_queue::long_bytes)
      return take(text);
    if (auto err = host_.check_memory())
      return write(rpc::refuse(nullptr, err));
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
      std::move(message), client_, [me = shared_from_this()](std::optional<std::string> answer) {
        me->leave();
        if (answer && me->is_admitted())
          me->write(std::move(*answer));
        me->clients_.end_call();
      });
    keep(batch);
  }

  /// Time has passed since the message was heard. Who is not let in any more is cut off.
  bool is_admitted() {
    auto refused = client_.who.check_admission ? client_.who.check_admission() : caf::error{};
    if (refused)
      socket_->cut_off();
    return !refused;
  }

  /// Who has hung up is not waited for by the calls of a batch that have not begun.
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

  /// What goes on for this socket ends with it.
  void end_all() {
    std::unique_lock lock{guard_};
    has_ended_ = true;
    auto feeds = std::exchange(feeds_, {});
    auto batches = std::exchange(batches_, {});
    lock.unlock();
    for (const auto& [number, feed] : feeds)
      end_feed(feed);
    for (const auto& one : batches)
      if (auto left = one.lock())
        left->abandon();
  }

  void refuse(const rpc::message& message) {
    auto why = fail(errc::overloaded, "server", "the server is about to end; this was not done");
    if (auto answer = refuse_all(message, why))
      write(std::move(*answer));
  }

  void begin_subscription(rpc::request call) {
    auto id = call.id.value_or(nullptr);
    auto order = read_event_order(std::move(call.params), client_.who.by);
    if (!order)
      return write(rpc::refuse(id, order.error()));
    auto agent = host_.find(client_.agent_id);
    if (!agent)
      return write(
        rpc::refuse(id, fail(errc::not_found, "agent", "expected an agent that is there")));
    order->form = event_form::notification;
    order->request_id = id;
    std::lock_guard lock{guard_};
    if (has_ended_) // while this waited to be read
      return;
    if (feeds_.size() >= most_subscriptions)
      return write(
        rpc::refuse(id, fail(errc::overloaded, "", "expected at most 16 subscriptions")));
    order->number = ++last_number_;
    feeds_.emplace(
      last_number_, begin_feed(host_.system(), agent->page, socket_, std::move(*order)));
  }

  void end_subscription(const rpc::request& call) {
    const auto* number = call.params.if_contains("subscription");
    boost::json::error_code ec;
    auto wanted = number != nullptr && number->is_number() ? number->to_number<uint64_t>(ec) : 0;
    auto found = ec ? 0 : end(wanted);
    if (!call.id)
      return;
    if (found > 0)
      return write(rpc::answer(*call.id, nullptr));
    write(rpc::refuse(
      *call.id, fail(errc::not_found, "subscription", "expected the number of a subscription")));
  }

  size_t end(uint64_t number) {
    std::lock_guard lock{guard_};
    auto found = feeds_.find(number);
    if (found == feeds_.end())
      return 0;
    end_feed(found->second);
    feeds_.erase(found);
    return 1;
  }

  bool enter() {
    std::lock_guard lock{guard_};
    return in_work_++ < most_in_work;
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
  const rpc_client client_;
  const std::shared_ptr<http::stream> socket_;
  work_queue& long_messages_;
  std::mutex guard_;
  size_t in_work_ = 0;
  uint64_t last_number_ = 0;
  std::map<uint64_t, caf::actor> feeds_;
  std::vector<std::weak_ptr<rpc_batch>> batches_; ///< whose calls have not all begun at once
  bool has_ended_ = false;
};

} // namespace

void serve_rpc(agent_host& host, const rpc_service& service, rpc_clients& clients,
  rpc_client client, const std::shared_ptr<http::stream>& socket, work_queue& long_messages) {
  std::make_shared<rpc_socket>(host, service, clients, std::move(client), socket, long_messages)
    ->begin();
}

} // namespace scratchpage::serve
