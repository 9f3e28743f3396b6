#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <boost/test/unit_test.hpp>
#include <caf/event_based_actor.hpp>

#include "scratchpage/actors/page/scratch_page.hpp"
#include "scratchpage/runtime/config/config.hpp"
#include "scratchpage/runtime/events/event_feed.hpp"
#include "scratchpage/tests/runtime/events/slow_stream.hpp"
#include "scratchpage/tests/support/virtual_time.hpp"

/// The beginning of event streams, on virtual time.

namespace scratchpage::test {

namespace {

/// A request whose client acts as soon as it has received the head.
class prompt_exchange : public http::exchange {
public:
  void respond(http::response answer) override { statuses.push_back(answer.status); }

  std::shared_ptr<http::stream> begin_stream(http::response head, http::at_drain) override {
    statuses.push_back(head.status);
    return begin();
  }

  std::shared_ptr<http::stream> accept_websocket() override {
    return wants_websocket ? begin() : nullptr;
  }

  void on_gone(std::function<void()>) override {}

  bool wants_websocket = false;
  std::function<void()> on_head;
  std::vector<int> statuses;
  std::shared_ptr<slow_stream> stream = std::make_shared<slow_stream>();

private:
  std::shared_ptr<http::stream> begin() {
    on_head();
    return stream;
  }
};

struct asked_page : virtual_time {
  scratch_page_actor page = make<scratch_page_state>(agent_context{"ada", clock, nullptr},
    page_setup{default_config().page, default_config().weights, default_config().text,
      default_config().promotion});
  std::shared_ptr<prompt_exchange> request = std::make_shared<prompt_exchange>();

  asked_page() {
    request->on_head = [this] { anon_tell(page, addition()); };
  }

  static add_observation addition() {
    observation_draft draft;
    draft.type = "observation";
    draft.content = "x";
    return {as_daemon("planner"), std::move(draft)};
  }

  void begin(subscribe_from from = {}) {
    events::event_order order;
    order.by = as_daemon("reader");
    order.from = from;
    own(sys.spawn([this, order](caf::event_based_actor* self) {
      events::begin_events(self, page, request, order);
    }));
    settle();
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(event_streams, asked_page)

BOOST_AUTO_TEST_CASE(who_has_the_head_hears_of_all_that_comes_after_it) {
  ask(page, addition()); // before the stream begins
  begin();
  BOOST_TEST(request->statuses == std::vector{200}, boost::test_tools::per_element());
  BOOST_TEST(request->stream->events() == std::vector<std::string>{"0-2 added"},
    boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(so_does_who_asks_for_a_websocket) {
  request->wants_websocket = true;
  begin();
  BOOST_TEST(request->statuses.empty());
  BOOST_TEST(request->stream->pieces() == 1u);
}

BOOST_AUTO_TEST_CASE(who_comes_again_hears_what_it_has_not_seen) {
  ask(page, addition());
  begin({0, 0});
  BOOST_TEST(request->stream->events() == (std::vector<std::string>{"0-1 added", "0-2 added"}),
    boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_page_that_has_ended_is_an_error_and_no_stream) {
  caf::anon_send_exit(page, caf::exit_reason::kill);
  settle();
  begin();
  BOOST_REQUIRE(request->statuses.size() == 1u);
  BOOST_TEST(request->statuses.front() >= 500);
  BOOST_TEST(request->stream->pieces() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
