#include "scratchpage/actors/scratchbook/scratchbooks.hpp"

#include <algorithm>
#include <utility>

#include <caf/send.hpp>
#include <caf/typed_event_based_actor.hpp>

#include "scratchpage/actors/daemons/daemon.hpp"
#include "scratchpage/actors/scratchbook/scratchbook_rules.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"

namespace scratchpage {

namespace {

/// Numbers of the threads' pens; after so many openings they begin again.
constexpr uint32_t max_threads_traced = 1u << 18;

} // namespace

scratchbooks_state::scratchbooks_state(handle::pointer self, const agent_context& agent,
  scratchbook_parts parts, scratchbook_config config, token_counter count)
  : self_{self},
    agent_{agent},
    parts_{std::move(parts)},
    config_{std::move(config)},
    count_{std::move(count)},
    trace_{agent, name, static_cast<uint32_t>(component::scratchbooks)} {}

scratchbooks_state::~scratchbooks_state() {
  for (const auto& [id, x] : threads_)
    caf::anon_send_exit(x.actor, caf::exit_reason::user_shutdown);
}

scratchbooks_state::handle::behavior_type scratchbooks_state::make_behavior() {
  if (auto err = validate(config_))
    self_->quit(err);
  else if (parts_.goals)
    watch_their_goals();
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
  auto answer = self_->make_response_promise<Answer>();
  auto& to = thread_of(x.thread_id);
  ++to.in_flight;
  auto done = [this, operation = std::string{operation}, by = x.by, id = x.thread_id](
                const caf::error& err) {
    --threads_.find(id)->second.in_flight; // as long as somebody waits it stays
    trace(operation, by, id, err);
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
  return answer;
}

void scratchbooks_state::watch_their_goals() {
  auto by = as_daemon(name);
  ask(self_, parts_.goals, from_milliseconds(config_.goal_ms),
    watch_goals{by, goal_watcher_actor{handle{self_}}})
    .then([] {}, [this, by](const caf::error& err) { trace_.write_error("watch_goals", by, err); });
}

thread_scratchbook_setup scratchbooks_state::setup_of_thread() {
  auto number = static_cast<uint32_t>(component::first_thread) + opened_++ % max_threads_traced;
  return {agent_, number, parts_.files, parts_.goals, config_, count_};
}

/// Its actor, which is made if it is not there.
scratchbooks_state::open_thread& scratchbooks_state::thread_of(const std::string& id) {
  auto i = threads_.find(id);
  if (i == threads_.end()) {
    make_room();
    i = threads_.try_emplace(id).first;
    i->second.actor = spawn<thread_scratchbook_state>(self_->system(), id, setup_of_thread());
  }
  i->second.last_use = ++uses_;
  return i->second;
}

/// Those that somebody waits for stay, however many they are.
void scratchbooks_state::make_room() {
  if (threads_.size() < config_.max_open)
    return;
  auto is_better = [](const auto& a, const auto& b) {
    return std::pair{a.second.in_flight > 0, a.second.last_use}
           < std::pair{b.second.in_flight > 0, b.second.last_use};
  };
  auto i = std::min_element(threads_.begin(), threads_.end(), is_better);
  if (i->second.in_flight > 0)
    return;
  caf::anon_send_exit(i->second.actor, caf::exit_reason::user_shutdown);
  threads_.erase(i);
}

void scratchbooks_state::trace(std::string_view operation, const caller& by,
  const std::string& thread_id, const caf::error& err) {
  if (err)
    trace_.write_error(operation, by, err, {{"thread_id", thread_id}});
  else
    trace_.write(operation, by, {{"thread_id", thread_id}});
}

} // namespace scratchpage
