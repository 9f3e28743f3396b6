#include "scratchpage/runtime/client/link.hpp"

#include <atomic>
#include <charconv>
#include <chrono>
#include <deque>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include <boost/asio/connect.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/ssl/ssl_stream.hpp>
#include <boost/beast/websocket/ssl.hpp>
#include <boost/beast/websocket/stream.hpp>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/threads.hpp"
#include "scratchpage/runtime/api/operation_answers.hpp"
#include "scratchpage/runtime/net/http_client/address.hpp"
#include "scratchpage/runtime/net/json_rpc/read_error.hpp"

namespace scratchpage::client {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = beast::websocket;
using boost::system::error_code;

constexpr size_t max_answer_bytes = size_t{16} << 20;
/// For a server on the network. After half of this time it gets a ping.
constexpr auto silence_at_most = std::chrono::seconds{10};

caf::error unreachable(const std::string& why) {
  return fail(errc::storage_unavailable, "server", "expected a server that answers: " + why);
}

caf::error lost() {
  return fail(
    errc::storage_unavailable, "server", "the server has gone; whether this was done is not known");
}

/// The error in the answer of a server that refuses the WebSocket.
caf::error refusal_in(const websocket::response_type& x) {
  auto value = parse_json(x.body());
  const auto* object = value ? value->if_object() : nullptr;
  if (const auto* error = object != nullptr ? object->if_contains("error") : nullptr)
    return read_error(*error);
  return unreachable("it answers " + std::to_string(x.result_int()));
}

/// TCP, or a local socket.
using any_stream = asio::generic::stream_protocol;
using plain_socket = any_stream::socket;
using secure_socket = beast::ssl_stream<plain_socket>;

/// A link with or without TLS. All of it but `call_for_text` runs on one thread.
template <class Socket>
class socket_link final : public link {
public:
  template <class... Ts>
  socket_link(endpoint to, listener tell, Ts&&... xs)
    : to_{std::move(to)},
      tell_{std::move(tell)},
      socket_{io_, std::forward<Ts>(xs)...},
      calls_{is_local() ? pending_calls::peer::own_process : pending_calls::peer::anybody} {}

  ~socket_link() override {
    is_over_ = true;
    asio::post(io_, [this] { io_.stop(); });
    if (thread_.joinable())
      thread_.join();
    calls_.end(lost());
  }

  caf::error connect(timespan timeout) {
    auto done = false;
    caf::error result;
    begin([&](caf::error err) {
      done = true;
      result = std::move(err);
    });
    io_.run_for(std::chrono::ceil<std::chrono::milliseconds>(timeout));
    if (!done)
      return unreachable("it took too long");
    if (result)
      return result;
    io_.restart();
    read();
    auto started = start_thread([this] { io_.run(); });
    if (!started)
      return started.error();
    thread_ = std::move(*started);
    return {};
  }

  void call_for_text(std::string method, json::object params, on_text then) override {
    auto text = calls_.begin(method, std::move(params), std::move(then));
    if (!text.empty())
      asio::post(io_, [this, text = std::move(text)]() mutable {
        waiting_.push_back(std::move(text));
        write();
      });
  }

  bool is_open() const override { return !has_ended_; }

private:
  using connected = std::function<void(caf::error)>;

  // -- connecting

  bool is_local() const { return !to_.socket_path.empty(); }

  void begin(const connected& then) {
    if (to_.socket_path.size() > http_client::max_socket_path_bytes)
      return then(unreachable("the path of its socket is too long"));
    if (is_local())
      return connect_to({asio::local::stream_protocol::endpoint{to_.socket_path}}, then);
    auto resolver = std::make_shared<asio::ip::tcp::resolver>(io_);
    resolver->async_resolve(
      to_.host, to_.port, [this, then, resolver](error_code ec, const auto& found) {
        if (ec)
          return then(unreachable(ec.message()));
        std::vector<any_stream::endpoint> all;
        for (const auto& one : found)
          all.emplace_back(one.endpoint());
        connect_to(std::move(all), then);
      });
  }

  void connect_to(std::vector<any_stream::endpoint> found, const connected& then) {
    asio::async_connect(beast::get_lowest_layer(socket_), found,
      [this, then](error_code ec, const any_stream::endpoint&) { on_connected(then, ec); });
  }

