#pragma once

#include <memory>

#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include "scratchpage/actors/cortex/frontal_cortex.hpp"
#include "scratchpage/actors/page/scratch_page.hpp"
#include "scratchpage/runtime/config/config.hpp"
#include "scratchpage/tests/support/virtual_time.hpp"

namespace scratchpage::test {

/// A consciousness that allows every proposal, `delay` after it was asked.
class slow_consciousness {
public:
  using handle = consciousness_actor;
  static constexpr const char* name = "slow_consciousness";

  slow_consciousness(handle::pointer self, timespan delay)
    : self_{self},
      delay_{delay} {}

  handle::behavior_type make_behavior() {
    return {[this](const proposal&) -> caf::result<verdict> {
      auto answer = self_->make_response_promise<verdict>();
      self_->run_delayed(delay_, [answer]() mutable { answer.deliver(verdict{}); });
      return answer;
    }};
  }

private:
  handle::pointer self_;
  timespan delay_;
};

/// The members of `deliberation` that must outlive its actors.
struct deliberation_parts {
  std::shared_ptr<memory_trace> trace = std::make_shared<memory_trace>();
};

/// A page and a Frontal Cortex that takes five seconds to make a goal.
struct deliberation : deliberation_parts, virtual_time {
  const config& with = default_config();
  agent_context agent{"tester", clock, trace};
  scratch_page_actor page =
    make<scratch_page_state>(agent, page_setup{with.page, with.weights, with.text, with.promotion});
  consciousness_actor consciousness = make<slow_consciousness>(std::chrono::seconds{5});
  frontal_cortex_actor cortex = make<frontal_cortex_state>(agent,
    frontal_cortex_setup{
      with.frontal_cortex, with.promotion, with.goal_progress, with.consent, nullptr},
    page, consciousness);

  deliberation() { settle(); }

  std::vector<observation_ptr> note_all(std::vector<observation_draft> drafts) {
    std::vector<observation_ptr> result;
    add_observations request{as_tool("wine_search"), std::move(drafts)};
    auto outcomes = ask(page, std::move(request));
    BOOST_REQUIRE(outcomes);
    for (auto& one : outcomes->outcomes)
      result.push_back(one.stored.observation);
    return result;
  }

  observation_ptr get(const observation_ptr& x) {
    auto found = ask(page, get_observation{as_daemon("probe"), x->observation_id});
    BOOST_REQUIRE(found);
    return *found;
  }

  std::vector<goal> goals() {
    auto found = ask(cortex, list_goals{as_daemon("probe"), {}});
    BOOST_REQUIRE(found);
    return found->goals;
  }
};

} // namespace scratchpage::test
