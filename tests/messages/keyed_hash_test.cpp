#include <array>
#include <string>
#include <string_view>

#include <boost/test/unit_test.hpp>
#include <xxhash.h>

#include "scratchpage/messages/text/key_text.hpp"

namespace scratchpage::test {

BOOST_AUTO_TEST_SUITE(a_keyed_hash)

BOOST_AUTO_TEST_CASE(is_the_same_for_the_same_text_as_long_as_the_process_lasts) {
  for (auto bytes : {0, 1, 16, 300}) {
    std::string a(static_cast<size_t>(bytes), 'x');
    auto b = a;
    BOOST_TEST(keyed_hash(a) == keyed_hash(b));
    BOOST_TEST(keyed_text_hash{}(a) == keyed_hash(a));
    BOOST_TEST(keyed_hash(a) != keyed_hash(b + "x"));
  }
}

BOOST_AUTO_TEST_CASE(cannot_be_computed_by_who_does_not_know_the_seed_of_the_process) {
  for (std::string_view text : {"", "wine", "a text that is longer than a few words of a machine"})
    BOOST_TEST(keyed_hash(text) != XXH3_64bits(text.data(), text.size()));
}

/// The texts collide in the hash of libstdc++, whose seed is the same in every process.
BOOST_AUTO_TEST_CASE(tells_texts_apart_that_were_made_to_have_one_hash) {
  constexpr std::array<std::string_view, 4> colliding{
    R"(nqaaaaaaZ.{egs7s)", R"(gnfaaaaa<g$>%]aK)", R"(kvgaaaaa[(Er;tfd)", R"(fahaaaaa;|N)lMsB)"};
  for (size_t i = 1; i < colliding.size(); ++i)
    BOOST_TEST(keyed_hash(colliding[i]) != keyed_hash(colliding[0]));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
