#include "scratchpage/runtime/auth/open_visits.hpp"

#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/auth/token.hpp"
#include "scratchpage/runtime/net/http/bearer.hpp"
#include "scratchpage/runtime/net/http/http_answers.hpp"

namespace scratchpage::serve {

namespace {

using head_ptr = open_visits::head_ptr;

/// What doors look at. A head is kept for as long as its stream lasts, so what else is in it,
/// and however its bearer was written, is not.
head_ptr kept_of(const http::request& asked) {
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
  return std::make_shared<const http::request>(std::move(result));
}

} // namespace

/// A stream of which each message is heard only from who would still be let in, and, if it is to
/// be so, each piece written only to them.
class watched_stream : public http::stream {
public:
  watched_stream(std::shared_ptr<http::stream> to, head_ptr head,
    std::shared_ptr<open_visits> visits, bool watches_writing)
    : to_{std::move(to)},
      head_{std::move(head)},
      visits_{std::move(visits)},
      watches_writing_{watches_writing} {}

  void write(std::string piece, std::function<void(bool)> then) override {
    if (!watches_writing_ || !visits_->refusal_of(*head_))
      return to_->write(std::move(piece), std::move(then));
    to_->cut_off();
    then(false);
  }
  void close() override { to_->close(); }
  void cut_off() override { to_->cut_off(); }
  void on_end(std::function<void()> then) override { to_->on_end(std::move(then)); }

  void on_message(std::function<void(std::string)> then) override {
    // What the stream holds must not hold the stream.
    to_->on_message([weak = std::weak_ptr{to_}, head = head_, visits = visits_,
                      then = std::move(then)](std::string text) {
      if (visits->admits(*head))
        return then(std::move(text));
      if (auto to = weak.lock())
        to->cut_off();
    });
  }

private:
  std::shared_ptr<http::stream> to_;
  head_ptr head_;
  std::shared_ptr<open_visits> visits_;
  bool watches_writing_;
};

/// Answers only who would still be let in, and notes the streams that begin on it.
class watched_exchange : public http::exchange {
public:
  watched_exchange(head_ptr head, std::shared_ptr<http::exchange> to,
    std::shared_ptr<open_visits> visits, bool watches_writing)
    : head_{std::move(head)},
      to_{std::move(to)},
      visits_{std::move(visits)},
      watches_writing_{watches_writing} {}

  void respond(http::response answer) override {
    auto refused = visits_->refusal_of(*head_);
    to_->respond(refused ? error_response(refused) : std::move(answer));
  }

  std::shared_ptr<http::stream> begin_stream(http::response head, http::at_drain then) override {
    auto begun = noted(to_->begin_stream(std::move(head), then));
    return watches_writing_ ? watched(std::move(begun), true) : begun;
  }

  std::shared_ptr<http::stream> accept_websocket() override {
    return watched(noted(to_->accept_websocket()), false);
  }

  void on_gone(std::function<void()> then) override { to_->on_gone(std::move(then)); }

private:
  std::shared_ptr<http::stream> noted(std::shared_ptr<http::stream> x) {
    if (x)
      visits_->add(head_, x);
    return x;
  }

  std::shared_ptr<http::stream> watched(std::shared_ptr<http::stream> x, bool watches_writing) {
    if (!x)
      return nullptr;
    return std::make_shared<watched_stream>(std::move(x), head_, visits_, watches_writing);
  }

  head_ptr head_;
  std::shared_ptr<http::exchange> to_;
  std::shared_ptr<open_visits> visits_;
  bool watches_writing_;
};

std::shared_ptr<http::exchange> open_visits::watch(
  const http::request& asked, std::shared_ptr<http::exchange> to) {
  return std::make_shared<watched_exchange>(
    head_of(asked), std::move(to), shared_from_this(), asked.path == "/mcp");
}

/// Where nobody is asked for a token, most requests have nothing that is worth keeping: when
/// tokens are asked for later, none of them is let in.
head_ptr open_visits::head_of(const http::request& asked) {
  static const auto nobodys = std::make_shared<const http::request>();
  if (asked.header("authorization") != nullptr)
    return kept_of(asked);
  std::shared_lock lock{guard_};
  return door_ == nullptr || door_->asks_for_tokens() ? kept_of(asked) : nobodys;
}

std::function<caf::error()> open_visits::admission_of(const http::request& asked) {
  {
    std::shared_lock lock{guard_};
    if (door_ == nullptr || !door_->may_withdraw())
      return {};
  }
  return [visits = shared_from_this(), head = head_of(asked)] { return visits->refusal_of(*head); };
}

void open_visits::check() {
  std::vector<std::shared_ptr<http::stream>> over;
  {
    std::lock_guard lock{guard_};
    std::erase_if(all_, [&](const auto& x) {
      auto stream = x.second.stream.lock();
      if (stream && door_ != nullptr && !door_->admit(*x.second.head))
        over.push_back(std::exchange(stream, nullptr));
      return !stream;
    });
  }
  for (const auto& x : over)
    x->cut_off();
}

bool open_visits::admits(const http::request& head) {
  std::shared_lock lock{guard_};
  return door_ != nullptr && door_->admit(head);
}

/// Why it would not be let in any more. What was asked for may be done all the same.
caf::error open_visits::refusal_of(const http::request& head) {
  std::shared_lock lock{guard_};
  if (door_ == nullptr || !door_->may_withdraw())
    return {};
  auto who = door_->admit(head);
  if (who)
    return {};
  return fail(code_of(who.error()), field_of(who.error()),
    "expected to be let in until the answer; what was asked for may be done");
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

void open_visits::add(head_ptr head, const std::shared_ptr<http::stream>& x) {
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
