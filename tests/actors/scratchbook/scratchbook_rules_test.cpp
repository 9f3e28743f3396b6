#include <boost/test/unit_test.hpp>
#include <rapidcheck.h>
#include <rapidcheck/boost_test.h>

#include <limits>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/tests/actors/scratchbook/books.hpp"

namespace scratchpage::test {

namespace {

/// Checks that changes are refused with a code and a field, and change nothing.
struct unchanged_book : book_in_the_making {
  template <class T>
  void check_refused(const caf::expected<T>& x, errc code, std::string_view field) {
    BOOST_REQUIRE(!x);
    BOOST_TEST(name_of(code_of(x.error())) == name_of(code));
    BOOST_TEST(field_of(x.error()) == field);
    BOOST_TEST((book == before));
  }

  scratchbook before;
};

struct two_items : unchanged_book {
  std::string note = add(item_kind::note, "The user is called Ann");
  std::string task = add(item_kind::task, "Book the flight");
  two_items() { before = book; }

  void refuse_draft(item_draft x, std::string_view field, errc code = errc::invalid_request) {
    check_refused(add_item(book, std::move(x), next(), limits), code, field);
  }
};

} // namespace

BOOST_AUTO_TEST_SUITE(the_rules)

BOOST_FIXTURE_TEST_CASE(an_item_begins_open_with_an_id_of_its_own, book_in_the_making,
  *boost::unit_test::label("SB_a1")) {
  auto draft = draft_of(item_kind::task, "Book the flight", "to Paris");
  draft.phase = "search";
  draft.progress = 0.25;
  draft.goal_id = "goal_1";
  draft.action_id = "a1";
  draft.observation_id = "obs_20251105_001";
  add(item_kind::note, "The user is called Ann");
  auto added = add_item(book, draft, 7, limits);
  BOOST_REQUIRE(added);
  scratchbook_item expected{"s2", item_kind::task, item_status::open, "Book the flight", "to Paris",
    {}, 7, 7, "search", 0.25, "goal_1", "a1", "obs_20251105_001"};
  BOOST_TEST((*added == expected));
  BOOST_TEST((book.items.back() == expected));
}

BOOST_FIXTURE_TEST_CASE(a_draft_that_breaks_a_rule_is_refused_by_the_field, two_items) {
  refuse_draft(draft_of(item_kind::todo, " \n\u00a0"), "title");
  refuse_draft(draft_of(item_kind::todo, std::string(513, 'x')), "title");
  refuse_draft(draft_of(item_kind::todo, "\xff"), "title");
  refuse_draft(draft_of(item_kind::todo, "x", std::string(16'385, 'x')), "body");
  auto todo = draft_of(item_kind::todo, "x");
  auto with = [&](auto member, auto value) {
    auto x = todo;
    x.*member = value;
    return x;
  };
  refuse_draft(with(&item_draft::phase, "search"), "phase");
  refuse_draft(with(&item_draft::progress, 0.5), "progress");
  refuse_draft(with(&item_draft::action_id, "a1"), "goal_id");
  refuse_draft(with(&item_draft::goal_id, std::string(129, 'x')), "goal_id");
  refuse_draft(with(&item_draft::tags, std::vector<std::string>{"a", "\xff"}), "tags[1]");
  std::vector<std::string> many;
  many.reserve(33);
  for (int i = 0; i < 33; ++i)
    many.push_back(std::to_string(i));
  refuse_draft(with(&item_draft::tags, many), "tags");
  auto task = draft_of(item_kind::task, "x");
  task.progress = std::numeric_limits<double>::quiet_NaN();
  refuse_draft(task, "progress");
}

BOOST_FIXTURE_TEST_CASE(a_full_book_takes_no_more_and_loses_nothing, two_items) {
  limits.max_items = 2;
  refuse_draft(draft_of(item_kind::note, "x"), "items", errc::overloaded);
  limits.max_pins = 1;
  pin(note);
  before = book;
  check_refused(pin_item(book, task, limits), errc::overloaded, "pins");
}

BOOST_FIXTURE_TEST_CASE(an_item_says_of_each_part_who_wrote_it, book_in_the_making) {
  auto draft = draft_of(item_kind::task, "Buy milk", "two litres");
  draft.goal_id = "goal_1";
  auto id = add_item(book, draft, next(), limits, "daemon other")->id;
  item_changes marks;
  marks.tags = {"shopping"};
  auto marked = update_item(book, id, marks, next(), limits, "user ann");
  BOOST_REQUIRE(marked);
  BOOST_TEST(marked->written_by == "daemon other");
  BOOST_TEST(marked->marked_by.value_or("") == "user ann");
  item_changes words;
  words.title = "Buy oat milk";
  words.body = "two litres"; // unchanged
  auto worded = update_item(book, id, words, next(), limits, "user ann");
  BOOST_REQUIRE(worded);
  BOOST_TEST(worded->written_by == "user ann");
  BOOST_TEST(!worded->title_by);
  BOOST_TEST(!worded->marked_by);
  BOOST_TEST(worded->body_by.value_or("") == "daemon other");
  BOOST_TEST(worded->linked_by.value_or("") == "daemon other");
  auto read = from_stored_text(to_stored_text(book), limits);
  BOOST_REQUIRE(read);
  BOOST_TEST((*read == book));
}

BOOST_FIXTURE_TEST_CASE(progress_is_clamped, book_in_the_making) {
  auto draft = draft_of(item_kind::task, "x");
  draft.progress = 1.5;
  auto id = add(draft);
  BOOST_TEST(*book.items[0].progress == 1.0);
  item_changes changes;
  changes.progress = -3;
  BOOST_TEST(*update(id, changes).progress == 0.0);
}

BOOST_AUTO_TEST_CASE(tags_are_normalised) {
  BOOST_TEST(normalized_tag("  wine ") == "wine");
  BOOST_TEST(normalized_tag("red wine") == "red_wine");
  BOOST_TEST(normalized_tag("a:/\\ \tb") == "a_b");
  BOOST_TEST(normalized_tag("a__b") == "a__b");
  BOOST_TEST(normalized_tag(":a:") == "_a_");
  BOOST_TEST(normalized_tag("a : ") == "a_");
  BOOST_TEST(normalized_tag("\u00a0\u3000工 具\u2003") == "工_具");
  BOOST_TEST(normalized_tag(" \n") == "");
  BOOST_TEST(normalized_tag("") == "");
  BOOST_TEST(normalized_tag("/") == "_");
}

BOOST_FIXTURE_TEST_CASE(tags_are_sorted_bytewise_and_there_is_none_twice, book_in_the_making) {
  auto draft = draft_of(item_kind::note, "x");
  draft.tags = {"b", "é", "B c", " ", "a", "B:c"};
  add(draft);
  const std::vector<std::string> expected{"B_c", "a", "b", "é"};
  BOOST_TEST(book.items[0].tags == expected, boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(an_update_changes_what_it_names, two_items) {
  auto made = book.items[1];
  item_changes changes;
  changes.status = item_status::in_progress;
  changes.phase = "search";
  changes.tags = {{"x y"}};
  auto next = update(task, changes);
  auto expected = made;
  expected.status = item_status::in_progress;
  expected.phase = "search";
  expected.tags = {"x_y"};
  expected.updated_at_ns = now;
  BOOST_TEST((next == expected));
  BOOST_TEST((book.items[0] == before.items[0]));
  changes = {};
  changes.phase = "";
  BOOST_TEST(!update(task, changes).phase);
}

BOOST_FIXTURE_TEST_CASE(an_update_that_changes_nothing_is_no_update, two_items) {
  item_changes changes;
  changes.title = "Book the flight";
  update(task, changes);
  BOOST_TEST((book == before));
}

BOOST_FIXTURE_TEST_CASE(time_does_not_go_back, two_items) {
  item_changes changes;
  changes.title = "x";
  auto next = update_item(book, task, changes, 5, limits);
  BOOST_REQUIRE(next);
  BOOST_TEST(next->updated_at_ns == before.items[1].updated_at_ns);
}

BOOST_FIXTURE_TEST_CASE(an_update_that_breaks_a_rule_changes_nothing, two_items) {
  item_changes changes;
  changes.title = "x";
  changes.progress = 0.5;
  check_refused(
    update_item(book, note, changes, next(), limits), errc::invalid_request, "progress");
  check_refused(update_item(book, "s3", changes, next(), limits), errc::not_found, "id");
  check_refused(complete_item(book, "s3", next(), limits), errc::not_found, "id");
  check_refused(pin_item(book, "s3", limits), errc::not_found, "id");
  check_refused(unpin_item(book, "s3"), errc::not_found, "id");
}

BOOST_AUTO_TEST_CASE(a_patch_refuses_unknown_fields) {
  auto patch = [](std::string_view text) { return from_json_text<item_changes>(text); };
  BOOST_TEST(static_cast<bool>(patch(R"({"title": "x", "progress": 0.5})")));
  for (auto* field : {"id", "kind", "created_at_ns", "goal_id", "titel"}) {
    auto refused = patch(R"({")" + std::string{field} + R"(": "x"})");
    BOOST_REQUIRE(!refused);
    BOOST_TEST(field_of(refused.error()) == field);
  }
}

BOOST_FIXTURE_TEST_CASE(what_is_complete_is_done_and_a_task_all_of_it, two_items) {
  auto done = complete_item(book, task, next(), limits);
  BOOST_REQUIRE(done);
  BOOST_TEST(name_of(done->status) == "done");
  BOOST_TEST(*done->progress == 1.0);
  auto once = book;
  BOOST_REQUIRE(complete_item(book, task, next(), limits));
  BOOST_TEST((book == once)); // completing it again changes nothing
  auto noted = complete_item(book, note, next(), limits);
  BOOST_REQUIRE(noted);
  BOOST_TEST(!noted->progress);
}

BOOST_FIXTURE_TEST_CASE(pins_keep_their_order, two_items) {
  pin(task);
  pin(note);
  pin(task);
  const std::vector<std::string> expected{task, note};
  BOOST_TEST(book.pins == expected, boost::test_tools::per_element());
  BOOST_REQUIRE(unpin_item(book, task));
  BOOST_REQUIRE(unpin_item(book, task));
  BOOST_TEST(book.pins.size() == 1u);
}

BOOST_FIXTURE_TEST_CASE(what_is_stored_is_json_with_sorted_keys, book_in_the_making) {
  auto draft = draft_of(item_kind::task, "Fly", "to Paris");
  draft.tags = {"b", "a"};
  draft.progress = 0.5;
  pin(add(draft));
  book.thread_id = "trip";
  auto text = to_stored_text(book);
  auto checksum = text.substr(0, text.find(',') + 1);
  BOOST_TEST(checksum.starts_with(R"({"checksum":")"));
  BOOST_TEST(
    "{" + text.substr(checksum.size())
    == R"({"items":[{"body":"to Paris","created_at_ns":1000000000,"id":"s1","kind":"task",)"
       R"("progress":0.5,"status":"open","tags":["a","b"],"title":"Fly",)"
       R"("updated_at_ns":1000000000}],"pins":["s1"],"thread_id":"trip"})"
       "\n");
}

BOOST_AUTO_TEST_CASE(what_is_stored_is_read_again) {
  BOOST_TEST(rc::check("read(write(x)) == x", [] {
    auto x = any_book();
    auto again = from_stored_text(to_stored_text(x), {});
    RC_ASSERT(static_cast<bool>(again));
    RC_ASSERT(*again == x);
    RC_ASSERT(to_stored_text(*again) == to_stored_text(x));
  }));
}

BOOST_FIXTURE_TEST_CASE(what_no_rule_makes_is_not_read, two_items) {
  pin(task);
  auto refused = [&](auto change, std::string_view field) {
    auto x = book;
    change(x);
    auto again = from_stored_text(to_stored_text(x), {});
    BOOST_REQUIRE(!again);
    BOOST_TEST(name_of(code_of(again.error())) == "internal");
    BOOST_TEST(field_of(again.error()) == field);
  };
  refused([](scratchbook& x) { x.items[1].id = "s1"; }, "items[1].id");
  refused([](scratchbook& x) { x.items[1].id = "7"; }, "items[1].id");
  refused([](scratchbook& x) { x.items[0].phase = "x"; }, "items[0]");
  refused([](scratchbook& x) { x.items[1].progress = 2; }, "items[1].progress");
  refused([](scratchbook& x) { x.pins[0] = "s9"; }, "pins[0]");
  refused([](scratchbook& x) { x.pins.push_back(x.pins[0]); }, "pins[1]");
  auto whole = to_stored_text(book);
  BOOST_TEST(!from_stored_text(whole.substr(0, whole.size() / 2), {}));
  BOOST_TEST(!from_stored_text("", {}));
}

BOOST_FIXTURE_TEST_CASE(a_book_cannot_be_changed_beside_its_checksum, two_items) {
  auto text = to_stored_text(book);
  auto at = text.find("\"title\":\"") + 9;
  text[at] = text[at] == 'x' ? 'y' : 'x';
  auto refused = from_stored_text(text, {});
  BOOST_REQUIRE(!refused);
  BOOST_TEST(name_of(code_of(refused.error())) == "internal");
  BOOST_TEST(field_of(refused.error()) == "checksum");
}

BOOST_FIXTURE_TEST_CASE(a_book_of_an_older_version_has_no_checksum_and_is_read, two_items) {
  auto text = to_stored_text(book);
  auto begin = text.find("\"checksum\"");
  BOOST_REQUIRE(begin != std::string::npos);
  text.erase(begin, text.find(',') + 1 - begin);
  auto read = from_stored_text(text, {});
  BOOST_REQUIRE(read);
  BOOST_TEST((*read == book));
}

BOOST_AUTO_TEST_CASE(ids_are_never_used_twice) {
  BOOST_TEST(rc::check("ids", [] {
    auto x = any_book();
    RC_ASSERT(!validate(x));
  }));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
