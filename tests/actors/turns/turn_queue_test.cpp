#define BOOST_TEST_MODULE turn_queue
#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "scratchpage/actors/turns/turn_queue.hpp"
#include "scratchpage/actors/turns/turn_results.hpp"
#include "scratchpage/messages/json_writer.hpp"
#include "scratchpage/tests/support/messages_fixture.hpp"

/// The order in which the turns of a thread begin, and which results are kept.

namespace scratchpage::test {

namespace {

class turn_double {
public:
  turn_double(std::string name, begin_turn request)
    : name{std::move(name)},
      request_{std::move(request)} {}

  const begin_turn& request() const { return request_; }
  bool is_held() const { return held; }

  std::string name;
  bool held = false;

private:
  begin_turn request_;
};

using turn_ptr = std::shared_ptr<turn_double>;

turn_ptr turn(std::string name, std::string thread_id = "thread_1") {
  begin_turn request;
  request.thread_id = std::move(thread_id);
  request.mode = turn_mode::sequential;
  return std::make_shared<turn_double>(std::move(name), std::move(request));
}

turn_ptr turn_by(const caller& by, std::string name) {
  auto request = turn({})->request();
  request.by = by;
  return std::make_shared<turn_double>(std::move(name), std::move(request));
}

/// The turn of a person that names the question which it answers.
turn_ptr answer_by(const caller& by, std::string name) {
  auto request = turn({})->request();
  request.by = by;
  request.context["confirms"] = "obs_20251105_001";
  return std::make_shared<turn_double>(std::move(name), std::move(request));
}

std::string names(const std::vector<turn_ptr>& turns) {
  std::string result;
  for (const auto& x : turns)
    result.append(result.empty() ? "" : " ").append(x->name);
  return result;
}

struct queue_fixture {
  turn_queue<turn_double> queue;

  /// Begins the turn or lets it wait; true if it began.
  bool begin(const turn_ptr& x) {
    auto waits = queue.must_wait(x->request());
    if (waits)
      queue.add_waiting(x);
    else
      queue.add_begun(x);
    return !waits;
  }

  std::string end(const turn_ptr& x) { return names(queue.remove(x)); }

  std::string hold(const turn_ptr& x) {
    x->held = true;
    return names(queue.take_ready(x->request().thread_id));
  }
};

const auto ann = as_user("ann");
const auto ben = as_user("ben");

} // namespace

// -- the order ------------------------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(turns_of_a_thread_run_one_after_another, queue_fixture) {
  auto a = turn("a"), b = turn("b"), c = turn("c");
  BOOST_TEST(begin(a));
  BOOST_TEST(!begin(b));
  BOOST_TEST(!begin(c));
  BOOST_TEST(queue.waiting() == 2u);
  BOOST_TEST(end(a) == "b");
  BOOST_TEST(queue.waiting() == 1u);
  BOOST_TEST(end(b) == "c");
  BOOST_TEST(end(c) == "");
  BOOST_TEST(queue.waiting() == 0u);
}

BOOST_FIXTURE_TEST_CASE(threads_do_not_wait_for_each_other, queue_fixture) {
  auto a = turn("a", "thread_1"), b = turn("b", "thread_2");
  BOOST_TEST(begin(a));
  BOOST_TEST(begin(b));
  BOOST_TEST(!begin(turn("c", "thread_2")));
  BOOST_TEST(end(a) == "");
  BOOST_TEST(end(b) == "c");
}

BOOST_FIXTURE_TEST_CASE(turns_of_other_modes_wait_for_nothing, queue_fixture) {
  auto a = turn("a");
  BOOST_TEST(begin(a));
  auto request = a->request();
  request.mode = turn_mode::background;
  auto b = std::make_shared<turn_double>("b", request);
  BOOST_TEST(begin(b));
  BOOST_TEST(end(b) == "");
  BOOST_TEST(!begin(turn("c"))); // it waits for the first
}

BOOST_FIXTURE_TEST_CASE(a_turn_that_could_not_begin_lets_the_next_one_begin, queue_fixture) {
  auto a = turn("a"), b = turn("b");
  begin(a);
  begin(b);
  BOOST_TEST(end(a) == "b");
  BOOST_TEST(end(b) == ""); // it failed, and no turn waits
  BOOST_TEST(begin(turn("c")));
}

BOOST_FIXTURE_TEST_CASE(nobody_else_keeps_a_person_from_speaking, queue_fixture) {
  auto program = turn("program"), person = turn_by(ann, "ann");
  BOOST_TEST(begin(program));
  BOOST_TEST(begin(person));
  auto other = turn_by(ben, "ben"), again = turn_by(ann, "again");
  BOOST_TEST(begin(other));
  BOOST_TEST(!begin(again));
  BOOST_TEST(end(program) == "");
  BOOST_TEST(end(person) == "again");
}