  void on_connected(const connected& then, error_code ec) {
    if (ec)
      return then(unreachable(ec.message()));
    if (!is_local())
      beast::get_lowest_layer(socket_).set_option(asio::ip::tcp::no_delay{true}, ec);
    if constexpr (std::is_same_v<Socket, secure_socket>) {
      auto& tls = socket_.next_layer();
      SSL_set_tlsext_host_name(tls.native_handle(), to_.host.c_str());
      tls.set_verify_callback(asio::ssl::host_name_verification{to_.host}, ec);
      tls.async_handshake(asio::ssl::stream_base::client, [this, then](error_code failed) {
        failed ? then(unreachable(failed.message())) : shake_hands(then);
      });
    } else {
      shake_hands(then);
    }
  }

  void shake_hands(const connected& then) {
    socket_.set_option(websocket::stream_base::decorator{[this](websocket::request_type& x) {
      for (const auto& [name, value] : to_.headers)
        x.set(name, value);
    }});
    if (!is_local()) // the kernel reports the end of local ones
      socket_.set_option(
        websocket::stream_base::timeout{websocket::stream_base::none(), silence_at_most, true});
    socket_.read_message_max(max_answer_bytes);
    auto host = is_local() ? "localhost" : to_.host + ":" + to_.port;
    socket_.async_handshake(answer_, host, to_.target, [this, then](error_code ec) {
      if (ec == websocket::error::upgrade_declined)
        then(refusal_in(answer_));
      else
        then(ec ? unreachable(ec.message()) : caf::error{});
    });
  }

  // -- messages

  void read() {
    socket_.async_read(bytes_, [this](error_code ec, size_t) {
      if (ec)
        return end();
      auto text = beast::buffers_to_string(bytes_.data());
      bytes_.consume(bytes_.size());
      if (calls_.take(text, tell_))
        read();
      else
        say_goodbye();
    });
  }

  void say_goodbye() {
    socket_.async_close(websocket::close_code::going_away, [this](error_code) { end(); });
  }

  void write() {
    if (is_writing_ || waiting_.empty() || has_ended_)
      return;
    is_writing_ = true;
    under_way_ = std::move(waiting_.front());
    waiting_.pop_front();
    socket_.async_write(asio::buffer(under_way_), [this](error_code ec, size_t) {
      is_writing_ = false;
      ec ? end() : write();
    });
  }

  void end() {
    if (has_ended_.exchange(true))
      return;
    error_code ignored;
    beast::get_lowest_layer(socket_).close(ignored);
    calls_.end(lost());
    if (tell_.on_end && !is_over_)
      tell_.on_end();
  }

  const endpoint to_;
  listener tell_;
  asio::io_context io_{1};
  websocket::stream<Socket> socket_;
  websocket::response_type answer_;
  beast::flat_buffer bytes_;
  pending_calls calls_;
  std::deque<std::string> waiting_;
  std::string under_way_;
  bool is_writing_ = false;
  std::atomic<bool> has_ended_ = false;
  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

caf::expected<std::unique_ptr<link>> open_plain(
  endpoint to, timespan timeout, link::listener tell) {
  auto result = std::make_unique<socket_link<plain_socket>>(std::move(to), std::move(tell));
  if (auto err = result->connect(timeout))
    return err;
  return std::unique_ptr<link>{std::move(result)};
}

/// A link over TLS, with its certificates.
class secure_link final : public link {
public:
  static caf::expected<std::unique_ptr<link>> open(endpoint to, timespan timeout, listener tell) {
    std::unique_ptr<secure_link> result{new secure_link};
    error_code ec;
    if (to.ca_file.empty())
      result->context_.set_default_verify_paths(ec);
    else
      result->context_.load_verify_file(to.ca_file, ec);
    if (ec)
      return fail(errc::invalid_request, "ca_file", "expected certificates: " + ec.message());
    result->context_.set_verify_mode(asio::ssl::verify_peer);
    result->inner_ = std::make_unique<socket_link<secure_socket>>(
      std::move(to), std::move(tell), result->context_);
    if (auto err = result->inner_->connect(timeout))
      return err;
    return std::unique_ptr<link>{std::move(result)};
  }

  void call_for_text(std::string method, json::object params, on_text then) override {
    inner_->call_for_text(std::move(method), std::move(params), std::move(then));
  }

  bool is_open() const override { return inner_->is_open(); }

private:
  secure_link() = default;

