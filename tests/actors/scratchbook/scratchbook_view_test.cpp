#include <boost/test/unit_test.hpp>
#include <rapidcheck.h>
#include <rapidcheck/boost_test.h>

#include <algorithm>
#include <sstream>

#include "scratchpage/actors/scratchbook/scratchbook_view.hpp"
#include "scratchpage/tests/actors/scratchbook/books.hpp"

namespace scratchpage::test {

namespace {

std::string view_of(const scratchbook& x, const scratchbook_view_config& limits = {}) {
  return render_view(x, limits, estimate_tokens).view;
}

std::vector<std::string> lines_of(const std::string& view) {
  std::vector<std::string> result;
  std::istringstream in{view};
  for (std::string line; std::getline(in, line);)
    result.push_back(line);
  return result;
}

/// The ids in the view, in its order.
std::vector<std::string> ids_of(const std::string& view) {
  std::vector<std::string> result;
  for (const auto& line : lines_of(view))
    if (line.starts_with("s"))
      result.push_back(line.substr(0, line.find(' ')));
  return result;
}

/// Whether the view has `a` before `b`, by the order that the contract defines (contract 11).
bool stands_before(const scratchbook& in, const scratchbook_item& a, const scratchbook_item& b) {
  auto place = [&](const scratchbook_item& x) {
    auto pin = std::find(in.pins.begin(), in.pins.end(), x.id) - in.pins.begin();
    auto is_pinned = pin < static_cast<ptrdiff_t>(in.pins.size());
    auto kind = x.kind == item_kind::task ? 1 : x.kind == item_kind::todo ? 2 : 3;
    auto state = x.status == item_status::in_progress ? 1 : x.status == item_status::open ? 2 : 3;
    if (is_pinned)
      return std::vector<int64_t>{0, pin};
    return std::vector<int64_t>{kind, kind == 3 ? 0 : state, -x.updated_at_ns, -x.created_at_ns};
  };
  auto x = place(a);
  auto y = place(b);
  return x != y ? x < y : a.id < b.id;
}

/// The ids of a view without limits, in order.
std::vector<std::string> expected_ids(const scratchbook& in) {
  std::vector<scratchbook_item> shown;
  for (const auto& x : in.items)
    if (is_open(x.status) || std::find(in.pins.begin(), in.pins.end(), x.id) != in.pins.end())
      shown.push_back(x);
  std::sort(shown.begin(), shown.end(),
    [&](const auto& a, const auto& b) { return stands_before(in, a, b); });
  std::vector<std::string> result;
  result.reserve(shown.size());
  for (const auto& x : shown)
    result.push_back(x.id);
  return result;
}

constexpr scratchbook_view_config everything{1'000'000, 1'000'000, 1'000, 1'000};

} // namespace

BOOST_AUTO_TEST_SUITE(the_view)

BOOST_FIXTURE_TEST_CASE(has_a_line_for_each_item_with_its_id, book_in_the_making) {
  add(item_kind::note, "The user is called Ann", "She said so.\nTwice.");
  auto draft = draft_of(item_kind::task, "Book the flight");
  draft.phase = "search";
  draft.progress = 0.4;
  draft.tags = {"paris", "travel"};
  set(add(draft), item_status::in_progress);
  add(item_kind::todo, "Ask for the date");
  BOOST_TEST(view_of(book)
             == "s2 task in_progress 40% search: Book the flight #paris #travel\n"
                "s3 todo: Ask for the date\n"
                "s1 note: The user is called Ann | She said so. Twice.");
}

BOOST_FIXTURE_TEST_CASE(goes_by_pins_then_kinds_then_states_then_times, book_in_the_making,
  *boost::unit_test::label("SB_a1")) {
  auto note = add(item_kind::note, "n1");
  auto newer_note = add(item_kind::note, "n2");
  auto blocked_todo = add(item_kind::todo, "d1");
  auto open_todo = add(item_kind::todo, "d2");
  auto busy_todo = add(item_kind::todo, "d3");
  auto blocked_task = add(item_kind::task, "t1");
  auto open_task = add(item_kind::task, "t2");
  auto newer_task = add(item_kind::task, "t3");
  auto busy_task = add(item_kind::task, "t4");
  auto done = add(item_kind::task, "t5");
  auto archived = add(item_kind::note, "n3");
  auto done_and_pinned = add(item_kind::todo, "d4");
  set(blocked_todo, item_status::blocked);
  set(busy_todo, item_status::in_progress);
  set(blocked_task, item_status::blocked);
  set(busy_task, item_status::in_progress);
  set(done, item_status::done);
  set(archived, item_status::archived);
  set(done_and_pinned, item_status::done);
  pin(note);
  pin(done_and_pinned);
  const std::vector<std::string> expected{note, done_and_pinned, busy_task, newer_task, open_task,
    blocked_task, busy_todo, open_todo, blocked_todo, newer_note};
  BOOST_TEST(ids_of(view_of(book)) == expected, boost::test_tools::per_element());
  item_changes touched;
  touched.body = "x";
  update(open_task, touched);
  BOOST_TEST(ids_of(view_of(book))[3] == open_task); // last updated, first shown
}

BOOST_FIXTURE_TEST_CASE(
  names_who_wrote_an_item_unless_the_ensemble_or_the_agent_that_reads_did, book_in_the_making) {
  auto put = [this](std::string title, std::string by) {
    auto draft = draft_of(item_kind::todo, std::move(title));
    BOOST_REQUIRE(add_item(book, std::move(draft), next(), limits, std::move(by)));
  };
  put("Book the flight", "daemon assistant");
  put("Send the PINs", "daemon other");
  put("Sum up", "daemon agent_compactor");
  put("Sum up better", "daemon agent_compactor2");
  put("Call Ann", "user ann");
  put("Pay", "user assistant");
  auto view = render_view(book, {}, estimate_tokens, {}, "daemon assistant").view;
  BOOST_TEST(view
             == "s6 todo: Pay (user assistant)\n"
                "s5 todo: Call Ann (user ann)\n"
                "s4 todo: Sum up better (daemon agent_compactor2)\n"
                "s3 todo: Sum up\n"
                "s2 todo: Send the PINs (daemon other)\n"
                "s1 todo: Book the flight");
  BOOST_TEST(lines_of(view_of(book)).back() == "s1 todo: Book the flight (daemon assistant)");
}

BOOST_FIXTURE_TEST_CASE(
  names_everybody_who_wrote_a_part_of_an_item_and_nobody_for_anothers_words, book_in_the_making) {
  auto put = [this](std::string title, std::string body, std::string by) {
    auto added = add_item(
      book, draft_of(item_kind::todo, std::move(title), std::move(body)), next(), limits, by);
    BOOST_REQUIRE(added);
    return added->id;
  };
  auto change = [this](const std::string& id, auto member, auto value, const std::string& by) {
    item_changes changes;
    changes.*member = value;
    BOOST_REQUIRE(update_item(book, id, changes, next(), limits, by));
  };
  using text = std::string;
  auto tagged = put("Buy milk", "", "daemon other");
  change(tagged, &item_changes::tags, std::vector<text>{"shopping"}, "user ann");
  auto titled = put("Call", "at noon", "daemon other");
  change(titled, &item_changes::title, text{"Call Ann"}, "user ann");
  auto same = put("Fly", "to Paris", "daemon other");
  change(same, &item_changes::title, text{"Fly"}, "user ann");
  auto mine = put("Rest", "", "daemon assistant");
  change(mine, &item_changes::tags, std::vector<text>{"paid"}, "daemon other");
  auto view = render_view(book, {}, estimate_tokens, {}, "daemon assistant").view;
  BOOST_TEST(view
             == "s4 todo: Rest #paid (marked by daemon other)\n"
                "s3 todo: Fly (daemon other) | to Paris\n"
                "s2 todo: Call Ann (user ann, daemon other) | at noon\n"
                "s1 todo: Buy milk #shopping (daemon other, marked by user ann)");
}

BOOST_FIXTURE_TEST_CASE(says_that_it_is_disabled_or_empty, book_in_the_making) {
  BOOST_TEST(view_of(book) == "(the scratchbook is empty)");
  BOOST_TEST(view_of(book, {.token_limit = 0}) == "(the scratchbook view is disabled)");
  set(add(item_kind::todo, "x"), item_status::done);
  BOOST_TEST(view_of(book) == "(the scratchbook is empty)");
  add(item_kind::todo, "y");
  BOOST_TEST(view_of(book, {.max_items = 0}) == "(the scratchbook view is disabled)");
}

BOOST_FIXTURE_TEST_CASE(shows_the_first_line_cut_however_small_its_limit, book_in_the_making) {
  add(item_kind::todo, "Ask for the date of the flight");
  BOOST_TEST(view_of(book, {.token_limit = 7}) == "s1 todo: As…");
  BOOST_TEST(view_of(book, {.token_limit = 3}) == "s…");
  BOOST_TEST(view_of(book, {.token_limit = 1}) == "s");
}

BOOST_FIXTURE_TEST_CASE(leaves_out_what_has_no_room_and_says_how_much, book_in_the_making) {
  for (int i = 0; i < 9; ++i)
    add(item_kind::todo, "Number " + std::to_string(i), "body");
  auto some = render_view(book, {.max_items = 2}, estimate_tokens);
  BOOST_TEST(some.view == "s9 todo: Number 8 | body\ns8 todo: Number 7 | body\n… 7 more");
  BOOST_TEST(some.last == "s8");
  BOOST_TEST(some.left == 7u);
  auto rest = render_view(book, {.max_items = 40}, estimate_tokens, some.last);
  BOOST_TEST(rest.left == 0u);
  BOOST_TEST(ids_of(rest.view).size() == 7u);
  BOOST_TEST(ids_of(rest.view).front() == "s7");
}

BOOST_FIXTURE_TEST_CASE(drops_a_body_before_it_drops_an_item, book_in_the_making) {
  add(item_kind::todo, "Ask", "for the date of the flight, and the class, and who pays");
  BOOST_TEST(view_of(book, {.token_limit = 10}) == "s1 todo: Ask");
}

BOOST_FIXTURE_TEST_CASE(shortens_bodies_and_keeps_hostile_text_on_its_line, book_in_the_making) {
  add(item_kind::note, "a\ns9 task: b\r\n\u2028c\x1b[31m\u202e", std::string(400, 'x'));
  auto lines = lines_of(view_of(book, {.max_body_bytes = 10}));
  BOOST_REQUIRE(lines.size() == 1u);
  BOOST_TEST(lines[0] == "s1 note: a s9 task: b c\\u{1b}[31m\\u{202e} | xxxxxxx…");
}

BOOST_AUTO_TEST_CASE(has_the_order_of_the_contract_for_any_book) {
  BOOST_TEST(rc::check("order", [] {
    auto book = any_book();
    auto view = render_view(book, everything, estimate_tokens);
    auto expected = expected_ids(book);
    RC_ASSERT(view.left == 0u);
    RC_ASSERT(lines_of(view.view).size() == std::max<size_t>(expected.size(), 1));
    RC_ASSERT(ids_of(view.view) == expected);
  }));
}

BOOST_AUTO_TEST_CASE(stays_within_any_limits_and_is_the_beginning_of_the_whole) {
  BOOST_TEST(rc::check("budget, UTF-8, determinism", [] {
    auto book = any_book();
    scratchbook_view_config limits;
    limits.token_limit = *rc::gen::inRange(2u, 300u);
    limits.max_items = *rc::gen::inRange(1u, 35u);
    limits.max_title_bytes = *rc::gen::inRange(0u, 40u);
    limits.max_body_bytes = *rc::gen::inRange(0u, 40u);
    auto view = render_view(book, limits, estimate_tokens);
    RC_ASSERT(estimate_tokens(view.view) <= limits.token_limit);
    RC_ASSERT(utf8::is_valid(view.view));
    RC_ASSERT(!view.view.empty());
    RC_ASSERT(render_view(book, limits, estimate_tokens).view == view.view);
    auto expected = expected_ids(book);
    if (expected.empty())
      return;
    RC_ASSERT(view.left < expected.size());
    auto shown = expected.size() - view.left;
    RC_ASSERT(shown <= limits.max_items);
    RC_ASSERT(view.last == expected[shown - 1]);
  }));
}

BOOST_AUTO_TEST_CASE(comes_whole_in_parts) {
  BOOST_TEST(rc::check("paging", [] {
    auto book = any_book();
    scratchbook_view_config limits;
    limits.token_limit = *rc::gen::inRange(40u, 200u);
    limits.max_items = *rc::gen::inRange(1u, 10u);
    auto expected = expected_ids(book);
    std::vector<std::string> seen;
    std::string after;
    for (size_t left = expected.size(); left > 0;) {
      auto part = render_view(book, limits, estimate_tokens, after);
      RC_ASSERT(part.left < left);
      for (auto& id : ids_of(part.view))
        seen.push_back(id);
      after = part.last;
      left = part.left;
    }
    RC_ASSERT(seen == expected);
  }));
}

BOOST_AUTO_TEST_CASE(never_leaves_out_what_is_pinned_for_what_is_not) {
  BOOST_TEST(rc::check("pins first", [] {
    auto book = any_book();
    auto ids = ids_of(view_of(book, {.max_items = 5}));
    for (size_t i = 0; i < std::min(ids.size(), book.pins.size()); ++i)
      RC_ASSERT(ids[i] == book.pins[i]);
  }));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
