#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/runtime/net/http/exchange.hpp"

/// HTTP exchanges and streams without sockets.

namespace scratchpage::test {

/// A stream whose reader reads at once, or not at all.
class fake_stream : public http::stream {
public:
  void write(std::string piece, std::function<void(bool)> then) override {
    written += piece;
    pieces.push_back(std::move(piece));
    if (reads)
      then(true);
    else
      unread.push_back(std::move(then));
  }

  void close() override { end(); }

  void on_end(std::function<void()> then) override {
    if (ended)
      then();
    else
      on_ends.push_back(std::move(then));
  }

  void on_message(std::function<void(std::string)>) override {}

  /// Ends the stream, for either side.
  void end() {
    if (std::exchange(ended, true))
      return;
    for (auto& then : std::exchange(unread, {}))
      then(false);
    for (auto& then : std::exchange(on_ends, {}))
      then();
  }

  /// The data of the events that were written.
  std::vector<json::value> events() const {
    const std::string begin = "event: message\ndata: ";
    std::vector<json::value> result;
    for (const auto& x : pieces)
      if (x.starts_with(begin))
        result.push_back(json::parse(x.substr(begin.size())));
    return result;
  }

  bool reads = true;
  bool ended = false;
  std::string written;
  std::vector<std::string> pieces;

private:
  std::vector<std::function<void(bool)>> unread;
  std::vector<std::function<void()>> on_ends;
};

class fake_exchange : public http::exchange {
public:
  void respond(http::response answer) override { head = std::move(answer); }

  std::shared_ptr<http::stream> begin_stream(http::response answer, http::at_drain) override {
    head = std::move(answer);
    stream = std::make_shared<fake_stream>();
    return stream;
  }

  std::shared_ptr<http::stream> accept_websocket() override { return nullptr; }
  void on_gone(std::function<void()> then) override { gone = std::move(then); }

  /// The client disconnects; `gone` is not called.
  void leave() {
    if (stream)
      stream->end();
    gone = nullptr;
  }

  /// The status of the answer; 0 if there is none yet.
  uint32_t status() const { return head ? head->status : 0; }

  std::string header(std::string_view name) const {
    if (head)
      for (const auto& x : head->headers)
        if (x.name == name)
          return x.value;
    return {};
  }

  /// The body of the answer, or the last event of a stream; null if there is none.
  json::value answer() const {
    if (stream)
      return stream->events().empty() ? json::value{} : stream->events().back();
    return head && !head->body.empty() ? json::parse(head->body) : json::value{};
  }

  std::optional<http::response> head;
  std::shared_ptr<fake_stream> stream;
  std::function<void()> gone;
};

} // namespace scratchpage::test
