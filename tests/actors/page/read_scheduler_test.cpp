#define BOOST_TEST_MODULE read_scheduler
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>

#include "scratchpage/actors/page/read_scheduler.hpp"
#include "scratchpage/tests/support/messages_fixture.hpp"

/// read_scheduler: when long reads yield to other requests, and when they continue.

namespace scratchpage::test {

namespace {

using namespace std::chrono_literals;

struct scheduler_fixture {
  read_scheduler reads;
  std::string done;

  void add(const caller& by, const std::string& name) {
    reads.add(by, [this, name] { done += name + " "; });
  }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(reads_give_way_when_others_have_waited_for_a_slice, scheduler_fixture) {
  BOOST_TEST(!reads.gives_way());
  BOOST_TEST(!reads.note(3ms));
  BOOST_TEST(!reads.gives_way());
  BOOST_TEST(reads.note(2ms));
  BOOST_TEST(reads.gives_way());
  reads.begin_slice();
  BOOST_TEST(!reads.gives_way());
  BOOST_TEST(!reads.note(4ms));
}

BOOST_FIXTURE_TEST_CASE(time_counts_only_while_others_wait, scheduler_fixture) {
  BOOST_TEST(!reads.note(4ms));
  reads.note_unhindered();
  BOOST_TEST(!reads.note(4ms));
  BOOST_TEST(reads.note(1ms));
}

BOOST_FIXTURE_TEST_CASE(reads_that_wait_go_on_until_the_slice_is_over, scheduler_fixture) {
  BOOST_TEST(!reads.is_anybody_waiting());
  add(as_daemon("a"), "a1");
  add(as_daemon("a"), "a2");
  add(as_daemon("b"), "b1");
  BOOST_TEST(reads.is_anybody_waiting());
  reads.begin_slice();
  while (auto read = reads.next()) {
    read();
    reads.note(3ms);
  }
  BOOST_TEST(done == "a1 b1 ");
  BOOST_TEST(reads.is_anybody_waiting());
  reads.begin_slice();
  while (auto read = reads.next())
    read();
  BOOST_TEST(done == "a1 b1 a2 ");
  BOOST_TEST(!reads.is_anybody_waiting());
}

BOOST_FIXTURE_TEST_CASE(one_principal_has_only_so_many_reads_that_wait, scheduler_fixture) {
  for (uint64_t i = 0; i < query_limits::waiting; ++i) {
    BOOST_REQUIRE(reads.has_room_for(as_daemon("a")));
    add(as_daemon("a"), "a");
  }
  BOOST_TEST(!reads.has_room_for(as_daemon("a")));
  BOOST_TEST(reads.has_room_for(as_daemon("b")));
}

} // namespace scratchpage::test
