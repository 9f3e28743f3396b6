#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/persistence/store/every_store.hpp"
#include "scratchpage/tests/persistence/store/read_all.hpp"
#include "scratchpage/tests/persistence/store/store_samples.hpp"
#include "scratchpage/tests/support/require_value.hpp"

namespace scratchpage {

using namespace test;

namespace {

/// Makes every kind of write, with arguments that are valid for the owner.
std::vector<caf::error> write_all(store& to, const ownership& by, uint64_t after) {
  std::vector<caf::error> answers;
  answers.push_back(append(to, next(by, after, 2, {archived(after + 1)})));
  answers.push_back(to.cut_journal(by, 0));
  answers.push_back(to.forget_journal(by, after));
  auto changed = row(1, "{}");
  answers.push_back(to.move_snapshot(by, snapshot_kind::latest, {after, 1, 0, 0}, {&changed, 1}));
  answers.push_back(put(to, by, doc("goals", "tea", "{}")));
  return answers;
}

} // namespace

BOOST_AUTO_TEST_SUITE(a_claim)

BOOST_AUTO_TEST_CASE_TEMPLATE(gives_a_new_agent_a_key_and_the_first_epoch, Place, every_store) {
  in_step<Place> pages;
  auto ada = claim(pages, "ada");
  auto bob = claim(pages, "bob");
  BOOST_TEST(ada.epoch == 1u);
  BOOST_TEST(bob.epoch == 1u);
  BOOST_TEST(ada.agent != bob.agent);
  for (auto key : {ada.agent, bob.agent})
    BOOST_TEST((key >= 1 && key <= INT64_MAX));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(begins_the_next_epoch_of_an_agent_that_is_there, Place, every_store) {
  in_step<Place> pages;
  auto first = claim(pages, "ada");
  claim(pages, "bob");
  auto second = claim(pages, "ada");
  BOOST_TEST(second.agent == first.agent);
  BOOST_TEST(second.epoch == first.epoch + 1);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(leaves_what_is_kept, Place, every_store) {
  in_step<Place> pages;
  for (const auto& answer : write_all(pages, claim(pages), 0))
    BOOST_TEST(text_of(answer) == "ok");
  auto before = contents_of(*pages.tested);
  claim(pages);
  BOOST_TEST(contents_of(*pages.tested) == before);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(ends_every_right_of_the_older_owner, Place, every_store) {
  in_step<Place> pages;
  auto older = claim(pages);
  BOOST_TEST(!append(pages, next(older, 0, 3)));
  auto newer = claim(pages);
  auto before = contents_of(*pages.tested);
  for (const auto& answer : write_all(pages, older, 3))
    BOOST_TEST(text_of(answer) == "conflict epoch");
  BOOST_TEST(contents_of(*pages.tested) == before);
  for (const auto& answer : write_all(pages, newer, 3))
    BOOST_TEST(text_of(answer) == "ok");
  pages.check_contents();
}

/// As when a server takes over a copy of the database that lacks the last claim.
BOOST_AUTO_TEST_CASE_TEMPLATE(
  with_an_epoch_that_was_given_twice_ends_the_first, Place, every_store) {
  Place place;
  auto first = open(place.connector());
  auto second = open(place.connector());
  auto older = claim(*first);
  BOOST_TEST(!append(*first, next(older, 0, 3)));
  place.connector()()->script("UPDATE agent SET epoch = epoch - 1");
  auto newer = claim(*second);
  BOOST_REQUIRE(newer.epoch == older.epoch);
  BOOST_TEST(!append(*second, next(newer, 3, 2)));
  BOOST_TEST(!*first->holds(older));
  BOOST_TEST(*second->holds(newer));
  auto before = contents_of(*second);
  for (uint64_t after : {3, 5})
    for (const auto& answer : write_all(*first, older, after))
      BOOST_TEST(text_of(answer) == "conflict epoch");
  BOOST_TEST(contents_of(*second) == before);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(is_found_to_be_lost_among_many, Place, every_store) {
  in_step<Place> pages;
  std::vector<ownership> claims;
  for (int i = 0; i < 7; ++i)
    claims.push_back(claim(pages, "agent " + std::to_string(i)));
  BOOST_TEST(require_value(pages.tested->lost(claims)).empty());
  BOOST_TEST(require_value(pages.tested->lost({})).empty());
  claim(pages, "agent 2");
  claim(pages, "agent 5");
  claims.push_back({77, 1, {}}); // nobody has it
  for (store* in : {static_cast<store*>(pages.tested.get()), static_cast<store*>(&pages.model)}) {
    auto lost = require_value(in->lost(claims));
    BOOST_REQUIRE(lost.size() == 3u);
    BOOST_TEST((lost[0] == claims[2] && lost[1] == claims[5] && lost[2] == claims[7]));
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(is_needed_before_anything_is_written, Place, every_store) {
  in_step<Place> pages;
  for (auto stranger : {ownership{1, 1}, ownership{0, 0}, ownership{UINT64_MAX, 1}})
    for (const auto& answer : write_all(pages, stranger, 0))
      BOOST_TEST(text_of(answer) == "conflict epoch");
  auto owner = claim(pages);
  for (auto epoch : {owner.epoch - 1, owner.epoch + 1})
    BOOST_TEST(text_of(append(pages, next({owner.agent, epoch}, 0))) == "conflict epoch");
  pages.check_contents();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(is_asked_for_before_the_sequence, Place, every_store) {
  in_step<Place> pages;
  auto older = claim(pages);
  claim(pages);
  auto wrong = next(older, 7);
  wrong.group.first = 3;
  BOOST_TEST(text_of(append(pages, wrong)) == "conflict epoch");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(agents_in_a_store)

BOOST_AUTO_TEST_CASE_TEMPLATE(are_found_without_a_claim, Place, every_store) {
  in_step<Place> pages;
  auto owner = claim(pages, "ada");
  BOOST_TEST((*pages.find_agent("ada") == owner.agent));
  BOOST_TEST((*pages.find_agent("bob") == std::nullopt));
  BOOST_TEST(!append(pages, next(owner, 0)));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(are_listed_by_name_bytewise, Place, every_store) {
  in_step<Place> pages;
  for (const auto* name : {"bob", "Ada", "ada", "\u00c9mile", "_", "Zo\u00eb", "a b", "10", "9"})
    claim(pages, name);
  std::vector<std::string> wanted{
    "10", "9", "Ada", "Zo\u00eb", "_", "a b", "ada", "bob", "\u00c9mile"};
  auto agents = pages.agents();
  BOOST_REQUIRE(agents);
  BOOST_TEST(*agents == wanted, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(are_listed_in_parts_in_the_same_order, Place, every_store) {
  in_step<Place> pages;
  for (const auto* name : {"bob", "Ada", "ada", "\u00c9mile", "_", "Zo\u00eb", "a b", "10", "9"})
    claim(pages, name);
  std::vector<std::string> found;
  for (auto part = *pages.agents_after("", 2); !part.empty();
       part = *pages.agents_after(found.back(), 2))
    found.insert(found.end(), part.begin(), part.end());
  BOOST_TEST(found == *pages.agents(), boost::test_tools::per_element());
  BOOST_TEST(pages.agents_after("a", 100)->front() == "a b"); // no agent has the id "a"
  BOOST_TEST(pages.agents_after("", 0)->empty());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(do_not_see_each_others_history, Place, every_store) {
  in_step<Place> pages;
  auto ada = claim(pages, "ada");
  auto bob = claim(pages, "bob");
  for (const auto& answer : write_all(pages, ada, 0))
    BOOST_TEST(text_of(answer) == "ok");
  BOOST_TEST(read_journal(pages, bob.agent) == "");
  BOOST_TEST(read_archive(pages, bob.agent) == "");
  BOOST_TEST(read_documents(pages, bob.agent, "goals") == "");
  BOOST_TEST(!pages.cut_journal(bob, 0));
  BOOST_TEST(!put(pages, bob, doc("goals", "tea", "")));
  pages.check_contents();
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
