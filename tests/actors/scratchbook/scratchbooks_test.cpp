#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>
#include <vector>

#include "scratchpage/actors/storage/file_keeper.hpp"
#include "scratchpage/persistence/files/file_store.hpp"
#include "scratchpage/tests/actors/scratchbook/books.hpp"
#include "scratchpage/tests/actors/scratchbook/running_books.hpp"
#include "scratchpage/tests/support/temp_dir.hpp"

/// The scratchbook actors: one for each thread. A change is durable when it is answered.

namespace scratchpage::test {

namespace {

struct running_scratchbooks : running_books {
  void begin() { begin(files); }

  void begin(std::shared_ptr<file_store> in) {
    auto keeper = make<file_keeper_state>(std::move(in));
    books = make<scratchbooks_state>(
      agent_context{"agent", clock, trace}, scratchbook_parts{keeper}, config);
  }

  static scratch_add adding(std::string thread, std::string title) {
    return {as_daemon("planner"), std::move(thread), draft_of(item_kind::todo, std::move(title))};
  }

  scratchbook_item add(std::string thread, std::string title) {
    return value(ask(books, adding(std::move(thread), std::move(title))));
  }

  scratchbook_item mark(std::string thread, std::string id, item_mark as) {
    return value(
      ask(books, scratch_mark{as_daemon("planner"), std::move(thread), std::move(id), as}));
  }

  std::string view(std::string thread) {
    return value(ask(books, scratch_read{as_daemon("planner"), std::move(thread), {}})).view;
  }

