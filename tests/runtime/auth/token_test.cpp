#include <boost/test/unit_test.hpp>

#include <string>

#include "scratchpage/runtime/auth/token.hpp"
#include "scratchpage/runtime/net/http/message.hpp"

namespace scratchpage::test {

namespace {

std::string chance(char first) {
  std::string result(auth::token_random_size, '\0');
  for (size_t i = 0; i < result.size(); ++i)
    result[i] = static_cast<char>(first + static_cast<char>(7 * i));
  return result;
}

} // namespace

BOOST_AUTO_TEST_SUITE(a_token)

BOOST_AUTO_TEST_CASE(has_a_public_id_and_a_secret_of_256_bits) {
  auto text = auth::to_text(auth::make_token(std::string(37, '\0')));
  BOOST_TEST(text == "sp_aaaaaaaa_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
  text = auth::to_text(auth::make_token(std::string(37, '\xFF')));
  BOOST_TEST(text == "sp_77777777_" + std::string(42, '_') + "8");
}

BOOST_AUTO_TEST_CASE(is_another_one_with_each_bit_of_chance) {
  auto zero = auth::to_text(auth::make_token(std::string(37, '\0')));
  for (size_t bit = 0; bit < 8 * auth::token_random_size; ++bit) {
    std::string random(auth::token_random_size, '\0');
    random[bit / 8] = static_cast<char>(1 << bit % 8);
    BOOST_TEST(auth::to_text(auth::make_token(random)) != zero, bit);
  }
}

BOOST_AUTO_TEST_CASE(is_read_as_it_was_written) {
  for (char first = 0; first < 100; ++first) {
    auto made = auth::make_token(chance(first));
    auto read = auth::read_token(auth::to_text(made));
    BOOST_REQUIRE(read.has_value());
    BOOST_TEST(read->id == made.id);
    BOOST_TEST(read->secret == made.secret);
    BOOST_TEST(auth::is_token_id(made.id));
  }
}

BOOST_AUTO_TEST_CASE(of_the_system_is_never_the_same) {
  auto one = auth::make_token();
  auto other = auth::make_token();
  BOOST_REQUIRE((one && other));
  BOOST_TEST(one->secret != other->secret);
}

BOOST_AUTO_TEST_CASE(is_nothing_else) {
  auto text = auth::to_text(auth::make_token(chance(1)));
  BOOST_TEST(!auth::read_token(""));
  BOOST_TEST(!auth::read_token("sp_"));
  BOOST_TEST(!auth::read_token(" " + text));
  BOOST_TEST(!auth::read_token(text + "A"));
  for (size_t size = 0; size < text.size(); ++size)
    BOOST_TEST(!auth::read_token(text.substr(0, size)), size);
  for (size_t at : {0, 1, 2, 3, 10, 11, 12, 54}) {
    for (auto wrong : {' ', '\0', '=', '/', '\n', '\xC3'}) {
      auto changed = text;
      changed[at] = wrong;
      BOOST_TEST(!auth::read_token(changed), at);
    }
  }
}

BOOST_AUTO_TEST_CASE(is_kept_as_the_hash_of_its_secret) {
  BOOST_TEST(
    auth::hash_of("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  BOOST_TEST(auth::is_same_hash(auth::hash_of("abc"), auth::hash_of("abc")));
  BOOST_TEST(!auth::is_same_hash(auth::hash_of("abc"), auth::hash_of("abd")));
  BOOST_TEST(!auth::is_same_hash(auth::hash_of("abc"), ""));
  BOOST_TEST(!auth::is_same_hash("", ""));
}

BOOST_AUTO_TEST_CASE(comes_in_the_authorization_header) {
  BOOST_TEST((http::bearer_in("Bearer sp_x") == "sp_x"));
  BOOST_TEST((http::bearer_in("bEARER   sp_x") == "sp_x"));
  BOOST_TEST((http::bearer_in("Bearer ") == ""));
  for (const auto* other : {"", "Bearer", "Bearersp_x", "Basic YTpi", "sp_x", " Bearer sp_x"})
    BOOST_TEST(!http::bearer_in(other), other);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
