#include "scratchpage/runtime/net/http_client/exchange.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>

#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>

namespace scratchpage::http_client {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using boost::system::error_code;
using tcp = asio::ip::tcp;
/// TCP, or a local socket.
using any_stream = asio::generic::stream_protocol;

namespace {

constexpr size_t max_head_bytes = size_t{64} * 1024;

using plain_stream = beast::basic_stream<any_stream>;
using tls_stream = beast::ssl_stream<plain_stream>;

http::request<http::string_body> to_message(const request& x) {
  http::request<http::string_body> result;
  result.version(11);
  result.method_string(x.method);
  result.target(x.to.target);
  for (const auto& [name, value] : x.headers)
    result.insert(name, value);
  result.set(http::field::host, x.to.authority);
  result.set(http::field::connection, "close");
  result.body() = x.body;
  if (x.method == "POST")
    result.prepare_payload();
  return result;
}

std::string text_of(beast::string_view x) {
  return {x.data(), x.size()};
}

template <class Message>
head head_of(const Message& x) {
  head result;
  result.status = x.result_int();
  result.reason = text_of(x.reason());
  auto type = x[http::field::content_type];
  type = type.substr(0, type.find(';'));
  while (!type.empty() && type.back() == ' ')
    type.remove_suffix(1);
  for (auto c : type)
    result.content_type += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  for (const auto& field : x)
    result.headers.emplace_back(text_of(field.name_string()), text_of(field.value()));
  return result;
}

} // namespace

const std::string* head::header(std::string_view name) const {
  auto found = std::find_if(
    headers.begin(), headers.end(), [&](const auto& x) { return beast::iequals(x.first, name); });
  return found == headers.end() ? nullptr : &found->second;
}

/// Runs the exchange as asynchronous operations and waits for each of them, so that the timeout and
/// `cancel` can end it.
class exchange::connection {
public:
  outcome run(const request& x, std::optional<timespan> timeout, const reader& into) {
    if (timeout)
      until_ = std::chrono::steady_clock::now() + *timeout;
    endpoints found;
    if (auto ec = find(x.to, found))
      return outcome_of("could not find " + (x.to.host.empty() ? x.to.socket_path : x.to.host), ec);
    return x.to.secure ? run_secure(found, x, into) : run_plain(found, x, into);
  }

  void cancel() {
    cancelled_ = true;
    asio::post(io_, [this] { stop(); });
  }

private:
  using endpoints = std::vector<any_stream::endpoint>;

  error_code find(const address& to, endpoints& out) {
    if (!to.socket_path.empty()) {
      if (to.socket_path.size() > max_socket_path_bytes)
        return asio::error::name_too_long;
      out = {asio::local::stream_protocol::endpoint{to.socket_path}};
      return {};
    }
    tcp::resolver resolver{io_};
    return wait([&](auto then) {
      resolver.async_resolve(
        to.host, to.port, [&out, then](error_code why, const tcp::resolver::results_type& found) {
          for (const auto& one : found)
            out.emplace_back(one.endpoint());
          then(why);
        });
    });
  }

  outcome run_plain(const endpoints& found, const request& x, const reader& into) {
    plain_stream stream{io_};
    if (auto ec = connect(stream, found))
      return outcome_of("could not connect", ec);
    return talk(stream, x, into);
  }

  outcome run_secure(const endpoints& found, const request& x, const reader& into) {
    asio::ssl::context tls{asio::ssl::context::tls_client};
    error_code ec;
    if (x.ca_file.empty())
      tls.set_default_verify_paths(ec);
    else if (tls.load_verify_file(x.ca_file, ec))
      return {ending::failed, x.ca_file + " cannot be read: " + ec.message()};
    tls.set_verify_mode(asio::ssl::verify_peer);
    tls_stream stream{io_, tls};
    stream.set_verify_callback(asio::ssl::host_name_verification{x.to.host}, ec);
    asio::ip::make_address(x.to.host, ec);
    auto is_name = static_cast<bool>(ec); // SNI is sent for names only (RFC 6066)
    if (is_name)
      SSL_set_tlsext_host_name(stream.native_handle(), x.to.host.c_str());
    if ((ec = connect(beast::get_lowest_layer(stream), found)))
      return outcome_of("could not connect", ec);
    ec = wait([&](auto then) { stream.async_handshake(asio::ssl::stream_base::client, then); });
    if (ec)
      return outcome_of("could not agree on TLS", ec);
    return talk(stream, x, into);
  }

