#include "scratchpage/runtime/host/ensemble_calls.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <iterator>
#include <string>
#include <tuple>
#include <utility>
#include <variant>

#include <caf/actor_cast.hpp>
#include <caf/send.hpp>

#include "scratchpage/messages/threads.hpp"

namespace scratchpage {

// -- waiting for the team ----------------------------------------------------------------

namespace {

constexpr timespan first_pause = std::chrono::microseconds{100}; // short, since a command waits
constexpr timespan longest_pause = std::chrono::milliseconds{50};

/// The names of the team that no subscriber has that takes part in turns.
std::vector<std::string> missing_in(
  const subscriber_list& there, const std::vector<std::string>& team) {
  std::vector<std::string> found;
  for (const auto& x : there.subscribers)
    if (x.in_turns)
      found.push_back(x.name);
  std::sort(found.begin(), found.end());
  auto wanted = team;
  std::sort(wanted.begin(), wanted.end());
  std::vector<std::string> result;
  std::set_difference(
    wanted.begin(), wanted.end(), found.begin(), found.end(), std::back_inserter(result));
  return result;
}

caf::error not_there(const std::vector<std::string>& missing) {
  std::string names;
  for (const auto& x : missing)
    names.append(names.empty() ? "'" : ", '").append(x).append("'");
  return fail(errc::deadline_exceeded, "", "expected these daemons to have subscribed: " + names);
}

} // namespace

roll_call_state::roll_call_state(handle::pointer self, std::shared_ptr<const clock> time,
  scratch_page_actor page, names_of_team team, timespan within)
  : self_{self},
    clock_{std::move(time)},
    page_{std::move(page)},
    team_{std::move(team)},
    until_{clock_->steady() + within},
    pause_{first_pause} {}

roll_call_state::handle::behavior_type roll_call_state::make_behavior() {
  return {[this](caf::get_atom) -> caf::result<uint64_t> {
    auto asker = self_->make_response_promise<uint64_t>();
    asker_ = asker;
    look();
    return asker;
  }};
}

void roll_call_state::look() {
  auto left = std::max(until_ - clock_->steady(), first_pause);
  ask(self_, page_, left, list_subscribers{as_daemon("program")})
    .then([this](const subscriber_list& x) { judge(x); },
      [this](caf::error& err) {
        asker_.deliver(std::move(err));
        self_->quit();
      });
}

void roll_call_state::judge(const subscriber_list& there) {
  auto team = team_();
  auto missing = missing_in(there, team);
  auto left = until_ - clock_->steady();
  if (!missing.empty() && left > timespan{}) {
    self_->run_delayed(std::min(pause_, left), [this] { look(); });
    pause_ = std::min(2 * pause_, longest_pause);
    return;
  }
  if (missing.empty())
    asker_.deliver(static_cast<uint64_t>(team.size()));
  else
    asker_.deliver(not_there(missing));
  self_->quit();
}

// -- getting events ----------------------------------------------------------------------

namespace {

class event_listener_state {
public:
  using handle = subscriber_actor;
  static constexpr const char* name = "event-listener";

  event_listener_state(handle::pointer self, scratch_page_actor page,
    std::shared_ptr<event_subscription::listener> listener)
    : self_{self},
      listener_{std::move(listener)} {
    watch(self_, page, [this](const caf::actor_addr&) { self_->quit(); });
  }

