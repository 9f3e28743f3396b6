#define BOOST_TEST_MODULE window_ranking
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include "scratchpage/actors/page/index/observation_index.hpp"
#include "scratchpage/tests/support/messages_fixture.hpp"
#include "scratchpage/tests/support/observations.hpp"

/// The rules of docs/search.md by which neighbours in a thread count.

namespace scratchpage {

namespace {

using numbers = std::vector<uint64_t>;

struct fixture {
  observation_index index;
  uint64_t last = 0;

  uint64_t add(std::string content, std::string thread, std::string turn = "",
    source_kind kind = source_kind::user, std::string name = "") {
    auto x = test::plain_observation(++last, std::move(content));
    x.source = {kind, std::move(name), std::move(turn), x.created_at};
    if (!thread.empty())
      x.context["thread_id"] = thread;
    index.insert(last, observation_ptr{std::move(x)});
    return last;
  }

  /// Observations of other threads, so that no word of a test is a usual one.
  void add_others(size_t count = 200) {
    for (size_t i = 0; i < count; ++i)
      add("filler", "other" + std::to_string(i));
  }

  numbers found(std::string_view text, const observation_filter& filter = {}, size_t limit = 100) {
    index_query q;
    q.filter = &filter;
    q.text = text;
    q.limit = limit;
    return index.query(q).numbers;
  }

