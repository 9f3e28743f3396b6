#include <boost/test/unit_test.hpp>

#include <string>
#include <utility>
#include <vector>

#include "scratchpage/actors/cortex/relation_index.hpp"

namespace scratchpage {

namespace {

relation_marks tagged(std::vector<std::string> tags) {
  return {{}, false, {}, std::move(tags)};
}

relation_marks named(std::string name, std::vector<std::string> tags = {}) {
  return {{std::move(name)}, true, {}, std::move(tags)};
}

relation_marks grouped(std::string group) {
  return {{}, false, {std::move(group)}, {}};
}

/// The number of the related observation, or 0.
uint64_t related(const relation_index& in, const relation_marks& x) {
  return in.oldest_related(x).value_or(0);
}

} // namespace

BOOST_AUTO_TEST_SUITE(relations)

BOOST_AUTO_TEST_CASE(the_oldest_that_shares_enough_tags_is_related) {
  relation_index index{2};
  index.put(3, tagged({"wine", "dinner", "budget"}));
  index.put(2, tagged({"wine", "dinner"}));
  index.put(1, tagged({"wine", "cheese"}));
  BOOST_TEST(related(index, tagged({"dinner", "wine"})) == 2u);
  BOOST_TEST(related(index, tagged({"dinner", "budget"})) == 3u);
  BOOST_TEST(related(index, tagged({"wine"})) == 0u);
  BOOST_TEST(related(index, tagged({})) == 0u);
}

BOOST_AUTO_TEST_CASE(two_names_are_related_by_them_alone) {
  relation_index index{2};
  index.put(1, named("dinner", {"a", "b"}));
  index.put(2, tagged({"a", "b"}));
  BOOST_TEST(related(index, named("dinner")) == 1u);
  BOOST_TEST(related(index, named("holiday", {"a", "b"})) == 2u);
  BOOST_TEST(related(index, tagged({"a", "b"})) == 1u);
}

BOOST_AUTO_TEST_CASE(a_group_is_enough) {
  relation_index index{2};
  index.put(1, grouped("paris"));
  BOOST_TEST(related(index, grouped("paris")) == 1u);
  BOOST_TEST(related(index, grouped("rome")) == 0u);
}

BOOST_AUTO_TEST_CASE(what_was_taken_out_or_has_other_marks_now_is_not_found) {
  relation_index index{2};
  index.put(1, tagged({"a", "b"}));
  index.put(1, tagged({"c", "d"}));
  BOOST_TEST(related(index, tagged({"a", "b"})) == 0u);
  BOOST_TEST(related(index, tagged({"c", "d"})) == 1u);
  index.erase(1);
  index.erase(1);
  BOOST_TEST(related(index, tagged({"c", "d"})) == 0u);
}

BOOST_AUTO_TEST_CASE(what_has_nothing_in_common_is_not_looked_at) {
  relation_index index{2};
  for (uint64_t i = 1; i <= 10'000; ++i) {
    auto own = std::to_string(i);
    index.put(i, tagged({own + "a", own + "b", "all"}));
  }
  BOOST_TEST(related(index, tagged({"x", "y"})) == 0u);
  BOOST_TEST(index.looked_at() == 0u);
  BOOST_TEST(related(index, tagged({"1a", "1b"})) == 1u);
  BOOST_TEST(index.looked_at() == 2u);
  BOOST_TEST(related(index, tagged({"x", "all"})) == 0u);
  BOOST_TEST(index.looked_at() == 10'002u);
}

BOOST_AUTO_TEST_CASE(marks_that_come_together_keep_so_many_tags) {
  auto all = tagged({"a", "b"});
  all.add(named("dinner", {"b", "c", "d"}), 3);
  BOOST_TEST(all.is_named);
  BOOST_TEST(all.tags.size() == 3u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
