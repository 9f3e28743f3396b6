#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>

#include "scratchpage/runtime/net/http/answered_request.hpp"
#include "scratchpage/runtime/net/http/output.hpp"
#include "scratchpage/runtime/net/http/request_reader.hpp"
#include "scratchpage/runtime/net/http/response_head.hpp"
#include "scratchpage/runtime/net/http/service.hpp"
#include "scratchpage/runtime/net/http/stream_core.hpp"
#include "scratchpage/runtime/net/http/wire.hpp"
#include "scratchpage/runtime/net/http/worker.hpp"
#include "scratchpage/runtime/net/http/write_watch.hpp"

namespace scratchpage::http {

/// What a connection needs from where it was accepted.
struct connection_setup {
  std::shared_ptr<worker> home;
  std::shared_ptr<http::service> service;
  std::unique_ptr<http::wire> wire;
  guest_book::guest in;
  place refused; ///< among those that are told that they are one too many
  ends of;
};

/// One connection, a request at a time. It reads on while a handler works, so that it
/// notices when the other side goes; what comes then waits for its turn. All of it runs
/// on its worker's thread.
class connection final : public session,
                         public wire::owner,
                         public std::enable_shared_from_this<connection> {
public:
  explicit connection(connection_setup setup);

  void start();

  /// From now on its place may be given to another.
  void may_be_shown_out();

  /// Tells a connection that is one too many, and closes it.
  void start_refused(const refusal& why);

  const std::shared_ptr<worker>& home() const { return home_; }
  http::service& service() const { return *service_; }

  // The ways of answering request `number`; nothing if that is answered already.

  void answer(uint64_t number, response x);
  void begin_stream(uint64_t number, response head, std::shared_ptr<stream_core> core);
  void become_websocket(uint64_t number, std::shared_ptr<stream_core> core);
  void on_gone(uint64_t number, std::function<void()> then);

  void on_tick(steady_time now) override;
  void on_drain() override;
  void cut_off() override;

private:
  enum class state {
    opening,   ///< shakes hands
    idle,      ///< waits for a request's first byte
    head,      ///< reads a request's head
    body,      ///< reads its body
    working,   ///< waits for the handler
    pausing,   ///< waits before it says that there is too much to do
    answering, ///< writes the whole of an answer
    streaming, ///< writes a stream's pieces
    lingering, ///< has answered, and reads what still comes until the other side ends
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
  void show_out();

  std::shared_ptr<worker> home_; // goes last: the wire's socket lives on it
  std::shared_ptr<http::service> service_;
  std::unique_ptr<http::wire> wire_;
  guest_book::guest in_;
  place refused_;
  ends of_;
  std::string peer_; ///< key of the peer that `of_` names

  state state_ = state::opening;
  steady_time deadline_ = never;
  write_watch write_;

  boost::beast::flat_buffer bytes_;
  bool reading_ = false;
  bool ended_ = false; ///< the other side has said its last
  request_reader reader_;

  uint64_t number_ = 0; ///< of the request that is or was worked on last
  uint64_t lost_ = 0;   ///< the one whose answer did not arrive
  request_reader::traits facts_;
  std::string websocket_key_;
  uint64_t body_bytes_ = 0; ///< of the budget for bodies that it has taken
  bool is_head_ = false;    ///< its method
  bool may_pause_ = false;  ///< whether it has to wait for a refusal
  asio::steady_timer pause_;
  answered_request asked_; ///< if somebody keeps a log
  steady_time asked_at_;
  bool admitted_ = false; ///< the one that is read, by its peer's rate
  bool unread_ = false;   ///< it was answered before all of it was read
  bool last_ = false;     ///< its answer is the last
  bool is_shown_out_ = false;
  std::vector<std::function<void()>> when_gone_;

  output out_;
  held_bytes held_; ///< of the answer that is written
  bool writing_ = false;
  std::shared_ptr<stream_core> stream_;
  bool in_chunks_ = false;
};

} // namespace scratchpage::http
