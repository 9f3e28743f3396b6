#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "scratchpage/runtime/net/http/exchange.hpp"

namespace scratchpage::test {

/// A stream whose reader reads only when told to.
class slow_stream : public http::stream {
public:
  void write(std::string piece, std::function<void(bool)> then) override {
    if (!piece.starts_with(':')) // skips comments, which only keep the connection open
      pieces_.push_back(std::move(piece));
    waiting_.push_back(std::move(then));
  }
  void close() override { is_closed = true; }
  void on_end(std::function<void()>) override {}
  void on_message(std::function<void(std::string)>) override {}

  void read() {
    for (const auto& then : std::exchange(waiting_, {}))
      then(true);
  }

  size_t pieces() const { return pieces_.size(); }

  /// The events that were written, as "0-1 added".
  std::vector<std::string> events() const {
    std::vector<std::string> result;
    std::string id;
    for (const auto& piece : pieces_)
      for (size_t at = 0; at < piece.size();) {
        auto end = piece.find('\n', at);
        auto line = piece.substr(at, end - at);
        at = end + 1;
        if (line.starts_with("id: "))
          id = line.substr(4);
        else if (line.starts_with("event: "))
          result.push_back(id + " " + line.substr(7));
      }
    return result;
  }

  bool is_closed = false;

private:
  std::vector<std::string> pieces_;
  std::vector<std::function<void(bool)>> waiting_;
};

} // namespace scratchpage::test
