#include "scratchpage/runtime/serve/open_visits.hpp"

#include <utility>

namespace scratchpage::serve {

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
    return noted(to_->accept_websocket());
  }

  void on_gone(std::function<void()> then) override { to_->on_gone(std::move(then)); }

private:
  std::shared_ptr<http::stream> noted(std::shared_ptr<http::stream> x) {
    if (x)
      visits_->add({std::move(head_), x});
    return x;
  }

  http::request head_;
  std::shared_ptr<http::exchange> to_;
  std::shared_ptr<open_visits> visits_;
};

std::shared_ptr<http::exchange> open_visits::watch(
  const http::request& asked, std::shared_ptr<http::exchange> to) {
  http::request head;
  head.method = asked.method;
  head.path = asked.path;
  head.headers = asked.headers;
  head.peer = asked.peer;
  head.secure = asked.secure;
  return std::make_shared<watched_exchange>(std::move(head), std::move(to), shared_from_this());
}

void open_visits::check() {
  std::vector<std::shared_ptr<http::stream>> over;
  {
    std::lock_guard lock{guard_};
    std::erase_if(all_, [&](const visit& x) {
      auto stream = x.stream.lock();
      if (stream && door_ != nullptr && !door_->admit(x.head))
        over.push_back(std::exchange(stream, nullptr));
      return !stream;
    });
  }
  for (const auto& x : over)
    x->close();
}

void open_visits::end() {
  std::lock_guard lock{guard_};
  door_ = nullptr;
  all_.clear();
}

void open_visits::add(visit x) {
  std::lock_guard lock{guard_};
  all_.push_back(std::move(x));
}

} // namespace scratchpage::serve
