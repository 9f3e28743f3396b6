#include <boost/test/unit_test.hpp>

#include <memory>
#include <set>
#include <string>

#include "scratchpage/tests/support/cached_directory.hpp"

namespace scratchpage::test {

namespace {

using names = cached_directory<std::string>;

names::file_ptr file(const char* bytes) {
  return std::make_shared<std::string>(bytes);
}

/// The contents that the name "log" has after power cuts with many seeds; "" if it has no file.
template <class F>
std::set<std::string> leftovers(F make) {
  std::set<std::string> found;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    chance by{seed};
    names x;
    make(x);
    x.lose_power(by);
    auto left = x.find("log");
    found.insert(left ? *left : "");
  }
  return found;
}

} // namespace

BOOST_AUTO_TEST_SUITE(a_cached_directory)

BOOST_AUTO_TEST_CASE(shows_every_change_at_once) {
  names x;
  BOOST_TEST(!x.find("log"));
  x.add("log", file("1"));
  BOOST_TEST(*x.find("log") == "1");
  x.remove("log");
  BOOST_TEST(!x.find("log"));
}

BOOST_AUTO_TEST_CASE(keeps_what_was_synced) {
  auto found = leftovers([](names& x) {
    x.add("log", file("1"));
    x.sync();
  });
  BOOST_TEST(found == std::set<std::string>{"1"});
}

BOOST_AUTO_TEST_CASE(may_forget_a_new_file) {
  auto found = leftovers([](names& x) { x.add("log", file("1")); });
  BOOST_TEST(found == (std::set<std::string>{"", "1"}));
}

BOOST_AUTO_TEST_CASE(may_still_have_one_that_was_removed) {
  auto found = leftovers([](names& x) {
    x.add("log", file("1"));
    x.sync();
    x.remove("log");
    x.add("log", file("2"));
  });
  BOOST_TEST(found == (std::set<std::string>{"", "1", "2"}));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
