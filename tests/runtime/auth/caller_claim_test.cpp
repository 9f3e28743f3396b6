#include "scratchpage/runtime/auth/caller_claim.hpp"

#include <string>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"

namespace scratchpage::test {

namespace {

using auth::claims;

/// The result of checking a claim: "ok", or the code of the error.
std::string outcome(const caller& claimed, claims may = claims::of_anybody) {
  auto read = auth::read_claim(auth::claim_of(claimed), role::admin, may);
  if (read)
    return read->name == claimed.name ? "ok" : "another name";
  BOOST_TEST(field_of(read.error()) == "scratchpage-caller");
  return to_string(code_of(read.error()));
}

} // namespace

BOOST_AUTO_TEST_SUITE(a_claimed_name)

BOOST_AUTO_TEST_CASE(is_none_of_the_ensembles_for_any_kind_of_caller) {
  for (auto name : component_names) {
    BOOST_TEST(outcome(as_tool(std::string{name})) == "forbidden", name);
    BOOST_TEST(outcome(as_daemon(std::string{name})) == "forbidden", name);
    BOOST_TEST(outcome(as_user(std::string{name})) == "forbidden", name);
  }
  BOOST_TEST(outcome(as_tool("Executor"), claims::of_programs) == "forbidden");
}

BOOST_AUTO_TEST_CASE(says_what_it_looks_like) {
  BOOST_TEST(outcome(as_tool("weather api")) == "ok");
  BOOST_TEST(outcome(as_user("Jürgen")) == "ok");
  for (const auto* name : {"", " ", "executor ", "executor\n", "a\nb", "a\xE2\x80\xAEz", " ann"})
    BOOST_TEST(outcome(as_daemon(name)) == "invalid_request", name);
  BOOST_TEST(outcome(as_daemon(std::string{"executor\0", 9})) == "invalid_request");
}

BOOST_AUTO_TEST_CASE(is_as_long_as_an_owners_at_most) {
  BOOST_TEST(outcome(as_daemon(std::string(128, 'x'))) == "ok");
  BOOST_TEST(outcome(as_daemon(std::string(129, 'x'))) == "invalid_request");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
