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

/// A clock that a test moves. Each reading advances it by `step`. The timers of the actors do not
/// depend on it.
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

/// One page on virtual time without daemons, so that a test knows all counts exactly.
struct one_page : page_parts, virtual_time {
  page_setup setup;
  scratch_page_actor page;

  one_page();
  ~one_page();

  /// Replaces the page by a new one made from `setup`, on the clock `on` if it is not null.
  void open(std::shared_ptr<const scratchpage::clock> on = nullptr);

  receipt add(const caller& by, observation_draft draft);

  query_result query(
    const caller& by, observation_filter filter, std::string text = {}, uint32_t limit = 1000);

  observation_ptr get(const std::string& observation_id);

  std::vector<observation_ptr> in_archive();

  page_stats stats();
};

caller executor_in(std::string turn_id = "turn_20251105_001");

caller error_handler_in(std::string turn_id = "turn_20251105_001");

caller router_in(std::string turn_id = "turn_20251105_001");

caller reflector_in(std::string turn_id = "turn_20251105_001");

std::set<std::string> ids_of(const std::vector<observation_ptr>& xs);

} // namespace scratchpage::test
