#include <boost/test/unit_test.hpp>
#include <rapidcheck.h>
#include <rapidcheck/boost_test.h>

#include <string>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/files/file_name.hpp"

namespace scratchpage::test {

BOOST_AUTO_TEST_SUITE(a_file_name)

BOOST_AUTO_TEST_CASE(of_an_id_is_readable_and_leaves_no_folder) {
  BOOST_TEST(file_name_for("trip-7_b") == "trip-7_b");
  BOOST_TEST(file_name_for("") == "~");
  BOOST_TEST(file_name_for("..") == "%2e%2e");
  BOOST_TEST(file_name_for("../../etc/passwd") == "%2e%2e%2f%2e%2e%2fetc%2fpasswd");
  BOOST_TEST(file_name_for("Trip") == "%54rip"); // for file systems that ignore case
  BOOST_TEST(file_name_for("~") == "%7e");
  BOOST_TEST(file_name_for("é\n") == "%c3%a9%0a");
}

BOOST_AUTO_TEST_CASE(of_a_long_id_is_still_a_name) {
  std::string one(1'000, 'a');
  auto other = one;
  other.back() = 'b';
  BOOST_TEST(file_name_for(one).size() <= 200u);
  BOOST_TEST(file_name_for(one) != file_name_for(other));
  BOOST_TEST(file_name_for(one) != file_name_for(file_name_for(one)));
}

BOOST_AUTO_TEST_CASE(is_allowed_and_belongs_to_one_id) {
  BOOST_TEST(rc::check("file_name_for", [] {
    auto bytes = rc::gen::container<std::string>(
      rc::gen::elementOf(std::string{"aZ0./%~:\\ \n-_\xc3\xa9\0", 16}));
    auto a = *bytes;
    auto b = *bytes;
    RC_ASSERT(!check_file_path("x/" + file_name_for(a) + ".json"));
    RC_ASSERT((a == b) == (file_name_for(a) == file_name_for(b)));
  }));
}

BOOST_AUTO_TEST_CASE(is_refused_if_it_is_no_relative_path_of_plain_names) {
  for (auto* good : {"a", "scratchbook/trip.json", "a/b/c/d/e/f/g/h", "%2e~-_.x"})
    BOOST_TEST(!check_file_path(good), good);
  for (auto* bad : {"", "/", "/a", "a/", "a//b", ".", "..", "../a", "a/../b", "a/.b", ".new", "a b",
         "a\\b", "é", "a/b/c/d/e/f/g/h/i", "a\n"}) {
    auto err = check_file_path(bad);
    BOOST_TEST(name_of(code_of(err)) == "invalid_request", bad);
    BOOST_TEST(field_of(err) == "path");
  }
  BOOST_TEST(!!check_file_path(std::string(256, 'a')));
  BOOST_TEST(!!check_file_path(std::string{"a\0b", 3}));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
