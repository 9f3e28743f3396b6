#define BOOST_TEST_MODULE fair_queue
#include <boost/test/unit_test.hpp>

#include <string>

#include "scratchpage/actors/base/outside_requests.hpp"
#include "scratchpage/tests/support/callers.hpp"

/// The order in which a fair queue serves several waiting callers.

namespace scratchpage::test {

namespace {

struct queue_of_names {
  fair_queue queue{3};
  std::string done;

  void add(const caller& by, const std::string& name) {
    queue.add(by, [this, name] { done += name + " "; });
  }

  std::string all() {
    while (!queue.empty())
      queue.take()();
    return done;
  }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(principals_are_served_one_after_another, queue_of_names) {
  add(as_daemon("a"), "a1");
  add(as_daemon("a"), "a2");
  add(as_daemon("a"), "a3");
  add(as_user("a"), "u1");
  add(as_tool("t"), "t1");
  add(as_tool("t"), "t2");
  BOOST_TEST(all() == "a1 u1 t1 a2 t2 a3 ");
}

BOOST_FIXTURE_TEST_CASE(only_so_many_of_one_principal_wait, queue_of_names) {
  for (auto name : {"a1", "a2", "a3"})
    add(as_daemon("a"), name);
  BOOST_TEST(!queue.has_room_for(as_daemon("a")));
  BOOST_TEST(queue.has_room_for(as_daemon("b")));
  queue.take()();
  BOOST_TEST(queue.has_room_for(as_daemon("a")));
}

BOOST_FIXTURE_TEST_CASE(names_that_nobody_has_checked_are_one_principal, queue_of_names) {
  add(claimed("a"), "a1");
  add(claimed("b"), "b1");
  add(as_daemon("a"), "c1");
  add(claimed("c"), "d1");
  BOOST_TEST(!queue.has_room_for(claimed("d")));
  BOOST_TEST(all() == "a1 c1 b1 d1 ");
}

} // namespace scratchpage::test
