#define BOOST_TEST_MODULE own_actors

#include <string>

#include <boost/test/unit_test.hpp>

#include <caf/result.hpp>
#include <caf/typed_actor.hpp>

#include "scratchpage/runtime/testing/team.hpp"
#include "scratchpage/tests/support/messages_fixture.hpp"

namespace scratchpage::test {

namespace {

using namespace std::chrono_literals;

/// An actor of a program: its answer is of a type with which no actor of the library answers.
using greeter_actor = caf::typed_actor<caf::result<std::string>(uint64_t)>;

class greeter_state {
public:
  using handle = greeter_actor;
  static constexpr const char* name = "greeter";

  explicit greeter_state(handle::pointer self)
    : self_{self} {}

  handle::behavior_type make_behavior() {
    return {[this](uint64_t seconds) -> caf::result<std::string> {
      auto answer = self_->make_response_promise<std::string>();
      self_->run_delayed(std::chrono::seconds{seconds},
        [answer]() mutable { answer.deliver(std::string{"hello"}); });
      return answer;
    }};
  }

private:
  handle::pointer self_;
};

} // namespace

BOOST_AUTO_TEST_CASE(an_answer_of_a_programs_own_type_arrives_after_its_time) {
  testing::virtual_time time;
  auto greeter = time.make<greeter_state>();
  auto answer = time.send(greeter, uint64_t{60});
  time.advance(59s);
  BOOST_TEST(!answer->arrived());
  time.advance(1s);
  BOOST_REQUIRE(answer->arrived());
  BOOST_TEST((*answer->value && **answer->value == "hello"));
}

BOOST_AUTO_TEST_CASE(whoever_asks_does_not_wait_for_time_to_pass) {
  testing::virtual_time time;
  auto greeter = time.make<greeter_state>();
  auto early = time.ask(greeter, uint64_t{1});
  BOOST_TEST(!early);
  BOOST_TEST((code_of(early.error()) == errc::deadline_exceeded));
  time.advance(1s);
}

BOOST_AUTO_TEST_CASE(a_team_takes_requests_beside_its_start) {
  testing::team team;
  team.start();
  auto turn = team.send(team.host->turns(), begin_turn{.input = "Hello there"});
  team.settle();
  BOOST_TEST(turn->arrived());
}

} // namespace scratchpage::test
