#pragma once

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "scratchpage/actors/page/scratch_page.hpp"
#include "scratchpage/tests/scenarios/daemons/trace_checks.hpp"
#include "scratchpage/tests/support/team.hpp"

namespace scratchpage::test {

/// A clock that moves by hand, and by `step` with every look at it. The timers
/// of the actors do not follow it.
class hand_clock : public scratchpage::clock {
public:
  explicit hand_clock(timestamp start)
    : now_{start} {}

  timestamp now() const override {
    now_ += step;
    return now_;
  }

  void move(timespan span) { now_ += span; }

  timespan step{0};

private:
  mutable timestamp now_;
};

struct page_parts {
  std::shared_ptr<memory_trace> trace = std::make_shared<memory_trace>();
};

/// One page on virtual time and nobody else, so that counts are exact.
struct one_page : page_parts, virtual_time {
  page_setup setup;
  scratch_page_actor page;

  one_page() {
    const auto& with = default_config();
    setup = {with.page, with.weights, with.text, with.promotion, nullptr};
    open();
  }

  /// Makes the page anew, from `setup` and, if given, on another clock.
  void open(std::shared_ptr<const scratchpage::clock> on = nullptr) {
    agent_context agent{"tester", on ? std::move(on) : driver.clock(), trace};
    page = make<scratch_page_state>(std::move(agent), setup);
    settle();
  }

  receipt add(const caller& by, observation_draft draft) {
    return team::value(ask(page, add_observation{by, std::move(draft)}));
  }

  query_result query(
    const caller& by, observation_filter filter, std::string text = {}, uint32_t limit = 1000) {
    return team::value(ask(page, query_by(by, std::move(filter), std::move(text), limit)));
  }

  observation_ptr get(const std::string& observation_id) {
    return team::value(ask(page, get_observation{as_daemon("probe"), observation_id}));
  }

  std::vector<observation_ptr> in_archive() {
    list_archive request;
    request.by = as_daemon("probe");
    request.limit = 1000;
    return team::value(ask(page, std::move(request))).observations;
  }

  page_stats stats() { return team::value(ask(page, caf::get_atom_v)); }
};

inline caller executor_in(std::string turn_id = "turn_20251105_001") {
  return as_daemon("executor", std::move(turn_id));
}

inline caller error_handler_in(std::string turn_id = "turn_20251105_001") {
  return as_daemon("error_handler", std::move(turn_id));
}

inline caller router_in(std::string turn_id = "turn_20251105_001") {
  return as_daemon("router", std::move(turn_id));
}

inline caller reflector_in(std::string turn_id = "turn_20251105_001") {
  return as_daemon("reflector", std::move(turn_id));
}

inline std::set<std::string> ids_of(const std::vector<observation_ptr>& xs) {
  std::set<std::string> result;
  for (const auto& x : xs)
    result.insert(x->observation_id);
  return result;
}

} // namespace scratchpage::test
