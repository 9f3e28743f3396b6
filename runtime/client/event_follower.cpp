#include "scratchpage/runtime/client/event_follower.hpp"

#include <algorithm>
#include <utility>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/event.hpp"
#include "scratchpage/messages/threads.hpp"
#include "scratchpage/runtime/events/event_order.hpp"
#include "scratchpage/runtime/execution/wall_clock.hpp"

namespace scratchpage::client {

namespace {

constexpr timespan shortest_pause = std::chrono::milliseconds{20};
constexpr timespan longest_pause = std::chrono::seconds{1};
constexpr timespan connect_timeout = std::chrono::seconds{2};
constexpr timespan answer_timeout = std::chrono::seconds{10};

/// Whether the same request may succeed later.
bool may_succeed_later(const caf::error& err) {
  switch (code_of(err)) {
  case errc::storage_unavailable:
  case errc::overloaded:
  case errc::deadline_exceeded:
    return true;
  default:
    return false;
  }
}

std::string text_of(const json::object& x, std::string_view name) {
  const auto* found = x.if_contains(name);
  return found != nullptr && found->is_string() ? std::string{found->get_string()} : std::string{};
}

/// Whether an event comes after a position. Every event comes after an unknown position.
bool is_after(const std::string& id, const std::string& position) {
  auto one = events::read_event_id(id), other = events::read_event_id(position);
  if (!one || !other)
    return one.has_value();
  return std::pair{*one->epoch, *one->sequence} > std::pair{*other->epoch, *other->sequence};
}

} // namespace

event_follower::event_follower(endpoint to, follow_order order, event_listener tell)
  : to_{std::move(to)},
    order_{std::move(order)},
    tell_{std::move(tell)},
    position_{order_.from} {}

caf::expected<std::unique_ptr<subscription>> event_follower::begin(
  endpoint to, follow_order order, event_listener tell) {
  std::unique_ptr<event_follower> result{
    new event_follower{std::move(to), std::move(order), std::move(tell)}};
  auto started = start_thread([me = result.get()] { me->run(); });
  if (!started)
    return started.error();
  result->thread_ = std::move(*started);
  std::unique_lock lock{result->guard_};
  result->changed_.wait(lock, [&] { return result->begun_.has_value(); });
  auto err = *result->begun_;
  lock.unlock();
  if (err)
    return err;
  return std::unique_ptr<subscription>{std::move(result)};
}

event_follower::~event_follower() {
  {
    std::lock_guard lock{guard_};
    ends_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable())
    thread_.join();
}

void event_follower::run() {
  wall_clock clock;
  auto until = clock.steady() + order_.timeout;
  auto pause = shortest_pause;
  do {
    if (auto err = connect()) {
      link_.reset();
      if (may_succeed_later(err) && clock.steady() < until) {
        pause = std::min(2 * pause, longest_pause);
        continue;
      }
      return has_begun(err);
    }
    has_begun({});
    tell_until_lost();
    until = clock.steady() + order_.timeout;
    pause = shortest_pause;
  } while (rest(pause));
  link_.reset();
}

/// Reports the result of subscribing: of the first time to `begin`, of later ones to the listener.
void event_follower::has_begun(const caf::error& why) {
  {
    std::lock_guard lock{guard_};
    if (!begun_) {
      begun_ = why;
      changed_.notify_all();
      return;
    }
    if (ends_)
      return;
  }
  if (why && tell_.on_end)
    tell_.on_end(why);
}

/// Waits. False if the follower has to end.
bool event_follower::rest(timespan pause) {
  std::unique_lock lock{guard_};
  return !changed_.wait_for(lock, pause, [this] { return ends_; });
}

// -- one connection ----------------------------------------------------------------------

caf::error event_follower::connect() {
  {
    std::lock_guard lock{guard_};
    is_lost_ = false;
    answer_.reset();
    waiting_.clear();
  }
  auto on_notification = [this](const std::string& method, json::object params) {
    if (method == "event")
      take(std::move(params));
  };
  auto opened = link::open(to_, connect_timeout, {on_notification, [this] { note_end(); }});
  if (!opened)
    return opened.error();
  link_ = std::move(*opened);
  auto confirmed = subscribe_on(*link_);
  if (!confirmed)
    return confirmed.error();
  if (!events::read_event_id(position_) && confirmed->is_object())
    position_ = text_of(confirmed->get_object(), "from");
  return {};
}

caf::expected<json::value> event_follower::subscribe_on(link& link) {
  auto arguments = std::move(to_json(order_.filter).as_object());
  arguments["from"] = position_;
  link.call("subscribe", std::move(arguments), [this](caf::expected<json::value> x) {
    std::lock_guard lock{guard_};
    answer_ = std::move(x);
    changed_.notify_all();
  });
  std::unique_lock lock{guard_};
  changed_.wait_for(
    lock, answer_timeout, [this] { return ends_ || is_lost_ || answer_.has_value(); });
  if (answer_)
    return std::move(*answer_);
  return fail(errc::storage_unavailable, "server", "expected a server that answers");
}

/// Called on the link's thread, which must not be blocked. If too many events wait, the connection
/// is given up; the events come again on the next one.
void event_follower::take(json::object event) {
  std::lock_guard lock{guard_};
  if (waiting_.size() >= max_waiting)
    is_lost_ = true;
  if (!is_lost_)
    waiting_.push_back(std::move(event));
  changed_.notify_all();
}

void event_follower::note_end() {
  std::lock_guard lock{guard_};
  is_lost_ = true;
  changed_.notify_all();
}

/// Passes events on until the connection is lost, including those that came before the loss.
void event_follower::tell_until_lost() {
  std::unique_lock lock{guard_};
  while (true) {
    changed_.wait(lock, [this] { return ends_ || is_lost_ || !waiting_.empty(); });
    if (ends_ || waiting_.empty())
      break;
    auto event = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    tell_one(std::move(event));
    lock.lock();
  }
  lock.unlock();
  link_.reset();
}

void event_follower::tell_one(json::object event) {
  event.erase("subscription");
  event_kind kind{};
  auto is_state = from_string(text_of(event, "kind"), kind) && events::is_of_state(kind);
  if (!is_state) {
    auto id = text_of(event, "id");
    if (!is_after(id, position_))
      return;
    position_ = std::move(id);
  }
  tell_.on_event(std::move(event));
}

} // namespace scratchpage::client
