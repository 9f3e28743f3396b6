#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <set>
#include <string>

#include "scratchpage/tests/support/cached_file.hpp"

namespace scratchpage::test {

namespace {

constexpr uint64_t seeds = 400;
constexpr auto sector = cached_file::sector_size;

std::string all_of(const cached_file& x) {
  return std::string{x.read(0, x.size())};
}

/// The contents that power cuts with many seeds leave of what `make` has written.
template <class F>
std::set<std::string> left_of_file(F make, disk_traits traits = {}) {
  std::set<std::string> found;
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    chance by{seed};
    cached_file x{traits};
    make(x, by);
    x.lose_power(by);
    found.insert(all_of(x));
  }
  return found;
}

std::string sectors(std::string_view letters) {
  std::string result;
  for (auto c : letters)
    result += std::string(sector, c);
  return result;
}

} // namespace

BOOST_AUTO_TEST_SUITE(a_cached_file)

BOOST_AUTO_TEST_CASE(shows_every_change_at_once) {
  cached_file x;
  x.write(2, "abc");
  BOOST_TEST(all_of(x) == std::string("\0\0abc", 5));
  x.write(3, "x");
  x.resize(4);
  BOOST_TEST(x.read(2, 100) == "ax");
  x.resize(6);
  BOOST_TEST(x.read(3, 3) == std::string_view("x\0\0", 3));
  BOOST_TEST(x.read(7, 1).empty());
}

BOOST_AUTO_TEST_CASE(keeps_what_was_synced) {
  auto synced = sectors("ab");
  auto make = [&](cached_file& x, chance&) {
    x.write(0, synced);
    x.sync();
    x.write(2 * sector, "not synced");
  };
  for (const auto& left : left_of_file(make))
    BOOST_TEST(left.substr(0, synced.size()) == synced);
}

BOOST_AUTO_TEST_CASE(keeps_all_some_or_nothing_of_what_was_not) {
  auto found = left_of_file([](cached_file& x, chance&) {
    x.write(0, sectors("ab"));
    x.write(2 * sector, sectors("c"));
  });
  BOOST_TEST(found.contains(sectors("abc")));
  BOOST_TEST(found.contains(""));
  BOOST_TEST(found.contains(sectors("ab")), "the later one is lost");
  BOOST_TEST(found.contains(sectors(std::string("\0\0c", 3))), "the earlier one is lost");
  BOOST_TEST(found.contains(sectors("a")), "the first sector of a write is there alone");
  BOOST_TEST(found.contains(sectors(std::string("\0b", 2))), "so is the second");
  BOOST_TEST(found.contains(sectors(std::string("\0\0\0", 3))), "it grew without its bytes");
}

BOOST_AUTO_TEST_CASE(may_hold_noise_in_a_sector_that_was_half_written) {
  auto make = [](cached_file& x, chance&) {
    x.write(0, sectors("a"));
    x.sync();
    x.write(sector / 2, "b");
  };
  auto is_noise = [](const std::string& x) { return x.front() != 'a'; };
  auto found = left_of_file(make);
  BOOST_TEST(std::any_of(found.begin(), found.end(), is_noise));
  BOOST_TEST(found.contains(sectors("a")));
  found = left_of_file(make, {.overwrites_safely = true});
  BOOST_TEST(std::none_of(found.begin(), found.end(), is_noise));
}

BOOST_AUTO_TEST_CASE(may_not_have_been_cut_short) {
  auto found = left_of_file([](cached_file& x, chance&) {
    x.write(0, "abcd");
    x.sync();
    x.resize(2);
  });
  BOOST_TEST(found == (std::set<std::string>{"ab", "abcd"}));
}

BOOST_AUTO_TEST_CASE(is_helped_by_the_sync_after_one_that_failed_or_is_not) {
  auto make = [](cached_file& x, chance& by) {
    x.write(0, "a");
    x.fail_to_sync(by);
    BOOST_TEST(all_of(x) == "a");
    x.sync();
  };
  BOOST_TEST(left_of_file(make) == std::set<std::string>{"a"});
  auto found = left_of_file(make, {.failed_syncs_forget = true});
  BOOST_TEST(found.contains("a"));
  BOOST_TEST(found.contains(""));
}

BOOST_AUTO_TEST_CASE(shows_what_is_durable_once_the_cache_is_dropped) {
  std::set<std::string> found;
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    chance by{seed};
    cached_file x{as_linux_has};
    x.write(0, "a");
    x.fail_to_sync(by);
    x.sync();
    x.drop_cache();
    auto seen = all_of(x);
    x.lose_power(by);
    BOOST_TEST(all_of(x) == seen);
    found.insert(seen);
  }
  BOOST_TEST(found.contains("a"));
  BOOST_TEST(found.contains(""));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
