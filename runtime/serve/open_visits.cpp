#include "scratchpage/runtime/serve/open_visits.hpp"

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "scratchpage/runtime/access/token.hpp"

namespace scratchpage::serve {

namespace {

/// What doors look at. A head is kept for as long as its stream lasts, so what else is in it,
/// and however its bearer was written, is not.
http::request kept_of(const http::request& asked) {
  http::request result;
  result.peer = asked.peer;
  result.secure = asked.secure;
  const auto* given = asked.header("authorization");
  if (auto bearer = given == nullptr ? std::nullopt : access::bearer_in(*given))
    result.headers.push_back({"authorization", "Bearer " + std::string{*bearer}});
  else if (given != nullptr)
    result.headers.push_back({"authorization", {}});
  if (const auto* said = asked.header("scratchpage-caller"))
    result.headers.push_back({"scratchpage-caller", *said});
  return result;
}

} // namespace

/// A WebSocket each of whose messages is heard only from who would still be let in.
class watched_socket : public http::stream {
public:
  watched_socket(std::shared_ptr<http::stream> to, std::function<bool()> is_admitted)
    : to_{std::move(to)},
      is_admitted_{std::move(is_admitted)} {}

  void write(std::string piece, std::function<void(bool)> then) override {
    to_->write(std::move(piece), std::move(then));
  }
  void close() override { to_->close(); }
  void cut_off() override { to_->cut_off(); }
  void on_end(std::function<void()> then) override { to_->on_end(std::move(then)); }

  void on_message(std::function<void(std::string)> then) override {
    // What the stream holds must not hold the stream.
    to_->on_message([weak = std::weak_ptr{to_}, is_admitted = is_admitted_, then = std::move(then)](
                      std::string text) {
      if (is_admitted())
        return then(std::move(text));
      if (auto to = weak.lock())
        to->cut_off();
    });
  }

private:
  std::shared_ptr<http::stream> to_;
  std::function<bool()> is_admitted_;
};

/// Notes the streams that begin on another.
class watched_exchange : public http::exchange {
public:
  watched_exchange(
    http::request head, std::shared_ptr<http::exchange> to, std::shared_ptr<open_visits> visits)
    : head_{std::move(head)},
      to_{std::move(to)},
      visits_{std::move(visits)} {}

  void respond(http::response answer) override { to_->respond(std::move(answer)); }

  std::shared_ptr<http::stream> begin_stream(http::response head, http::at_drain then) override {
    return noted(to_->begin_stream(std::move(head), then));
  }

  std::shared_ptr<http::stream> accept_websocket() override {
    auto head = head_;
    auto accepted = noted(to_->accept_websocket());
    if (!accepted)
      return nullptr;
    auto is_admitted = [visits = visits_, head = std::move(head)] { return visits->admits(head); };
    return std::make_shared<watched_socket>(std::move(accepted), std::move(is_admitted));
  }

  void on_gone(std::function<void()> then) override { to_->on_gone(std::move(then)); }

private:
  std::shared_ptr<http::stream> noted(std::shared_ptr<http::stream> x) {
    if (x)
      visits_->add(std::move(head_), x);
    return x;
  }

  http::request head_;
  std::shared_ptr<http::exchange> to_;
  std::shared_ptr<open_visits> visits_;
};

std::shared_ptr<http::exchange> open_visits::watch(
  const http::request& asked, std::shared_ptr<http::exchange> to) {
  return std::make_shared<watched_exchange>(kept_of(asked), std::move(to), shared_from_this());
}

void open_visits::check() {
  std::vector<std::shared_ptr<http::stream>> over;
  {
    std::lock_guard lock{guard_};
    std::erase_if(all_, [&](const auto& x) {
      auto stream = x.second.stream.lock();
      if (stream && door_ != nullptr && !door_->admit(x.second.head))
        over.push_back(std::exchange(stream, nullptr));
      return !stream;
    });
  }
  for (const auto& x : over)
    x->cut_off();
}

bool open_visits::admits(const http::request& head) {
  std::lock_guard lock{guard_};
  return door_ != nullptr && door_->admit(head);
}

void open_visits::end() {
  std::lock_guard lock{guard_};
  door_ = nullptr;
  all_.clear();
}

size_t open_visits::count() {
  std::lock_guard lock{guard_};
  return all_.size();
}

void open_visits::add(http::request head, const std::shared_ptr<http::stream>& x) {
  std::unique_lock lock{guard_};
  auto number = ++last_;
  all_.emplace(number, visit{std::move(head), x});
  lock.unlock();
  x->on_end([visits = weak_from_this(), number] { // at once, if it has ended
    if (auto all = visits.lock())
      all->forget(number);
  });
}

void open_visits::forget(uint64_t number) {
  std::lock_guard lock{guard_};
  all_.erase(number);
}

} // namespace scratchpage::serve
