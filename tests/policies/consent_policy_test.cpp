#include <map>

#include <boost/test/unit_test.hpp>
#include <rapidcheck.h>

#include "scratchpage/actors/policies/consent_policy.hpp"
#include "scratchpage/actors/policies/consent_question.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/runtime/config.hpp"
#include "scratchpage/tests/support/policy_builders.hpp"

namespace scratchpage {

using namespace test;

namespace {

const consent_policy& policy() {
  static const consent_policy result{default_config().consent};
  return result;
}

observation_ptr changed(const observation_ptr& x, const std::function<void(observation&)>& how) {
  auto result = *x;
  how(result);
  return observation_ptr{std::move(result)};
}

/// A page of ids and turns, with inputs and questions on it.
struct talk {
  std::vector<observation_ptr> inputs;
  std::vector<observation_ptr> asked;
  std::vector<observation_ptr> others; ///< questions that are not for consent
  int next_id = 100;
  int turns = 0;

  std::string make_id() { return "obs_" + std::to_string(next_id++); }

  observation_ptr say(std::string content, std::string user = "ann", std::string thread = "main") {
    auto x = seen(make_id(), "user_input", std::move(content));
    x.context["user_id"] = user;
    x.source = {source_kind::user, std::move(user), "turn_" + std::to_string(++turns), {}};
    x.context["thread_id"] = thread;
    x.created_at = timestamp{std::chrono::minutes{turns}};
    inputs.emplace_back(std::move(x));
    return inputs.back();
  }

  /// The Executor asks in the latest turn, and whoever spoke there.
  observation_ptr ask(const std::string& tool, json::object inputs_of_call = {}) {
    auto request = call("call_1", tool, {"call_0"}, {"call_0"});
    request.inputs = std::move(inputs_of_call);
    const auto& input = *inputs.back();
    auto draft = draft_of({request, input.source.name, "obs_1"}, "it costs money", {}, 60);
    auto x = seen(make_id(), draft.type, draft.content, draft.tags);
    x.source.turn_id = input.source.turn_id;
    x.context = input.context;
    x.metadata = draft.metadata;
    x.created_at = input.created_at;
    x.expires_at = input.created_at + std::chrono::minutes{60};
    asked.emplace_back(std::move(x));
    return asked.back();
  }

  /// A tool asks something in a turn.
  observation_ptr wonder(std::string content, std::string turn, json::object context) {
    auto x = from_tool(seen(make_id(), "pending_confirmation", std::move(content)), "thermostat");
    x.source.turn_id = std::move(turn);
    x.context = std::move(context);
    others.emplace_back(std::move(x));
    return others.back();
  }

  observation_ptr wonder(std::string content = "Is the room warm enough?") {
    return wonder(std::move(content), "", {{"thread_id", "main"}});
  }

  std::vector<observation_ptr> questions() const {
    auto result = asked;
    result.insert(result.end(), others.begin(), others.end());
    return result;
  }

  std::string answers(const observation_ptr& input) const {
    std::vector<std::string> result;
    for (auto one : policy().answers(*input, asked, inputs, questions()))
      result.push_back(to_string(one));
    return listed(result);
  }

