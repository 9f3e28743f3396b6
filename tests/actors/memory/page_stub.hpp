#pragma once

#include <functional>
#include <utility>
#include <vector>

#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include "scratchpage/messages/handles.hpp"
#include "scratchpage/tests/support/stub_behavior.hpp"

namespace scratchpage::test {

/// The answers of a page_stub. It refuses requests without a function here.
struct page_script {
  std::function<caf::expected<uint64_t>(const subscribe&)> on_subscribe = {};
  std::function<caf::expected<query_result>(const query_observations&)> on_query = {};
  bool silent = false; ///< queries are never answered
};

/// A page that answers as its script says and refuses all other requests.
class page_stub {
public:
  using handle = scratch_page_actor;
  static constexpr const char* name = "page_stub";

  page_stub(handle::pointer self, page_script script)
    : self_{self},
      script_{std::move(script)} {}

  handle::behavior_type make_behavior() {
    return stub_behavior<handle>([this](const query_observations& x) { return query(x); },
      [this](const subscribe& x) { return add(x); });
  }

private:
  caf::result<uint64_t> add(const subscribe& x) {
    if (!script_.on_subscribe)
      return unexpected();
    auto answer = script_.on_subscribe(x);
    if (!answer)
      return answer.error();
    return *answer;
  }

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
