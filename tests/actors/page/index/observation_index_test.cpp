#define BOOST_TEST_MODULE observation_index
#include <boost/test/unit_test.hpp>

#include <concepts>
#include <memory>
#include <string>
#include <vector>

#include "scratchpage/actors/page/index/observation_index.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/tests/support/messages_fixture.hpp"
#include "scratchpage/tests/support/observations.hpp"

namespace scratchpage {

namespace {

using numbers = std::vector<uint64_t>;
using test::at_ms;
using test::plain_observation;

constexpr auto each = boost::test_tools::per_element();

struct fixture {
  observation_index index;
  uint64_t last = 0;
  timestamp now = at_ms(1'000'000);

  template <std::invocable<observation&> Change>
  uint64_t add(Change change) {
    auto x = plain_observation(++last);
    change(x);
    index.insert(last, observation_ptr{std::move(x)});
    return last;
  }

  uint64_t add(std::string content = "something") {
    return add([&](observation& x) { x.content = std::move(content); });
  }

  template <class Change>
  void change(uint64_t number, Change change) {
    auto x = *index.find(number);
    ++x.revision;
    change(x);
    index.replace(number, observation_ptr{std::move(x)});
  }

  index_answer ask(
    std::string_view filter, std::string_view text = "", uint32_t limit = 10, uint64_t before = 0) {
    auto parsed = from_json_text<observation_filter>(filter);
    BOOST_REQUIRE(parsed);
    index_query q;
    q.filter = &*parsed;
    q.text = text;
    q.limit = limit;
    q.before = before;
    q.now = now;
    return index.query(q);
  }

