#define BOOST_TEST_MODULE request_keys
#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

#include "scratchpage/actors/page/request_keys.hpp"
#include "scratchpage/actors/page/request_marks.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/tests/support/messages_fixture.hpp"

/// What a page remembers of requests with keys.

namespace scratchpage::test {

namespace {

request_mark mark(std::string key, std::string by = "daemon planner", uint32_t part = 0) {
  return {std::move(key), std::move(by), 7, part, {}};
}

observation_ptr observation_with(std::string content) {
  observation x;
  x.content = std::move(content);
  return observation_ptr{std::move(x)};
}

} // namespace

BOOST_AUTO_TEST_CASE(a_request_is_known_by_its_caller_its_key_and_its_part) {
  request_keys keys{10, 1u << 20};
  keys.keep(mark("a"), 1, observation_with("x"));
  BOOST_REQUIRE(keys.find(mark("a")) != nullptr);
  BOOST_TEST(keys.find(mark("a"))->sequence == 1u);
  BOOST_TEST(keys.find(mark("a"))->observation->content == "x");
  BOOST_TEST(keys.find(mark("b")) == nullptr);
  BOOST_TEST(keys.find(mark("a", "daemon other")) == nullptr);
  BOOST_TEST(keys.find(mark("a", "daemon planner", 1)) == nullptr);
}

BOOST_AUTO_TEST_CASE(a_request_under_way_is_known_until_it_is_refused) {
  request_keys keys{10, 1u << 20};
  keys.begin(mark("a"));
  BOOST_TEST(keys.find(mark("a"))->is_under_way());
  keys.refuse(mark("a"));
  BOOST_TEST(keys.find(mark("a")) == nullptr);
}

BOOST_AUTO_TEST_CASE(what_was_made_is_not_forgotten_by_a_refusal) {
  request_keys keys{10, 1u << 20};
  keys.begin(mark("a"));
  keys.keep(mark("a"), 1, observation_with("x"));
  keys.refuse(mark("a"));
  BOOST_TEST(keys.find(mark("a")) != nullptr);
}

BOOST_AUTO_TEST_CASE(repetitions_wait_in_their_order) {
  request_keys keys{10, 1u << 20};
  std::vector<int> order;
  keys.begin(mark("a"));
  keys.wait(mark("a"), [&] { order.push_back(1); });
  keys.wait(mark("a"), [&] { order.push_back(2); });
  BOOST_TEST(keys.take_waiting(mark("b")).empty());
  for (const auto& f : keys.take_waiting(mark("a")))
    f();
  const std::vector<int> expected{1, 2};
  BOOST_TEST(order == expected, boost::test_tools::per_element());
  BOOST_TEST(keys.take_waiting(mark("a")).empty());
}

BOOST_AUTO_TEST_CASE(a_request_is_forgotten_with_the_changes_of_the_log) {
  request_keys keys{3, 1u << 20};
  keys.keep(mark("a"), 1, observation_with("x"));
  keys.note(3); // the last three changes are 1, 2 and 3
  BOOST_TEST(keys.find(mark("a")) != nullptr);
  keys.note(4);
  BOOST_TEST(keys.find(mark("a")) == nullptr);
  BOOST_TEST(keys.bytes() == 0u);
}

BOOST_AUTO_TEST_CASE(the_oldest_requests_are_forgotten_when_they_take_too_many_bytes) {
  request_keys keys{1'000, 10'000};
  for (unsigned i = 1; i <= 5; ++i)
    keys.keep(mark(std::to_string(i)), i, observation_with(std::string(4'000, 'x')));
  BOOST_TEST(keys.find(mark("5")) != nullptr);
  BOOST_TEST(keys.find(mark("1")) == nullptr);
  BOOST_TEST(keys.bytes() <= 10'000u);
}

BOOST_AUTO_TEST_CASE(fewer_bytes_count_from_the_next_request_on) {
  request_keys keys{1'000, 1u << 20};
  keys.keep(mark("1"), 1, observation_with(std::string(4'000, 'x')));
  keys.keep_within(6'000);
  keys.keep(mark("2"), 2, observation_with(std::string(4'000, 'x')));
  BOOST_TEST(keys.find(mark("1")) == nullptr);
  BOOST_TEST(keys.find(mark("2")) != nullptr);
}

BOOST_AUTO_TEST_CASE(one_request_is_remembered_even_if_it_is_larger_than_the_bound) {
  request_keys keys{1'000, 10};
  keys.keep(mark("a"), 1, observation_with(std::string(4'000, 'x')));
  BOOST_TEST(keys.find(mark("a")) != nullptr);
}

BOOST_AUTO_TEST_CASE(a_key_that_was_used_again_later_is_not_forgotten_with_its_first_use) {
  request_keys keys{3, 1u << 20}; // as after a restart with a longer log than before
  keys.keep(mark("a"), 1, observation_with("x"));
  keys.keep(mark("a"), 3, observation_with("y"));
  keys.note(4);
  BOOST_REQUIRE(keys.find(mark("a")) != nullptr);
  BOOST_TEST(keys.find(mark("a"))->observation->content == "y");
  keys.note(6);
  BOOST_TEST(keys.size() == 0u);
  BOOST_TEST(keys.bytes() == 0u);
}

BOOST_AUTO_TEST_CASE(what_is_purged_is_purged_from_answers_and_their_warnings) {
  request_keys keys{10, 1u << 20};
  auto with_warning = mark("a");
  with_warning.warnings = {"'secret' is no priority"};
  keys.keep(with_warning, 1, observation_with("secret"));
  auto before = keys.bytes();
  keys.revise([](observation_ptr& x) {
    x = observation_with("");
    return true;
  });
  BOOST_TEST(keys.find(mark("a"))->observation->content.empty());
  BOOST_TEST(keys.find(mark("a"))->warnings.empty());
  BOOST_TEST(keys.find(mark("a"))->digest == request_keys::no_digest);
  keys.note(11);
  BOOST_TEST(before > 0u);
  BOOST_TEST(keys.bytes() == 0u);
}

// -- keys and marks -----------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(a_key_is_1_to_128_visible_characters_of_ascii) {
  for (const auto& good :
    {std::string{"a"}, std::string(128, '~'), std::string{"8e03978e-40d5-43dd-bc93-6894a57f9324"}})
    BOOST_TEST(!check_request_key(good), good);
  for (const auto& bad :
    {std::string{}, std::string(129, 'a'), std::string{"a b"}, std::string{"a\n"},
      std::string{"\x7f"}, std::string{"\xc3\xa4"}, std::string("a\0b", 3)}) {
    auto err = check_request_key(bad);
    BOOST_TEST(to_string(code_of(err)) == "invalid_request");
    BOOST_TEST(field_of(err) == "request_key");
  }
}

BOOST_AUTO_TEST_CASE(a_request_without_a_key_has_no_mark) {
  BOOST_TEST(mark_of(archive_observation{as_daemon("planner"), "obs_1"}).key.empty());
}

BOOST_AUTO_TEST_CASE(marks_differ_by_all_that_is_asked_for) {
  auto by = as_daemon("planner");
  by.request_key = "k";
  observation_draft draft;
  draft.content = "x";
  auto other = draft;
  other.tags = {"t"};
  BOOST_TEST(
    mark_of(add_observation{by, draft}).digest == mark_of(add_observation{by, draft}).digest);
  BOOST_TEST(
    mark_of(add_observation{by, draft}).digest != mark_of(add_observation{by, other}).digest);
  update_observation update{by, "obs_1", {.content = "x"}, {}};
  auto with_revision = update;
  with_revision.expected_revision = 1;
  auto strict = update;
  strict.on_conflict = on_conflict::reject;
  BOOST_TEST(mark_of(update).digest != mark_of(with_revision).digest);
  BOOST_TEST(mark_of(update).digest != mark_of(strict).digest);
  BOOST_TEST(mark_of(archive_observation{by, "obs_1"}).digest
             != mark_of(archive_observation{by, "obs_2"}).digest);
  BOOST_TEST(mark_of(archive_observation{by, "obs_1"}).digest
             != mark_of(clear_resolved{by, {"obs_1"}}).digest);
}

} // namespace scratchpage::test
