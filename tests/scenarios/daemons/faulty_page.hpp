#pragma once

#include <utility>
#include <vector>

#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/tests/support/stub_behavior.hpp"

namespace scratchpage::test {

enum class page_fault {
  failing, ///< queries fail
  silent,  ///< queries are never answered
};

/// A proxy of a real page: queries go wrong as `fault` says, other requests are forwarded.
class faulty_page_state {
public:
  using handle = scratch_page_actor;
  static constexpr const char* name = "faulty_page";

  faulty_page_state(handle::pointer self, scratch_page_actor page, page_fault fault)
    : self_{self},
      page_{std::move(page)},
      fault_{fault} {}

  handle::behavior_type make_behavior() {
    return stub_behavior<handle>([this](const subscribe& x) { return pass_on<uint64_t>(x); },
      [this](const add_observation& x) { return pass_on<receipt>(x); },
      [this](const review_candidates& x) { return pass_on<uint64_t>(x); },
      [this](const query_observations&) { return go_wrong(queries_); },
      [this](const get_active_observations&) { return go_wrong(queries_); });
  }

private:
  template <class T>
  using promises = std::vector<caf::typed_response_promise<T>>;

  template <class T, class Request>
  caf::result<T> pass_on(const Request& x) {
    auto answer = self_->make_response_promise<T>();
    ask(self_, page_, caf::infinite, x)
      .then([answer](T& value) mutable { answer.deliver(std::move(value)); },
        [answer](const caf::error& err) mutable { answer.deliver(err); });
    return answer;
  }

  template <class T>
  caf::result<T> go_wrong(promises<T>& waiting) {
    if (fault_ == page_fault::failing)
      return fail(errc::internal, "", "the page is broken");
    waiting.push_back(self_->template make_response_promise<T>());
    return waiting.back();
  }

  handle::pointer self_;
  scratch_page_actor page_;
  page_fault fault_;
  promises<query_result> queries_;
};

} // namespace scratchpage::test
