#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "scratchpage/actors/storage/file_keeper.hpp"
#include "scratchpage/tests/actors/scratchbook/books.hpp"
#include "scratchpage/tests/actors/scratchbook/running_books.hpp"

/// Time and memory that large and many scratchbooks take.

namespace scratchpage::test {

namespace {

/// A clock that `step` advances at each reading.
class slow_clock : public scratchpage::clock {
public:
  explicit slow_clock(std::shared_ptr<const scratchpage::clock> of)
    : of_{std::move(of)} {}

  timestamp now() const override { return of_->now(); }
  timespan steady() const override { return of_->steady() + (ahead_ += step); }

  timespan step{};

private:
  std::shared_ptr<const scratchpage::clock> of_;
  mutable timespan ahead_{};
};

struct large_books : running_books {
  using answer = std::shared_ptr<pending_answer<scratchbook_item>>;

  std::shared_ptr<slow_clock> slow = std::make_shared<slow_clock>(clock);

  void begin() {
    auto keeper = make<file_keeper_state>(files);
    scratchbook_parts parts{keeper, make<silent_cortex>()};
    books = make<scratchbooks_state>(agent_context{"agent", slow, trace}, parts, config);
  }

  /// Adds notes of about 16 KB each.
  void fill(const std::string& thread, int items) {
    for (int i = 0; i < items; ++i)
      value(ask(books, scratch_add{as_daemon("planner"), thread,
                         draft_of(item_kind::note, "long", std::string(16'000, 'x'))}));
  }

  answer start_add(const std::string& thread, const std::string& by = "planner") {
    return send(books, scratch_add{as_daemon(by), thread, draft_of(item_kind::todo, "short")});
  }

  answer start_settled(const std::string& thread) {
    auto result = start_add(thread);
    settle();
    return result;
  }

  /// Begins to add an item of a goal. The addition waits for the Frontal Cortex, which does not
  /// answer.
  answer start_linked(const std::string& thread) {
    auto item = draft_of(item_kind::todo, "linked");
    item.goal_id = "goal_1";
    return send(books, scratch_add{as_daemon("planner"), thread, item});
  }

  void read(const std::string& thread) {
    value(ask(books, scratch_read{as_daemon("planner"), thread, {}}));
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(large_scratchbooks, large_books)

BOOST_AUTO_TEST_CASE(changes_of_a_large_book_are_collected_while_it_rests) {
  begin();
  fill("trip", 20);
  slow->step = std::chrono::milliseconds{100};
  auto first = start_add("trip");
  settle();
  BOOST_REQUIRE(first->arrived());
  auto before = files->writes;
  auto second = start_add("trip");
  auto third = start_add("trip");
  settle();
  BOOST_TEST(!second->arrived());
  read("trip"); // readers do not wait
  advance(std::chrono::seconds{1});
  BOOST_TEST(value(*second->value).id == "s22");
  BOOST_TEST(value(*third->value).id == "s23");
  BOOST_TEST(files->writes == before + 1);
}

BOOST_AUTO_TEST_CASE(a_small_book_does_not_rest) {
  begin();
  slow->step = std::chrono::milliseconds{100};
  for (int i = 0; i < 10; ++i) {
    auto added = start_add("trip");
    settle();
    BOOST_TEST(added->arrived());
  }
}

BOOST_AUTO_TEST_CASE(a_large_book_that_is_full_rests_after_what_it_refuses) {
  config.limits.max_bytes = 350'000;
  begin();
  fill("trip", 21);
  slow->step = std::chrono::milliseconds{100};
  auto large = draft_of(item_kind::note, "long", std::string(16'000, 'x'));
  auto first = send(books, scratch_add{as_daemon("planner"), "trip", large});
  settle();
  BOOST_REQUIRE(first->arrived());
  BOOST_TEST(!*first->value);
  auto second = send(books, scratch_add{as_daemon("planner"), "trip", large});
  settle();
  BOOST_TEST(!second->arrived());
  advance(std::chrono::seconds{1});
  BOOST_TEST(second->arrived());
}

BOOST_AUTO_TEST_CASE(books_that_nobody_uses_are_closed_when_they_take_too_much_memory) {
  config.limits.max_bytes = 100'000;
  config.open_bytes = 300'000; // a full book takes 200 000
  begin();
  fill("a", 4);
  fill("b", 4);
  BOOST_TEST(files->reads == 2);
  read("b");
  BOOST_TEST(files->reads == 2);
  read("a"); // closed when "b" was opened
  BOOST_TEST(files->reads == 3);
  for (int i = 0; i < 20; ++i)
    value(*start_settled("small" + std::to_string(i))->value);
  auto before = files->reads;
  for (int i = 10; i < 20; ++i)
    read("small" + std::to_string(i)); // small books stay open
  BOOST_TEST(files->reads == before);
}

BOOST_AUTO_TEST_CASE(another_book_is_opened_when_there_is_memory_for_it) {
  config.open_bytes = 1;
  begin();
  auto first = start_linked("a");
  auto second = start_add("b");
  auto third = start_add("c");
  settle();
  BOOST_TEST(!first->arrived());
  BOOST_TEST(!second->arrived());
  advance(from_milliseconds(config.goal_ms));
  BOOST_TEST(first->arrived());
  BOOST_TEST(value(*second->value).id == "s1");
  BOOST_TEST(value(*third->value).id == "s1");
}

BOOST_AUTO_TEST_CASE(only_so_many_requests_of_one_principal_wait_for_memory) {
  config.open_bytes = 1;
  config.max_waiting = 2;
  begin();
  start_linked("a");
  std::vector<answer> waiting{start_add("b"), start_add("c")};
  auto refused = start_add("d");
  auto other = start_add("e", "another");
  settle();
  BOOST_REQUIRE(refused->arrived());
  BOOST_TEST(name_of(code_of(refused->value->error())) == "overloaded");
  BOOST_TEST(!other->arrived());
  advance(from_milliseconds(config.goal_ms));
  for (const auto& x : waiting)
    value(*x->value);
  value(*other->value);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
