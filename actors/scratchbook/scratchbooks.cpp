#include "scratchpage/actors/scratchbook/scratchbooks.hpp"

#include <algorithm>
#include <utility>

#include <caf/send.hpp>
#include <caf/typed_event_based_actor.hpp>

#include "scratchpage/actors/base/daemon.hpp"
#include "scratchpage/actors/base/keepsakes.hpp"
#include "scratchpage/actors/scratchbook/scratchbook_rules.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"

namespace scratchpage {

namespace {

/// How many numbers there are for the tracers of threads. After that the numbers begin again.
constexpr uint32_t tracer_numbers = 1u << 18;

constexpr uint64_t bytes_of_number = 96; // about, in a map

} // namespace

scratchbooks_state::scratchbooks_state(handle::pointer self, const agent_context& agent,
  scratchbook_parts parts, scratchbook_config config, token_counter count)
  : self_{self},
    agent_{agent},
    parts_{std::move(parts)},
    config_{std::move(config)},
    count_{std::move(count)},
    trace_{agent, name, static_cast<uint32_t>(component::scratchbooks)},
    waiting_{config_.max_waiting},
    numbers_{take_kept<kept_numbers>(agent.kept).value_or(kept_numbers{})} {}

scratchbooks_state::~scratchbooks_state() {
  for (const auto& [id, x] : threads_) {
    caf::anon_send_exit(x.actor, caf::exit_reason::user_shutdown);
    numbers_.of_threads.insert_or_assign(id, x.number);
  }
  if (!agent_.kept || numbers_.opened == 0)
    return;
  uint64_t bytes = sizeof(numbers_);
  for (const auto& [id, number] : numbers_.of_threads)
    bytes += id.size() + bytes_of_number;
  agent_.kept->put(std::move(numbers_), bytes);
}

scratchbooks_state::handle::behavior_type scratchbooks_state::make_behavior() {
  if (auto err = validate(config_))
    self_->quit(err);
  else if (parts_.goals)
    watch_goal_changes();
  return {
    [this](const goal_changed& x) {
      for (const auto& [id, thread] : threads_)
        tell(self_, thread.actor, x);
    },
    [this](scratch_read& x) { return forward<scratch_view>("scratch_read", x); },
    [this](scratch_list& x) { return forward<scratchbook>("scratch_list", x); },
    [this](scratch_add& x) {
      if (parts_.masker)
        parts_.masker->mask(x.item);
      return forward<scratchbook_item>("scratch_add", x);
    },
    [this](scratch_update& x) {
      if (parts_.masker)
        parts_.masker->mask(x.changes);
      return forward<scratchbook_item>("scratch_update", x);
    },
    [this](scratch_mark& x) {
      return forward<scratchbook_item>("scratch_" + std::string{name_of(x.mark)}, x);
    },
  };
}

template <class Answer, class Request>
caf::result<Answer> scratchbooks_state::forward(std::string_view operation, Request& x) {
  if (x.by.role == role::tool)
    return fail(errc::forbidden, "by.role", "a tool has no scratchbook");
  if (auto err = check_thread_id(x.thread_id))
    return err;
  auto passes = waiting_.empty() && (threads_.contains(x.thread_id) || make_room());
  if (!passes && !waiting_.has_room_for(x.by))
    return fail(errc::overloaded, "",
      "expected at most " + std::to_string(config_.max_waiting) + " requests of "
        + principal_of(x.by) + " that wait for a scratchbook to be opened");
  auto answer = self_->make_response_promise<Answer>();
  if (passes) {
    pass(operation, x, answer);
    return answer;
  }
  auto by = x.by;
  auto wait = [this, operation = std::string{operation}, x = std::move(x), answer,
                works = agent_.begin_work()]() mutable { pass(operation, x, answer); };
  waiting_.add(by, std::move(wait));
  return answer;
}

template <class Answer, class Request>
void scratchbooks_state::pass(
  std::string_view operation, Request& x, caf::typed_response_promise<Answer> answer) {
  auto& to = thread_of(x.thread_id);
  ++to.in_flight;
  auto done = [this, operation = std::string{operation}, by = x.by, id = x.thread_id,
                works = agent_.begin_work()](const caf::error& err) {
    trace(operation, by, id, err);
    on_passed(id);
  };
  ask(self_, to.actor, caf::infinite, std::move(x))
    .then(
      [answer, done](Answer& result) mutable {
        done({});
        answer.deliver(std::move(result));
      },
      [answer, done](const caf::error& err) mutable {
        done(err);
        answer.deliver(err);
      });
}

/// A request has been answered. Closes threads that take too much memory, and goes on with requests
/// that wait for room. A thread stays open as long as a request waits for its answer.
void scratchbooks_state::on_passed(const std::string& thread_id) {
  --threads_.find(thread_id)->second.in_flight;
  while (bytes_open() > config_.open_bytes && close_one()) {
  }
  while (!waiting_.empty() && make_room())
    waiting_.take()();
}

void scratchbooks_state::watch_goal_changes() {
  auto by = as_daemon(name);
  ask(self_, parts_.goals, from_milliseconds(config_.goal_ms),
    watch_goals{by, goal_watcher_actor{handle{self_}}})
    .then([] {}, [this, by](const caf::error& err) { trace_.write_error("watch_goals", by, err); });
}

/// The number of the thread's tracer: the same as before a rest, else the next one.
uint32_t scratchbooks_state::number_for(const std::string& thread_id) {
  if (auto before = numbers_.of_threads.extract(thread_id))
    return before.mapped();
  return static_cast<uint32_t>(component::first_thread) + numbers_.opened++ % tracer_numbers;
}

thread_scratchbook_setup scratchbooks_state::setup_of_thread(uint32_t number) const {
  auto bytes = std::make_shared<std::atomic<uint64_t>>(bytes_of_full());
  return {agent_, number, parts_.files, parts_.goals, config_, count_, std::move(bytes)};
}

/// Returns the thread, and opens it if it is not open.
scratchbooks_state::open_thread& scratchbooks_state::thread_of(const std::string& id) {
  auto i = threads_.find(id);
  if (i == threads_.end()) {
    auto number = number_for(id);
    auto setup = setup_of_thread(number);
    i = threads_.try_emplace(id).first;
    i->second.number = number;
    i->second.bytes = setup.bytes;
    i->second.actor = spawn<thread_scratchbook_state>(self_->system(), id, std::move(setup));
  }
  i->second.last_use = ++uses_;
  return i->second;
}

uint64_t scratchbooks_state::bytes_of_full() const {
  return memory_of_book(config_.limits.max_bytes);
}

uint64_t scratchbooks_state::bytes_open() const {
  uint64_t result = 0;
  for (const auto& [id, x] : threads_)
    result += *x.bytes;
  return result;
}

/// Closes threads to make room for another book, which may be a full one. Returns whether there is
/// room. Threads with requests that wait for an answer stay open. A single book always has room.
bool scratchbooks_state::make_room() {
  auto fits = [this] {
    return threads_.empty() || bytes_open() + bytes_of_full() <= config_.open_bytes;
  };
  while ((threads_.size() >= config_.max_open || !fits()) && close_one()) {
  }
  return fits();
}

/// Closes the thread without waiting requests that was used least recently. Returns false if there
/// is none.
bool scratchbooks_state::close_one() {
  auto is_better = [](const auto& a, const auto& b) {
    return std::pair{a.second.in_flight > 0, a.second.last_use}
           < std::pair{b.second.in_flight > 0, b.second.last_use};
  };
  auto i = std::min_element(threads_.begin(), threads_.end(), is_better);
  if (i == threads_.end() || i->second.in_flight > 0)
    return false;
  caf::anon_send_exit(i->second.actor, caf::exit_reason::user_shutdown);
  if (agent_.kept)
    agent_.kept->forget_counter(i->second.number);
  threads_.erase(i);
  return true;
}

void scratchbooks_state::trace(std::string_view operation, const caller& by,
  const std::string& thread_id, const caf::error& err) {
  if (err)
    trace_.write_error(operation, by, err, {{"thread_id", thread_id}});
  else
    trace_.write(operation, by, {{"thread_id", thread_id}});
}

} // namespace scratchpage
