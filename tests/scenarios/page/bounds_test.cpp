#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <set>
#include <string>

#include "scratchpage/actors/page/draft_rules.hpp"
#include "scratchpage/messages/limits.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/tests/scenarios/page/page_fixture.hpp"

/// Requests from outside can make the page neither work nor grow without a bound.

namespace scratchpage::test {

namespace {

std::vector<std::string> texts(size_t count) {
  std::vector<std::string> result;
  for (size_t i = 0; i < count; ++i)
    result.push_back("text" + std::to_string(i));
  return result;
}

/// A draft of about `bytes` bytes.
observation_draft heavy(size_t bytes, std::string content = "heavy") {
  auto x = note(std::move(content));
  x.content += ' ' + std::string(bytes, 'x');
  return x;
}

json::object object_of(size_t bytes) {
  return {{"key", std::string(bytes - std::string_view{R"({"key":""})"}.size(), 'x')}};
}

struct bounded_page : page_fixture {
  /// How often the query read the clock. Work that observes the deadline reads it regularly.
  uint64_t looks_at_the_clock(const query_observations& x) {
    page_clock->ahead = {};
    page_clock->step = timespan{1};
    auto answer = ask(page, x);
    page_clock->step = {};
    return static_cast<uint64_t>(std::exchange(page_clock->ahead, {}).count());
  }

  auto try_query(query_observations x) { return ask(page, std::move(x)); }

  auto active(uint32_t limit, std::string cursor = {}) {
    return ask(page, get_active_observations{as_daemon("reader"), limit, std::move(cursor)});
  }

