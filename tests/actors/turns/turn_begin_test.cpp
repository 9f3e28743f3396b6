#include <boost/test/unit_test.hpp>

#include "scratchpage/actors/base/daemon.hpp"
#include "scratchpage/actors/page/scratch_page.hpp"
#include "scratchpage/actors/turns/turns.hpp"
#include "scratchpage/runtime/config/config.hpp"
#include "scratchpage/runtime/simulation/stage.hpp"
#include "scratchpage/tests/support/require_value.hpp"
#include "scratchpage/tests/support/virtual_time.hpp"

/// A turn does not begin before the page has the daemons as subscribers.

namespace scratchpage::test {

namespace {

/// A daemon that takes part in turns and does nothing.
class idle_daemon : public daemon {
public:
  static constexpr const char* name = "idle_daemon";

  idle_daemon(handle::pointer self, const daemon_setup& setup, std::string as)
    : daemon{self, setup, std::move(as)} {}

private:
  std::vector<observation_filter> interests() const override { return {}; }
  void react(const page_event&, const ack_guard&) override {}
};

struct waiting_turns : virtual_time {
  agent_context agent{"ada", clock, nullptr};
  scratch_page_actor page =
    make<scratch_page_state>(agent, page_setup{default_config().page, default_config().weights,
                                      default_config().text, default_config().promotion});
  turns_actor turns = make<turns_state>(agent, default_config().turns, uint64_t{1}, page,
    frontal_cortex_actor{}, episodic_memory_actor{}, std::make_shared<counter>());

  page_stats stats() { return require_value(ask(page, caf::get_atom_v)); }

  void check_that_no_turn_begins() {
    auto turn = send(turns, begin_turn{.input = "Hello"});
    advance(std::chrono::minutes{1});
    BOOST_REQUIRE(turn->arrived());
    BOOST_REQUIRE(!*turn->value);
    BOOST_TEST((code_of(turn->value->error()) == errc::deadline_exceeded));
    BOOST_TEST(field_of(turn->value->error()) == "team");
  }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(an_id_of_a_thread_or_a_user_has_no_nul, waiting_turns) {
  for (auto id : {&begin_turn::thread_id, &begin_turn::user_id}) {
    begin_turn request;
    request.input = "Hello";
    request.*id = std::string{"a\0b", 3};
    auto refused = ask(turns, request);
    BOOST_REQUIRE(!refused);
    BOOST_TEST((code_of(refused.error()) == errc::invalid_request));
    BOOST_TEST(
      field_of(refused.error()) == (id == &begin_turn::thread_id ? "thread_id" : "user_id"));
  }
}

BOOST_FIXTURE_TEST_CASE(who_only_looks_on_is_none_of_the_team, waiting_turns) {
  own(spawn_page_recorder(sys, page, std::make_shared<page_recorder>()));
  settle();
  BOOST_TEST(stats().subscribers == 1u);
  BOOST_TEST(stats().in_turns == 0u);
  check_that_no_turn_begins();
}

BOOST_FIXTURE_TEST_CASE(a_daemon_of_the_program_fills_in_for_none_of_the_team, waiting_turns) {
  make<idle_daemon>(daemon_setup{agent, page, {}}, std::string{"fire_watch"});
  settle();
  BOOST_TEST(stats().in_turns == 1u);
  check_that_no_turn_begins();
}

BOOST_FIXTURE_TEST_CASE(a_turn_begins_when_the_team_is_there, waiting_turns) {
  auto turn = send(turns, begin_turn{.input = "Hello"});
  settle();
  BOOST_TEST(stats().observations == 0u);
  make<idle_daemon>(daemon_setup{agent, page, {}}, std::string{"router"});
  advance(std::chrono::milliseconds{2});
  BOOST_TEST(stats().observations == 1u); // the input
}

} // namespace scratchpage::test
