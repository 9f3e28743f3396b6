#include <boost/test/unit_test.hpp>
#include <rapidcheck.h>

#include "scratchpage/persistence/files/base64.hpp"

namespace scratchpage::test {

BOOST_AUTO_TEST_SUITE(base64)

BOOST_AUTO_TEST_CASE(gives_back_what_it_was_given) {
  BOOST_TEST(to_base64("") == "");
  BOOST_TEST(to_base64("\xff") == "/w==");
  BOOST_TEST(rc::check("any bytes",
    [](const std::string& bytes) { RC_ASSERT(from_base64(to_base64(bytes)) == bytes); }));
  std::string much(5u << 20, '\xfe');
  BOOST_TEST((from_base64(to_base64(much)) == much));
}

BOOST_AUTO_TEST_CASE(is_one_form_for_the_same_bytes) {
  for (const auto* wrong :
    {"=", "a", "ab", "abc", "ab=c", "/x==", " /w==", "/w==\n", "/w==/w==", "a-b_", "====", "/w="})
    BOOST_TEST(!from_base64(wrong).has_value(), wrong);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
