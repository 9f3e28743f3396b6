#include <boost/test/unit_test.hpp>

#include "scratchpage/actors/memory/fact_rules.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/tests/persistence/memories/samples.hpp"

/// Facts that are added and corrected on request.

namespace scratchpage {

using test::at;
using test::statements;

namespace {

caller from_outside(caller x) {
  x.outside = true;
  return x;
}

struct facts_on_request {
  memory_semantic_store store;
  caller ann = from_outside(as_user("ann"));
  caller bob = from_outside(as_user("bob"));
  caller owner = from_outside(as_admin("root"));
  caller assistant = from_outside(as_daemon("assistant"));
  caller other = from_outside(as_daemon("other"));

  static std::string outcome(const caf::expected<fact>& x) {
    return x ? x->statement : to_string(code_of(x.error())) + " " + field_of(x.error());
  }

  caf::expected<fact> try_add(add_fact x, int64_t seconds = 0) {
    return fact_rules{store, at(seconds)}.add(x);
  }

  fact add(const caller& by, std::string statement, std::string user_id = {}) {
    add_fact request;
    request.by = by;
    request.statement = std::move(statement);
    request.user_id = std::move(user_id);
    auto added = try_add(std::move(request));
    BOOST_REQUIRE_MESSAGE(added, describe(added ? caf::error{} : added.error()));
    return *added;
  }

  caf::expected<fact> try_update(update_fact x, int64_t seconds = 60) {
    return fact_rules{store, at(seconds)}.update(x);
  }

  std::string correct(const caller& by, const std::string& id, std::string statement) {
    update_fact request;
    request.by = by;
    request.fact_id = id;
    request.statement = std::move(statement);
    return outcome(try_update(std::move(request)));
  }

