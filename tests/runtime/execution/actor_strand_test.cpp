#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>

#include "scratchpage/runtime/execution/strand.hpp"
#include "scratchpage/tests/support/virtual_time.hpp"

/// A strand implemented by an actor.

namespace scratchpage::test {

namespace {

struct with_strand : virtual_time {
  std::shared_ptr<actor_strand> strand = std::make_shared<actor_strand>(sys, clock);
  std::string ran;

  ~with_strand() {
    strand->stop();
    settle();
  }

  std::function<void()> note(const std::string& what) {
    return [this, what] { ran += what; };
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(an_actor_strand, with_strand)

BOOST_AUTO_TEST_CASE(work_runs_in_the_order_in_which_it_was_posted) {
  strand->post([this] {
    ran += "a";
    strand->post(note("c"));
  });
  strand->post(note("b"));
  BOOST_TEST(ran == "");
  settle();
  BOOST_TEST(ran == "abc");
}

BOOST_AUTO_TEST_CASE(what_is_for_later_runs_when_its_time_has_come) {
  strand->after(std::chrono::seconds{2}, note("late"));
  strand->after(std::chrono::seconds{1}, note("soon "));
  advance(std::chrono::milliseconds{1500});
  BOOST_TEST(ran == "soon ");
  advance(std::chrono::seconds{1});
  BOOST_TEST(ran == "soon late");
  BOOST_TEST((strand->now() == now()));
}

BOOST_AUTO_TEST_CASE(a_strand_that_was_stopped_drops_what_waits) {
  auto owned = std::make_shared<int>(1);
  strand->post([this, owned] { ran += "never"; });
  strand->stop();
  BOOST_TEST(owned.use_count() == 1);
  strand->post([this, owned] { ran += "never"; });
  settle();
  BOOST_TEST(ran == "");
  BOOST_TEST(owned.use_count() == 1);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