  error_code connect(plain_stream& stream, const endpoints& found) {
    socket_ = &stream;
    return wait([&](auto then) {
      stream.async_connect(
        found, [then](error_code why, const any_stream::endpoint&) { then(why); });
    });
  }

  template <class Stream>
  outcome talk(Stream& stream, const request& x, const reader& into) {
    auto message = to_message(x);
    auto ec = wait([&](auto then) {
      http::async_write(stream, message, [then](error_code why, size_t) { then(why); });
    });
    if (ec)
      return end(outcome_of("could not send the request", ec));
    beast::flat_buffer buffer;
    http::response_parser<http::buffer_body> parser;
    parser.header_limit(max_head_bytes);
    parser.body_limit(boost::none);
    ec = wait([&](auto then) {
      http::async_read_header(
        stream, buffer, parser, [then](error_code why, size_t) { then(why); });
    });
    if (ec)
      return end(outcome_of("did not answer", ec));
    if (!into.on_head(head_of(parser.get())))
      return end({});
    std::array<char, 16384> piece;
    while (!parser.is_done()) {
      parser.get().body().data = piece.data();
      parser.get().body().size = piece.size();
      ec = wait([&](auto then) {
        http::async_read_some(
          stream, buffer, parser, [then](error_code why, size_t) { then(why); });
      });
      auto got = piece.size() - parser.get().body().size;
      if (got > 0 && !into.on_body({piece.data(), got}))
        return end({});
      if (ec && ec != http::error::need_buffer)
        return end(outcome_of("broke off its answer", ec));
    }
    return end({});
  }

  /// Closes the socket: the caller is about to destroy the stream.
  outcome end(outcome x) {
    stop();
    socket_ = nullptr;
    return x;
  }

  /// Starts an operation and waits until it ends or the timeout is over.
  template <class Start>
  error_code wait(Start start) {
    if (cancelled_)
      return asio::error::operation_aborted;
    auto done = false;
    error_code result;
    start([&done, &result](error_code ec) {
      done = true;
      result = ec;
    });
    io_.restart();
    if (until_)
      io_.run_until(*until_);
    else
      io_.run();
    if (done)
      return result;
    timed_out_ = true;
    stop();
    io_.restart();
    io_.run(); // ends the operation
    return asio::error::timed_out;
  }

  void stop() {
    if (socket_ == nullptr)
      return;
    error_code ignored;
    socket_->socket().close(ignored);
  }

  outcome outcome_of(std::string_view what, error_code ec) const {
    if (timed_out_)
      return {ending::timed_out, std::string{what}.append(" in time")};
    if (cancelled_)
      return {ending::cancelled, "cancelled"};
    return {ending::failed, std::string{what}.append(": ").append(ec.message())};
  }

  asio::io_context io_;
  std::optional<std::chrono::steady_clock::time_point> until_;
  plain_stream* socket_ = nullptr;
  bool timed_out_ = false;
  std::atomic<bool> cancelled_ = false;
};

exchange::exchange()
  : connection_{std::make_unique<connection>()} {}

exchange::~exchange() = default;

outcome exchange::run(const request& x, std::optional<timespan> timeout, const reader& into) {
  return connection_->run(x, timeout, into);
}

void exchange::cancel() {
  connection_->cancel();
}

} // namespace scratchpage::http_client