  std::string found(std::string text, std::string user_id = {}) {
    query_facts query;
    query.text = std::move(text);
    query.user_id = std::move(user_id);
    query.selects = true;
    auto all = store.query(query);
    BOOST_REQUIRE(all);
    return statements(*all);
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(facts_that_are_stated, facts_on_request)

BOOST_AUTO_TEST_CASE(are_known_with_who_said_so_and_since_when) {
  auto known = add(ann, "Ann is allergic to peanuts");
  BOOST_TEST(known.fact_id == "fact_1");
  BOOST_TEST(known.support == 1u);
  BOOST_REQUIRE(known.sources.size() == 1u);
  BOOST_TEST(known.sources[0] == "user ann");
  BOOST_TEST((known.valid_from == at(0)));
  BOOST_TEST(!known.valid_until);
  BOOST_TEST(found("peanuts") == "Ann is allergic to peanuts");
  BOOST_TEST(found("weather") == "");
}

BOOST_AUTO_TEST_CASE(gain_nothing_from_being_repeated_by_the_same_source) {
  auto once = add(ann, "Ann is allergic to peanuts");
  auto twice = add(ann, "Ann is allergic to peanuts.");
  BOOST_TEST(twice.support == 1u);
  BOOST_TEST(twice.confidence == once.confidence);
  BOOST_TEST(add(bob, "Ann is allergic to peanuts").support == 2u);
}

BOOST_AUTO_TEST_CASE(may_be_relayed_by_agents_and_are_found_by_their_user) {
  BOOST_TEST(
    add(assistant, "Ann lives in Berlin", "ann").sources[0] == "user ann, relayed by assistant");
  add(bob, "Bob lives in Rome");
  BOOST_TEST(found("", "ann") == "Ann lives in Berlin");
  add_fact in_anothers_name;
  in_anothers_name.by = bob;
  in_anothers_name.statement = "Ann lives in Rome";
  in_anothers_name.user_id = "ann";
  BOOST_TEST(outcome(try_add(in_anothers_name)) == "forbidden user_id");
}

BOOST_AUTO_TEST_CASE(are_corrected_by_those_who_said_so_and_by_the_owner) {
  auto id = add(ann, "Ann lives in Berlin").fact_id;
  BOOST_TEST(correct(bob, id, "Ann lives in Rome") == "forbidden fact_id");
  BOOST_TEST(correct(assistant, id, "Ann lives in Rome") == "forbidden fact_id");
  BOOST_TEST(correct(ann, id, "Ann lives in Hamburg") == "Ann lives in Hamburg");
  BOOST_TEST(correct(owner, id, "Ann lives in Bonn") == "Ann lives in Bonn");
  BOOST_TEST(correct(ann, id, "Ann lives in Berlin") == "forbidden fact_id");
  BOOST_TEST(store.find_id(id)->sources[0] == "user root");
}

BOOST_AUTO_TEST_CASE(that_an_agent_relayed_are_corrected_by_it_and_by_the_user) {
  auto id = add(assistant, "Ann lives in Berlin", "ann").fact_id;
  BOOST_TEST(correct(other, id, "Ann lives in Rome") == "forbidden fact_id");
  BOOST_TEST(correct(assistant, id, "Ann lives in Bonn") == "Ann lives in Bonn");
  id = add(assistant, "Ann likes tea", "ann").fact_id;
  BOOST_TEST(correct(ann, id, "Ann likes coffee") == "Ann likes coffee");
}

BOOST_AUTO_TEST_CASE(end_and_stay_readable) {
  auto id = add(ann, "Ann lives in Berlin").fact_id;
  update_fact request;
  request.by = ann;
  request.fact_id = id;
  request.ended = true;
  auto ended = try_update(request);
  BOOST_REQUIRE(ended);
  BOOST_TEST((ended->valid_until == at(60)));
  BOOST_TEST(found("Berlin") == "Ann lives in Berlin");
  request.ended = false;
  request.valid_until = at(-60);
  BOOST_TEST(outcome(try_update(request)) == "invalid_request valid_until");
  add_fact again;
  again.by = bob;
  again.statement = "Ann lives in Berlin";
  BOOST_TEST(outcome(try_add(again)) == "conflict statement");
  again.by = ann;
  auto holds = try_add(again, 120);
  BOOST_REQUIRE(holds);
  BOOST_TEST(!holds->valid_until);
  BOOST_TEST((holds->valid_from == at(120)));
}

BOOST_AUTO_TEST_CASE(never_say_the_same_twice) {
  add(ann, "Ann lives in Berlin");
  auto id = add(ann, "Ann lives in Rome").fact_id;
  BOOST_TEST(correct(ann, id, "ann lives in berlin.") == "conflict statement");
  BOOST_TEST(correct(ann, "fact_9", "Ann lives in Bonn") == "not_found fact_id");
  BOOST_TEST(correct(ann, "obs_20251105_001", "Ann lives in Bonn") == "not_found fact_id");
}

BOOST_AUTO_TEST_CASE(are_refused_and_not_cut_if_they_are_too_long) {
  add_fact request;
  request.by = ann;
  request.statement = " . ";
  BOOST_TEST(outcome(try_add(request)) == "invalid_request statement");
  request.statement.assign(fact_limits::statement_bytes + 1, 'x');
  BOOST_TEST(outcome(try_add(request)) == "invalid_request statement");
  request.statement = "Ann lives in Berlin";
  request.confidence = 1.5;
  BOOST_TEST(outcome(try_add(request)) == "invalid_request confidence");
  request.confidence.reset();
  request.tags.assign(fact_request_limits::tags + 1, "x");
  BOOST_TEST(outcome(try_add(request)) == "invalid_request tags");
  query_facts query;
  query.user_id.assign(fact_request_limits::id_bytes + 1, 'x');
  BOOST_TEST(field_of(check_limits(query)) == "user_id");
}

BOOST_AUTO_TEST_CASE(are_paged_through_without_loss_or_repetition) {
  for (int i = 0; i < 25; ++i)
    add(i % 2 == 0 ? ann : bob, "Room " + std::to_string(i) + " is free");
  query_facts query;
  query.text = "room";
  query.selects = true;
  query.limit = 10;
  std::vector<std::string> ids;
  do {
    auto part = store.query(query);
    BOOST_REQUIRE(part);
    BOOST_TEST(part->total_count == 25u);
    for (const auto& x : part->facts)
      ids.push_back(x.fact_id);
    query.cursor = part->next_cursor;
    BOOST_REQUIRE(ids.size() <= 25u);
  } while (!query.cursor.empty());
  BOOST_TEST(ids.size() == 25u);
  BOOST_TEST(ids.front() == "fact_1");
  BOOST_TEST(ids.back() == "fact_25");
  for (const auto* wrong : {"x", "1.2.3", "1.2.3.4.5", "1.2.3.x", "....", "-1.2.3.4"}) {
    query.cursor = wrong;
    auto refused = store.query(query);
    BOOST_REQUIRE(!refused);
    BOOST_TEST(field_of(refused.error()) == "cursor");
  }
}

BOOST_AUTO_TEST_CASE(in_a_script_without_blanks_are_found_by_a_part) {
  add(ann, "安娜对花生过敏");
  BOOST_TEST(found("花生") == "安娜对花生过敏");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
