#include "scratchpage/runtime/simulation/witness.hpp"

#include <utility>

#include <caf/actor_cast.hpp>

#include "scratchpage/messages/compat.hpp"

namespace scratchpage {

namespace {

class witness_state {
public:
  using handle = subscriber_actor;
  static constexpr const char* name = "witness";

  witness_state(handle::pointer self, scratch_page_actor page, std::shared_ptr<witness> whose)
    : self_{self},
      page_{std::move(page)},
      whose_{std::move(whose)} {}

  handle::behavior_type make_behavior() {
    subscribe order{as_daemon("witness"), handle{self_}, {}, {.sequence = 0}, false};
    ask(self_, page_, std::chrono::seconds{30}, std::move(order))
      .then([](uint64_t) {}, [this](const caf::error& err) { self_->quit(err); });
    return {[this](const event_batch& batch) {
      for (const auto& event : batch.events)
        whose_->see(event);
    }};
  }

private:
  handle::pointer self_;
  scratch_page_actor page_;
  std::shared_ptr<witness> whose_;
};

} // namespace

void witness::see(const page_event& event) {
  std::lock_guard guard{mutex_};
  if (!event.observation || event.sequence <= account_.last_sequence)
    return; // a lag, or an event told twice
  ++account_.seen;
  account_.last_sequence = event.sequence;
  ++account_.changes[event.kind];
  const auto& x = event.observation;
  auto [i, is_new] = place_.try_emplace(x->observation_id, account_.observations.size());
  if (is_new)
    account_.observations.push_back(x);
  else
    account_.observations[i->second] = x;
  if (event.kind == event_kind::added)
    ++account_.added_by_type[x->type];
}

witness::account witness::read() const {
  std::lock_guard guard{mutex_};
  return account_;
}

caf::actor spawn_witness(
  caf::actor_system& system, scratch_page_actor page, std::shared_ptr<witness> whose) {
  return caf::actor_cast<caf::actor>(
    spawn<witness_state>(system, std::move(page), std::move(whose)));
}

} // namespace scratchpage