  asio::ssl::context context_{asio::ssl::context::tls_client};
  std::unique_ptr<socket_link<secure_socket>> inner_;
};

constexpr json_limits message_limits{16u << 20, 64, any_number_of_values};

/// The result or the error of an answer.
caf::expected<std::string> outcome_of(const json::object& message) {
  const auto* error = message.if_contains("error");
  if (error == nullptr) {
    const auto* result = message.if_contains("result");
    return result == nullptr ? std::string{"null"} : to_text(*result);
  }
  const auto* data = error->is_object() ? error->get_object().if_contains("data") : nullptr;
  return read_error(data == nullptr ? *error : *data);
}

/// An answer with a result, in the form that `answer_text` (json_rpc.hpp) writes.
struct plain_answer {
  uint64_t number = 0;
  std::string_view result;
};

/// Nothing if it has another form. Reads only the beginning.
std::optional<plain_answer> read_plainly(std::string_view text) {
  constexpr std::string_view before_id = R"({"jsonrpc":"2.0","id":)",
                             before_result = R"(,"result":)";
  if (!text.starts_with(before_id) || !text.ends_with('}'))
    return std::nullopt;
  plain_answer result;
  const auto* end = text.data() + text.size() - 1;
  auto [after, ec] = std::from_chars(text.data() + before_id.size(), end, result.number);
  auto rest = std::string_view{after, static_cast<size_t>(end - after)};
  if (ec != std::errc{} || !rest.starts_with(before_result))
    return std::nullopt;
  result.result = rest.substr(before_result.size());
  return result;
}

} // namespace

void link::call(std::string method, json::object params, on_answer then) {
  call_for_text(std::move(method), std::move(params),
    [then = std::move(then)](const caf::expected<std::string>& text) { then(parse_result(text)); });
}

caf::expected<std::unique_ptr<link>> link::open(endpoint to, timespan timeout, listener tell) {
  // A local socket needs no TLS.
  if (to.tls && to.socket_path.empty())
    return secure_link::open(std::move(to), timeout, std::move(tell));
  return open_plain(std::move(to), timeout, std::move(tell));
}

std::string pending_calls::begin(std::string_view method, json::object params, link::on_text then) {
  std::unique_lock lock{guard_};
  if (ended_) {
    lock.unlock();
    then(fail(errc::overloaded, "server", "the server is about to end; this was not done"));
    return {};
  }
  auto number = ++last_;
  waiting_.emplace(number, std::move(then));
  lock.unlock();
  return to_text(json::value{
    {"jsonrpc", "2.0"}, {"id", number}, {"method", method}, {"params", std::move(params)}});
}

bool pending_calls::take(std::string_view text, const link::listener& tell) {
  if (from_ == peer::own_process && pass_on(text))
    return goes_on();
  auto value = parse_json(text, message_limits);
  if (!value || !value->is_object())
    return true;
  auto& message = value->get_object();
  if (const auto* method = message.if_contains("method"); method != nullptr && method->is_string())
    take_notification(std::string{method->get_string()}, message, tell);
  else if (auto then = find(message))
    then(outcome_of(message));
  return goes_on();
}

/// Passes an answer on without parsing its result. False if it has another form.
bool pending_calls::pass_on(std::string_view text) {
  auto answer = read_plainly(text);
  if (!answer)
    return false;
  if (auto then = take_out(answer->number))
    then(std::string{answer->result});
  return true;
}

bool pending_calls::goes_on() {
  std::lock_guard lock{guard_};
  return !ended_ || !waiting_.empty();
}

void pending_calls::take_notification(
  std::string_view method, json::object& message, const link::listener& tell) {
  if (method == "end") {
    std::lock_guard lock{guard_};
    ended_ = true;
    return;
  }
  auto* params = message.if_contains("params");
  if (tell.on_notification && params != nullptr && params->is_object())
    tell.on_notification(std::string{method}, std::move(params->get_object()));
}

link::on_text pending_calls::find(const json::object& message) {
  boost::json::error_code ec;
  const auto* id = message.if_contains("id");
  auto number = id != nullptr && id->is_number() ? id->to_number<uint64_t>(ec) : 0;
  return take_out(ec ? 0 : number);
}

link::on_text pending_calls::take_out(uint64_t number) {
  std::lock_guard lock{guard_};
  auto found = waiting_.extract(number);
  return found ? std::move(found.mapped()) : nullptr;
}

void pending_calls::end(const caf::error& why) {
  std::map<uint64_t, link::on_text> all;
  {
    std::lock_guard lock{guard_};
    ended_ = true;
    all.swap(waiting_);
  }
  for (auto& [number, then] : all)
    then(why);
}

} // namespace scratchpage::client