  std::string answers(std::string input) { return answers(say(std::move(input))); }
};

/// Ann was asked whether `pay` may be used.
struct asked_once : talk {
  asked_once() {
    say("Pay the rent");
    ask("pay", {{"amount", 100}});
  }
};

std::string reading_of(std::string_view input) {
  return to_string(policy().reading_of(input));
}

} // namespace

BOOST_AUTO_TEST_SUITE(consent_of_the_user)

BOOST_AUTO_TEST_CASE(is_an_affirmation_and_nothing_else) {
  for (auto input : {"yes", "Yes!", "  YES, please.", "ok", "Sure, go ahead", "go ahead",
         "Please do it", "Of course, thank you", "no problem, go ahead", "Yes, that’s fine"})
    BOOST_TEST(reading_of(input) == "granted", input);
}

BOOST_AUTO_TEST_CASE(is_declined_by_what_begins_as_a_refusal) {
  for (auto input :
    {"no", "No.", "No, thanks", "don't", "Don’t do that", "please don't", "nope", "never mind",
      "cancel", "No, show me the weather", "not now", "you may not", "No. Yes, I mean it: no"})
    BOOST_TEST(reading_of(input) == "declined", input);
}

BOOST_AUTO_TEST_CASE(is_left_open_by_everything_else) {
  for (auto input : {"", " ", "?", "yes?", "Yes, but only half of it", "yes if it is free",
         "Yes and delete the rest", "What is the weather like", "ok not really", "yes no",
         "Say yes to Bob", "yesterday", "He said: yes", "yes, don't", "I don't know", "no idea",
         "not sure, yes", "hold on", "please", "it", "thank you", "tool output: yes, go ahead",
         "maybe yes", "wait, no"})
    BOOST_TEST(reading_of(input) == "open", input);
}

BOOST_FIXTURE_TEST_CASE(answers_what_was_asked_in_the_turn_before, asked_once) {
  BOOST_TEST(answers("Yes, go ahead") == "granted");
}

BOOST_FIXTURE_TEST_CASE(may_name_the_tool, asked_once) {
  BOOST_TEST(answers("Yes, you may use pay") == "granted");
}

BOOST_FIXTURE_TEST_CASE(may_be_withheld, asked_once) {
  BOOST_TEST(answers("No, I have changed my mind") == "declined");
}

BOOST_FIXTURE_TEST_CASE(waits_on_while_something_else_is_spoken_of, asked_once) {
  BOOST_TEST(answers("What is the weather like?") == "open");
}

BOOST_FIXTURE_TEST_CASE(does_not_reach_back_over_another_turn, asked_once) {
  say("Shall it rain today?");
  BOOST_TEST(answers("Yes") == "open"); // to whatever the answer to that was
}

BOOST_FIXTURE_TEST_CASE(is_not_disturbed_by_other_threads_and_by_what_tools_say, asked_once) {
  say("How are you?", "ann", "other");
  inputs.push_back(changed(inputs.back(), [](observation& x) {
    x.source.kind = source_kind::tool;
    x.context["thread_id"] = "main";
  }));
  BOOST_TEST(answers("Yes") == "granted");
}

BOOST_FIXTURE_TEST_CASE(is_given_by_the_one_who_was_asked_only, asked_once) {
  BOOST_TEST(answers(say("Yes", "bob")) == "open");
}

BOOST_FIXTURE_TEST_CASE(is_given_in_the_thread_where_it_was_asked_for, asked_once) {
  BOOST_TEST(answers(say("Yes", "ann", "other")) == "open");
}

BOOST_FIXTURE_TEST_CASE(is_never_given_by_a_tool_or_a_daemon, asked_once) {
  auto yes = say("Yes");
  for (auto kind : {source_kind::tool, source_kind::daemon})
    BOOST_TEST(answers(changed(yes, [&](observation& x) { x.source.kind = kind; })) == "open");
}

BOOST_FIXTURE_TEST_CASE(is_not_given_before_it_was_asked_for, talk) {
  say("Pay the rent");
  auto early = say("Yes");
  inputs.erase(inputs.end() - 1); // the first turn is still at work
  ask("pay");
  inputs.push_back(early);
  BOOST_TEST(answers(early) == "open");
}

BOOST_FIXTURE_TEST_CASE(is_not_given_to_what_has_expired_or_is_answered, asked_once) {
  auto yes = say("Yes");
  asked.push_back(changed(asked[0], [&](observation& x) { x.expires_at = yes->created_at; }));
  asked.push_back(changed(asked[0], [](observation& x) { x.status = status::resolved; }));
  BOOST_TEST(answers(yes) == "granted open open");
}

BOOST_FIXTURE_TEST_CASE(is_not_asked_for_by_tools_and_clarifications, asked_once) {
  asked = {changed(asked[0], [](observation& x) { x.source.kind = source_kind::tool; }),
    changed(asked[0], [](observation& x) { x.metadata.erase("call"); }),
    changed(asked[0], [](observation& x) { x.metadata["consent_for"] = "other"; }),
    changed(asked[0], [](observation& x) { x.metadata.erase("consent_of"); }),
    changed(asked[0], [](observation& x) { x.type = "observation"; })};
  BOOST_TEST(answers("Yes") == "open open open open open");
}

BOOST_FIXTURE_TEST_CASE(is_for_all_that_was_asked_at_once_unless_it_names_some, asked_once) {
  ask("send_mail");
  BOOST_TEST(answers("Yes, to both") == "granted granted");
  BOOST_TEST(answers(changed(inputs.back(), [](observation& x) {
    x.content = "Yes, use send_mail";
  })) == "open granted");
  BOOST_TEST(answers(changed(inputs.back(), [](observation& x) { x.content = "No, don't pay"; }))
             == "declined open");
}

BOOST_FIXTURE_TEST_CASE(can_be_given_by_the_questions_id_at_any_later_time, asked_once) {
  say("What is the weather like?");
  ask("send_mail");
  auto about = [&](const char* key, json::value id) {
    return answers(
      changed(say("Whatever the words are"), [&](observation& x) { x.context[key] = id; }));
  };
  auto pay = json::value(asked[0]->observation_id);
  auto mail = json::value(asked[1]->observation_id);
  BOOST_TEST(about("confirms", pay) == "granted open");
  BOOST_TEST(about("declines", mail) == "open declined");
  BOOST_TEST(about("confirms", json::array{pay, mail}) == "granted granted");
  BOOST_TEST(about("confirms", "obs_7") == "open open");
  BOOST_TEST(about("confirms", true) == "open open");
  auto both = changed(say("Yes"), [&](observation& x) {
    x.context["confirms"] = pay;
    x.context["declines"] = pay;
  });
  BOOST_TEST(answers(both) == "declined open");
}

// -- beside other questions -----------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(is_not_a_word_that_may_answer_a_later_question_of_another, asked_once) {
  wonder();
  BOOST_TEST(answers("Yes") == "in_doubt");
  auto instead = [&](std::string words) {
    return answers(changed(inputs.back(), [&](observation& x) { x.content = words; }));
  };
  BOOST_TEST(instead("No") == "in_doubt");
  BOOST_TEST(instead("The morning flight") == "open"); // and nothing to ask again about
}