  numbers found(std::string_view filter, std::string_view text = "") {
    auto answer = ask(filter, text, 1000);
    BOOST_TEST(answer.total == answer.numbers.size());
    BOOST_TEST(!answer.more);
    BOOST_TEST(!answer.partial);
    return answer.numbers;
  }
};

void set_context(observation& x, std::string_view text) {
  x.context = parse_json(text)->as_object();
}

} // namespace

BOOST_FIXTURE_TEST_CASE(an_observation_is_found_by_number_until_it_is_erased, fixture) {
  auto n = add("hello");
  BOOST_TEST(index.find(n)->content == "hello");
  BOOST_TEST(!index.find(n + 1));
  BOOST_TEST(index.erase(n)->content == "hello");
  BOOST_TEST(!index.erase(n));
  BOOST_TEST(!index.find(n));
  BOOST_TEST(found("{}").empty());
}

BOOST_FIXTURE_TEST_CASE(answers_are_newest_first_and_count_all_matches, fixture) {
  for (int i = 0; i < 25; ++i)
    add();
  auto answer = ask("{}");
  BOOST_TEST(answer.numbers == (numbers{25, 24, 23, 22, 21, 20, 19, 18, 17, 16}), each);
  BOOST_TEST(answer.total == 25u);
  BOOST_TEST(answer.more);
  auto rest = ask("{}", "", 10, 6);
  BOOST_TEST(rest.numbers == (numbers{5, 4, 3, 2, 1}), each);
  BOOST_TEST(rest.total == 25u);
  BOOST_TEST(!rest.more);
}

BOOST_FIXTURE_TEST_CASE(a_filter_asks_for_all_of_its_members_and_any_of_their_values, fixture) {
  add([](observation& x) {
    x.type = "alert";
    x.tags = {"a", "b"};
  });
  add([](observation& x) {
    x.type = "learning";
    x.tags = {"a"};
    x.owner = "user";
    x.source.name = "wine_tool";
    x.source.turn_id = "turn_2";
  });
  BOOST_TEST(found(R"({"type":["alert","learning","x"]})") == (numbers{2, 1}), each);
  BOOST_TEST(found(R"({"tags":["b","a"]})") == (numbers{1}), each);
  BOOST_TEST(found(R"({"tags":"a","type":"learning"})") == (numbers{2}), each);
  BOOST_TEST(found(R"({"tags":"a","owner":"tool"})").empty());
  BOOST_TEST(found(R"({"source":["wine_tool","probe"],"owner":"user"})") == (numbers{2}), each);
  BOOST_TEST(found(R"({"turn_id":"turn_1"})") == (numbers{1}), each);
  BOOST_TEST(found(R"({"tags":["never_seen"]})").empty());
}

BOOST_FIXTURE_TEST_CASE(without_a_status_only_live_observations_are_meant, fixture) {
  for (auto s : {status::active, status::pending_review, status::resolved, status::archived})
    add([=](observation& x) { x.status = s; });
  BOOST_TEST(found("{}") == (numbers{2, 1}), each);
  BOOST_TEST(found(R"({"status":["resolved","active"]})") == (numbers{3, 1}), each);
  BOOST_TEST(found(R"({"owner":"agent"})") == (numbers{2, 1}), each);
  BOOST_TEST(index.live() == 2u);
  BOOST_TEST(index.size() == 4u);
}

BOOST_FIXTURE_TEST_CASE(confidence_thresholds_are_exact_between_and_on_bucket_borders, fixture) {
  for (double c : {0.0, 0.3, 0.35, 0.9, 0.90001, 0.95, 1.0})
    add([=](observation& x) { x.confidence = c; });
  BOOST_TEST(found(R"({"min_confidence":0})").size() == 7u);
  BOOST_TEST(found(R"({"min_confidence":0.3})").size() == 6u);
  BOOST_TEST(found(R"({"min_confidence":0.9})").size() == 4u);
  BOOST_TEST(found(R"({"min_confidence":0.900005})").size() == 3u);
  BOOST_TEST(found(R"({"min_confidence":1})").size() == 1u);
  BOOST_TEST(found(R"({"min_confidence":1.5})").empty());
}

BOOST_FIXTURE_TEST_CASE(any_scalar_of_the_context_is_found_by_its_dotted_path, fixture) {
  add([](observation& x) {
    set_context(x, R"({"goal_id":"g","trip":{"to":{"city":"Rome"},"days":3},"ok":true,"n":null})");
  });
  add([](observation& x) { set_context(x, R"({"trip.days":3.0,"list":[1],"ok":"true"})"); });
  BOOST_TEST(found(R"({"context":{"goal_id":"g"}})") == (numbers{1}), each);
  BOOST_TEST(found(R"({"context":{"trip.to.city":"Rome","ok":true}})") == (numbers{1}), each);
  BOOST_TEST(found(R"({"context":{"trip.days":3}})") == (numbers{2, 1}), each);
  BOOST_TEST(found(R"({"context":{"n":null}})") == (numbers{1}), each);
  BOOST_TEST(found(R"({"context":{"trip.days":"3"}})").empty());
  BOOST_TEST(found(R"({"context":{"list":[1]}})").empty());
}

BOOST_FIXTURE_TEST_CASE(large_whole_numbers_are_not_confused_with_their_neighbours, fixture) {
  add([](observation& x) { set_context(x, R"({"id":9007199254740993})"); });
  BOOST_TEST(found(R"({"context":{"id":9007199254740993}})") == (numbers{1}), each);
  BOOST_TEST(found(R"({"context":{"id":9007199254740992}})").empty());
  BOOST_TEST(found(R"({"context":{"id":9007199254740992.0}})").empty());
}

BOOST_FIXTURE_TEST_CASE(long_values_and_huge_contexts_are_still_found_exactly, fixture) {
  auto text = std::string(300, 'x');
  add([&](observation& x) { x.context["body"] = text + "1"; });
  add([&](observation& x) { x.context["body"] = text + "2"; });
  add([&](observation& x) { x.context["body"] = text.substr(0, 127); });
  add([&](observation& x) {
    for (int i = 0; i < 200; ++i)
      x.context["field" + std::to_string(i)] = i;
  });
  BOOST_TEST(found(R"({"context":{"body":")" + text + R"(2"}})") == (numbers{2}), each);
  BOOST_TEST(
    found(R"({"context":{"body":")" + text.substr(0, 127) + R"("}})") == (numbers{3}), each);
  BOOST_TEST(found(R"({"context":{"field150":150}})") == (numbers{4}), each);
  BOOST_TEST(found(R"({"context":{"field150":151}})").empty());
  index.erase(4);
  BOOST_TEST(found(R"({"context":{"field150":150}})").empty());
}

BOOST_FIXTURE_TEST_CASE(a_clock_that_was_set_back_hides_nothing_from_a_created_range, fixture) {
  for (int64_t ms : {10, 20, 900, 21, 30})
    add([=](observation& x) { x.created_at = at_ms(ms); });
  BOOST_TEST(found(R"({"created_after":"1970-01-01T00:00:00.020Z"})") == (numbers{5, 4, 3}), each);
  BOOST_TEST(found(R"({"created_before":"1970-01-01T00:00:00.030Z"})") == (numbers{4, 2, 1}), each);
  for (uint64_t n : {1, 2, 3})
    index.erase(n); // the creation times of the others are in order
  BOOST_TEST(found(R"({"created_after":"1970-01-01T00:00:00.021Z"})") == (numbers{5}), each);
}

BOOST_FIXTURE_TEST_CASE(what_is_not_overdue_any_more_by_a_clock_set_back_is_found_again, fixture) {
  auto n = add([&](observation& x) { x.expires_at = now + std::chrono::hours{1}; });
  auto here = now;
  now = here + std::chrono::hours{2};
  BOOST_TEST(found("{}").empty());
  now = here;
  BOOST_TEST(found("{}") == (numbers{n}), each);
  BOOST_TEST(index.due(here, 10).empty());
  BOOST_TEST(index.due(here + std::chrono::hours{1}, 10) == (numbers{n}), each);
}

BOOST_FIXTURE_TEST_CASE(the_created_range_excludes_both_ends, fixture) {
  for (int64_t ms : {10, 20, 20, 20, 30})
    add([=](observation& x) { x.created_at = at_ms(ms); });
  index.erase(3);
  BOOST_TEST(found(R"({"created_after":"1970-01-01T00:00:00.010Z"})") == (numbers{5, 4, 2}), each);
  BOOST_TEST(found(R"({"created_before":"1970-01-01T00:00:00.020Z"})") == (numbers{1}), each);
  BOOST_TEST(found(R"({"created_after":"1970-01-01T00:00:00.010Z",)"
                   R"("created_before":"1970-01-01T00:00:00.030Z"})")
               == (numbers{4, 2}),
    each);
  BOOST_TEST(found(R"({"created_after":"1970-01-01T00:00:00.030Z"})").empty());
}

BOOST_FIXTURE_TEST_CASE(a_new_revision_is_found_by_what_it_says_now, fixture) {
  auto n = add([](observation& x) {
    x.tags = {"a"};
    x.context["k"] = 1;
  });
  change(n, [](observation& x) {
    x.tags = {"b"};
    x.status = status::pending_review;
    x.confidence = 1;
    x.context["k"] = 2;
    x.content = "wine";
  });
  BOOST_TEST(found(R"({"tags":"a"})").empty());
  BOOST_TEST(found(R"({"context":{"k":1}})").empty());
  BOOST_TEST(found(R"({"status":"active"})").empty());
  BOOST_TEST(
    found(R"({"tags":"b","context":{"k":2},"status":"pending_review","min_confidence":1})", "wine")
      == (numbers{n}),
    each);
}

BOOST_FIXTURE_TEST_CASE(a_text_ranks_what_a_filter_selects, fixture) {
  add([](observation& x) {
    x.tags = {"error"};
    x.content = "timeout of the payment tool";
  });
  add([](observation& x) {
    x.tags = {"error"};
    x.content = "disk full";
  });
  add("payment payment payment");
  add([](observation& x) {
    x.tags = {"error"};
    x.content = "weather unknown";
  });
  BOOST_TEST(found(R"({"tags":"error"})", "what about the payment?") == (numbers{1, 4, 2}), each);
}

BOOST_FIXTURE_TEST_CASE(a_text_without_a_filter_selects_live_matches, fixture) {
  add("red wine");
  add("cheese");
  add([](observation& x) {
    x.content = "wine";
    x.status = status::resolved;
  });
  add("red wine");
  BOOST_TEST(found("{}", "wine") == (numbers{4, 1}), each);
  BOOST_TEST(found("{}", "the").empty());
}

BOOST_FIXTURE_TEST_CASE(a_limited_text_query_shows_the_head_of_the_full_order, fixture) {
  for (int i = 0; i < 40; ++i)
    add([=](observation& x) {
      x.tags = {"t"};
      x.content = i % 3 == 0 ? "wine " + std::string(static_cast<size_t>(i), 'x') : "water";
    });
  auto filter = *from_json_text<observation_filter>(R"({"tags":"t"})");
  index_query q;
  q.filter = &filter;
  q.text = "wine";
  q.now = now;
  q.limit = 1'000;
  auto whole = index.query(q);
  const auto& all = whole.numbers;
  BOOST_TEST(whole.total == 40u);
  BOOST_TEST(all.size() == 40u);
  for (uint32_t limit : {1u, 10u, 14u, 20u, 40u, 100u}) {
    q.limit = limit;
    auto answer = index.query(q);
    auto shown = std::min<size_t>(limit, 40);
    BOOST_TEST(answer.numbers == numbers(all.begin(), all.begin() + static_cast<int>(shown)), each);
    BOOST_TEST(answer.more == (limit < 40));
    BOOST_TEST(answer.total == 40u);
  }
}

BOOST_FIXTURE_TEST_CASE(who_reads_all_matches_a_part_at_a_time_gets_the_oldest_first, fixture) {
  for (int i = 0; i < 10; ++i)
    add([&](observation& x) { x.tags = {i % 2 == 0 ? "even" : "odd"}; });
  observation_filter odd;
  odd.tags = {"odd"};
  BOOST_TEST(index.matches_from(0, odd, now, 2).numbers == (numbers{2, 4}), each);
  BOOST_TEST(index.matches_from(5, odd, now, 2).numbers == (numbers{6, 8}), each);
  BOOST_TEST(index.matches_from(9, odd, now, 2).numbers == (numbers{10}), each);
  BOOST_TEST(index.matches_from(11, odd, now, 2).numbers.empty());
  BOOST_TEST(index.matches_from(0, odd, now, 0).numbers.empty());
  BOOST_TEST(index.end() == 11u);
}

BOOST_FIXTURE_TEST_CASE(what_has_expired_is_in_no_answer_even_before_it_is_erased, fixture) {
  // More than a query removes from the indexes at once, so that it checks the rest one by one.
  for (int64_t i = 0; i < 2000; ++i)
    add([=](observation& x) {
      x.content = "wine";
      x.expires_at = at_ms(i % 2 == 0 ? 5000 + i : 900'000);
    });
  now = at_ms(4999);
  BOOST_TEST(ask("{}").total == 2000u);
  now = at_ms(5000);
  BOOST_TEST(ask("{}").total == 1999u);
  now = at_ms(100'000);
  for (auto filter : {"{}", R"({"owner":"agent"})"})
    for (auto text : {"", "wine"}) {
      auto answer = ask(filter, text);
      BOOST_TEST(answer.total == 1000u);
      BOOST_TEST(!answer.numbers.empty());
      for (auto n : answer.numbers)
        BOOST_TEST(n % 2 == 0);
    }
  BOOST_TEST(index.size() == 2000u);
}

BOOST_FIXTURE_TEST_CASE(due_tells_each_end_once_earliest_first, fixture) {
  for (int64_t ms : {30, 10, 20, 10, 99})
    add([=](observation& x) { x.expires_at = at_ms(ms); });
  BOOST_TEST((index.next_deadline() == at_ms(10)));
  now = at_ms(15);
  ask("{}"); // finds two of them expired, which changes nothing for `due`
  BOOST_TEST((index.next_deadline() == at_ms(10)));
  BOOST_TEST(index.due(at_ms(9), 10).empty());
  BOOST_TEST(index.due(at_ms(50), 3) == (numbers{2, 4, 3}), each);
  BOOST_TEST(index.due(at_ms(50), 3) == (numbers{1}), each);
  BOOST_TEST(index.due(at_ms(50), 3).empty());
  BOOST_TEST((index.next_deadline() == at_ms(99)));
}

BOOST_FIXTURE_TEST_CASE(a_replaced_observation_has_its_new_deadline_only, fixture) {
  for (int i = 0; i < 3; ++i)
    add([](observation& x) { x.expires_at = at_ms(10); });
  BOOST_TEST(index.due(at_ms(10), 1) == (numbers{1}), each);
  now = at_ms(10);
  BOOST_TEST(ask("{}").total == 0u);
  for (uint64_t n : {1, 2})
    change(n, [](observation& x) { x.expires_at = at_ms(20); });
  BOOST_TEST(ask("{}").total == 2u);
  BOOST_TEST(index.due(at_ms(10), 9) == (numbers{3}), each);
  BOOST_TEST((index.next_deadline() == at_ms(20)));
  BOOST_TEST(index.due(at_ms(20), 9) == (numbers{1, 2}), each);
  index.erase(1);
  change(2, [](observation& x) { x.content = "again"; });
  BOOST_TEST(index.due(at_ms(20), 9) == (numbers{2}), each);
}

BOOST_FIXTURE_TEST_CASE(a_query_without_time_answers_what_it_has_and_says_so, fixture) {
  for (int i = 0; i < 5000; ++i)
    add([](observation& x) { x.confidence = 0.61; });
  observation_filter filter;
  filter.min_confidence = 0.605; // inside a bucket of the index, so that it checks every row
  index_query q;
  q.filter = &filter;
  q.now = now;
  q.out_of_time = [] { return true; };
  auto answer = index.query(q);
  BOOST_TEST(answer.partial);
  BOOST_TEST(answer.numbers.size() == 10u);
  BOOST_TEST(answer.numbers.front() == 5000u);
  BOOST_TEST(answer.total < 5000u);
}

BOOST_FIXTURE_TEST_CASE(priority_is_weight_then_confidence_then_recency, fixture) {
  auto of = [](std::string type, double confidence) {
    return [=](observation& x) {
      x.type = type;
      x.confidence = confidence;
    };
  };
  add(of("learning", 1));
  add(of("alert", 0.5));
  add(of("alert", 0.9));
  add(of("alert", 0.5));
  add([](observation& x) { x.status = status::resolved; });
  add([](observation& x) { x.expires_at = at_ms(1); });
  add(of("made_up", 1));
  type_weights weights;
  weights.weights = {{"alert", 9}, {"learning", 2}};
  weights.default_weight = 3;
  BOOST_TEST(index.by_priority(now, weights) == (numbers{3, 4, 2, 7, 1}), each);
  std::vector<observation_filter> learnings_or_sure(2);
  learnings_or_sure[0].type = {"learning"};
  learnings_or_sure[1].min_confidence = 0.9;
  BOOST_TEST(index.by_priority(now, weights, learnings_or_sure) == (numbers{3, 7, 1}), each);
}

BOOST_AUTO_TEST_CASE(out_of_time_the_best_of_what_is_active_come_first_all_the_same) {
  observation_index index;
  for (uint64_t n = 1; n <= 5'000; ++n) {
    auto x = plain_observation(n, "wine");
    x.confidence = static_cast<double>(n * 7'919 % 5'000) / 5'000;
    index.insert(n, observation_ptr{std::move(x)});
  }
  auto all = index.by_priority(at_ms(1), {});
  auto hurried = index.by_priority(at_ms(1), {}, [] { return true; });
  BOOST_TEST(hurried.size() == all.size());
  BOOST_TEST(index.count_active(at_ms(1)) == all.size());
  BOOST_TEST(std::equal(all.begin(), all.begin() + 1'000, hurried.begin()));
  BOOST_TEST(!std::equal(all.begin(), all.end(), hurried.begin()));
}

BOOST_AUTO_TEST_CASE(matches_are_looked_for_a_part_at_a_time_when_there_is_little) {
  observation_index index;
  for (uint64_t n = 1; n <= 5'000; ++n)
    index.insert(n, observation_ptr{plain_observation(n, "wine")});
  observation_filter sure;
  sure.min_confidence = 0.52; // matches no row, but the index checks every one
  uint64_t from = 1;
  auto parts = 0;
  for (; from <= 5'000 && parts < 100; ++parts) {
    auto part = index.matches_from(from, sure, at_ms(1), 10, [] { return true; });
    BOOST_TEST(part.numbers.empty());
    BOOST_REQUIRE(part.next > from);
    from = part.next;
  }
  BOOST_TEST(parts > 1);
  BOOST_TEST(parts < 100);
}

BOOST_FIXTURE_TEST_CASE(two_that_disagree_on_one_subject_contradict_each_other, fixture) {
  auto says = [](std::string content, std::vector<std::string> tags, std::string goal) {
    return [=](observation& x) {
      x.content = content;
      x.tags = tags;
      x.context["goal_id"] = goal;
    };
  };
  auto a = add(says("The flight leaves at 9", {"flight", "time"}, "g1"));
  auto b = add(says("  the flight\n leaves at 9 ", {"time", "flight"}, "g1"));
  add(says("The flight leaves at 10", {"flight"}, "g1"));
  add(says("The flight leaves at 10", {"flight", "time"}, "g2"));
  BOOST_TEST(index.contradicting(a, now).empty());
  auto c = add(says("The flight leaves at 10", {"flight", "time"}, "g1"));
  BOOST_TEST(index.contradicting(a, now) == (numbers{c}), each);
  BOOST_TEST(index.contradicting(c, now) == (numbers{a, b}), each);
  BOOST_TEST(index.subject_of(a) == "observation, tags flight + time, goal g1");
  change(a, [](observation& x) { x.status = status::resolved; });
  BOOST_TEST(index.contradicting(c, now) == (numbers{b}), each);
  BOOST_TEST(index.contradicting(a, now).empty());
  change(b, [](observation& x) { x.expires_at = at_ms(1'000'000); });
  BOOST_TEST(index.contradicting(c, now).empty());
}

BOOST_FIXTURE_TEST_CASE(a_key_in_the_metadata_is_a_subject_too, fixture) {
  auto says = [](std::string type, std::string content) {
    return [=](observation& x) {
      x.type = type;
      x.content = content;
      x.metadata["key"] = "price";
    };
  };
  auto a = add(says("alert", "10"));
  auto b = add(says("alert", "12"));
  add(says("learning", "13"));
  BOOST_TEST(index.contradicting(a, now) == (numbers{b}), each);
  BOOST_TEST(index.subject_of(a) == "alert, key price");
  BOOST_TEST(index.subject_of(add()).empty());
}

BOOST_AUTO_TEST_CASE(rows_are_numbered_anew_when_the_slots_run_out) {
  observation_index index{{}, {.slots = 1000}};
  observation_filter filter;
  filter.tags = {"t"};
  for (uint64_t n = 1; n < 20'000; n += 7) {
    auto x = plain_observation(n, n % 2 == 0 ? "wine" : "tea");
    x.tags = {"t"};
    x.context["goal_id"] = "g";
    index.insert(n, observation_ptr{std::move(x)});
    if (n > 700)
      index.erase(n - 700);
    index_query q;
    q.filter = &filter;
    q.now = at_ms(1);
    auto answer = index.query(q);
    BOOST_REQUIRE(answer.total == index.size());
    BOOST_REQUIRE(answer.numbers.front() == n);
    q.text = "wine";
    BOOST_REQUIRE(index.query(q).numbers.front() % 2 == (n == 1 ? 1 : 0));
  }
  BOOST_TEST(
    index.contradicting(*index.query({.filter = &filter}).numbers.begin(), {}).size() == 50u);
}

} // namespace scratchpage