  template <class T>
  static std::string refusal(const caf::expected<T>& x) {
    return x ? "none" : std::string{name_of(code_of(x.error()))};
  }
};

auto label(const char* name) {
  return boost::unit_test::label(name);
}

} // namespace

BOOST_AUTO_TEST_SUITE(scratchbooks)

BOOST_FIXTURE_TEST_CASE(what_was_added_is_updated_read_pinned_and_completed_and_stays,
  running_scratchbooks, *label("SB_1") * label("SB_a1") * label("SB_a2")) {
  temp_dir folder;
  begin(std::make_shared<directory_files>(folder.path()));
  auto task = value(ask(books, scratch_add{as_daemon("planner"), "trip",
                                 draft_of(item_kind::task, "Book the flight", "to Paris")}));
  advance(std::chrono::seconds{1});
  auto todo = add("trip", "Ask for the date");
  item_changes changes;
  changes.status = item_status::in_progress;
  changes.progress = 0.5;
  value(ask(books, scratch_update{as_daemon("planner"), "trip", task.id, changes}));
  mark("trip", todo.id, item_mark::pin);
  auto seen = "s2 pinned todo: Ask for the date\n"
              "s1 task in_progress 50%: Book the flight | to Paris";
  BOOST_TEST(view("trip") == seen);
  auto stored = folder.read("scratchbook/trip.json");
  BOOST_TEST(stored.find(R"("pins":["s2"],"revision":4,"thread_id":"trip"})") != std::string::npos);

  begin(std::make_shared<directory_files>(folder.path())); // as another process does
  BOOST_TEST(view("trip") == seen);
  mark("trip", todo.id, item_mark::unpin);
  mark("trip", todo.id, item_mark::complete);
  BOOST_TEST(view("trip") == "s1 task in_progress 50%: Book the flight | to Paris");
  auto all = value(ask(books, scratch_list{as_daemon("planner"), "trip"}));
  BOOST_REQUIRE(all.items.size() == 2u);
  BOOST_TEST(name_of(all.items[1].status) == "done");
  BOOST_TEST(all.items[0].created_at_ns == all.items[1].created_at_ns - 1'000'000'000);
}

BOOST_FIXTURE_TEST_CASE(threads_have_nothing_to_do_with_each_other, running_scratchbooks) {
  begin();
  add("trip", "one");
  add("Trip", "two");
  add("../trip", "three");
  BOOST_TEST(view("trip") == "s1 todo: one");
  BOOST_TEST(view("Trip") == "s1 todo: two");
  BOOST_TEST(view("../trip") == "s1 todo: three");
  BOOST_TEST(view("nobody's") == "(the scratchbook is empty)");
  BOOST_TEST(files->text("scratchbook/%54rip.json").find("two") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(
  what_comes_while_the_file_is_written_is_written_together, running_scratchbooks) {
  begin();
  std::vector<std::shared_ptr<pending_answer<scratchbook_item>>> answers;
  answers.reserve(20);
  for (int i = 0; i < 20; ++i)
    answers.push_back(send(books, adding("trip", std::to_string(i))));
  settle();
  for (int i = 0; i < 20; ++i) {
    BOOST_REQUIRE(answers[static_cast<size_t>(i)]->arrived());
    BOOST_TEST(value(*answers[static_cast<size_t>(i)]->value).id == "s" + std::to_string(i + 1));
  }
  BOOST_TEST(files->writes <= 2);
  BOOST_TEST(value(ask(books, scratch_list{as_daemon("x"), "trip"})).items.size() == 20u);
}

BOOST_FIXTURE_TEST_CASE(a_refused_change_takes_no_other_along, running_scratchbooks) {
  begin();
  auto good = send(books, adding("trip", "one"));
  auto bad = send(books, adding("trip", " "));
  auto next = send(books, adding("trip", "two"));
  settle();
  BOOST_TEST(value(*good->value).id == "s1");
  BOOST_TEST(refusal(*bad->value) == "invalid_request");
  BOOST_TEST(value(*next->value).id == "s2");
}

BOOST_FIXTURE_TEST_CASE(what_changes_nothing_is_not_written, running_scratchbooks) {
  begin();
  auto item = add("trip", "one");
  mark("trip", item.id, item_mark::pin);
  auto before = files->writes;
  mark("trip", item.id, item_mark::pin);
  BOOST_TEST(refusal(ask(books, adding("trip", ""))) == "invalid_request");
  view("trip");
  BOOST_TEST(files->writes == before);
}

BOOST_FIXTURE_TEST_CASE(a_change_that_is_not_stored_never_happened, running_scratchbooks) {
  begin();
  add("trip", "one");
  files->fails = true;
  BOOST_TEST(refusal(ask(books, adding("trip", "two"))) == "storage_unavailable");
  BOOST_TEST(view("trip") == "s1 todo: one"); // reading still works
  files->fails = false;
  BOOST_TEST(add("trip", "three").id == "s2");
  BOOST_TEST(view("trip") == "s1 todo: one\ns2 todo: three");
}

BOOST_FIXTURE_TEST_CASE(a_scratchbook_that_cannot_be_read_is_tried_again, running_scratchbooks) {
  begin();
  files->fails = true;
  BOOST_TEST(refusal(ask(books, adding("trip", "one"))) == "storage_unavailable");
  BOOST_TEST(
    refusal(ask(books, scratch_read{as_daemon("x"), "trip", {}})) == "storage_unavailable");
  files->fails = false;
  BOOST_TEST(add("trip", "two").id == "s1");
}

BOOST_FIXTURE_TEST_CASE(a_damaged_file_is_refused_and_left_as_it_is, running_scratchbooks) {
  begin();
  BOOST_REQUIRE(!files->memory_files::write("scratchbook/trip.json", R"({"items": [)"));
  auto refused = ask(books, adding("trip", "one"));
  BOOST_TEST(refusal(refused) == "internal");
  BOOST_TEST(describe(refused.error()).find("scratchbook/trip.json") != std::string::npos);
  BOOST_TEST(files->text("scratchbook/trip.json") == R"({"items": [)");
  BOOST_TEST(add("other", "one").id == "s1"); // other threads are not affected
}

BOOST_FIXTURE_TEST_CASE(another_threads_file_is_not_taken, running_scratchbooks) {
  begin();
  add("a", "one");
  auto text = files->text("scratchbook/a.json");
  BOOST_REQUIRE(!files->memory_files::write("scratchbook/b.json", text));
  BOOST_TEST(refusal(ask(books, adding("b", "two"))) == "internal");
}

BOOST_FIXTURE_TEST_CASE(threads_rest_when_many_are_open_and_lose_nothing, running_scratchbooks) {
  config.max_open = 3;
  begin();
  for (int round = 0; round < 3; ++round)
    for (int i = 0; i < 10; ++i)
      add("thread" + std::to_string(i), "round " + std::to_string(round));
  for (int i = 0; i < 10; ++i)
    BOOST_TEST(
      view("thread" + std::to_string(i)) == "s1 todo: round 0\ns2 todo: round 1\ns3 todo: round 2");
  BOOST_TEST(files->reads >= 30); // closed books were read again
}

BOOST_FIXTURE_TEST_CASE(a_full_scratchbook_can_still_be_worked_on_and_read, running_scratchbooks) {
  config.limits.max_bytes = 2'000;
  begin();
  size_t kept = 0;
  for (; kept < 100; ++kept)
    if (auto added = ask(books, adding("trip", "Number " + std::to_string(kept))); !added) {
      BOOST_TEST(refusal(added) == "overloaded");
      break;
    }
  BOOST_TEST(kept > 5u);
  BOOST_TEST(kept < 20u);
  for (size_t i = 1; i <= kept; ++i)
    mark("trip", "s" + std::to_string(i), item_mark::pin);
  mark("trip", "s1", item_mark::complete);
  begin(); // a book beyond the limit is still read
  auto all = value(ask(books, scratch_list{as_daemon("x"), "trip"}));
  BOOST_TEST(all.items.size() == kept);
  BOOST_TEST(all.pins.size() == kept);
}

BOOST_FIXTURE_TEST_CASE(more_than_may_wait_are_refused, running_scratchbooks) {
  config.max_waiting = 5;
  begin();
  std::vector<std::shared_ptr<pending_answer<scratchbook_item>>> answers;
  answers.reserve(20);
  for (int i = 0; i < 20; ++i)
    answers.push_back(send(books, adding("trip", std::to_string(i))));
  settle();
  size_t kept = 0;
  for (const auto& x : answers) {
    BOOST_REQUIRE(x->arrived());
    if (*x->value)
      ++kept;
    else
      BOOST_TEST(refusal(*x->value) == "overloaded");
  }
  BOOST_TEST(kept >= 5u);
  BOOST_TEST(kept < 20u);
  BOOST_TEST(value(ask(books, scratch_list{as_daemon("x"), "trip"})).items.size() == kept);
}

BOOST_FIXTURE_TEST_CASE(bad_requests_say_what_is_wrong, running_scratchbooks) {
  begin();
  auto field = [](const auto& x) { return x ? "none" : field_of(x.error()); };
  BOOST_TEST(field(ask(books, adding(std::string(1'025, 'x'), "one"))) == "thread_id");
  BOOST_TEST(field(ask(books, adding("\xff", "one"))) == "thread_id");
  BOOST_TEST(field(ask(books, scratch_mark{as_daemon("x"), "trip", "s1", item_mark::pin})) == "id");
  config.path_prefix = "/../x";
  BOOST_TEST(field_of(validate(config)) == "scratchbook.path_prefix");
}

BOOST_FIXTURE_TEST_CASE(
  a_goal_that_cannot_be_asked_for_holds_up_its_own_change_and_no_other, running_scratchbooks) {
  config.goal_ms = 5'000;
  begin();
  auto keeper = make<file_keeper_state>(files);
  auto silent = make<silent_cortex>();
  books = make<scratchbooks_state>(
    agent_context{"agent", clock, trace}, scratchbook_parts{keeper, silent}, config);
  auto linked = adding("trip", "Linked");
  linked.item.goal_id = "goal_1";
  auto first = send(books, linked);
  auto second = send(books, adding("trip", "Free"));
  settle();
  BOOST_TEST(!first->arrived());
  advance(std::chrono::milliseconds{5'000});
  BOOST_TEST(refusal(*first->value) == "storage_unavailable");
  BOOST_TEST(value(*second->value).id == "s1");
  BOOST_TEST(view("trip") == "s1 todo: Free");
}

BOOST_FIXTURE_TEST_CASE(personal_data_is_masked_on_arrival_if_it_is_to_be, running_scratchbooks) {
  auto keeper = make<file_keeper_state>(files);
  books = make<scratchbooks_state>(agent_context{"agent", clock, trace},
    scratchbook_parts{keeper, {}, std::make_shared<const pii_masker>()}, config);
  auto added = add("trip", "Write to ann@example.org");
  BOOST_TEST(added.title == "Write to [email]");
  item_changes changes;
  changes.body = "or bob@example.org";
  value(ask(books, scratch_update{as_daemon("planner"), "trip", added.id, changes}));
  BOOST_TEST(view("trip") == "s1 todo: Write to [email] | or [email]");
  BOOST_TEST(files->text("scratchbook/trip.json").find("example") == std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(what_is_done_is_traced, running_scratchbooks) {
  begin();
  add("trip", "one");
  ask(books, adding("trip", ""));
  mark("trip", "s1", item_mark::pin);
  view("trip");
  std::vector<std::string> seen;
  for (const auto& x : trace->entries())
    seen.push_back(x.component + " " + x.operation + " " + x.status);
  const std::vector<std::string> expected{"scratchbooks scratch_add success",
    "scratchbooks scratch_add invalid_request", "scratchbooks scratch_pin success",
    "scratchbooks scratch_read success"};
  BOOST_TEST(seen == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
