#include <boost/test/unit_test.hpp>
#include <rapidcheck.h>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/store/journal.hpp"
#include "scratchpage/persistence/store/recovery.hpp"
#include "scratchpage/persistence/transfer/export.hpp"
#include "scratchpage/persistence/transfer/page_at.hpp"
#include "scratchpage/tests/persistence/transfer/random_history.hpp"
#include "scratchpage/tests/support/memory_store.hpp"

/// A history that is truncated equals the history at that time, except that numbers are not used
/// again.

namespace scratchpage::test {

namespace {

/// The lines of an export about changes and the archive.
std::string history_in(store& in) {
  std::string text;
  exporter lines{[&](std::string_view line) {
    if (line.starts_with(R"({"line":"event")") || line.starts_with(R"({"line":"archived")"))
      text += line;
    return caf::error{};
  }};
  BOOST_REQUIRE(!lines.add(in, "ada"));
  return text;
}

std::string numbers_in(const recovered_page& page) {
  std::string result;
  for (const auto& [number, x] : page.observations)
    result += std::to_string(number) + "@" + std::to_string(x->revision) + " ";
  return result;
}

} // namespace

BOOST_AUTO_TEST_SUITE(cuts)

BOOST_AUTO_TEST_CASE(what_is_left_is_what_there_was_and_no_number_comes_again) {
  BOOST_TEST(rc::check("of two histories with the same beginning one goes back", [] {
    auto plan = *rc::gen::container<std::vector<history_step>>(
      rc::gen::tuple(rc::gen::inRange(0, 9), rc::gen::inRange(0, 100), rc::gen::inRange(0, 100)));
    auto more = plan;
    more.insert(more.end(), plan.begin(), plan.end());
    memory_store shorter, longer;
    random_history first{shorter}, second{longer};
    first.play(plan);
    second.play(more);
    auto sequence = first.events().size();
    RC_PRE(sequence > 0);
    auto owner = second.owner();
    if (*rc::gen::arbitrary<bool>())
      RC_ASSERT(static_cast<bool>(
        advance_snapshot(longer, owner, snapshot_kind::latest, second.events().size(), 30)));
    auto numbers = recover(longer, owner, 1)->last_number;
    auto cut = truncate_history(longer, owner, sequence);
    RC_ASSERT(static_cast<bool>(cut));
    RC_ASSERT(cut->sequence == sequence);
    RC_ASSERT(cut->changes == second.events().size() - sequence);
    RC_ASSERT(history_in(longer) == history_in(shorter));
    auto page = recover(longer, owner, 1);
    RC_ASSERT(static_cast<bool>(page));
    RC_ASSERT(page->damage == "");
    RC_ASSERT(page->sequence == sequence);
    RC_ASSERT(page->last_number == numbers);
    RC_ASSERT(numbers_in(*page) == numbers_in(*recover(shorter, first.owner(), 1)));
  }));
}

BOOST_AUTO_TEST_CASE(where_the_journal_has_not_begun_nothing_is_cut) {
  memory_store in;
  random_history ada{in};
  ada.play({{0, 0, 0}, {0, 0, 0}, {0, 0, 0}});
  ada.forget();
  auto before = history_in(in);
  auto cut = truncate_history(in, ada.owner(), uint64_t{2});
  BOOST_REQUIRE(!cut);
  BOOST_TEST(
    describe(cut.error()) == "invalid_request: until: expected a sequence from 3 to 3, got 2");
  BOOST_TEST(history_in(in) == before);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
