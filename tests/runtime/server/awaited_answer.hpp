#pragma once

#include <future>

#include <boost/test/unit_test.hpp>

#include "scratchpage/runtime/net/http/exchange.hpp"

namespace scratchpage::test {

/// A stream whose reader has disconnected before the first piece.
class abandoned_stream : public http::stream {
public:
  void write(std::string, std::function<void(bool)> then) override { then(false); }
  void close() override {}
  void on_end(std::function<void()> then) override { then(); }
  void on_message(std::function<void(std::string)>) override {}
};

/// An exchange whose answer, or the head of whose stream, a thread can wait for.
class awaited_answer : public http::exchange {
public:
  void respond(http::response answer) override { answer_.set_value(std::move(answer)); }
  std::shared_ptr<http::stream> begin_stream(http::response head, http::at_drain) override {
    answer_.set_value(std::move(head));
    return std::make_shared<abandoned_stream>();
  }
  std::shared_ptr<http::stream> accept_websocket() override { return nullptr; }
  void on_gone(std::function<void()>) override {}

  http::response get() {
    auto coming = answer_.get_future();
    BOOST_REQUIRE((coming.wait_for(std::chrono::seconds{20}) == std::future_status::ready));
    return coming.get();
  }

private:
  std::promise<http::response> answer_;
};

} // namespace scratchpage::test
