#include "scratchpage/runtime/auth/stream_revalidator.hpp"

#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/auth/token.hpp"
#include "scratchpage/runtime/net/http/http_answers.hpp"
#include "scratchpage/runtime/net/http/message.hpp"

namespace scratchpage::auth {

namespace {

using head_ptr = stream_revalidator::head_ptr;

/// A copy of a request with only what an authenticator reads. It is kept as long as the stream
/// lasts, so it has no other header, and the bearer in its shortest form.
head_ptr authentication_of(const http::request& asked) {
  http::request result;
  result.peer = asked.peer;
  result.secure = asked.secure;
  const auto* given = asked.header("authorization");
  if (auto bearer = given == nullptr ? std::nullopt : http::bearer_in(*given))
    result.headers.push_back({"authorization", "Bearer " + std::string{*bearer}});
  else if (given != nullptr)
    result.headers.push_back({"authorization", {}});
  if (const auto* said = asked.header("scratchpage-caller"))
    result.headers.push_back({"scratchpage-caller", *said});
  return std::make_shared<const http::request>(std::move(result));
}

} // namespace

/// A stream that drops a message if its client would not be let in any more. With
/// `watches_writing`, pieces are dropped, too.
class watched_stream : public http::stream {
public:
  watched_stream(std::shared_ptr<http::stream> to, head_ptr head,
    std::shared_ptr<stream_revalidator> by, bool watches_writing)
    : to_{std::move(to)},
      head_{std::move(head)},
      revalidator_{std::move(by)},
      watches_writing_{watches_writing} {}

  void write(std::string piece, std::function<void(bool)> then) override {
    if (!watches_writing_ || !revalidator_->refusal_of(*head_))
      return to_->write(std::move(piece), std::move(then));
    to_->cut_off();
    then(false);
  }
  void close() override { to_->close(); }
  void cut_off() override { to_->cut_off(); }
  void on_end(std::function<void()> then) override { to_->on_end(std::move(then)); }

  void on_message(std::function<void(std::string)> then) override {
    // The stream keeps this function: it must not keep the stream alive.
    to_->on_message([weak = std::weak_ptr{to_}, head = head_, by = revalidator_,
                      then = std::move(then)](std::string text) {
      if (by->admits(*head))
        return then(std::move(text));
      if (auto to = weak.lock())
        to->cut_off();
    });
  }

private:
  std::shared_ptr<http::stream> to_;
  head_ptr head_;
  std::shared_ptr<stream_revalidator> revalidator_;
  bool watches_writing_;
};

/// An exchange that answers only clients that would still be let in, and registers the streams that
/// begin on it.
class watched_exchange : public http::exchange {
public:
  watched_exchange(head_ptr head, std::shared_ptr<http::exchange> to,
    std::shared_ptr<stream_revalidator> by, bool watches_writing)
    : head_{std::move(head)},
      to_{std::move(to)},
      revalidator_{std::move(by)},
      watches_writing_{watches_writing} {}

  void respond(http::response answer) override {
    auto refused = revalidator_->refusal_of(*head_);
    to_->respond(refused ? http::error_response(refused) : std::move(answer));
  }

  std::shared_ptr<http::stream> begin_stream(http::response head, http::at_drain then) override {
    auto begun = registered(to_->begin_stream(std::move(head), then));
    return watches_writing_ ? watched(std::move(begun), true) : begun;
  }

  std::shared_ptr<http::stream> accept_websocket() override {
    return watched(registered(to_->accept_websocket()), false);
  }

  void on_gone(std::function<void()> then) override { to_->on_gone(std::move(then)); }

private:
  std::shared_ptr<http::stream> registered(std::shared_ptr<http::stream> x) {
    if (x)
      revalidator_->add(head_, x);
    return x;
  }

  std::shared_ptr<http::stream> watched(std::shared_ptr<http::stream> x, bool watches_writing) {
    if (!x)
      return nullptr;
    return std::make_shared<watched_stream>(std::move(x), head_, revalidator_, watches_writing);
  }

  head_ptr head_;
  std::shared_ptr<http::exchange> to_;
  std::shared_ptr<stream_revalidator> revalidator_;
  bool watches_writing_;
};

std::shared_ptr<http::exchange> stream_revalidator::watch(
  const http::request& asked, std::shared_ptr<http::exchange> to) {
  return std::make_shared<watched_exchange>(
    head_of(asked), std::move(to), shared_from_this(), asked.path == "/mcp");
}

/// A request without a token, at a time when none is needed, gets an empty head, which costs no
/// copy: it is let in as long as no tokens are needed, and refused from then on.
head_ptr stream_revalidator::head_of(const http::request& asked) {
  static const auto empty = std::make_shared<const http::request>();
  if (asked.header("authorization") != nullptr)
    return authentication_of(asked);
  std::shared_lock lock{guard_};
  auto needs_token = authenticator_ == nullptr || authenticator_->asks_for_tokens();
  return needs_token ? authentication_of(asked) : empty;
}

std::function<caf::error()> stream_revalidator::admission_of(const http::request& asked) {
  {
    std::shared_lock lock{guard_};
    if (authenticator_ == nullptr || !authenticator_->may_withdraw())
      return {};
  }
  return [by = shared_from_this(), head = head_of(asked)] { return by->refusal_of(*head); };
}

void stream_revalidator::check() {
  std::vector<std::shared_ptr<http::stream>> over;
  {
    std::lock_guard lock{guard_};
    std::erase_if(all_, [&](const auto& x) {
      auto stream = x.second.stream.lock();
      if (stream && authenticator_ != nullptr && !authenticator_->admit(*x.second.head))
        over.push_back(std::exchange(stream, nullptr));
      return !stream;
    });
  }
  for (const auto& x : over)
    x->cut_off();
}

bool stream_revalidator::admits(const http::request& head) {
  std::shared_lock lock{guard_};
  return authenticator_ != nullptr && authenticator_->admit(head);
}

/// The error if the client would not be let in any more. Its request may have been executed
/// nevertheless.
caf::error stream_revalidator::refusal_of(const http::request& head) {
  std::shared_lock lock{guard_};
  if (authenticator_ == nullptr || !authenticator_->may_withdraw())
    return {};
  auto who = authenticator_->admit(head);
  if (who)
    return {};
  return fail(code_of(who.error()), field_of(who.error()),
    "expected access that lasts until the answer; the request may have been executed");
}

void stream_revalidator::end() {
  std::lock_guard lock{guard_};
  authenticator_ = nullptr;
  all_.clear();
}

size_t stream_revalidator::count() {
  std::lock_guard lock{guard_};
  return all_.size();
}

void stream_revalidator::add(head_ptr head, const std::shared_ptr<http::stream>& x) {
  std::unique_lock lock{guard_};
  auto number = ++last_;
  all_.emplace(number, watched{std::move(head), x});
  lock.unlock();
  x->on_end([by = weak_from_this(), number] { // called at once if the stream has ended
    if (auto all = by.lock())
      all->forget(number);
  });
}

void stream_revalidator::forget(uint64_t number) {
  std::lock_guard lock{guard_};
  all_.erase(number);
}

} // namespace scratchpage::auth
