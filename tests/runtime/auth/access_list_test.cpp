#include <boost/test/unit_test.hpp>

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/auth/access_list.hpp"
#include "scratchpage/runtime/auth/token.hpp"
#include "scratchpage/tests/support/temp_dir.hpp"

/// Which tokens give access, and to which agents.

namespace scratchpage::test {

namespace {

using namespace std::chrono_literals;
using auth::access_list;
using auth::identity;
using auth::reloading_access_list;
using auth::right;
using auth::token_entry;
using auth::token_file;
using entries = std::vector<token_entry>;

const timestamp noon = *from_rfc3339("2025-11-05T12:00:00Z");

auth::token token_of(char number) {
  return auth::make_token(std::string(auth::token_random_size, number));
}

std::string bearer(char number) {
  return auth::to_text(token_of(number));
}

token_entry entry(char number, const std::string& name = "ada") {
  token_entry result;
  result.id = token_of(number).id;
  result.hash = auth::hash_of(token_of(number).secret);
  result.name = name;
  result.created_at = noon;
  return result;
}

/// The name of the token's principal, or the error.
template <class List>
std::string answer(List&& by, const std::string& text, timestamp now = noon) {
  auto found = by.check(text, now);
  if (found)
    return found->name;
  BOOST_TEST(describe(found.error()).find(token_of(1).secret) == std::string::npos);
  return describe(found.error());
}

std::string refused(const identity& who, const auth::intent& what) {
  auto err = auth::check(who, what);
  BOOST_TEST((!err || code_of(err) == errc::forbidden));
  return err ? field_of(err) : "";
}

} // namespace

BOOST_AUTO_TEST_SUITE(an_access_list)

BOOST_AUTO_TEST_CASE(lets_in_whom_it_knows) {
  access_list x{{entry(1, "ada"), entry(2, "bob")}};
  BOOST_TEST(answer(x, bearer(1)) == "ada");
  BOOST_TEST(answer(x, bearer(2)) == "bob");
  BOOST_TEST(x.check(bearer(1), noon)->token_id == token_of(1).id);
}

BOOST_AUTO_TEST_CASE(lets_in_nobody_else) {
  access_list x{{entry(1), entry(2)}};
  const std::string unknown = "unauthenticated: token: expected a token that is known here";
  BOOST_TEST(answer(x, bearer(3)) == unknown);
  // The right id with another token's secret, and the right secret with another last letter.
  BOOST_TEST(answer(x, auth::to_text({token_of(1).id, token_of(2).secret})) == unknown);
  auto almost = bearer(1);
  almost.back() = almost.back() == 'A' ? 'B' : 'A';
  BOOST_TEST(answer(x, almost) == unknown);
  BOOST_TEST(answer(x, auth::to_text({token_of(3).id, token_of(1).secret})) == unknown);
  // The stored hash is not a valid token.
  BOOST_TEST(answer(x, entry(1).hash) != "ada");
  BOOST_TEST(answer(x, "sp_" + token_of(1).id + "_" + entry(1).hash.substr(0, 43)) == unknown);
  BOOST_TEST(answer(access_list{}, bearer(1)) == unknown);
}

BOOST_AUTO_TEST_CASE(lets_in_nobody_with_a_part_of_a_token) {
  access_list x{{entry(1)}};
  auto whole = bearer(1);
  for (size_t size = 0; size < whole.size(); ++size)
    BOOST_TEST(answer(x, whole.substr(0, size)).starts_with("unauthenticated"), size);
  BOOST_TEST(answer(x, whole + "A").starts_with("unauthenticated"));
  BOOST_TEST(answer(x, std::string(1'000'000, 'A')).starts_with("unauthenticated"));
}

BOOST_AUTO_TEST_CASE(lets_in_nobody_from_when_the_token_expires) {
  auto short_lived = entry(1);
  short_lived.expires_at = noon + 1h;
  access_list x{{short_lived}};
  BOOST_TEST(answer(x, bearer(1), noon + 1h - 1ns) == "ada");
  BOOST_TEST(answer(x, bearer(1), noon + 1h)
             == "unauthenticated: token: expected a token that has not expired");
}

BOOST_AUTO_TEST_CASE(lets_in_nobody_whose_token_was_revoked) {
  auto revoked = entry(1);
  revoked.revoked_at = noon;
  access_list x{{revoked}};
  BOOST_TEST(
    answer(x, bearer(1)) == "unauthenticated: token: expected a token that was not revoked");
}

BOOST_AUTO_TEST_CASE(tells_the_end_of_a_token_only_to_whom_had_it) {
  auto revoked = entry(1);
  revoked.revoked_at = noon;
  access_list x{{revoked}};
  BOOST_TEST(answer(x, auth::to_text({token_of(1).id, token_of(2).secret}))
             == "unauthenticated: token: expected a token that is known here");
}

BOOST_AUTO_TEST_CASE(knows_whether_it_lets_in_anybody) {
  auto expiring = entry(1);
  expiring.expires_at = noon;
  auto revoked = entry(2);
  revoked.revoked_at = noon;
  BOOST_TEST(!access_list{}.has_valid(noon));
  BOOST_TEST((!access_list{{expiring, revoked}}.has_valid(noon)));
  BOOST_TEST((access_list{{expiring, revoked}}.has_valid(noon - 1s)));
  BOOST_TEST((access_list{{revoked, entry(3)}}.has_valid(noon)));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(an_identity)

BOOST_AUTO_TEST_CASE(may_use_the_agents_that_its_token_is_for) {
  identity who{"id", "ada", {"ada", "team-*"}, role::daemon, right::write};
  BOOST_TEST(refused(who, {"ada"}) == "");
  BOOST_TEST(refused(who, {"team-"}) == "");
  BOOST_TEST(refused(who, {"team-red"}) == "");
  for (const auto* other : {"", "Ada", "ad", "ada2", "team", "a-team-red"})
    BOOST_TEST(refused(who, {other}) == "agent", other);
}

BOOST_AUTO_TEST_CASE(may_do_what_its_role_does_and_those_below) {
  identity who{"id", "ada", {"*"}, role::daemon, right::write};
  BOOST_TEST(refused(who, {"x", role::tool, right::write}) == "");
  BOOST_TEST(refused(who, {"x", role::daemon, right::write}) == "");
  BOOST_TEST(refused(who, {"x", role::admin, right::read}) == "role");
}

BOOST_AUTO_TEST_CASE(that_may_read_may_not_write) {
  identity who{"id", "ada", {"*"}, role::admin, right::read};
  BOOST_TEST(refused(who, {"x", role::admin, right::read}) == "");
  BOOST_TEST(refused(who, {"x", role::tool, right::write}) == "right");
}

BOOST_AUTO_TEST_CASE(is_a_caller_of_its_role_by_its_name) {
  auto of = [](role x, bool person = false) {
    return auth::as_caller({"id", "ada", {"*"}, x, right::write, person});
  };
  for (auto x : {role::tool, role::daemon, role::admin}) {
    BOOST_TEST((of(x).role == x));
    BOOST_TEST(of(x).name == "ada");
  }
  BOOST_TEST((of(role::tool).kind == source_kind::tool));
  BOOST_TEST((of(role::daemon).kind == source_kind::daemon));
  for (auto x : {role::tool, role::daemon, role::admin}) {
    BOOST_TEST((of(x, true).role == x));
    BOOST_TEST((of(x, true).kind == source_kind::user));
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_CASE(a_star_stands_for_any_letters_or_none) {
  using auth::matches;
  for (const auto* pattern : {"*", "**", "abc", "a*", "*c", "a*c", "*b*", "a*b*c", "abc*", "*abc"})
    BOOST_TEST(matches(pattern, "abc"), pattern);
  for (const auto* pattern : {"", "ab", "abcd", "b*", "*b", "a*d", "a*c*b", "*abcd", "abc*d", "A*"})
    BOOST_TEST(!matches(pattern, "abc"), pattern);
  BOOST_TEST(matches("", ""));
  BOOST_TEST(matches("*", ""));
  BOOST_TEST(matches("*ab*ab", "abaab"));
  // Some implementations would need exponential time for this.
  BOOST_TEST(!matches("*a*a*a*a*a*a*a*a*a*a*a*a*b", std::string(10'000, 'a')));
}

namespace {

struct kept : temp_dir {
  token_file file{token_file::in(path())};
  std::vector<std::string> troubles;
  reloading_access_list list{
    file, [this](const caf::error& why) { troubles.push_back(describe(why)); }};

  void put(const entries& xs) const {
    BOOST_TEST(!file.change([&xs](entries& all) -> caf::error {
      all = xs;
      return {};
    }));
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(a_kept_access_list, kept)

BOOST_AUTO_TEST_CASE(lets_in_nobody_without_a_file) {
  BOOST_TEST(answer(list, bearer(1)).starts_with("unauthenticated"));
  BOOST_TEST(*list.has_valid(noon) == false);
  BOOST_TEST(troubles.empty());
}

BOOST_AUTO_TEST_CASE(notices_a_new_token_when_a_second_has_passed) {
  put({entry(1)});
  BOOST_TEST(answer(list, bearer(1), noon) == "ada");
  put({entry(1), entry(2, "bob")});
  BOOST_TEST(answer(list, bearer(2), noon + 999ms).starts_with("unauthenticated"));
  BOOST_TEST(answer(list, bearer(2), noon + 1s) == "bob");
}

BOOST_AUTO_TEST_CASE(notices_that_a_token_was_revoked) {
  put({entry(1)});
  BOOST_TEST(answer(list, bearer(1), noon) == "ada");
  auto revoked = entry(1);
  revoked.revoked_at = noon;
  put({revoked});
  BOOST_TEST(answer(list, bearer(1), noon + 1s)
             == "unauthenticated: token: expected a token that was not revoked");
}

BOOST_AUTO_TEST_CASE(looks_again_when_the_clock_was_set_back) {
  put({entry(1)});
  BOOST_TEST(answer(list, bearer(1), noon) == "ada");
  put({});
  BOOST_TEST(answer(list, bearer(1), noon - 1h).starts_with("unauthenticated"));
}

BOOST_AUTO_TEST_CASE(lets_in_nobody_when_the_file_is_damaged_and_tells_it_once) {
  put({entry(1)});
  BOOST_TEST(answer(list, bearer(1), noon) == "ada");
  auto whole = read("tokens.json");
  temp_dir::file("tokens.json", whole.substr(0, 20));
  const std::string unreadable = "storage_unavailable: token: the list of tokens cannot be read";
  BOOST_TEST(answer(list, bearer(1), noon + 1s) == unreadable);
  BOOST_TEST(answer(list, bearer(1), noon + 2s) == unreadable);
  BOOST_TEST(!list.has_valid(noon + 2s));
  BOOST_REQUIRE(troubles.size() == 1u);
  BOOST_TEST(troubles[0].find("tokens.json") != std::string::npos);
  temp_dir::file("tokens.json", whole);
  BOOST_TEST(answer(list, bearer(1), noon + 3s) == "ada");
}

BOOST_AUTO_TEST_CASE(lets_in_nobody_while_others_may_read_the_file) {
  put({entry(1)});
  BOOST_TEST(answer(list, bearer(1), noon) == "ada");
  std::filesystem::permissions(file.path(), static_cast<std::filesystem::perms>(0644));
  BOOST_TEST(answer(list, bearer(1), noon + 1s).starts_with("storage_unavailable"));
  std::filesystem::permissions(file.path(), static_cast<std::filesystem::perms>(0600));
  BOOST_TEST(answer(list, bearer(1), noon + 2s) == "ada");
}

BOOST_AUTO_TEST_CASE(asks_for_tokens_when_their_file_is_a_link_that_leads_nowhere) {
  BOOST_TEST(!list.asks_for_tokens(noon));
  std::filesystem::create_symlink(path() / "not_mounted" / "tokens.json", file.path());
  BOOST_TEST(list.asks_for_tokens(noon + 1s));
  BOOST_TEST(!list.has_valid(noon + 1s));
  reloading_access_list from_the_beginning{file};
  BOOST_TEST(from_the_beginning.asks_for_tokens(noon));
  BOOST_TEST(!from_the_beginning.has_valid(noon));
}

BOOST_AUTO_TEST_CASE(lets_in_nobody_when_the_file_is_gone) {
  put({entry(1)});
  BOOST_TEST(answer(list, bearer(1), noon) == "ada");
  std::filesystem::remove(file.path());
  BOOST_TEST(answer(list, bearer(1), noon + 1s).starts_with("unauthenticated"));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
