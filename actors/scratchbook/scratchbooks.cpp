#include "scratchpage/actors/scratchbook/scratchbooks.hpp"

#include <algorithm>
#include <utility>

#include <caf/send.hpp>
#include <caf/typed_event_based_actor.hpp>

#include "scratchpage/actors/daemons/daemon.hpp"
#include "scratchpage/actors/scratchbook/scratchbook_rules.hpp"
#include "scratchpage/actors/scratchbook/thread_scratchbook.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"

namespace scratchpage {

scratchbooks_state::scratchbooks_state(handle::pointer self, const agent_context& agent,
  file_keeper_actor files, scratchbook_config config, std::shared_ptr<const pii_masker> masker,
  token_counter count)
  : self_{self},
    clock_{agent.clock},
    files_{std::move(files)},
    config_{std::move(config)},
    masker_{std::move(masker)},
    count_{std::move(count)},
    trace_{agent, name, static_cast<uint32_t>(component::scratchbooks)} {}

scratchbooks_state::~scratchbooks_state() {
  for (const auto& [id, x] : threads_)
    caf::anon_send_exit(x.actor, caf::exit_reason::user_shutdown);
}

scratchbooks_state::handle::behavior_type scratchbooks_state::make_behavior() {
  if (auto err = validate(config_))
    self_->quit(err);
  return {
    [this](scratch_read& x) { return forward<scratch_view>("scratch_read", x); },
    [this](scratch_list& x) { return forward<scratchbook>("scratch_list", x); },
    [this](scratch_add& x) {
      if (masker_)
        masker_->mask(x.item);
      return forward<scratchbook_item>("scratch_add", x);
    },
    [this](scratch_update& x) {
      if (masker_)
        masker_->mask(x.changes);
      return forward<scratchbook_item>("scratch_update", x);
    },
    [this](scratch_mark& x) {
      return forward<scratchbook_item>("scratch_" + std::string{name_of(x.mark)}, x);
    },
  };
}

template <class Answer, class Request>
caf::result<Answer> scratchbooks_state::forward(std::string_view operation, Request& x) {
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

/// Its actor, which is made if it is not there.
scratchbooks_state::open_thread& scratchbooks_state::thread_of(const std::string& id) {
  auto i = threads_.find(id);
  if (i == threads_.end()) {
    make_room();
    i = threads_.try_emplace(id).first;
    i->second.actor =
      spawn<thread_scratchbook_state>(self_->system(), id, files_, clock_, config_, count_);
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
