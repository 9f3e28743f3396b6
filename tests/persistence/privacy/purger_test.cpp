#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/json_writer.hpp"
#include "scratchpage/persistence/privacy/purger.hpp"
#include "scratchpage/tests/support/observations.hpp"

/// purger: what is left of goals, facts and episodes when observations are purged.

namespace scratchpage::test {

namespace {

const std::string mail = "anna@example.org";

/// A purge of observation 1, and of the revisions of observation 2 that have personal data.
struct two_of_three {
  observation first = plain_observation(1, "Burgundy is what anna@example.org likes");
  observation second = plain_observation(2, "Nothing in particular");
  observation third = plain_observation(3, "Also from bob@example.net");
  purger what{purge_observations{as_daemon("housekeeping"), {first.observation_id},
    {second.observation_id}, {first.content}, {mail}, {"email", "no such kind"}}};

  goal about_first() const {
    goal x;
    x.goal_id = "goal_1";
    x.goal_type = "trip";
    x.observation_ids = {first.observation_id, third.observation_id};
    x.title = "Wine: Burgundy is what anna@exa…";
    x.description = "Said twice: Burgundy is what anna@example.org likes. Good.";
    x.evidence = {
      {first.observation_id, "said in other words", 0.9}, {third.observation_id, "yes", 0.5}};
    x.context["observations"] = {
      {{"observation_id", first.observation_id}, {"content", "other words"}}};
    x.context["tags"] = {"wine", mail};
    x.context[mail] = 1;
    x.pending_actions = {{"a1", "write", "Write to anna@example.org"}};
    return x;
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(a_purger, two_of_three)

BOOST_AUTO_TEST_CASE(takes_out_of_an_observation_what_a_caller_wrote) {
  first.tags = {"wine"};
  first.context["mail"] = mail;
  first.metadata["n"] = 1;
  observation_ptr x{first};
  BOOST_TEST(what.concerns(first));
  BOOST_TEST(what.purge(x));
  BOOST_TEST(is_purged(*x));
  auto left = plain_observation(1, "[purged]");
  BOOST_TEST(to_json_text(*x) == to_json_text(left));
  BOOST_TEST(!what.purge(x));
  observation_ptr none;
  BOOST_TEST(!what.purge(none));
}

BOOST_AUTO_TEST_CASE(leaves_forms_that_hold_nothing_and_other_observations) {
  observation_ptr harmless{second};
  BOOST_TEST(!what.purge(harmless));
  second.context["mail"] = mail;
  observation_ptr telling{second};
  BOOST_TEST(what.purge(telling));
  observation_ptr other{third};
  BOOST_TEST(!what.purge(other));
}

BOOST_AUTO_TEST_CASE(goes_through_episodes) {
  episode x{"turn_1", "", {}, {}, {observation_ptr{first}, {}, observation_ptr{third}}};
  BOOST_TEST(what.purge(x));
  BOOST_TEST(is_purged(*x.observations[0]));
  BOOST_TEST(x.observations[2]->content == third.content);
  BOOST_TEST(!what.purge(x));
}

BOOST_AUTO_TEST_CASE(leaves_nothing_of_it_in_a_goal_that_lists_it) {
  auto x = about_first();
  BOOST_TEST(what.purge(x));
  BOOST_TEST(x.title == "Wine: [purged]…");
  BOOST_TEST(x.description == "Said twice: [purged]. Good.");
  BOOST_TEST(x.evidence[0].content == "[purged]");
  BOOST_TEST(x.evidence[1].content == "yes");
  BOOST_TEST(x.pending_actions[0].description == "Write to [email]");
  auto text = to_json_text(x);
  for (const auto* gone : {"anna", "other words", "Burgundy"})
    BOOST_TEST(text.find(gone) == std::string::npos, gone);
  BOOST_TEST(text.find("wine") != std::string::npos);
  BOOST_TEST(!what.purge(x));
}

BOOST_AUTO_TEST_CASE(leaves_other_goals_alone) {
  auto x = about_first();
  x.observation_ids = {third.observation_id};
  auto before = to_json_text(x);
  BOOST_TEST(!what.purge(x));
  BOOST_TEST(to_json_text(x) == before);
}

BOOST_AUTO_TEST_CASE(masks_facts_that_were_drawn_from_it_or_hold_what_it_held) {
  fact drawn;
  drawn.statement = "Bob is bob@example.net";
  drawn.observation_ids = {first.observation_id};
  BOOST_TEST(what.purge(drawn));
  BOOST_TEST(drawn.statement == "Bob is [email]");
  BOOST_TEST(!what.purge(drawn));
  fact holding;
  holding.statement = "Anna";
  holding.tags = {"wine", mail};
  BOOST_TEST(what.purge(holding));
  BOOST_TEST(holding.tags.back() == "[email]");
  fact other;
  other.statement = "Bob is bob@example.net";
  BOOST_TEST(!what.purge(other));
}

BOOST_AUTO_TEST_CASE(does_not_take_short_words_for_quotes) {
  purger brief{purge_observations{as_daemon("x"), {first.observation_id}, {}, {"yes"}, {}, {}}};
  auto x = about_first();
  x.description = "Say yes to yesterday";
  brief.purge(x);
  BOOST_TEST(x.description == "Say yes to yesterday");
}

BOOST_AUTO_TEST_CASE(finds_quotes_of_one_line_and_in_any_script) {
  purger lines{purge_observations{as_daemon("x"), {first.observation_id}, {},
    {"Первая строка текста\nsecond line of it"}, {}, {}}};
  auto x = about_first();
  x.title = "Цель: Первая строка тек…";
  x.description = "as second line of it says";
  BOOST_TEST(lines.purge(x));
  BOOST_TEST(x.title == "Цель: [purged]…");
  BOOST_TEST(x.description == "as [purged] says");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