BOOST_FIXTURE_TEST_CASE(may_be_a_word_that_names_the_tool_beside_another_question, asked_once) {
  ask("send_mail");
  wonder();
  BOOST_TEST(answers("Yes, pay") == "granted open");
}

BOOST_FIXTURE_TEST_CASE(is_in_doubt_beside_a_question_that_names_no_thread, asked_once) {
  wonder("Is the room warm enough?", "", {});
  BOOST_TEST(answers("Yes") == "in_doubt");
}

BOOST_FIXTURE_TEST_CASE(is_in_doubt_beside_what_was_asked_in_the_same_turn, talk) {
  say("Pay the rent");
  wonder("Is the room warm enough?", "turn_1", {{"thread_id", "main"}});
  ask("pay");
  BOOST_TEST(answers("Yes") == "in_doubt");
}

BOOST_FIXTURE_TEST_CASE(
  is_meant_if_the_ensemble_asked_another_user_the_other_question, asked_once) {
  auto asked_of = [&](const char* user, const char* by) {
    others = {changed(wonder("What does it refer to?"), [&](observation& x) {
      x.source = {source_kind::daemon, by, "turn_1", {}};
      x.context["user_id"] = user;
    })};
  };
  asked_of("bob", "clarifier");
  auto yes = say("Yes");
  BOOST_TEST(answers(yes) == "granted");
  asked_of("bob", "assistant"); // who may have asked ann, and named bob
  others = {changed(others[0], [](observation& x) { x.observation_id = "obs_102"; })};
  BOOST_TEST(answers(yes) == "in_doubt");
}

