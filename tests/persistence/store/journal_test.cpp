#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/persistence/store/every_store.hpp"
#include "scratchpage/tests/persistence/store/read_all.hpp"
#include "scratchpage/tests/persistence/store/store_samples.hpp"
#include "scratchpage/tests/persistence/store/store_text.hpp"

namespace scratchpage {

using namespace test;

namespace {

/// Appends groups of these sizes, each of which archives its last event.
void fill(store& to, const ownership& by, std::initializer_list<uint64_t> sizes) {
  uint64_t after = 0;
  for (auto size : sizes) {
    BOOST_REQUIRE(!append(to, next(by, after, size, {archived(after + size)})));
    after += size;
  }
}

/// The groups of the journal, as "1-3 4-4".
std::string spans(store& of, uint64_t agent, uint64_t after = 0) {
  std::string result;
  auto err = of.read_journal(agent, after, [&](journal_group&& x) {
    result += (result.empty() ? "" : " ") + std::to_string(x.first) + "-" + std::to_string(x.last);
    return true;
  });
  return err ? text_of(err) : result;
}

/// The sequences in the archive, as "4 3 1".
std::string archived_sequences(store& of, uint64_t agent) {
  std::string result;
  auto err = of.read_archive(agent, {}, [&](archive_row&& x) {
    result += (result.empty() ? "" : " ") + std::to_string(x.sequence);
    return true;
  });
  return err ? text_of(err) : result;
}

} // namespace

BOOST_AUTO_TEST_SUITE(a_journal)

BOOST_AUTO_TEST_CASE_TEMPLATE(is_read_in_order, Place, every_store) {
  in_step<Place> pages;
  auto owner = claim(pages);
  fill(pages, owner, {3, 1, 2});
  BOOST_TEST(spans(pages, owner.agent) == "1-3 4-4 5-6");
  BOOST_TEST(spans(pages, owner.agent + 1) == "");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(is_read_from_within_a_group, Place, every_store) {
  in_step<Place> pages;
  auto owner = claim(pages);
  fill(pages, owner, {3, 1, 2});
  BOOST_TEST(spans(pages, owner.agent, 2) == "1-3 4-4 5-6");
  BOOST_TEST(spans(pages, owner.agent, 3) == "4-4 5-6");
  BOOST_TEST(spans(pages, owner.agent, 5) == "5-6");
  BOOST_TEST(spans(pages, owner.agent, 6) == "");
  BOOST_TEST(spans(pages, owner.agent, UINT64_MAX) == "");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(is_read_in_more_than_one_part, Place, every_store) {
  in_step<Place> pages;
  auto owner = claim(pages);
  for (uint64_t i = 0; i < 20; ++i)
    BOOST_REQUIRE(!append(pages, next(owner, 2 * i, 2)));
  for (uint64_t after : {0, 1, 2, 7, 8, 9, 39})
    read_journal(pages, owner.agent, after);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(is_read_until_the_reader_has_enough, Place, every_store) {
  in_step<Place> pages;
  auto owner = claim(pages);
  for (uint64_t i = 0; i < 20; ++i)
    BOOST_REQUIRE(!append(pages, next(owner, i)));
  for (uint64_t enough : {1, 16, 17, 20}) {
    uint64_t seen = 0;
    BOOST_TEST(!pages.tested->read_journal(
      owner.agent, 0, [&](journal_group&&) { return ++seen < enough; }));
    BOOST_TEST(seen == enough);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(lets_others_write_while_it_is_read, Place, every_store) {
  in_step<Place> pages;
  auto owner = claim(pages);
  fill(pages, owner, {1, 1});
  auto& tested = *pages.tested;
  uint64_t after = 2;
  BOOST_TEST(!tested.read_journal(owner.agent, 0, [&](journal_group&&) {
    BOOST_TEST(!append(tested, next(owner, after)));
    return ++after < 20;
  }));
  BOOST_TEST(spans(tested, owner.agent, 18) == "19-19 20-20");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(takes_only_what_follows, Place, every_store) {
  in_step<Place> pages;
  auto owner = claim(pages);
  fill(pages, owner, {3});
  auto before = contents_of(*pages.tested);
  for (auto [after, first] : std::initializer_list<std::pair<uint64_t, uint64_t>>{
         {4, 5}, {3, 5}, {3, 3}, {3, 0}, {0, 4}, {UINT64_MAX, 0}, {UINT64_MAX - 1, UINT64_MAX}}) {
    journal_append wrong{owner, after, group(first, first), {}};
    BOOST_TEST(text_of(append(pages, wrong)) == "internal sequence");
  }
  BOOST_TEST(contents_of(*pages.tested) == before);
  BOOST_TEST(!append(pages, next(owner, 3)));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(takes_groups_of_several_agents_at_once, Place, every_store) {
  in_step<Place> pages;
  std::vector<journal_append> xs;
  for (const auto* name : {"ada", "bob", "eve"})
    xs.push_back(next(claim(pages, name), 0, 2, {archived(1)}));
  std::swap(xs.front(), xs.back());
  BOOST_TEST(texts_of(pages.append(xs)) == "ok,ok,ok,");
  BOOST_TEST(pages.append({}).empty());
  pages.check_contents();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(has_a_verdict_for_each_agent, Place, every_store) {
  in_step<Place> pages;
  auto ada = claim(pages, "ada");
  auto bob = claim(pages, "bob");
  auto eve = claim(pages, "eve");
  auto kim = claim(pages, "kim");
  claim(pages, "bob");
  std::vector xs{next(kim, 0, 3, {archived(2)}), next(bob, 0, 1, {archived(1)}),
    next(ada, 0, 2, {archived(1), archived(2)}), next(eve, 1, 1, {archived(2)}),
    next({77, 1, {}}, 0)};
  BOOST_TEST(
    texts_of(pages.append(xs)) == "ok,conflict epoch,ok,internal sequence,conflict epoch,");
  BOOST_TEST(spans(pages, kim.agent) == "1-3");
  BOOST_TEST(spans(pages, ada.agent) == "1-2");
  for (auto agent : {bob.agent, eve.agent}) {
    BOOST_TEST(spans(pages, agent) == "");
    BOOST_TEST(archived_sequences(pages, agent) == "");
  }
  pages.check_contents();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(
  of_one_agent_lets_go_while_another_one_goes_on_and_a_third_is_refused, Place, every_store) {
  in_step<Place> pages;
  auto ada = claim(pages, "ada");
  auto bob = claim(pages, "bob");
  auto eve = claim(pages, "eve");
  fill(pages, ada, {2, 3});
  fill(pages, bob, {1});
  std::vector xs{next(ada, 2, 1, {archived(3, "obs_9")}), next(bob, 1), next(eve, 3)};
  BOOST_TEST(texts_of(pages.append(xs)) == "ok,ok,internal sequence,");
  BOOST_TEST(spans(pages, ada.agent) == "1-2 3-3");
  BOOST_TEST(archived_sequences(pages, ada.agent) == "3 2");
  BOOST_TEST(spans(pages, bob.agent) == "1-1 2-2");
  pages.check_contents();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(keeps_any_text_in_one_statement, Place, every_store) {
  in_step<Place> pages;
  std::vector<journal_append> xs;
  for (const auto* text : {"", "NULL", "{}", "\"", "\\", "a\\\"b", "{\"a\":\"b\\\\c\"}\n", "a,b",
         " \t\r\n", "\u00c9 \U0001f600", "'; DROP TABLE agent; --", "}"}) {
    auto row = archived(1, text, text);
    row.body = row.owner = row.source = row.turn_id = text;
    xs.push_back(next(claim(pages, "of " + std::to_string(xs.size())), 0, 1, {row}, text));
  }
  for (const auto& verdict : pages.append(xs))
    BOOST_TEST(!verdict);
  pages.check_contents();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(lets_go_of_what_was_not_acknowledged, Place, every_store) {
  in_step<Place> pages;
  auto owner = claim(pages);
  fill(pages, owner, {2, 1, 3});
  BOOST_TEST(!append(pages, next(owner, 2, 2, {archived(4, "obs_9")}, "other events\n")));
  BOOST_TEST(spans(pages, owner.agent) == "1-2 3-4");
  BOOST_TEST(archived_sequences(pages, owner.agent) == "4 2");
  BOOST_TEST(!append(pages, next(owner, 4)));
  BOOST_TEST(!append(pages, next(owner, 0)));
  BOOST_TEST(spans(pages, owner.agent) == "1-1");
  BOOST_TEST(archived_sequences(pages, owner.agent) == "");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(has_once_what_is_appended_again, Place, every_store) {
  in_step<Place> pages;
  auto owner = claim(pages);
  fill(pages, owner, {2});
  for (int i = 0; i < 3; ++i)
    BOOST_TEST(!append(pages, next(owner, 2, 2, {archived(3), archived(4)})));
  BOOST_TEST(spans(pages, owner.agent) == "1-2 3-4");
  BOOST_TEST(archived_sequences(pages, owner.agent) == "4 3 2");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(never_overlaps, Place, every_store) {
  in_step<Place> pages;
  auto owner = claim(pages);
  fill(pages, owner, {2, 3});
  BOOST_TEST(text_of(append(pages, next(owner, 1))) == "internal sequence");
  BOOST_TEST(text_of(append(pages, next(owner, 4))) == "internal sequence");
  BOOST_TEST(spans(pages, owner.agent) == "1-2 3-5");
  BOOST_TEST(archived_sequences(pages, owner.agent) == "5 2");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(is_cut_with_what_it_archived, Place, every_store) {
  in_step<Place> pages;
  auto owner = claim(pages);
  fill(pages, owner, {2, 1, 3});
  BOOST_TEST(!pages.cut_journal(owner, 3));
  BOOST_TEST(spans(pages, owner.agent) == "1-2 3-3");
  BOOST_TEST(archived_sequences(pages, owner.agent) == "3 2");
  BOOST_TEST(text_of(append(pages, next(owner, 6))) == "internal sequence");
  BOOST_TEST(!append(pages, next(owner, 3)));
  BOOST_TEST(!pages.cut_journal(owner, 0));
  BOOST_TEST(spans(pages, owner.agent) == "");
  BOOST_TEST(!append(pages, next(owner, 0)));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(says_where_it_ends_by_what_was_acknowledged, Place, every_store) {
  in_step<Place> pages;
  auto owner = claim(pages);
  BOOST_TEST(*pages.end_of_journal(owner.agent) == 0u);
  BOOST_TEST(*pages.end_of_journal(77) == 0u);
  fill(pages, owner, {2, 1, 3});
  BOOST_TEST(*pages.end_of_journal(owner.agent) == 6u);
  BOOST_TEST(!pages.forget_journal(owner, 6));
  BOOST_TEST(*pages.end_of_journal(owner.agent) == 6u); // although no group is left
  BOOST_TEST(!pages.cut_journal(owner, 4));
  BOOST_TEST(*pages.end_of_journal(owner.agent) == 4u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(is_cut_between_groups_only, Place, every_store) {
  in_step<Place> pages;
  auto owner = claim(pages);
  fill(pages, owner, {2, 3, 1});
  BOOST_TEST(!pages.cut_journal(owner, 3));
  BOOST_TEST(spans(pages, owner.agent) == "1-2 3-5");
  BOOST_TEST(archived_sequences(pages, owner.agent) == "5 2");
  BOOST_TEST(!append(pages, next(owner, 5)));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(stays_when_it_is_cut_beyond_its_end, Place, every_store) {
  in_step<Place> pages;
  auto owner = claim(pages);
  fill(pages, owner, {2, 1});
  for (auto after : {uint64_t{3}, uint64_t{4}, UINT64_MAX})
    BOOST_TEST(!pages.cut_journal(owner, after));
  BOOST_TEST(spans(pages, owner.agent) == "1-2 3-3");
  BOOST_TEST(!append(pages, next(owner, 3)));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(forgets_whole_groups_and_keeps_the_archive, Place, every_store) {
  in_step<Place> pages;
  auto owner = claim(pages);
  fill(pages, owner, {2, 1, 3});
  BOOST_TEST(!pages.forget_journal(owner, 0));
  BOOST_TEST(!pages.forget_journal(owner, 4));
  BOOST_TEST(spans(pages, owner.agent) == "4-6");
  BOOST_TEST(archived_sequences(pages, owner.agent) == "6 3 2");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(knows_its_end_when_all_is_forgotten, Place, every_store) {
  in_step<Place> pages;
  auto owner = claim(pages);
  fill(pages, owner, {2, 1, 3});
  BOOST_TEST(!pages.forget_journal(owner, UINT64_MAX));
  BOOST_TEST(spans(pages, owner.agent) == "");
  BOOST_TEST(text_of(append(pages, next(owner, 7))) == "internal sequence");
  BOOST_TEST(!append(pages, next(owner, 6)));
  BOOST_TEST(spans(pages, owner.agent) == "7-7");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