BOOST_FIXTURE_TEST_CASE(a_turn_that_waits_keeps_those_behind_it_waiting, queue_fixture) {
  auto first = turn_by(ann, "first"), second = turn("second"), third = turn("third");
  begin(first);
  begin(second);
  begin(third);
  BOOST_TEST(end(first) == "second");
}

// -- turns that are held ----------------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(
  a_turn_that_is_held_is_named_to_those_that_would_wait_for_it, queue_fixture) {
  auto held = turn_by(ann, "held");
  begin(held);
  auto next = turn_by(ann, "next");
  BOOST_TEST(!queue.held_before(next->request()));
  hold(held);
  BOOST_TEST(queue.held_before(next->request()) == held);
  BOOST_TEST(!queue.held_before(turn_by(ben, "other")->request()));
  BOOST_TEST(!queue.held_before(answer_by(ann, "answer")->request()));
}

BOOST_FIXTURE_TEST_CASE(
  an_answer_to_a_question_goes_before_the_turn_that_waits_for_it, queue_fixture) {
  auto held = turn_by(ann, "held"), answer = answer_by(ann, "answer"),
       other = turn_by(ann, "other");
  begin(held);
  BOOST_TEST(!begin(answer)); // the other turn is still running
  BOOST_TEST(!begin(other));
  BOOST_TEST(hold(held) == "answer");
  BOOST_TEST(end(held) == "");
  BOOST_TEST(end(answer) == "other");
}

BOOST_FIXTURE_TEST_CASE(waiting_turns_are_counted_by_whose_they_are, queue_fixture) {
  begin(turn_by(ann, "a"));
  begin(turn_by(ann, "b"));
  begin(turn_by(ann, "c"));
  begin(turn_by(ben, "d"));
  begin(turn_by(ben, "e"));
  auto of = [](const caller& by) {
    return [by](const turn_ptr& x) { return x->request().by->name == by.name; };
  };
  BOOST_TEST(queue.count_waiting(of(ann)) == 2u);
  BOOST_TEST(queue.count_waiting(of(ben)) == 1u);
}

// -- results ----------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(the_last_results_are_kept) {
  turn_results results{2, 1'000'000};
  for (auto id : {"turn_1", "turn_2", "turn_3"}) {
    turn_result x;
    x.turn_id = id;
    results.add(x);
  }
  BOOST_TEST(!results.find("turn_1"));
  BOOST_REQUIRE(results.find("turn_2"));
  BOOST_TEST(results.find("turn_2")->turn_id == "turn_2");
  BOOST_TEST(results.find("turn_3").has_value());
}

BOOST_AUTO_TEST_CASE(the_newest_result_is_kept_however_large_it_is) {
  turn_results results{10, 10'000};
  turn_result x;
  x.turn_id = "small";
  results.add(x);
  x.turn_id = "large";
  x.response = std::string(20'000, 'x');
  results.add(x);
  BOOST_TEST(!results.find("small"));
  BOOST_TEST(results.find("large").has_value());
  x.turn_id = "next";
  x.response.clear();
  results.add(x);
  BOOST_TEST(!results.find("large"));
  BOOST_TEST(results.find("next").has_value());
}

BOOST_AUTO_TEST_CASE(packed_results_take_little_and_are_as_before) {
  turn_results results{2, 100'000};
  turn_result x;
  x.turn_id = "turn_1";
  x.response = std::string(20'000, 'x');
  x.goals.emplace_back().goal_id = "goal_1";
  x.goals.back().goal_type = "trip";
  x.waiting.emplace_back();
  results.add(x);
  auto before = results.bytes();
  results.pack();
  results.pack(); // what is packed stays so
  BOOST_TEST(results.bytes() < before / 10);
  BOOST_REQUIRE(results.find("turn_1"));
  BOOST_TEST(to_json_text(*results.find("turn_1")) == to_json_text(x));
  BOOST_TEST(!results.find("turn_2"));
}

BOOST_AUTO_TEST_CASE(packed_results_count_for_the_limit_as_before) {
  turn_results results{10, 50'000};
  turn_result x;
  x.response = std::string(20'000, 'x');
  for (auto id : {"turn_1", "turn_2", "turn_3"}) {
    x.turn_id = id;
    results.add(x);
    results.pack();
  }
  BOOST_TEST(!results.find("turn_1"));
  BOOST_TEST(results.find("turn_2").has_value());
  BOOST_TEST(results.find("turn_3").has_value());
}

} // namespace scratchpage::test
