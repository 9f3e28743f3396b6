#include <cmath>
#include <functional>
#include <limits>

#include <boost/test/unit_test.hpp>

#include "scratchpage/actors/page/draft_rules.hpp"
#include "scratchpage/actors/page/page_config.hpp"
#include "scratchpage/tests/scenarios/page/page_fixture.hpp"

/// The rules of contract 1 and 2, as plain functions.

namespace scratchpage::test {

namespace {

constexpr double default_ttl = 10'080;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

const timestamp start_of_day{std::chrono::sys_days{std::chrono::November / 5 / 2025}};

caf::expected<accepted_draft> accepted(
  observation_draft x, const caller& by = as_daemon("router", "turn_1")) {
  static const type_registry types{page_config{}.types};
  return accept(std::move(x), by, types, default_ttl, start_of_day);
}

caf::expected<accepted_draft> accepted(const std::function<void(observation_draft&)>& change) {
  auto x = note("The train leaves at ten");
  change(x);
  return accepted(std::move(x));
}

observation taken(caf::expected<accepted_draft> x) {
  BOOST_REQUIRE_MESSAGE(x, describe(x ? caf::error{} : x.error()));
  BOOST_TEST(x->warnings.empty());
  return *x->value;
}

json::object nested(unsigned levels) {
  json::object result{{"leaf", 1}};
  for (; levels > 1; --levels)
    result = json::object{{"inner", std::move(result)}};
  return result;
}

std::vector<std::string> many_tags(size_t count) {
  std::vector<std::string> result;
  for (size_t i = 0; i < count; ++i)
    result.push_back("tag " + std::to_string(i));
  return result;
}

std::string repeated(std::string_view text, size_t times) {
  std::string result;
  for (; times > 0; --times)
    result += text;
  return result;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_bare_draft_gets_the_defaults) {
  auto x = taken(accepted(note("The train leaves at ten")));
  BOOST_TEST(x.confidence == 0.5);
  BOOST_TEST(x.tags.empty());
  BOOST_TEST(x.context.empty());
  BOOST_TEST(x.metadata.empty());
  BOOST_TEST(x.owner == "agent");
  BOOST_TEST(to_string(x.status) == "active");
  BOOST_TEST(x.ttl_minutes == default_ttl);
  BOOST_TEST(x.revision == 1u);
  BOOST_TEST(!x.linked_to_goal);
  BOOST_CHECK(x.created_at == start_of_day && x.updated_at == start_of_day);
  BOOST_CHECK(x.expires_at == start_of_day + std::chrono::days{7});
}

BOOST_AUTO_TEST_CASE(content_must_say_something_in_utf8_and_in_64_kib) {
  auto with = [](std::string content) {
    return accepted([&](auto& x) { x.content = std::move(content); });
  };
  for (auto* blank : {"", " ", "\n\t \r"})
    BOOST_CHECK(refused(with(blank), errc::invalid_observation, "content"));
  BOOST_CHECK(refused(with("caf\xe9"), errc::invalid_observation, "content"));
  BOOST_CHECK(refused(with(std::string(65'537, 'x')), errc::invalid_observation, "content"));
  BOOST_TEST(taken(with(std::string(65'536, 'x'))).content.size() == 65'536u);
}

BOOST_AUTO_TEST_CASE(an_owner_and_a_tag_have_no_nul_which_no_database_of_postgresql_keeps) {
  const std::string nul(1, '\0');
  auto by_owner = accepted([&](auto& x) { x.owner = nul; });
  BOOST_CHECK(refused(by_owner, errc::invalid_observation, "owner"));
  auto by_tag = accepted([&](auto& x) { x.tags = {"plain", "a" + nul}; });
  BOOST_CHECK(refused(by_tag, errc::invalid_observation, "tags[1]"));
}

BOOST_AUTO_TEST_CASE(a_type_must_be_registered) {
  for (auto* type : {"", "Observation", "rumour", "observation "})
    BOOST_CHECK(refused(accepted([&](auto& x) { x.type = type; }), errc::unknown_type, "type"));
  for (const auto& type : page_config{}.types)
    BOOST_TEST(taken(accepted([&](auto& x) { x.type = type; })).type == type);
}

BOOST_AUTO_TEST_CASE(confidence_is_clamped_with_a_warning_and_refused_if_it_is_no_number) {
  auto with = [](double confidence) {
    return accepted([&](auto& x) { x.confidence = confidence; });
  };
  BOOST_CHECK(refused(with(nan), errc::invalid_observation, "confidence"));
  for (auto inside : {0.0, 0.3, 1.0})
    BOOST_TEST(taken(with(inside)).confidence == inside);
  for (auto [outside, clamped] : {std::pair{1.5, 1.0}, {-0.1, 0.0}, {infinity, 1.0}}) {
    auto x = with(outside);
    BOOST_REQUIRE(x);
    BOOST_TEST(x->value->confidence == clamped);
    BOOST_REQUIRE(x->warnings.size() == 1u);
    BOOST_TEST(contains(x->warnings.front(), "confidence"));
  }
}

BOOST_AUTO_TEST_CASE(tags_are_counted_in_characters_and_named_by_their_place) {
  auto with = [](std::vector<std::string> tags) {
    return accepted([&](auto& x) { x.tags = std::move(tags); });
  };
  auto longest = repeated("é", 64);
  BOOST_CHECK(refused(with({"a", ""}), errc::invalid_observation, "tags[1]"));
  BOOST_CHECK(refused(with({longest + "x"}), errc::invalid_observation, "tags[0]"));
  BOOST_CHECK(refused(with({"a", "b", "\xff"}), errc::invalid_observation, "tags[2]"));
  BOOST_CHECK(refused(with(many_tags(33)), errc::invalid_observation, "tags"));
  BOOST_TEST(taken(with({longest})).tags.front() == longest);
  BOOST_TEST(taken(with(many_tags(32))).tags.size() == 32u);
}

BOOST_AUTO_TEST_CASE(duplicate_tags_are_dropped_before_they_are_counted) {
  auto tags = many_tags(32);
  tags.insert(tags.begin() + 1, tags.front());
  tags.push_back("tag 5");
  auto kept = taken(accepted([&](auto& x) { x.tags = tags; })).tags;
  BOOST_TEST(kept == many_tags(32), boost::test_tools::per_element());
  auto other = taken(accepted([](auto& x) { x.tags = {"Wine", "wine"}; })).tags;
  BOOST_TEST(other.size() == 2u); // tags are compared exactly
}

BOOST_AUTO_TEST_CASE(a_context_is_at_most_8_deep) {
  auto with = [](json::object context) {
    return accepted([&](auto& x) { x.context = std::move(context); });
  };
  BOOST_TEST(taken(with(nested(8))).context == nested(8));
  auto deep = with(nested(9));
  BOOST_REQUIRE(!deep);
  BOOST_TEST(to_string(code_of(deep.error())) == "invalid_observation");
  BOOST_TEST(field_of(deep.error()) == "context.inner");
}

BOOST_AUTO_TEST_CASE(metadata_is_kept_as_given) {
  json::object metadata{{"key", "price"}, {"list", {1, nullptr, "x"}}, {"inner", nested(12)}};
  BOOST_TEST(taken(accepted([&](auto& x) { x.metadata = metadata; })).metadata == metadata);
}

BOOST_AUTO_TEST_CASE(an_owner_may_be_anybody_but_nobody) {
  BOOST_CHECK(refused(accepted([](auto& x) { x.owner = ""; }), errc::invalid_observation, "owner"));
  for (auto* owner : {"agent", "user", "wine_recommender"})
    BOOST_TEST(taken(accepted([&](auto& x) { x.owner = owner; })).owner == owner);
}

BOOST_AUTO_TEST_CASE(a_draft_begins_live) {
  for (auto x : {status::active, status::pending_review})
    BOOST_TEST(to_string(taken(accepted([&](auto& d) { d.status = x; })).status) == to_string(x));
  for (auto x : {status::resolved, status::archived, status::expired, status::evicted})
    BOOST_CHECK(
      refused(accepted([&](auto& d) { d.status = x; }), errc::invalid_observation, "status"));
}

BOOST_AUTO_TEST_CASE(a_lifetime_out_of_range_becomes_the_default_with_a_warning) {
  auto with = [](double ttl) { return accepted([&](auto& x) { x.ttl_minutes = ttl; }); };
  for (auto inside : {0.0, 0.5, 525'600.0})
    BOOST_TEST(taken(with(inside)).ttl_minutes == inside);
  BOOST_CHECK(taken(with(0)).expires_at == start_of_day);
  BOOST_CHECK(taken(with(0.5)).expires_at == start_of_day + std::chrono::seconds{30});
  for (auto outside : {-1.0, -0.001, 525'600.5, infinity, -infinity, nan}) {
    auto x = with(outside);
    BOOST_REQUIRE(x);
    BOOST_TEST(x->value->ttl_minutes == default_ttl);
    BOOST_CHECK(x->value->expires_at == start_of_day + std::chrono::days{7});
    BOOST_REQUIRE(x->warnings.size() == 1u);
    BOOST_TEST(contains(x->warnings.front(), "ttl_minutes"));
  }
}

BOOST_AUTO_TEST_CASE(the_callers_identity_wins_over_the_claim) {
  auto claiming = [](source claim) {
    auto x = note("The train leaves at ten");
    x.source = std::move(claim);
    return accepted(std::move(x), as_tool("timetable", "turn_7"));
  };
  auto honest = claiming({source_kind::tool, "timetable", "turn_7", {}});
  BOOST_REQUIRE(honest);
  BOOST_TEST(honest->warnings.empty());
  for (const source& lie : {source{source_kind::daemon, "timetable", "turn_7", {}},
         source{source_kind::tool, "router", "turn_7", {}},
         source{source_kind::tool, "timetable", "turn_8", {}}}) {
    auto x = claiming(lie);
    BOOST_REQUIRE(x);
    const auto& from = x->value->source;
    BOOST_TEST(to_string(from.kind) == "tool");
    BOOST_TEST(from.name == "timetable");
    BOOST_TEST(from.turn_id == "turn_7");
    BOOST_REQUIRE(x->warnings.size() == 1u);
    BOOST_TEST(contains(x->warnings.front(), "source"));
  }
}

BOOST_AUTO_TEST_CASE(a_source_without_a_claim_is_the_caller_now) {
  auto x = taken(accepted(note("Hello"), as_user("ann", "turn_7")));
  BOOST_TEST(to_string(x.source.kind) == "user");
  BOOST_TEST(x.source.name == "ann");
  BOOST_TEST(x.source.turn_id == "turn_7");
  BOOST_CHECK(x.source.at == start_of_day);
}

BOOST_AUTO_TEST_CASE(what_was_noticed_earlier_keeps_its_time_and_nothing_comes_from_later) {
  auto at = [](timestamp claimed) {
    auto x = note("Hello");
    x.source = source{source_kind::tool, "gauge", {}, claimed};
    return accepted(std::move(x), as_tool("gauge"));
  };
  auto minute = std::chrono::minutes{1};
  BOOST_CHECK(taken(at(start_of_day - minute)).source.at == start_of_day - minute);
  BOOST_CHECK(taken(at(start_of_day)).source.at == start_of_day);
  auto later = at(start_of_day + minute);
  BOOST_REQUIRE(later);
  BOOST_CHECK(later->value->source.at == start_of_day);
  BOOST_REQUIRE(later->warnings.size() == 1u);
  BOOST_TEST(contains(later->warnings.front(), "source.timestamp"));
}

BOOST_AUTO_TEST_CASE(json_refuses_unknown_fields_of_a_draft_by_name) {
  auto from = [](std::string_view text) { return from_json_text<observation_draft>(text); };
  BOOST_CHECK(refused(from(R"({"type": "observation", "content": "x", "colour": "red"})"),
    errc::invalid_observation, "colour"));
  BOOST_CHECK(refused(from(R"({"type": "observation", "content": "x", "confidence": "high"})"),
    errc::invalid_observation, "confidence"));
  BOOST_CHECK(refused(from(R"({"type": "observation"})"), errc::invalid_observation, "content"));
  auto null = from(R"({"type": "observation", "content": "x", "ttl_minutes": null, "tags": null})");
  BOOST_REQUIRE(null);
  BOOST_TEST(!null->ttl_minutes);
  BOOST_TEST(null->tags.empty());
}

BOOST_AUTO_TEST_CASE(the_lifecycle_has_seven_transitions) {
  using enum status;
  const std::vector<std::pair<status, status>> allowed{{active, pending_review}, {active, resolved},
    {active, archived}, {pending_review, active}, {pending_review, resolved},
    {pending_review, archived}, {resolved, archived}};
  for (auto from : {active, pending_review, resolved, archived, expired, evicted})
    for (auto to : {active, pending_review, resolved, archived, expired, evicted})
      BOOST_TEST(may_become(from, to)
                   == (std::count(allowed.begin(), allowed.end(), std::pair{from, to}) == 1),
        to_string(from) << " to " << to_string(to));
}

BOOST_AUTO_TEST_CASE(a_change_changes_what_it_names_and_counts_as_a_revision) {
  auto before = taken(accepted(note("old", {"a"})));
  auto later = start_of_day + std::chrono::hours{1};
  auto next = apply(before, {.content = "new"}, as_daemon("router"), default_ttl, later);
  BOOST_REQUIRE(next);
  auto expected = before;
  expected.content = "new";
  expected.revision = 2;
  expected.updated_at = later;
  BOOST_TEST(text_of(*next->value) == text_of(expected));
}

BOOST_AUTO_TEST_CASE(a_new_lifetime_counts_from_the_change) {
  auto before = taken(accepted(note("old")));
  auto later = start_of_day + std::chrono::hours{1};
  auto next = apply(before, {.ttl_minutes = 30}, as_daemon("router"), default_ttl, later);
  BOOST_REQUIRE(next);
  BOOST_CHECK(next->value->expires_at == later + std::chrono::minutes{30});
  auto never = apply(before, {.ttl_minutes = nan}, as_daemon("router"), default_ttl, later);
  BOOST_REQUIRE(never);
  BOOST_TEST(never->value->ttl_minutes == default_ttl);
  BOOST_TEST(never->warnings.size() == 1u);
}

namespace {

observation_changes answer_of(std::string words, std::string input) {
  return {.status = status::resolved,
    .metadata = json::object{
      {"answer", std::move(words)}, {"answered_by", "user"}, {"answer_id", std::move(input)}}};
}

caf::expected<accepted_draft> answered(
  const observation& x, const caller& by, observation_changes with) {
  return apply(x, std::move(with), by, default_ttl, start_of_day);
}

} // namespace

BOOST_AUTO_TEST_CASE(the_first_answer_stays_and_so_does_whose_it_is) {
  auto question = taken(accepted(note("Shall I book it?")));
  auto ann = as_user("ann", "turn_2");
  auto relayed = as_user("ann", "turn_3");
  relayed.relayed_by = "assistant";
  for (const auto& [first, second] : {std::pair{ann, relayed}, std::pair{relayed, ann}}) {
    auto settled = taken(answered(question, first, answer_of("No", "obs_2")));
    BOOST_CHECK(refused(
      answered(settled, second, answer_of("Yes", "obs_3")), errc::conflict, "metadata.answer_id"));
    BOOST_CHECK(refused(answered(settled, first, {.metadata = json::object{}}), errc::conflict,
      "metadata.answer_id"));
    BOOST_CHECK(answered(settled, first, answer_of("No", "obs_2"))); // the same answer again
    auto noted = answer_of("No", "obs_2");
    (*noted.metadata)["outcome"] = "declined";
    BOOST_CHECK(answered(settled, as_daemon("executor"), noted));
  }
}

BOOST_AUTO_TEST_CASE(nobody_answers_what_somebody_else_has_resolved) {
  auto question = taken(accepted(note("Shall I book it?")));
  auto ann = as_user("ann", "turn_2");
  auto settled = [&](const caller& by) {
    return taken(answered(question, by, {.status = status::resolved}));
  };
  auto relayed = ann;
  relayed.relayed_by = "assistant";
  for (const auto& by :
    {as_daemon("assistant"), as_user("ann", "turn_1"), as_user("bob", "turn_2"), relayed})
    BOOST_CHECK(refused(
      answered(settled(by), ann, answer_of("Yes", "obs_3")), errc::conflict, "metadata.answer_id"));
  BOOST_CHECK(answered(settled(ann), ann, answer_of("Yes", "obs_3"))); // she resolved it herself
}

BOOST_AUTO_TEST_CASE(a_change_keeps_the_rules_of_a_draft) {
  auto before = taken(accepted(note("old")));
  auto changed = [&](observation_changes x) {
    return apply(before, std::move(x), as_daemon("router"), default_ttl, start_of_day);
  };
  auto invalid = errc::invalid_observation;
  BOOST_CHECK(refused(changed({.content = " "}), invalid, "content"));
  BOOST_CHECK(refused(changed({.confidence = nan}), invalid, "confidence"));
  BOOST_CHECK(refused(changed({.tags = many_tags(33)}), invalid, "tags"));
  BOOST_CHECK(refused(changed({.context = nested(9)}), invalid, "context.inner"));
  BOOST_CHECK(refused(changed({.owner = ""}), invalid, "owner"));
  auto clamped = changed({.confidence = 7});
  BOOST_REQUIRE(clamped);
  BOOST_TEST(clamped->value->confidence == 1);
  BOOST_TEST(clamped->warnings.size() == 1u);
}

} // namespace scratchpage::test