  std::string all_active(
    uint32_t limit, const std::function<void()>& meanwhile = [] {}) {
    std::vector<observation_ptr> all;
    std::string cursor;
    do {
      auto part = value(active(limit, cursor));
      BOOST_TEST(part.observations.size() <= limit);
      all.insert(all.end(), part.observations.begin(), part.observations.end());
      cursor = part.next_cursor;
      meanwhile();
    } while (!cursor.empty());
    return numbers(all);
  }
};

} // namespace

// -- filters ----------------------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(
  a_filter_of_100_001_values_is_refused_before_anything_is_looked_at, bounded_page) {
  start();
  add(note("one"));
  observation_filter many;
  many.type = texts(100'001);
  BOOST_CHECK(refused(try_query(asking(many)), errc::invalid_request, "filter.type"));
  observation_filter tags;
  tags.tags = texts(100'001);
  BOOST_CHECK(refused(try_query(asking(tags, "one")), errc::invalid_request, "filter.tags"));
  BOOST_CHECK(refused(ask(page, list_archive{as_daemon("reader"), many, 10, {}}),
    errc::invalid_request, "filter.type"));
  BOOST_TEST(traced("query_observations", "invalid_request").size() == 2u);
  BOOST_TEST(traced("query_observations", "success").empty());
}

BOOST_FIXTURE_TEST_CASE(a_subscription_with_a_filter_beyond_the_limits_is_refused, bounded_page) {
  start();
  auto probe = new_probe();
  auto order = order_of(probe);
  order.filter.owner = texts(101);
  BOOST_CHECK(refused(ask(page, order), errc::invalid_request, "filter.owner"));
  order.filter = {};
  order.or_filters.resize(3);
  order.or_filters[2].source = texts(101);
  BOOST_CHECK(refused(ask(page, order), errc::invalid_request, "or_filters[2].source"));
  order.or_filters.assign(filter_limits::filters, {});
  BOOST_CHECK(refused(ask(page, order), errc::invalid_request, "or_filters"));
  BOOST_TEST(stats().subscribers == 0u);
  order.or_filters.pop_back();
  value(ask(page, order));
}

BOOST_FIXTURE_TEST_CASE(a_value_that_is_wanted_twice_counts_once, bounded_page) {
  start();
  add(note("one"));
  add(draft("alert", "two"));
  auto found = query(asking(with_types({"observation", "alert", "observation", "nothing"})));
  BOOST_TEST(numbers(found) == "2 1");
  BOOST_TEST(found.total_count == 2u);
}

// -- queries ----------------------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(a_text_of_more_than_16_kib_is_refused, bounded_page) {
  start();
  add(note("one"));
  BOOST_CHECK(
    refused(try_query(asking({}, std::string(4'000'000, 'x'))), errc::invalid_request, "text"));
  BOOST_CHECK(
    !refused(try_query(asking({}, std::string(16'384, 'x'))), errc::invalid_request, "text"));
}

BOOST_FIXTURE_TEST_CASE(a_text_of_many_words_is_looked_for_in_part_and_says_so, bounded_page) {
  start();
  std::string words;
  for (auto i = 0; i < 300; ++i)
    words += "w" + std::to_string(i) + " ";
  add(note(words));
  BOOST_TEST(query(asking({}, words)).partial);
  BOOST_TEST(numbers(query(asking({}, words))) == "1");
  auto again = "w1 " + words.substr(0, words.find("w256 ")) + "w1 w2 w3";
  BOOST_TEST(!query(asking({}, again)).partial);
}

BOOST_FIXTURE_TEST_CASE(a_query_out_of_time_ends_among_contradictions, bounded_page) {
  start();
  for (auto i = 0; i < 200; ++i) {
    auto x = draft("learning", "It costs " + std::to_string(i % 2));
    x.metadata["key"] = "price";
    add(std::move(x));
  }
  auto all = query(asking());
  BOOST_TEST(all.partial); // conflicts list a bounded number of ids
  size_t ids = 0;
  for (const auto& x : all.conflicts)
    ids += x.observation_ids.size();
  BOOST_TEST(ids >= 101u);
  BOOST_TEST(ids <= answer_limits::conflict_ids + all.conflicts.size());
  auto hurried = asking();
  hurried.deadline = timespan{3};
  page_clock->step = timespan{1};
  auto part = query(hurried);
  BOOST_TEST(part.partial);
  BOOST_TEST(part.conflicts.size() < all.conflicts.size());
}

BOOST_FIXTURE_TEST_CASE(
  contradictions_among_many_take_time_with_their_number_and_not_its_square, bounded_page) {
  start();
  for (auto i = 0; i < 400; ++i) {
    auto x = draft("learning", i == 0 ? "It costs 10" : "It costs 20");
    x.metadata["key"] = "price";
    add(std::move(x));
  }
  update(id(1), {.content = "It  costs 20"}); // resolves the contradiction
  BOOST_TEST(query(asking()).conflicts.empty());
  BOOST_TEST(!query(asking()).partial);
  BOOST_TEST(looks_at_the_clock(asking()) < 200u);
}

BOOST_FIXTURE_TEST_CASE(a_text_that_is_taken_apart_looks_at_the_time_by_its_bytes, bounded_page) {
  start();
  for (auto i = 0; i < 32; ++i)
    add(heavy(60'000, "wine"));
  BOOST_TEST(looks_at_the_clock(asking({}, "wine")) >= 16u);
}

BOOST_FIXTURE_TEST_CASE(an_answer_ends_where_its_bytes_do_and_the_cursor_goes_on, bounded_page) {
  setup.limits.answer_bytes = 1 << 20;
  start();
  for (auto i = 0; i < 40; ++i)
    add(heavy(60'000, "wine"));
  for (auto* text : {"", "wine"}) {
    auto request = asking({.min_confidence = 0.1}, text);
    std::vector<observation_ptr> all;
    do {
      auto part = query(request);
      BOOST_TEST(part.total_count == 40u);
      BOOST_TEST(part.observations.size() <= 17u);
      all.insert(all.end(), part.observations.begin(), part.observations.end());
      request.cursor = part.next_cursor;
    } while (!request.cursor.empty());
    std::set<std::string> ids;
    for (const auto& x : all)
      ids.insert(x->observation_id);
    BOOST_TEST(all.size() == 40u);
    BOOST_TEST(ids.size() == 40u);
  }
  BOOST_TEST(value(active(1'000)).observations.size() <= 17u);
}

BOOST_FIXTURE_TEST_CASE(an_observation_beyond_an_answers_bytes_is_answered_alone, bounded_page) {
  setup.limits.answer_bytes = 1'000;
  start();
  add(heavy(60'000));
  add(heavy(60'000));
  auto first = query(asking());
  BOOST_TEST(numbers(first) == "2");
  auto next = asking();
  next.cursor = first.next_cursor;
  BOOST_TEST(numbers(query(next)) == "1");
}

// -- active observations -------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(what_is_active_is_answered_a_hundred_at_a_time, bounded_page) {
  start();
  for (auto i = 0; i < 120; ++i)
    add(note(std::to_string(i)));
  auto first = value(ask(page, get_active_observations{as_daemon("reader")}));
  BOOST_TEST(first.observations.size() == 100u);
  BOOST_TEST(first.total_count == 120u);
  auto rest = value(active(100, first.next_cursor));
  BOOST_TEST(rest.observations.size() == 20u);
  BOOST_TEST(rest.next_cursor == "");
}

BOOST_FIXTURE_TEST_CASE(paging_through_what_is_active_loses_and_repeats_nothing, bounded_page) {
  start();
  for (auto i = 1; i <= 12; ++i) {
    auto x = draft(i % 3 == 0 ? "security_alert" : "observation", std::to_string(i));
    x.confidence = 0.05 * i;
    add(std::move(x));
  }
  auto whole = all_active(1'000);
  BOOST_TEST(whole == "12 9 6 3 11 10 8 7 5 4 2 1");
  BOOST_TEST(all_active(5) == whole);
  auto round = 0;
  auto others_write = [&] {
    ++round;
    update(id(1), {.confidence = 0.9}); // now the first of its type
    update(id(12), {.confidence = 0.01});
    add(draft("security_alert", "newer " + std::to_string(round)));
    if (round == 2)
      archive(id(2));
  };
  BOOST_TEST(all_active(5, others_write) == "12 9 6 3 11 10 8 7 5 4 1");
}

BOOST_FIXTURE_TEST_CASE(limits_and_cursors_that_are_none_of_active_ones_are_refused, bounded_page) {
  start();
  for (auto i = 0; i < 3; ++i)
    add(note("wine " + std::to_string(i)));
  BOOST_CHECK(refused(active(0), errc::invalid_request, "limit"));
  BOOST_CHECK(refused(active(1'001), errc::invalid_request, "limit"));
  for (auto* cursor : {"x", "p", "pr", "pn3", "pr1", "n3", "r1o1", "pr1o1x"})
    BOOST_CHECK(refused(active(1, cursor), errc::invalid_request, "cursor"));
  auto of_text = query(asking({}, "wine", 1)).next_cursor;
  BOOST_CHECK(refused(active(1, of_text), errc::invalid_request, "cursor"));
  auto next = asking({}, "wine", 1);
  next.cursor = value(active(1)).next_cursor;
  BOOST_CHECK(refused(try_query(next), errc::invalid_request, "cursor"));
}

BOOST_FIXTURE_TEST_CASE(all_that_is_active_at_once_is_for_daemons, bounded_page) {
  start();
  for (auto i = 0; i < 1'100; ++i)
    add(note(std::to_string(i)));
  auto all = get_active_observations::all_of_them;
  BOOST_TEST(value(active(all)).observations.size() == 1'100u);
  get_active_observations some{as_daemon("reader"), all, {}};
  some.any_of.resize(2);
  some.any_of[0].type = {"reminder"};
  some.any_of[1].tags = {"no such tag"};
  BOOST_TEST(value(ask(page, some)).observations.empty());
  add(draft("reminder", "Tea is ready"));
  BOOST_TEST(value(ask(page, some)).observations.size() == 1u);
  BOOST_CHECK(refused(ask(page, get_active_observations{as_tool("mail", "", {}), all, {}}),
    errc::forbidden, "by.role"));
}

// -- limits of one observation ----------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(context_and_metadata_have_64_kib_of_json_each, bounded_page) {
  start();
  auto with = [](json::object context, json::object metadata) {
    auto x = note("one");
    x.context = std::move(context);
    x.metadata = std::move(metadata);
    return x;
  };
  auto most = object_of(65'536);
  auto more = object_of(65'537);
  BOOST_TEST(to_text(most).size() == 65'536u);
  value(try_add(with(most, most)));
  auto invalid = errc::invalid_observation;
  BOOST_CHECK(refused(try_add(with(more, {})), invalid, "context"));
  BOOST_CHECK(refused(try_add(with({}, more)), invalid, "metadata"));
  BOOST_CHECK(refused(try_update(id(1), {.context = more}), invalid, "context"));
  BOOST_CHECK(refused(try_update(id(1), {.metadata = more}), invalid, "metadata"));
  json::object names;
  for (auto i = 0; i < 10; ++i)
    names[std::string(7'000, 'x') + std::to_string(i)] = nullptr;
  BOOST_CHECK(refused(try_add(with({}, names)), invalid, "metadata"));
  BOOST_TEST(get(id(1))->revision == 1u);
}

BOOST_FIXTURE_TEST_CASE(a_context_of_many_empty_lists_is_refused, bounded_page) {
  start();
  auto x = note("one");
  x.context["lists"] = json::array(65, json::value(json::array{}));
  BOOST_CHECK(refused(try_add(x), errc::invalid_observation, "context"));
}

BOOST_FIXTURE_TEST_CASE(a_million_tags_are_refused_before_they_are_compared, bounded_page) {
  start();
  auto x = note("one", std::vector<std::string>(1'000'000, "same"));
  x.tags.back() = ""; // the error would name this tag
  BOOST_CHECK(refused(try_add(x), errc::invalid_observation, "tags"));
  x.tags = {"other"};
  add(x);
  BOOST_CHECK(refused(try_update(id(1), {.tags = std::vector<std::string>(100'000, "")}),
    errc::invalid_observation, "tags"));
}

BOOST_FIXTURE_TEST_CASE(more_ids_than_a_thousand_are_not_cleared, bounded_page) {
  start();
  add(note("one"));
  set_status(id(1), status::resolved);
  BOOST_CHECK(refused(
    try_clear(std::vector<std::string>(1'001, id(1))), errc::invalid_request, "observation_ids"));
  BOOST_TEST(bool{get(id(1))});
  value(try_clear(std::vector<std::string>(1'000, id(1))));
  BOOST_TEST(!get(id(1)));
}

// -- limits of a page's memory ------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(a_page_evicts_for_the_bytes_of_what_is_new, bounded_page) {
  setup.limits.max_bytes = 1 << 20;
  start();
  for (auto i = 0; i < 16; ++i)
    add(heavy(60'000));
  BOOST_TEST(stats().evicted == 0u);
  for (auto i = 0; i < 16; ++i)
    add(heavy(60'000));
  BOOST_TEST(stats().observations <= 17u);
  BOOST_TEST(stats().observations >= 15u);
  BOOST_TEST(!get(id(1)));
  BOOST_TEST(bool{get(id(32))});
  archive(id(32));
  auto evicted = stats().evicted;
  add(heavy(60'000)); // there is room without eviction
  BOOST_TEST(stats().evicted == evicted);
}

BOOST_FIXTURE_TEST_CASE(what_grows_evicts_others_and_not_itself, bounded_page) {
  setup.limits.max_bytes = 1 << 20;
  start();
  for (auto i = 0; i < 20; ++i)
    add(note("small"));
  for (auto i = 1; i <= 16; ++i)
    update(id(i), {.content = std::string(65'000, 'x')});
  BOOST_TEST(!get(id(17))); // least recently used
  update(id(16), {.content = std::string(65'500, 'x')});
  BOOST_TEST(get(id(16))->content.size() == 65'500u);
  BOOST_TEST(stats().observations <= 19u);
  BOOST_TEST(stats().evicted >= 1u);
}

BOOST_FIXTURE_TEST_CASE(a_page_full_of_what_may_not_go_refuses_what_has_no_room, bounded_page) {
  setup.limits.max_bytes = 1 << 20;
  start();
  auto alert = [] { return draft("alert", std::string(60'000, 'x')); };
  auto added = 0;
  while (added < 100 && try_add(alert()))
    ++added;
  BOOST_TEST(added < 18);
  BOOST_CHECK(refused(try_add(alert()), errc::overloaded, "max_observations"));
  BOOST_TEST(stats().observations == static_cast<uint64_t>(added));
}

BOOST_FIXTURE_TEST_CASE(a_page_makes_do_with_its_part_when_all_pages_have_too_much, bounded_page) {
  setup.memory = std::make_shared<page_memory>(8 << 20);
  page_memory::share other{setup.memory};
  start();
  for (auto i = 0; i < 40; ++i)
    add(heavy(60'000));
  BOOST_TEST(stats().evicted == 0u);
  other.set(8 << 20);
  add(heavy(60'000)); // half of its four megabytes is for observations
  BOOST_TEST(stats().observations <= 35u);
  BOOST_TEST(stats().observations >= 30u);
  BOOST_TEST(bool{get(id(41))});
  other.set(0);
  auto evicted = stats().evicted;
  for (auto i = 0; i < 10; ++i)
    add(heavy(60'000));
  BOOST_TEST(stats().evicted == evicted);
}

BOOST_FIXTURE_TEST_CASE(words_count_in_what_a_page_may_take, bounded_page) {
  setup.limits.max_bytes = 4 << 20;
  setup.limits.query_deadline_ms = 60'000;
  start();
  auto word = 0;
  auto many_words = [&] {
    std::string result;
    while (result.size() < 60'000)
      result += "w" + std::to_string(word++) + " ";
    return note(result);
  };
  for (auto i = 0; i < 30; ++i)
    add(many_words());
  BOOST_TEST(stats().evicted == 0u);
  auto found = value(try_query(asking({}, "w1"))); // each needs a megabyte in the index
  BOOST_TEST(found.partial);
  for (auto i = 0; i < 10; ++i) {
    add(many_words());
    value(try_query(asking({}, "w1")));
  }
  BOOST_TEST(stats().observations < 12u);
  BOOST_TEST(stats().observations >= 1u);
}

BOOST_FIXTURE_TEST_CASE(
  what_the_log_keeps_is_bounded_in_bytes_and_who_is_late_is_told, bounded_page) {
  setup.limits.log_bytes = 1 << 20;
  start();
  add(note("one"));
  auto late = watch_page({}, {}, manner::hold_back);
  for (auto i = 0; i < 500; ++i)
    update(id(1), {.content = std::string(60'000, 'x') + std::to_string(i)});
  BOOST_TEST(stats().sequence == 501u);
  BOOST_TEST(stats().oldest_sequence > 400u);
  acknowledge(late);
  acknowledge(late);
  auto lines = late.lines();
  BOOST_REQUIRE(!lines.empty());
  BOOST_TEST(std::any_of(
    lines.begin(), lines.end(), [](const auto& line) { return contains(line, "lagged"); }));
}

BOOST_FIXTURE_TEST_CASE(a_batch_ends_where_its_bytes_do, bounded_page) {
  setup.limits.batch_bytes = 1 << 20;
  start();
  for (auto i = 0; i < 40; ++i)
    add(heavy(60'000));
  auto reader = watch_page({}, 0, manner::hold_back);
  BOOST_TEST(reader.lines().size() <= 18u);
  acknowledge(reader);
  BOOST_TEST(reader.lines().size() > 18u);
}

BOOST_FIXTURE_TEST_CASE(texts_wait_until_they_are_indexed_in_the_background, bounded_page) {
  start();
  add(note("red wine"));
  BOOST_TEST(stats().waiting_texts == 1u);
  BOOST_TEST(stats().text_bytes == 0u);
  advance(std::chrono::seconds{1});
  BOOST_TEST(stats().waiting_texts == 0u);
  auto bytes = stats().text_bytes;
  BOOST_TEST(bytes > 0u);
  add(note("white wine"));
  advance(std::chrono::seconds{1});
  BOOST_TEST(stats().text_bytes > bytes);
}

BOOST_FIXTURE_TEST_CASE(texts_whose_words_have_no_room_wait, bounded_page) {
  setup.limits.max_bytes = 1 << 20;
  start();
  auto words = 0;
  for (auto i = 0; i < 200; ++i) {
    std::string text;
    for (auto k = 0; k < 100; ++k)
      text += "word" + std::to_string(words++) + ' ';
    add(note(text));
  }
  advance(std::chrono::seconds{10});
  BOOST_TEST(stats().waiting_texts > 0u);
  BOOST_TEST(stats().text_bytes < 1u << 20);
  BOOST_TEST(query(asking({}, "word1")).partial);
  BOOST_TEST(query(asking({}, "word1")).total_count == 1u);
  BOOST_TEST(query(asking({}, "word" + std::to_string(words - 1))).total_count == 0u);
}

} // namespace scratchpage::test
