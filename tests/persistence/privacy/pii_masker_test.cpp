#include "scratchpage/persistence/privacy/pii_masker.hpp"

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/tests/support/observations.hpp"

namespace scratchpage {

namespace {

json::value parsed(std::string_view text) {
  return *parse_json(text);
}

std::string masked(std::string_view text) {
  auto value = parsed(text);
  pii_masker{}.mask(value);
  return to_text(value);
}

observation with_personal_data() {
  auto x = test::plain_observation(1, "Write to jane@example.com from 10.0.0.1");
  x.tags = {"billing", "jane@example.com", "joe@example.com", "[email]"};
  x.source.name = "jane@example.com";
  x.owner = "jane@example.com";
  x.context = parsed(R"({"user": {"mail": "jane@example.com"}, "n": 3})").as_object();
  x.metadata = parsed(R"({"calls": ["+49 151 23456789"], "10.0.0.1": true})").as_object();
  return x;
}

/// `innermost` inside of `depth` nested lists.
json::value nested(size_t depth, json::value innermost) {
  auto result = std::move(innermost);
  for (size_t i = 0; i < depth; ++i)
    result = json::array{std::move(result)};
  return result;
}

} // namespace

BOOST_AUTO_TEST_SUITE(masker)

BOOST_AUTO_TEST_CASE(names_what_it_took_out) {
  BOOST_TEST(pii_masker{}.mask("a@b.org, +49 151 23456789, 4111111111111111, "
                               "DE89370400440532013000, 123-45-6789, ::1.")
             == "[email], [phone], [card], [iban], [ssn], [ip].");
  BOOST_TEST(pii_masker{}.mask("a@b.org") == "[email]");
  BOOST_TEST(pii_masker{}.mask("") == "");
  BOOST_TEST(pii_masker{pii_detector{{pii_kind::ip}}}.mask("a@b.org ::1") == "a@b.org [ip]");
}

BOOST_AUTO_TEST_CASE(a_text_that_hides_more_behind_each_finding_gives_nothing_away) {
  constexpr std::string_view text =
    "1%493704 J7 +493704  30+499 03300+499 5678 3704 J7 +493704  30+499 30030+499 5678 "
    "1231111+43 5678 1231111+493704 2 1204  30+499 30030+499 563704  30+499 03300+499 5678 "
    "3704 J7 +493704  30+499 30030+499 5678 1231111+43 5678 1231111+4978 4\bJ718::1";
  auto once = pii_masker{}.mask(text);
  BOOST_TEST(!pii_detector{}.finds_any(once), once);
  BOOST_TEST(pii_masker{}.mask(once) == once);
}

BOOST_AUTO_TEST_CASE(masks_texts_and_names_in_json) {
  BOOST_TEST(masked(R"("to a@b.org")") == R"("to [email]")");
  BOOST_TEST(masked(R"({"a":[{"b":"::1"},"c@d.org"],"e@f.org":{"g":null}})")
             == R"({"a":[{"b":"[ip]"},"[email]"],"[email]":{"g":null}})");
}

BOOST_AUTO_TEST_CASE(leaves_other_json_as_it_is) {
  for (const auto* text :
    {R"({"n":4111111111111111,"x":[1,2.5,true,null,"text"],"":{}})", "[]", "3"})
    BOOST_TEST(masked(text) == to_text(parsed(text)));
}

BOOST_AUTO_TEST_CASE(keeps_every_member) {
  BOOST_TEST(masked(R"({"[email]":0,"a@b.org":1,"c":2,"d@e.org":3})")
             == R"-({"[email]":0,"[email] (2)":1,"c":2,"[email] (3)":3})-");
  auto once = masked(R"({"a@b.org":1,"d@e.org":3})");
  BOOST_TEST(masked(once) == once);
}

BOOST_AUTO_TEST_CASE(passes_nothing_on_that_it_did_not_look_at) {
  constexpr auto depth = pii_masker::max_depth;
  auto fits = nested(depth, "a@b.org");
  pii_masker{}.mask(fits);
  BOOST_TEST((fits == nested(depth, "[email]")));
  auto too_deep = nested(depth + 1, "a@b.org");
  pii_masker{}.mask(too_deep);
  BOOST_TEST((too_deep == nested(depth, nullptr)));
  auto far_too_deep = nested(500, "a@b.org");
  pii_masker{}.mask(far_too_deep);
  BOOST_TEST((far_too_deep == nested(depth, nullptr)));
}

BOOST_AUTO_TEST_CASE(masks_what_is_written_freely_in_an_observation) {
  auto before = with_personal_data();
  auto x = before;
  pii_masker{}.mask(x);
  BOOST_TEST(x.content == "Write to [email] from [ip]");
  BOOST_TEST((x.tags == std::vector<std::string>{"billing", "[email]"}));
  BOOST_TEST(to_text(x.context) == R"({"user":{"mail":"[email]"},"n":3})");
  BOOST_TEST(to_text(x.metadata) == R"({"calls":["[phone]"],"[ip]":true})");
  BOOST_TEST(x.observation_id == before.observation_id);
  BOOST_TEST(x.type == before.type);
  BOOST_TEST(x.owner == before.owner);
  BOOST_TEST(x.source.name == before.source.name);
}

BOOST_AUTO_TEST_CASE(leaves_an_observation_without_personal_data_as_it_is) {
  auto x = test::plain_observation(1);
  x.tags = {"a", "a"};
  auto before = to_text(to_json(x));
  pii_masker{}.mask(x);
  BOOST_TEST(to_text(to_json(x)) == before);
}

BOOST_AUTO_TEST_CASE(masks_drafts_and_changes) {
  observation_draft draft;
  draft.content = "a@b.org";
  draft.tags = {"a@b.org"};
  draft.context = {{"ip", "::1"}};
  pii_masker{}.mask(draft);
  BOOST_TEST(draft.content == "[email]");
  BOOST_TEST(draft.tags.front() == "[email]");
  BOOST_TEST(to_text(draft.context) == R"({"ip":"[ip]"})");

  observation_changes changes;
  pii_masker{}.mask(changes);
  BOOST_TEST(!changes.content.has_value());
  changes.content = "a@b.org";
  changes.tags = std::vector<std::string>{"a@b.org"};
  changes.context = json::object{{"ip", "::1"}};
  changes.metadata = json::object{{"ip", "::1"}};
  pii_masker{}.mask(changes);
  BOOST_TEST(*changes.content == "[email]");
  BOOST_TEST(changes.tags->front() == "[email]");
  BOOST_TEST(to_text(*changes.context) == R"({"ip":"[ip]"})");
  BOOST_TEST(to_text(*changes.metadata) == R"({"ip":"[ip]"})");
}

BOOST_AUTO_TEST_CASE(masks_goals_and_facts) {
  goal g;
  g.goal_id = "goal_1";
  g.title = "Answer a@b.org";
  g.description = "from ::1";
  g.evidence.push_back({"obs_20251105_001", "a@b.org wrote", 0.9});
  g.context = {{"mail", "a@b.org"}};
  g.pending_actions.push_back({"act_1", "reply", "Write to a@b.org"});
  pii_masker{}.mask(g);
  BOOST_TEST(g.goal_id == "goal_1");
  BOOST_TEST(g.title == "Answer [email]");
  BOOST_TEST(g.description == "from [ip]");
  BOOST_TEST(g.evidence.front().content == "[email] wrote");
  BOOST_TEST(g.evidence.front().observation_id == "obs_20251105_001");
  BOOST_TEST(to_text(g.context) == R"({"mail":"[email]"})");
  BOOST_TEST(g.pending_actions.front().description == "Write to [email]");

  update_goal change;
  pii_masker{}.mask(change);
  BOOST_TEST(!change.title.has_value());
  change.title = "a@b.org";
  change.description = "::1";
  pii_masker{}.mask(change);
  BOOST_TEST(*change.title == "[email]");
  BOOST_TEST(*change.description == "[ip]");

  fact f;
  f.statement = "User reads a@b.org";
  f.tags = {"a@b.org"};
  pii_masker{}.mask(f);
  BOOST_TEST(f.statement == "User reads [email]");
  BOOST_TEST(f.tags.front() == "[email]");
}

BOOST_AUTO_TEST_CASE(sees_personal_data_wherever_it_masks_it) {
  pii_masker masker;
  auto plain = test::plain_observation(1);
  BOOST_TEST(!masker.finds_any(plain));
  auto x = with_personal_data();
  BOOST_TEST(masker.finds_any(x));
  masker.mask(x);
  BOOST_TEST(!masker.finds_any(x)); // source and owner are not checked

  auto with = [&](auto change) {
    auto y = plain;
    change(y);
    return y;
  };
  BOOST_TEST(masker.finds_any(with([](auto& y) { y.content = "::1"; })));
  BOOST_TEST(masker.finds_any(with([](auto& y) { y.tags = {"a", "::1"}; })));
  BOOST_TEST(masker.finds_any(with([](auto& y) { y.context["::1"] = 1; })));
  BOOST_TEST(masker.finds_any(with([](auto& y) { y.metadata["a"] = nested(3, "::1"); })));
  BOOST_TEST(masker.finds_any(with([](auto& y) { y.metadata["a"] = nested(100, "b"); })));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
