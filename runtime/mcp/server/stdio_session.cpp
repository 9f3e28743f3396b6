#include "scratchpage/runtime/mcp/server/stdio_session.hpp"

#include <type_traits>
#include <utility>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/runtime/mcp/protocol/protocol.hpp"

namespace scratchpage::mcp {

namespace {

/// Calls `done` when the last reference to it is gone.
class line_in_work {
public:
  explicit line_in_work(std::function<void()> done)
    : done_{std::move(done)} {}
  line_in_work(const line_in_work&) = delete;
  line_in_work& operator=(const line_in_work&) = delete;
  ~line_in_work() { done_(); }

private:
  std::function<void()> done_;
};

} // namespace

/// The channel of one request.
class stdio_session::line_response_channel : public response_channel {
public:
  line_response_channel(std::shared_ptr<const stdio_session> to, std::shared_ptr<void> work)
    : to_{std::move(to)},
      work_{std::move(work)} {}

  void send(const json::object& message) override { to_->write(message); }

  void finish(const json::object& answer) override {
    to_->write(answer);
    work_.reset();
  }

  void finish(std::string answer) override {
    to_->out_(std::move(answer));
    work_.reset();
  }

  void end() override { work_.reset(); }
  void stay_open() override { work_.reset(); }
  void on_gone(std::function<void()>) override {} // the client does not go before the session ends

private:
  std::shared_ptr<const stdio_session> to_;
  std::shared_ptr<void> work_;
};

/// The channel for messages that belong to no request.
class stdio_session::announcer : public response_channel {
public:
  explicit announcer(const stdio_session& to)
    : to_{to} {}

  void send(const json::object& message) override { to_.write(message); }
  void finish(const json::object& answer) override { to_.write(answer); }
  void finish(std::string answer) override { to_.out_(std::move(answer)); }
  void end() override {}
  void on_gone(std::function<void()>) override {}

private:
  const stdio_session& to_;
};

stdio_session::stdio_session(std::shared_ptr<mcp::server> server, principal who, line_sink out)
  : server_{std::move(server)},
    who_{std::move(who)},
    out_{std::move(out)},
    session_{std::make_shared<session>(server_->on())},
    announcer_{std::make_shared<announcer>(*this)} {
  session_->unasked = announcer_;
}

void stdio_session::receive(std::string line, std::function<void()> done) {
  auto work = std::make_shared<line_in_work>(std::move(done));
  server_->on()->post(
    [self = shared_from_this(), line = std::move(line), work] { self->take(line, work); });
}

void stdio_session::close() {
  server_->on()->post([self = shared_from_this()] { self->session_->hang_up(); });
}

void stdio_session::take(const std::string& line, std::shared_ptr<void> work) {
  auto message = read_message(line);
  if (auto* call = std::get_if<json_rpc::request>(&message))
    take(std::move(*call), std::move(work));
  else if (auto* answer = std::get_if<reply>(&message))
    session_->take(answer->message);
  else
    write(std::get<not_understood>(message).refusal);
}

void stdio_session::take(json_rpc::request x, std::shared_ptr<void> work) {
  if (!x.id)
    return server::take_notification(x, *session_);
  auto said = read_envelope(x.params, x.method == "server/discover");
  auto* why = std::get_if<error>(&said);
  auto refused = why != nullptr ? std::optional{*why} : std::nullopt;
  if (!refused && std::get<envelope>(said).spoken == protocol_generation::modern)
    refused = refuse_version(std::get<envelope>(said).version);
  auto back = std::make_shared<line_response_channel>(shared_from_this(), std::move(work));
  if (!refused)
    return server_->handle(
      {std::move(x), std::move(std::get<envelope>(said)), who_, session_, std::move(back)});
  back->finish(refusal(*x.id, *refused));
}

void stdio_session::write(const json::object& message) const {
  out_(to_text(message));
}

} // namespace scratchpage::mcp
