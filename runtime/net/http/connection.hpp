#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/asio/buffer.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>

#include "scratchpage/runtime/net/http/message.hpp"
#include "scratchpage/runtime/net/http/request_reader.hpp"
#include "scratchpage/runtime/net/http/server.hpp"
#include "scratchpage/runtime/net/http/service.hpp"
#include "scratchpage/runtime/net/http/stream_core.hpp"
#include "scratchpage/runtime/net/http/transport.hpp"
#include "scratchpage/runtime/net/http/worker.hpp"

namespace scratchpage::http {

/// Texts that wait to be written, in their order.
class output {
public:
  void add(std::string x) {
    if (!x.empty())
      texts_.push_back(std::move(x));
  }

  bool empty() const { return texts_.empty(); }

  /// The next two texts, or fewer. Valid until the next call of `add` or `consume`.
  std::array<boost::asio::const_buffer, 2> next() const {
    std::array<boost::asio::const_buffer, 2> result;
    if (!texts_.empty())
      result[0] = boost::asio::buffer(texts_[0]) + written_;
    if (texts_.size() > 1)
      result[1] = boost::asio::buffer(texts_[1]);
    return result;
  }

  void consume(size_t bytes) {
    written_ += bytes;
    size_t done = 0;
    while (done < texts_.size() && written_ >= texts_[done].size())
      written_ -= texts_[done++].size();
    texts_.erase(texts_.begin(), texts_.begin() + static_cast<std::ptrdiff_t>(done));
  }

private:
  std::vector<std::string> texts_;
  size_t written_ = 0; ///< bytes of the first text
};

/// What a listener gives to a connection.
struct connection_setup {
  std::shared_ptr<worker> home;
  std::shared_ptr<http::service> service;
  std::unique_ptr<http::transport> transport;
  guest_book::guest in;
  permit refused; ///< for a connection beyond the limit, which is told so
  ends of;
};

/// One connection, which answers one request at a time. It reads on while a handler works, so that
/// it notices when the client disconnects; further requests wait. It runs on its worker's thread.
class connection final : public session,
                         public transport::owner,
                         public std::enable_shared_from_this<connection> {
public:
  explicit connection(connection_setup setup);

  void start();

  /// Allows that another connection evicts this one.
  void may_be_evicted();

  /// Sends the refusal and closes the connection, which is beyond the limit.
  void start_refused(const refusal& why);

  const std::shared_ptr<worker>& home() const { return home_; }
  http::service& service() const { return *service_; }

  // Called by the exchange of request `number`. They do nothing if it is answered already.

  void answer(uint64_t number, response x);
  void begin_stream(uint64_t number, response head, std::shared_ptr<stream_core> core);
  void become_websocket(uint64_t number, std::shared_ptr<stream_core> core);
  void on_gone(uint64_t number, std::function<void()> then);

  void on_tick(steady_time now) override;
  void on_drain() override;
  void cut_off() override;

private:
  enum class state {
    opening,   ///< makes the TLS handshake
    idle,      ///< waits for the first byte of a request
    head,      ///< reads the head of a request
    body,      ///< reads its body
    working,   ///< waits for the handler
    pausing,   ///< waits before it refuses a request because of overload
    answering, ///< writes an answer
    streaming, ///< writes the pieces of a stream
    lingering, ///< has answered, and reads until the client closes the connection
    closed,
  };

  void on_open(bool ok) override;
  void on_read(size_t bytes) override;
  void on_written(size_t bytes) override;

  void read_more();
  size_t room() const;
  void wait_for_request();
  stay waiting() const;
  void read_request();
  void read_on();
  bool is_admitted();
  bool has_room_for_body();
  void give_body_back();
  void dispatch();
  void refuse(const refusal& why);
  bool is_open_question(uint64_t number) const;
  void tell_answered(uint32_t status);
  void send_answer(response x, framing ends);
  bool has_to_wait(uint32_t status) const;
  static bool may_change(std::string_view method);
  void pause(response x);
  void send_head(response x, framing ends);
  void send(std::string bytes);
  void write_more();
  void pump();
  void send_piece(std::string piece);
  void on_flushed();
  void next_request();
  void finish();
  void close();
  void tell_gone();
  void end_stream();
  void on_deadline();
  bool may_go() const;
  void on_eviction();

  std::shared_ptr<worker> home_; // destroyed last, since the transport's socket uses it
  std::shared_ptr<http::service> service_;
  std::unique_ptr<http::transport> transport_;
  guest_book::guest in_;
  permit refused_;
  ends of_;
  std::string peer_; ///< see `peer_key`

  state state_ = state::opening;
  steady_time deadline_ = never;
  write_watch write_;

  boost::beast::flat_buffer bytes_;
  bool reading_ = false;
  bool ended_ = false; ///< the client has closed its side
  request_reader reader_;

  uint64_t number_ = 0; ///< of the latest request that was passed to the handler
  uint64_t lost_ = 0;   ///< of the request whose answer could not be sent
  request_reader::traits facts_;
  std::string websocket_key_;
  uint64_t body_bytes_ = 0; ///< taken from the budget for bodies
  bool is_head_ = false;    ///< the request's method is HEAD
  bool may_pause_ = false;  ///< a refusal of the request comes after a pause
  asio::steady_timer pause_;
  access_log_entry asked_; ///< of the request; only if there is a log
  steady_time asked_at_;
  bool admitted_ = false; ///< the rate limit has let in the request that is read
  bool unread_ = false;   ///< the request was answered before all of it was read
  bool last_ = false;     ///< the connection ends after this answer
  bool is_evicted_ = false;
  std::vector<std::function<void()>> when_gone_;

  output out_;
  held_bytes held_; ///< by the answer that is written
  bool writing_ = false;
  std::shared_ptr<stream_core> stream_;
  bool in_chunks_ = false;
};

} // namespace scratchpage::http
