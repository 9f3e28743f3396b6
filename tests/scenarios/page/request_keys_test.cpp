#include <boost/test/unit_test.hpp>

#include "scratchpage/persistence/store/journal.hpp"
#include "scratchpage/tests/scenarios/page/kept_page.hpp"

/// A request that is repeated with its key is answered as before and not carried out twice
/// (contract 14, "Nothing twice").

namespace scratchpage::test {

namespace {

caller with_key(std::string key, caller by = as_daemon("planner")) {
  by.request_key = std::move(key);
  return by;
}

struct keyed_page : kept_page {
  auto start_add(observation_draft draft, const std::string& key) {
    return send(page, add_observation{with_key(key), std::move(draft)});
  }

  add_outcomes add_all(std::vector<observation_draft> drafts, const std::string& key) {
    return value(ask(page, add_observations{with_key(key), std::move(drafts)}));
  }

  caf::expected<void> try_archive(const std::string& observation_id, const std::string& key) {
    return ask(page, archive_observation{with_key(key), observation_id});
  }

  std::string all() { return numbers(query(asking(anything()))); }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(request_keys_of_a_page, keyed_page)

BOOST_AUTO_TEST_CASE(a_repeated_addition_is_answered_as_before_whatever_the_durability) {
  for (auto how : {durability::none, durability::async, durability::sync}) {
    setup.durability.durability = how;
    begin();
    auto key = to_string(how);
    auto first = add(note("x"), with_key(key));
    auto sequence = stats().sequence;
    auto second = add(note("x"), with_key(key));
    BOOST_TEST(text_of(*second) == text_of(*first), key);
    BOOST_TEST(stats().sequence == sequence, key);
    stop();
  }
}

BOOST_AUTO_TEST_CASE(an_answer_that_comes_again_has_its_warnings) {
  begin();
  auto odd = note("x");
  odd.confidence = 1.5;
  auto first = value(try_add(odd, with_key("k")));
  auto second = value(try_add(odd, with_key("k")));
  BOOST_REQUIRE(!first.warnings.empty());
  BOOST_TEST(second.warnings == first.warnings, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_answer_is_that_of_the_first_time_even_if_much_has_changed_since) {
  begin();
  add(note("x"), with_key("add"));
  auto changed = update(id(1), {.content = "y"}, with_key("update"));
  update(id(1), {.content = "z"});
  BOOST_TEST(text_of(*update(id(1), {.content = "y"}, with_key("update"))) == text_of(*changed));
  BOOST_TEST(get(id(1))->content == "z");
  archive(id(1));
  BOOST_TEST(add(note("x"), with_key("add"))->content == "x");
  BOOST_TEST(all().empty());
}

BOOST_AUTO_TEST_CASE(what_was_archived_or_cleared_can_be_so_again) {
  begin();
  for (auto* text : {"x", "y", "z"})
    add(note(text));
  BOOST_TEST(bool{try_archive(id(1), "a")});
  BOOST_TEST(bool{try_archive(id(1), "a")});
  BOOST_CHECK(refused(try_archive(id(1), "other"), errc::not_found, "observation_id"));
  set_status(id(2), status::resolved);
  set_status(id(3), status::resolved);
  for (int i = 0; i < 2; ++i)
    BOOST_TEST(bool{ask(page, clear_resolved{with_key("c"), {id(2), id(3)}})});
  BOOST_TEST(all().empty());
}

BOOST_AUTO_TEST_CASE(a_key_that_was_used_for_another_request_is_refused) {
  begin();
  add(note("x"), with_key("k"));
  BOOST_CHECK(refused(try_add(note("y"), with_key("k")), errc::conflict, "request_key"));
  BOOST_CHECK(refused(try_archive(id(1), "k"), errc::conflict, "request_key"));
  auto several = add_all({note("y")}, "k");
  BOOST_TEST(to_string(code_of(several.outcomes[0].error)) == "conflict");
  BOOST_TEST(all() == "1");
}

BOOST_AUTO_TEST_CASE(keys_of_other_callers_have_nothing_to_do_with_it) {
  begin();
  add(note("x"), with_key("k"));
  add(note("x"), with_key("k", as_daemon("other")));
  add(note("x"), with_key("k", as_user("planner")));
  BOOST_TEST(all() == "3 2 1");
}

BOOST_AUTO_TEST_CASE(a_repetition_waits_for_the_first_answer) {
  begin();
  auto first = start_add(note("x"), "k");
  auto second = start_add(note("x"), "k");
  auto third = start_add(note("y"), "k");
  settle();
  BOOST_TEST(
    text_of(*value(*first->value).observation) == text_of(*value(*second->value).observation));
  BOOST_CHECK(refused(*third->value, errc::conflict, "request_key"));
  BOOST_TEST(all() == "1");
}

BOOST_AUTO_TEST_CASE(a_request_that_was_refused_is_carried_out_when_it_is_repeated) {
  start(); // with a journal that can fail
  journal->left = 0;
  auto first = start_add(note("x"), "k");
  auto second = start_add(note("x"), "k");
  settle();
  BOOST_CHECK(refused(*first->value, errc::storage_unavailable, ""));
  BOOST_CHECK(refused(*second->value, errc::storage_unavailable, ""));
  journal->left.reset();
  BOOST_TEST(add(note("x"), with_key("k"))->observation_id == id(1));
  BOOST_TEST(add(note("x"), with_key("k"))->observation_id == id(1));
}

BOOST_AUTO_TEST_CASE(an_error_is_not_remembered) {
  begin();
  BOOST_CHECK(refused(try_archive(id(1), "k"), errc::not_found, "observation_id"));
  add(note("x"));
  BOOST_TEST(bool{try_archive(id(1), "k")});
}

BOOST_AUTO_TEST_CASE(each_of_several_drafts_is_known_by_its_place) {
  begin();
  auto invalid = draft("no such type", "z");
  auto first = add_all({note("x"), invalid, note("x")}, "k");
  auto second = add_all({note("x"), invalid, note("x")}, "k");
  BOOST_TEST(all() == "2 1");
  for (size_t i : {0u, 2u})
    BOOST_TEST(text_of(*second.outcomes[i].stored.observation)
               == text_of(*first.outcomes[i].stored.observation));
  BOOST_TEST(describe(second.outcomes[1].error) == describe(first.outcomes[1].error));
  auto both = send(page, add_observations{with_key("l"), {note("y"), note("z")}});
  auto again = send(page, add_observations{with_key("l"), {note("y"), note("z")}});
  settle();
  BOOST_TEST(value(*again->value).outcomes[1].stored.observation->observation_id
             == value(*both->value).outcomes[1].stored.observation->observation_id);
  BOOST_TEST(all() == "4 3 2 1");
}

BOOST_AUTO_TEST_CASE(a_malformed_key_is_refused_and_nothing_is_done) {
  begin();
  for (const auto& bad : {std::string{"a b"}, std::string(129, 'a')}) {
    BOOST_CHECK(refused(try_add(note("x"), with_key(bad)), errc::invalid_request, "request_key"));
    BOOST_CHECK(refused(ask(page, add_observations{with_key(bad), {note("x")}}),
      errc::invalid_request, "request_key"));
  }
  BOOST_TEST(all().empty());
}

BOOST_AUTO_TEST_CASE(a_repetition_is_traced_and_is_no_event) {
  begin();
  add(note("x"), with_key("k"));
  auto watcher = watch_page();
  add(note("x"), with_key("k"));
  BOOST_TEST(watcher.lines().empty());
  BOOST_REQUIRE(traced("repeat_answer").size() == 1u);
  BOOST_TEST(to_text(traced("repeat_answer")[0].detail) == R"({"request_key":"k","sequence":1})");
}

// -- after a restart ------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(requests_are_known_after_a_restart) {
  begin();
  auto first = add(note("x"), with_key("k"));
  restart();
  BOOST_TEST(text_of(*add(note("x"), with_key("k"))) == text_of(*first));
  BOOST_CHECK(refused(try_add(note("y"), with_key("k")), errc::conflict, "request_key"));
  BOOST_TEST(all() == "1");
}

BOOST_AUTO_TEST_CASE(requests_are_known_after_a_restart_if_the_snapshot_has_their_changes) {
  begin();
  add(note("first"), with_key("k"));
  for (int i = 0; i < 20; ++i)
    add(note("x"));
  advance(std::chrono::minutes{1}); // the snapshot advances while nothing is written
  auto head = value(kept->find_snapshot(setup.owner.agent, snapshot_kind::latest));
  BOOST_REQUIRE(head.sequence > 1u);
  restart();
  BOOST_TEST(add(note("first"), with_key("k"))->observation_id == id(1));
  BOOST_TEST(stats().sequence == 21u);
}

BOOST_AUTO_TEST_CASE(only_the_requests_of_the_last_changes_are_known_also_after_a_restart) {
  setup.limits.log_capacity = 4;
  begin();
  add(note("x"), with_key("old"));
  add(note("x"), with_key("new"));
  for (int i = 0; i < 3; ++i)
    add(note("x"));
  for (int round = 0; round < 2; ++round) {
    BOOST_TEST(add(note("x"), with_key("new"))->observation_id == id(2));
    restart();
  }
  BOOST_TEST(add(note("x"), with_key("old"))->observation_id == id(6));
}

BOOST_AUTO_TEST_CASE(keys_stay_in_the_journal_and_are_not_told_to_subscribers) {
  begin();
  auto watcher = watch_page();
  add(note("x"), with_key("secret-key"));
  std::string stored;
  auto err = kept->read_journal(setup.owner.agent, 0, [&](journal_group&& group) {
    stored += group.events;
    return true;
  });
  BOOST_TEST(!err);
  BOOST_TEST(contains(stored, "secret-key"));
  BOOST_TEST(!contains(value(without_request(stored.substr(stored.find('{')))), "secret-key"));
  BOOST_REQUIRE(watcher.lines().size() == 1u);
  page_event event;
  event.request = request_mark{"secret-key", "daemon planner", 1, 0, {}};
  BOOST_TEST(!contains(to_json_text(event), "secret-key"));
}

BOOST_AUTO_TEST_CASE(what_was_purged_does_not_come_back_with_a_repetition) {
  begin();
  add(note("my number is 12345"), with_key("k"));
  archive(id(1));
  value(ask(page, purge_observations{as_daemon("planner"), {id(1)}, {}}));
  BOOST_TEST(!contains(text_of(*add(note("my number is 12345"), with_key("k"))), "12345"));
  BOOST_TEST(all().empty());
}

BOOST_AUTO_TEST_CASE(no_answer_confirms_a_guess_of_what_was_purged) {
  begin();
  add(note("my number is 12345"), with_key("k"));
  archive(id(1));
  value(ask(page, purge_observations{as_daemon("planner"), {id(1)}, {}}));
  auto right = add(note("my number is 12345"), with_key("k"));
  auto wrong = add(note("my number is 54321"), with_key("k"));
  BOOST_TEST(text_of(*right) == text_of(*wrong));
}

BOOST_AUTO_TEST_CASE(what_is_masked_is_no_part_of_the_stored_digest) {
  setup.masker = std::make_shared<const pii_masker>();
  begin();
  auto first = add(note("Write to ann@example.com"), with_key("k"));
  BOOST_TEST(!contains(first->content, "ann@"));
  auto other = add(note("Write to bob@example.com"), with_key("k")); // the same once it is masked
  BOOST_TEST(text_of(*other) == text_of(*first));
  BOOST_CHECK(refused(try_add(note("Call her"), with_key("k")), errc::conflict, "request_key"));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