  handle::behavior_type make_behavior() {
    return {[this](const event_batch& batch) {
      if (auto err = listener_->hear(batch))
        self_->quit(std::move(err));
    }};
  }

private:
  handle::pointer self_;
  std::shared_ptr<event_subscription::listener> listener_;
};

} // namespace

/// The page delivers a batch again while the function is slow. Such a batch has at least the events
/// of the last one.
caf::error event_subscription::listener::hear(const event_batch& batch) {
  std::set<event_key> heard;
  for (const auto& x : batch.events) {
    event_key key{x.kind, x.sequence, x.observation ? x.observation->observation_id : ""};
    if (!heard_.contains(key))
      tell(x);
    heard.insert(std::move(key));
  }
  heard_ = std::move(heard);
  std::lock_guard lock{guard_};
  return problem_;
}

void event_subscription::listener::tell(const page_event& x) {
  if (!enter())
    return;
  caf::error problem;
  try {
    tell_(x);
  } catch (const std::exception& thrown) {
    problem = fail(errc::internal, "tell", thrown.what());
  } catch (...) {
    problem = fail(errc::internal, "tell", "expected no exception");
  }
  leave(std::move(problem));
}

bool event_subscription::listener::enter() {
  std::lock_guard lock{guard_};
  if (has_ended_)
    return false;
  inside_ = std::this_thread::get_id();
  return true;
}

void event_subscription::listener::leave(caf::error why_it_ends) {
  {
    std::lock_guard lock{guard_};
    inside_ = {};
    if (why_it_ends) {
      has_ended_ = true;
      problem_ = std::move(why_it_ends);
    }
  }
  changed_.notify_all();
}

caf::error event_subscription::listener::end(timespan within) {
  std::unique_lock lock{guard_};
  has_ended_ = true;
  caf::anon_send_exit(actor_, caf::exit_reason::user_shutdown);
  auto is_outside = [this] {
    return inside_ == std::thread::id{} || inside_ == std::this_thread::get_id();
  };
  if (!changed_.wait_for(lock, bounded(within), is_outside))
    return fail(errc::deadline_exceeded, "tell", "expected the function to return in time");
  return problem_;
}

caf::expected<subscriber_actor> spawn_listener(caf::actor_system& system,
  const scratch_page_actor& page, std::shared_ptr<event_subscription::listener> listener,
  bool allow_threads) {
  if (allow_threads)
    if (auto err = check_threads(1))
      return err;
  auto result = allow_threads ? spawn_detached<event_listener_state>(system, page, listener)
                              : spawn<event_listener_state>(system, page, listener);
  listener->set_actor(caf::actor_cast<caf::actor>(result));
  return result;
}

event_subscription::event_subscription() = default;

event_subscription::event_subscription(std::shared_ptr<listener> x)
  : listener_{std::move(x)} {}

event_subscription::event_subscription(event_subscription&&) noexcept = default;

event_subscription& event_subscription::operator=(event_subscription&& x) noexcept {
  if (this != &x) {
    std::ignore = end();
    listener_ = std::move(x.listener_);
  }
  return *this;
}

event_subscription::~event_subscription() {
  std::ignore = end();
}

caf::error event_subscription::end(timespan within) {
  if (!listener_)
    return {};
  auto err = listener_->end(within);
  if (code_of(err) != errc::deadline_exceeded)
    listener_.reset();
  return err;
}

// -- the end -----------------------------------------------------------------------------

namespace {

/// Tells a thread when its last holder is gone.
struct last_holder {
  std::promise<void> gone;
  std::function<void()> then;

  explicit last_holder(std::function<void()> f)
    : then{std::move(f)} {}
  last_holder(const last_holder&) = delete;
  last_holder& operator=(const last_holder&) = delete;
  ~last_holder() {
    gone.set_value();
    if (then)
      then();
  }
};

/// A function that holds a token. The function is destroyed before the token is released.
struct held_function {
  std::shared_ptr<void> token;
  tool_function call;

  tool_response operator()(const tool_request& x) const { return call(x); }
};

/// Makes each kind of tool hold the token until it has ended.
struct tool_holder {
  void operator()(function_tool& x) const { x.call = held_function{token, std::move(x.call)}; }

  void operator()(actor_tool& x) const {
    x.make = [token = token, make = std::move(x.make)](caf::actor_system& in) {
      auto made = make(in);
      if (made)
        hold_until_end(token, caf::actor_cast<caf::actor>(made));
      return made;
    };
  }

  void operator()(const process_tool&) const {}
  void operator()(const recorded_tool&) const {}

  const std::shared_ptr<void>& token;
};

} // namespace

void hold_until_end(const std::shared_ptr<void>& token, const caf::actor& x) {
  x->attach_functor([token] {}); // the actor destroys the function after its state
}

end_watch::end_watch(std::function<void()> then) {
  auto last = std::make_shared<last_holder>(std::move(then));
  ended_ = last->gone.get_future();
  token_ = std::move(last);
}

void end_watch::add(const caf::actor& x) const {
  hold_until_end(token_, x);
}

void end_watch::add(std::vector<tool_definition>& tools) const {
  for (auto& x : tools)
    std::visit(tool_holder{token_}, x.kind);
}

bool end_watch::wait(timespan within) {
  token_.reset();
  return ended_.wait_for(bounded(within)) == std::future_status::ready;
}

} // namespace scratchpage