  bool finds(std::string_view text, uint64_t number) {
    auto all = found(text);
    return std::ranges::find(all, number) != all.end();
  }
};

constexpr auto each = boost::test_tools::per_element();

} // namespace

BOOST_FIXTURE_TEST_CASE(a_hit_among_neighbours_that_fit_comes_before_one_alone, fixture) {
  add_others();
  auto alone = add("the tea was good", "a");
  add("which wine would you like", "b");
  auto among = add("the tea was good", "b");
  add("the red wine", "b");
  for (int i = 0; i < 20; ++i)
    add("wine", "c");
  auto all = found("wine or tea");
  auto place = [&](uint64_t number) { return std::ranges::find(all, number) - all.begin(); };
  BOOST_TEST(place(among) < place(alone));
}

BOOST_FIXTURE_TEST_CASE(what_the_ensemble_noted_beside_a_hit_needs_a_word_itself, fixture) {
  add_others();
  auto hit = add("the dentist", "a");
  auto decision = add("urgency low", "a", "", source_kind::daemon, "router");
  auto remark = add("nothing urgent", "a", "", source_kind::daemon, "my_daemon");
  auto word = add("alert about a dentist", "a", "", source_kind::daemon, "router");
  for (auto number : {hit, remark, word})
    BOOST_TEST(finds("dentist", number));
  BOOST_TEST(!finds("dentist", decision));
}

BOOST_FIXTURE_TEST_CASE(neighbours_up_to_the_fourth_come_in_without_a_word_of_the_query, fixture) {
  add_others();
  std::vector<uint64_t> before;
  for (int i = 0; i < 6; ++i)
    before.push_back(add("something else", "a"));
  auto hit = add("the dentist", "a");
  std::vector<uint64_t> after;
  for (int i = 0; i < 6; ++i)
    after.push_back(add("something else", "a"));
  // The nearest come first, and the newest of two that are equally near.
  BOOST_TEST(found("dentist")
               == (numbers{hit, after[0], before[5], after[1], before[4], after[2], before[3],
                 after[3], before[2]}),
    each);
}

BOOST_FIXTURE_TEST_CASE(neighbours_are_not_counted_as_matches, fixture) {
  add_others();
  add("something else", "a");
  add("the dentist", "a");
  add("something else", "a");
  observation_filter filter;
  index_query q;
  q.filter = &filter;
  q.text = "dentist";
  auto answer = index.query(q);
  BOOST_TEST(answer.numbers.size() == 3u);
  BOOST_TEST(answer.total == 1u);
  BOOST_TEST(!answer.more);
  q.limit = 2;
  BOOST_TEST(index.query(q).more);
}

BOOST_FIXTURE_TEST_CASE(neighbours_of_another_thread_never_come_in, fixture) {
  add_others();
  std::vector<uint64_t> own;
  uint64_t hit = 0;
  for (int i = 0; i < 30; ++i)
    for (const auto* thread : {"a", "b", "c"}) {
      auto is_hit = i == 15 && thread == std::string{"b"};
      auto number = add(is_hit ? "the dentist" : "something else", thread);
      if (thread == std::string{"b"} && i >= 11 && i <= 19)
        own.push_back(number);
      if (is_hit)
        hit = number;
    }
  auto all = found("dentist");
  BOOST_REQUIRE(all.size() == 9u);
  BOOST_TEST(all.front() == hit);
  std::ranges::sort(all);
  BOOST_TEST(all == own, each);
}

BOOST_FIXTURE_TEST_CASE(a_smaller_limit_gives_the_first_of_the_same_order, fixture) {
  add_others();
  for (int i = 0; i < 60; ++i)
    add(i % 7 == 0 ? "the dentist in rome" : i % 5 == 0 ? "rome" : "ok", i % 3 == 0 ? "a" : "b");
  auto all = found("dentist in rome");
  BOOST_REQUIRE(all.size() > 50u);
  for (size_t limit : {1u, 2u, 10u, 49u, 50u})
    BOOST_TEST(found("dentist in rome", {}, limit)
                 == numbers(all.begin(), all.begin() + static_cast<ptrdiff_t>(limit)),
      each);
}

BOOST_FIXTURE_TEST_CASE(threads_that_take_turns_rank_as_threads_one_after_another, fixture) {
  fixture other;
  const std::vector<std::string> texts{"we moved to rome", "and then", "the dentist was nice", "ok",
    "see you", "the weather is fine", "rome again", "the dentist", "good night"};
  add_others();
  other.add_others();
  std::vector<std::string> one; // who says what, in the order of the answers
  std::vector<std::string> two;
  for (size_t i = 0; i < texts.size(); ++i) {
    add(texts[i], "a");
    add(texts[texts.size() - 1 - i], "b");
  }
  for (const auto& text : texts)
    other.add(text, "a");
  for (size_t i = 0; i < texts.size(); ++i)
    other.add(texts[texts.size() - 1 - i], "b");
  auto told = [](fixture& in) {
    std::vector<std::string> result;
    for (auto number : in.found("dentist in rome"))
      result.push_back(in.index.find(number)->content);
    return result;
  };
  BOOST_TEST(told(*this) == told(other), each);
}

BOOST_FIXTURE_TEST_CASE(a_usual_word_counts_for_an_observation_alone, fixture) {
  add("something else", "a");
  auto hit = add("the dentist", "a");
  add("something else", "a");
  BOOST_TEST(found("dentist") == (numbers{hit}), each); // a third of all have the word
}

BOOST_FIXTURE_TEST_CASE(an_observation_without_a_thread_has_that_of_its_turn, fixture) {
  add_others();
  auto early = add("something else", "", "turn_1");
  auto input = add("i need help", "a", "turn_1");
  auto later = add("something else", "", "turn_1");
  auto hit = add("the dentist", "a", "turn_2");
  auto all = found("dentist");
  BOOST_TEST(all == (numbers{hit, later, input, early}), each);
}

BOOST_FIXTURE_TEST_CASE(without_threads_the_turn_decides, fixture) {
  add_others();
  auto near = add("something else", "", "turn_1");
  auto far = add("something else", "", "turn_2");
  auto hit = add("the dentist", "", "turn_1");
  BOOST_TEST(found("dentist") == (numbers{hit, near}), each);
  BOOST_TEST(!finds("dentist", far));
}

BOOST_FIXTURE_TEST_CASE(a_common_source_makes_no_neighbours, fixture) {
  add_others();
  auto by_ada = [this](std::string content) {
    auto x = test::plain_observation(++last, std::move(content));
    x.source = {source_kind::user, "ada", "", x.created_at};
    index.insert(last, observation_ptr{std::move(x)});
    return last;
  };
  by_ada("something else");
  auto hit = by_ada("the dentist");
  BOOST_TEST(found("dentist") == (numbers{hit}), each);
}

BOOST_FIXTURE_TEST_CASE(what_belongs_to_nothing_has_no_neighbours, fixture) {
  add_others();
  add("something else", "");
  auto hit = add("the dentist", "");
  add("something else", "");
  BOOST_TEST(found("dentist") == (numbers{hit}), each);
}

BOOST_FIXTURE_TEST_CASE(a_filter_holds_for_neighbours_too, fixture) {
  add_others();
  add("something else", "a");
  auto hit = add("the dentist", "a");
  auto x = *index.find(add("something else", "a"));
  x.tags = {"plan"};
  index.replace(last, observation_ptr{x});
  auto tagged = last;
  observation_filter filter;
  filter.tags = {"plan"};
  BOOST_TEST(found("dentist", filter) == (numbers{tagged}), each);
  BOOST_TEST(!found("dentist").empty());
  BOOST_TEST(found("dentist").front() == hit);
}

BOOST_FIXTURE_TEST_CASE(an_erased_neighbour_makes_room_for_the_next, fixture) {
  add_others();
  auto far = add("something else", "a");
  std::vector<uint64_t> near;
  for (int i = 0; i < 4; ++i)
    near.push_back(add("something else", "a"));
  add("the dentist", "a");
  BOOST_TEST(!finds("dentist", far));
  index.erase(near[2]);
  BOOST_TEST(finds("dentist", far));
  BOOST_TEST(!finds("dentist", near[2]));
}

} // namespace scratchpage
