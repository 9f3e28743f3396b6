#include "scratchpage/runtime/client/shared_agent.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/threads.hpp"
#include "scratchpage/runtime/api/operation_list.hpp"
#include "scratchpage/runtime/auth/caller_claim.hpp"
#include "scratchpage/runtime/client/event_follower.hpp"
#include "scratchpage/runtime/client/linked_agent.hpp"
#include "scratchpage/runtime/execution/wall_clock.hpp"

namespace scratchpage::client {

namespace {

constexpr timespan pause = std::chrono::milliseconds{20};
constexpr timespan join_timeout = std::chrono::seconds{2};
constexpr timespan end_timeout = std::chrono::seconds{3};
constexpr timespan settle_timeout = std::chrono::seconds{1};

/// Whether a call may be executed twice: the operation is known and only reads.
bool may_be_repeated(std::string_view name) {
  const auto* known = find_operation(name);
  return known != nullptr && !known->changes();
}

/// Whether a call was not executed, because the host is about to stop.
bool was_not_done(const caf::error& err) {
  return code_of(err) == errc::overloaded && field_of(err) == "server";
}

bool is_gone(const caf::error& err) {
  return code_of(err) == errc::storage_unavailable && field_of(err) == "server";
}

} // namespace

shared_agent::shared_agent(shared_agent_setup setup)
  : setup_{std::move(setup)} {}

caf::expected<std::unique_ptr<shared_agent>> shared_agent::open(shared_agent_setup setup) {
  std::unique_ptr<shared_agent> result{new shared_agent{std::move(setup)}};
  auto found = result->find_access();
  if (!found)
    return found.error();
  result->access_ = std::move(*found);
  auto started = start_thread([me = result.get()] { me->run(); });
  if (!started)
    return started.error();
  result->finder_ = std::move(*started);
  return result;
}

shared_agent::~shared_agent() {
  {
    std::lock_guard lock{guard_};
    ends_ = true;
    changed_.notify_all();
  }
  if (finder_.joinable())
    finder_.join();
  fail_waiting(fail(errc::storage_unavailable, "server", "this process is about to end"));
  // A link that ends answers its calls, which uses the other members: so it ends before them.
  access last;
  {
    std::lock_guard lock{guard_};
    last = std::exchange(access_, nobody{});
  }
  if (auto* host = std::get_if<std::shared_ptr<hosting>>(&last)) {
    (*host)->server->end(end_timeout);
    std::ignore = (*host)->host.settle(settle_timeout);
  }
}

bool shared_agent::is_host() const {
  std::lock_guard lock{guard_};
  return std::holds_alternative<std::shared_ptr<hosting>>(access_);
}

std::string shared_agent::damage() const {
  std::lock_guard lock{guard_};
  const auto* host = std::get_if<std::shared_ptr<hosting>>(&access_);
  return host == nullptr ? std::string{} : (*host)->agent->damage;
}

/// Only a process that hosts the agent has to wait.
caf::error shared_agent::settle(timespan within) {
  std::shared_ptr<hosting> here;
  {
    std::lock_guard lock{guard_};
    if (auto* host = std::get_if<std::shared_ptr<hosting>>(&access_))
      here = *host;
  }
  return here ? here->host.settle(within) : caf::error{};
}

caf::expected<std::unique_ptr<subscription>> shared_agent::follow(
  follow_order order, event_listener tell) {
  return event_follower::begin(endpoint_of_host(), std::move(order), std::move(tell));
}

// -- finding a host ----------------------------------------------------------------------

caf::expected<shared_agent::access> shared_agent::find_access() {
  wall_clock clock;
  auto until = clock.steady() + setup_.timeout;
  while (true) {
    auto directory = data_directory::try_open(setup_.directory);
    if (!directory)
      return directory.error();
    if (*directory)
      return host_it(std::move(**directory));
    auto joined = join_host();
    if (joined || !(is_gone(joined.error()) || was_not_done(joined.error())))
      return joined;
    std::unique_lock lock{guard_};
    changed_.wait_for(lock, pause, [this] { return ends_; });
    if (!ends_ && clock.steady() < until)
      continue;
    auto last = data_directory::open(setup_.directory);
    if (!last)
      return last.error();
    return host_it(std::move(*last));
  }
}

caf::expected<shared_agent::access> shared_agent::host_it(data_directory directory) {
  auto socket = data_directory::socket_in(directory.path());
  auto opened = storage::open_in(std::move(directory));
  if (!opened)
    return opened.error();
  auto result = std::make_shared<hosting>(std::move(*opened), setup_.with);
  auto agent = result->host.open(setup_.agent_id, setup_.what);
  if (!agent)
    return agent.error();
  result->agent = std::move(*agent);
  auto server = server::local_server::start(result->host, socket.string());
  if (!server)
    return server.error();
  result->server = std::move(*server);
  return access{std::move(result)};
}

endpoint shared_agent::endpoint_of_host() const {
  endpoint result;
  result.socket_path = data_directory::socket_in(setup_.directory).string();
  result.target = rpc_target_of(setup_.agent_id, setup_.thread_id, setup_.what);
  result.headers = {{"Scratchpage-Caller", scratchpage::auth::claim_of(setup_.by)}};
  return result;
}

caf::expected<shared_agent::access> shared_agent::join_host() {
  uint64_t number = 0;
  {
    std::lock_guard lock{guard_};
    number = ++links_;
  }
  auto opened =
    link::open(endpoint_of_host(), join_timeout, {{}, [this, number] { lose_host(number); }});
  if (!opened)
    return opened.error();
  return access{joined{number, std::move(*opened)}};
}

/// Called on the link's thread, which must not end the link.
void shared_agent::lose_host(uint64_t link) {
  std::lock_guard lock{guard_};
  lost_ = std::max(lost_, link);
  changed_.notify_all();
}

/// Call it with the lock held.
bool shared_agent::needs_host() const {
  const auto* link = std::get_if<joined>(&access_);
  return link != nullptr ? link->number <= lost_
                         : std::holds_alternative<nobody>(access_) && !waiting_.empty();
}

void shared_agent::run() {
  // Old links are kept while they may still answer calls. Only this thread destroys them.
  std::vector<std::shared_ptr<link>> before;
  std::unique_lock lock{guard_};
  while (true) {
    changed_.wait(lock, [this] { return ends_ || needs_host(); });
    if (ends_)
      return;
    if (auto* link = std::get_if<joined>(&access_))
      before.push_back(std::move(link->link));
    access_ = nobody{};
    lock.unlock();
    auto found = find_access();
    if (found)
      put(std::move(*found));
    else
      fail_waiting(found.error());
    std::erase_if(before, [](const auto& x) { return x.use_count() == 1 && !x->is_open(); });
    lock.lock();
  }
}

void shared_agent::put(access x) {
  std::deque<waiting_call> all;
  {
    std::lock_guard lock{guard_};
    access_ = x;
    all.swap(waiting_);
  }
  for (auto& call : all)
    send(x, std::move(call));
}

void shared_agent::fail_waiting(const caf::error& why) {
  std::deque<waiting_call> all;
  {
    std::lock_guard lock{guard_};
    all.swap(waiting_);
  }
  for (auto& call : all)
    call.then(why);
}

// -- calls -------------------------------------------------------------------------------

void shared_agent::start(std::string operation, json::object arguments, on_answer then) {
  access to;
  {
    std::lock_guard lock{guard_};
    to = access_;
  }
  send(to, {std::move(operation), std::move(arguments), std::move(then)});
}

void shared_agent::send(const access& to, waiting_call x) {
  if (const auto* host = std::get_if<std::shared_ptr<hosting>>(&to)) {
    call_operation request{
      setup_.by, setup_.thread_id, std::move(x.operation), std::move(x.arguments)};
    (*host)->operations.call((*host)->agent->operations, std::move(request), std::move(x.then));
  } else if (const auto* link = std::get_if<joined>(&to)) {
    send_to_host(*link, std::move(x));
  } else {
    send_again(0, std::move(x));
  }
}

void shared_agent::send_to_host(const joined& to, waiting_call x) {
  auto again = may_be_repeated(x.operation);
  auto operation = x.operation; // copies: `x` is kept, to be sent again
  auto arguments = x.arguments;
  to.link->call_for_text(std::move(operation), std::move(arguments),
    [this, again, number = to.number, x = std::move(x)](caf::expected<std::string> result) mutable {
      if (!result && (was_not_done(result.error()) || (again && is_gone(result.error()))))
        send_again(number, std::move(x));
      else
        x.then(std::move(result));
    });
}

/// Sends a call again whose link was lost: to the new host, or as soon as there is one.
void shared_agent::send_again(uint64_t lost_link, waiting_call x) {
  access to;
  {
    std::lock_guard lock{guard_};
    const auto* link = std::get_if<joined>(&access_);
    auto is_it = link != nullptr && link->number == lost_link;
    if (is_it || std::holds_alternative<nobody>(access_)) {
      lost_ = std::max(lost_, lost_link);
      if (wait_for_host(x))
        return;
    } else {
      to = access_;
    }
  }
  if (std::holds_alternative<nobody>(to))
    x.then(fail(errc::overloaded, "", "expected fewer calls while nobody hosts the agent"));
  else
    send(to, std::move(x));
}

/// Keeps a call until there is a host. False if too many calls wait. Call it with the lock held.
bool shared_agent::wait_for_host(waiting_call& x) {
  if (ends_ || waiting_.size() >= max_waiting)
    return false;
  waiting_.push_back(std::move(x));
  changed_.notify_all();
  return true;
}

} // namespace scratchpage::client
