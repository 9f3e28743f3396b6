#pragma once

#include <functional>
#include <utility>
#include <vector>

#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include "scratchpage/messages/handles.hpp"
#include "scratchpage/tests/memories/refused.hpp"

namespace scratchpage::test {

/// What a page_stub does; whatever is not scripted it refuses.
struct page_script {
  std::function<caf::expected<uint64_t>(const subscribe&)> on_subscribe = {};
  std::function<caf::expected<query_result>(const query_observations&)> on_query = {};
  bool silent = false; ///< queries are never answered
};

/// A page that does what a test says and refuses everything else.
class page_stub {
public:
  using handle = scratch_page_actor;
  static constexpr const char* name = "page_stub";

  page_stub(handle::pointer self, page_script script) : self_{self}, script_{std::move(script)} {}

  handle::behavior_type make_behavior() {
    return {
      refused<receipt, add_observation>(),
      refused<add_outcomes, add_observations>(),
      [this](const query_observations& x) { return query(x); },
      refused<observation_ptr, get_observation>(),
      refused<observation_list, get_active_observations>(),
      refused<receipt, update_observation>(),
      refused<void, archive_observation>(),
      refused<void, clear_resolved>(),
      refused<query_result, list_archive>(),
      [this](const subscribe& x) -> caf::result<uint64_t> {
        if (!script_.on_subscribe)
          return unexpected();
        auto answer = script_.on_subscribe(x);
        if (!answer)
          return answer.error();
        return *answer;
      },
      refused<void, unsubscribe>(),
      refused<void, register_type>(),
      refused<linked_observations, link_observations>(),
      refused<uint64_t, review_candidates>(),
      [](caf::get_atom) -> caf::result<page_stats> { return unexpected(); },
      refused<void, open_turn>(),
      refused<void, hold_turn>(),
      refused<void, release_turn>(),
      refused<void, await_quiet>(),
      refused<observation_list, close_turn>(),
    };
  }

private:
  caf::result<query_result> query(const query_observations& x) {
    if (script_.silent) {
      waiting_.push_back(self_->make_response_promise<query_result>());
      return waiting_.back();
    }
    if (!script_.on_query)
      return unexpected();
    auto answer = script_.on_query(x);
    if (!answer)
      return answer.error();
    return std::move(*answer);
  }

  handle::pointer self_;
  page_script script_;
  std::vector<caf::typed_response_promise<query_result>> waiting_;
};

} // namespace scratchpage::test