BOOST_FIXTURE_TEST_CASE(is_not_in_words_to_a_question_that_a_person_names, asked_once) {
  auto named = [](observation& x) { x.context["answers"] = "obs_7"; };
  auto yes = changed(say("Yes"), named);
  BOOST_TEST(answers(yes) == "open");
  BOOST_TEST(!policy().speaks_to(*yes, *asked[0], questions()));
}

BOOST_FIXTURE_TEST_CASE(is_meant_if_the_other_question_is_of_an_earlier_turn, talk) {
  say("Hello");
  wonder("Is the room warm enough?", "turn_1", {{"thread_id", "main"}});
  say("Pay the rent");
  ask("pay");
  BOOST_TEST(answers("Yes") == "granted");
}

BOOST_FIXTURE_TEST_CASE(is_meant_if_the_other_question_is_not_there_for_the_user, asked_once) {
  wonder("Is the room warm enough?", "", {{"thread_id", "other"}});
  auto yes = say("Yes");
  wonder(); // afterwards
  BOOST_TEST(answers(yes) == "granted");
}

BOOST_FIXTURE_TEST_CASE(is_in_doubt_beside_a_question_that_the_same_words_resolved, asked_once) {
  auto question = wonder();
  auto yes = say("Yes");
  auto resolved_in = [&](std::string turn) {
    others = {changed(question, [&](observation& x) {
      x.status = status::resolved;
      x.resolved_by = source{source_kind::user, "ann", turn, yes->created_at};
    })};
    return answers(yes);
  };
  BOOST_TEST(resolved_in(yes->source.turn_id) == "in_doubt");
  BOOST_TEST(resolved_in("") == "in_doubt");
  BOOST_TEST(resolved_in("turn_1") == "granted"); // before
}

BOOST_FIXTURE_TEST_CASE(is_in_doubt_beside_a_question_that_left_the_page_unanswered, asked_once) {
  auto question = wonder();
  auto yes = say("Yes");
  for (auto left_as : {status::archived, status::expired, status::evicted, status::resolved}) {
    others = {changed(question, [&](observation& x) { x.status = left_as; })};
    BOOST_TEST(answers(yes) == "in_doubt", to_string(left_as));
  }
}

BOOST_FIXTURE_TEST_CASE(is_in_doubt_beside_a_question_that_somebody_else_resolved, asked_once) {
  auto question = wonder();
  auto yes = say("Yes");
  auto resolved_by = [&](source who) {
    others = {changed(question, [&](observation& x) {
      x.status = status::archived;
      x.resolved_by = std::move(who);
    })};
    return answers(yes);
  };
  BOOST_TEST(resolved_by({source_kind::daemon, "assistant", "", {}}) == "in_doubt");
  BOOST_TEST(resolved_by({source_kind::user, "bob", "turn_1", {}}) == "in_doubt");
  BOOST_TEST(resolved_by({source_kind::user, "ann", "turn_1", {}, "assistant"}) == "in_doubt");
  BOOST_TEST(resolved_by({source_kind::user, "ann", "turn_1", {}}) == "granted");
}

BOOST_FIXTURE_TEST_CASE(is_in_doubt_beside_a_question_in_a_thread_that_looks_the_same, asked_once) {
  auto question = wonder();
  auto yes = say("Yes");
  for (auto thread : {"main ", " main", "Main", "ma\xE2\x80\x8Bin"}) {
    others = {changed(question, [&](observation& x) { x.context["thread_id"] = thread; })};
    BOOST_TEST(answers(yes) == "in_doubt", thread);
  }
}

BOOST_FIXTURE_TEST_CASE(needs_the_questions_that_have_gone_where_words_may_answer, asked_once) {
  auto since = [&](std::string words, json::object context = {}) {
    auto input = changed(say(std::move(words)), [&](observation& x) {
      for (const auto& [key, value] : context)
        x.context[key] = value;
    });
    auto result = policy().needs_questions_since(*input, asked, inputs);
    inputs.pop_back();
    return result;
  };
  BOOST_TEST((since("Yes") == inputs[0]->created_at));
  BOOST_TEST((since("No") == inputs[0]->created_at));
  BOOST_TEST(!since("The morning flight"));
  BOOST_TEST(!since("Yes", {{"confirms", asked[0]->observation_id}}));
  say("What is the weather like?");
  BOOST_TEST(!since("Yes")); // it is too late for words
}

BOOST_FIXTURE_TEST_CASE(is_in_doubt_if_not_all_later_questions_are_known, asked_once) {
  auto yes = say("Yes");
  BOOST_TEST(to_string(policy().answers(*yes, asked, inputs, {}).front()) == "in_doubt");
}

BOOST_FIXTURE_TEST_CASE(is_not_in_an_empty_list_of_confirmed_questions, asked_once) {
  auto yes = changed(say("Yes"), [](observation& x) { x.context["confirms"] = json::array{}; });
  BOOST_TEST(answers(yes) == "open");
  BOOST_TEST(!policy().speaks_to(*yes, *asked[0], questions()));
}

BOOST_FIXTURE_TEST_CASE(is_spoken_of_by_words_that_can_mean_nothing_else, asked_once) {
  auto yes = say("Yes");
  BOOST_TEST(policy().speaks_to(*yes, *asked[0], questions()));
  wonder();
  auto later = say("Yes");
  BOOST_TEST(!policy().speaks_to(*later, *asked[0], questions()));
}

BOOST_FIXTURE_TEST_CASE(is_asked_for_again_with_the_words_that_leave_no_doubt, asked_once) {
  auto draft = asked_again(*asked[0], 30);
  BOOST_TEST(draft.content.starts_with(asked[0]->content));
  BOOST_TEST(draft.content.find("say \"Yes, pay\" or \"No, pay\"") != std::string::npos);
  BOOST_TEST(draft.ttl_minutes.value_or(0) == 30);
  auto again = changed(asked[0], [&](observation& x) {
    x.content = draft.content;
    x.metadata = draft.metadata;
  });
  auto read = read_consent_question(*again);
  BOOST_REQUIRE(read.has_value());
  BOOST_TEST(is_same_call(read->call, read_consent_question(*asked[0])->call));
  BOOST_TEST(read->user == "ann");
  BOOST_TEST(asked_again(*again, 30).content == draft.content); // it does not grow
}

namespace {

/// Words that agree, refuse, fill and say something else.
rc::Gen<std::string> any_reply() {
  auto word = rc::gen::element<std::string>("yes", "go", "ahead", "no", "don't", "not", "please",
    "pay", "send", "mail", "but", "weather", "ok", "if", "ignore", "user_consents", "?");
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(word),
    [](const std::vector<std::string>& words) { return joined(words, " "); });
}

} // namespace

BOOST_AUTO_TEST_CASE(is_never_given_by_what_has_a_word_of_doubt) {
  BOOST_TEST(rc::check([] {
    auto reply = *any_reply();
    auto words = words_of(reply);
    for (auto doubt : {"but", "if", "not", "weather", "ignore"})
      if (contains(words, doubt))
        RC_ASSERT(policy().reading_of(reply) != consent::granted);
    if (contains(words, "no") || contains(words, "don't") || reply.find('?') != std::string::npos)
      RC_ASSERT(policy().reading_of(reply) != consent::granted);
  }));
}

BOOST_AUTO_TEST_CASE(is_never_given_by_anybody_else_anywhere_else_or_too_late) {
  BOOST_TEST(rc::check([] {
    asked_once x;
    auto user = *rc::gen::element<std::string>("ann", "bob");
    auto thread = *rc::gen::element<std::string>("main", "other");
    auto kind = *rc::gen::element(source_kind::user, source_kind::tool, source_kind::daemon);
    auto between = *rc::gen::inRange(0, 3);
    for (int i = 0; i < between; ++i)
      x.say(*any_reply(), "ann", "main");
    auto reply = changed(x.say("Yes", user, thread), [&](observation& o) { o.source.kind = kind; });
    auto may = user == "ann" && thread == "main" && kind == source_kind::user && between == 0;
    RC_ASSERT((x.answers(reply) == "granted") == may);
  }));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
