#include <chrono>
#include <filesystem>
#include <string>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/tests/runtime/server/guarded_host.hpp"

/// Authenticators: who gets access, under which name, and that access never becomes easier.

namespace scratchpage::test {

namespace {

/// A clock that tests move by hand.
class hand_clock : public clock {
public:
  timestamp now() const override { return at; }
  timestamp at = *from_rfc3339("2025-11-05T10:30:00Z");
};

struct doors : guarded_host {
  static http::request claiming(const std::string& claim) {
    auto x = request("GET", "/v1/session");
    x.headers.push_back({"scratchpage-caller", claim});
    return x;
  }

  /// The caller of a request as "kind name", or the status of the refusal.
  std::string who(http::request x) {
    auto answer = send(std::move(x));
    if (answer.status != 200)
      return std::to_string(answer.status);
    auto said = json::parse(answer.body);
    return std::string{said.at("kind").as_string()} + " "
           + std::string{said.at("name").as_string()};
  }

  http::response open_session(const std::string& key) {
    return send(request("POST", "/v1/session", "", R"({"key": ")" + key + "\"}"));
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(doors_of_a_server, doors)

BOOST_AUTO_TEST_CASE(a_program_without_a_token_is_a_tool_or_a_daemon_and_never_a_person) {
  BOOST_TEST(who(request("GET", "/v1/session")) == "daemon http_client");
  BOOST_TEST(who(claiming(R"({"role": "tool", "name": "scanner"})")) == "tool scanner");
  BOOST_TEST(who(claiming(R"({"role": "daemon", "name": "assistant"})")) == "daemon assistant");
  BOOST_TEST(who(claiming(R"({"role": "daemon", "kind": "user", "name": "ann"})")) == "403");
  BOOST_TEST(who(claiming(R"({"role": "admin", "kind": "user", "name": "ann"})")) == "403");
  BOOST_TEST(who(claiming(R"({"role": "tool", "kind": "daemon", "name": "x"})")) == "400");
  BOOST_TEST(who(claiming(R"({"role": "daemon", "kind": "tool", "name": "x"})")) == "400");
  BOOST_TEST(
    who(claiming(R"({"role": "daemon", "name": "x", "relayed_by": "", "turn_id": "t"})")) == "400");
}

BOOST_AUTO_TEST_CASE(
  no_program_is_let_in_under_a_name_of_the_ensemble_or_one_that_looks_like_another) {
  BOOST_TEST(who(claiming(R"({"role": "tool", "name": "executor"})")) == "403");
  BOOST_TEST(who(claiming(R"({"role": "daemon", "name": "Executor"})")) == "403");
  BOOST_TEST(who(claiming(R"({"role": "daemon", "name": "executor "})")) == "400");
  BOOST_TEST(who(claiming(R"({"role": "daemon", "name": "a\u202eb"})")) == "400");
  // Also tokens from when such names were allowed.
  for (const auto* name : {"executor", "executor ", "ann\n"}) {
    auto token = let_in(name, role::daemon, true);
    auth::token_authenticator again{tokens, std::make_shared<wall_clock>(), nullptr};
    auto admitted = again.admit(request("GET", "/v1/session", token));
    BOOST_REQUIRE(!admitted);
    BOOST_TEST((code_of(admitted.error()) == errc::forbidden), name);
  }
}

BOOST_AUTO_TEST_CASE(a_tool_is_no_person_whatever_its_token_says) {
  auto token = let_in("scanner", role::tool, true);
  auth::token_authenticator again{tokens, std::make_shared<wall_clock>(), nullptr};
  auto admitted = again.admit(request("GET", "/v1/session", token));
  BOOST_REQUIRE(!!admitted);
  BOOST_TEST((admitted->by.kind == source_kind::tool));
}

BOOST_AUTO_TEST_CASE(a_key_opens_one_session_of_a_person_and_only_once) {
  auto key = persons->make_key(wall_clock{}.now());
  auto opened = open_session(key);
  BOOST_REQUIRE(opened.status == 200u);
  std::string token{json::parse(opened.body).at("token").as_string()};
  BOOST_TEST(who(request("GET", "/v1/session", token)) == "user root");
  BOOST_TEST(open_session(key).status == 403u);
  BOOST_TEST(open_session("").status == 403u);
  BOOST_TEST(open_session(std::string(43, 'A')).status == 403u);
  token.back() = token.back() == 'A' ? 'B' : 'A';
  BOOST_TEST(who(request("GET", "/v1/session", token)) == "401");
}

BOOST_AUTO_TEST_CASE(a_name_counts_as_claimed_unless_a_token_or_a_session_says_it) {
  auto is_claimed = [&](const http::request& x) { return door.admit(x)->by.claimed; };
  BOOST_TEST(is_claimed(request("GET", "/v1/session")));
  BOOST_TEST(is_claimed(claiming(R"({"role": "daemon", "name": "assistant"})")));
  auto key = persons->make_key(wall_clock{}.now());
  std::string session{json::parse(open_session(key).body).at("token").as_string()};
  BOOST_TEST(!is_claimed(request("GET", "/v1/session", session)));
  auth::trusting_authenticator of_this_user{role::admin, auth::claims::of_anybody};
  BOOST_TEST(!of_this_user.admit(claiming(R"({"role": "daemon", "name": "x"})"))->by.claimed);
  auto token = let_in("assistant");
  auth::token_authenticator again{tokens, std::make_shared<wall_clock>(), nullptr};
  BOOST_TEST(!again.admit(request("GET", "/v1/session", token))->by.claimed);
}

BOOST_AUTO_TEST_CASE(a_program_cannot_make_itself_a_key) {
  BOOST_TEST(send(request("POST", "/v1/session/keys")).status == 403u);
  auto key = persons->make_key(wall_clock{}.now());
  std::string token{json::parse(open_session(key).body).at("token").as_string()};
  BOOST_TEST(send(request("POST", "/v1/session/keys", token)).status == 200u);
}

BOOST_AUTO_TEST_CASE(a_session_of_a_person_ends_when_tokens_are_asked_for) {
  auto key = persons->make_key(wall_clock{}.now());
  std::string session{json::parse(open_session(key).body).at("token").as_string()};
  BOOST_TEST(who(request("GET", "/v1/session", session)) == "user root");
  let_in("ann", role::daemon, true);
  auth::token_authenticator again{tokens, std::make_shared<wall_clock>(),
    std::make_unique<auth::trusting_authenticator>(
      role::daemon, auth::claims::of_programs, persons)};
  BOOST_TEST(!again.admit(request("GET", "/v1/session", session)));
  BOOST_TEST(again.persons() == nullptr);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_CASE(a_server_that_has_seen_tokens_lets_nobody_in_when_their_file_is_gone) {
  temp_dir dir;
  auth::token_file tokens{dir.path() / "tokens.json"};
  auto clock = std::make_shared<hand_clock>();
  auth::token_authenticator door{tokens, clock,
    std::make_unique<auth::trusting_authenticator>(role::daemon, auth::claims::of_programs)};
  auto anonymous = guarded_host::request("GET", "/v1/session");
  BOOST_TEST(bool{door.admit(anonymous)});
  BOOST_REQUIRE(!tokens.change([](auto&) { return caf::error{}; }));
  clock->at += std::chrono::seconds{2};
  BOOST_TEST(!door.admit(anonymous));
  std::filesystem::remove(tokens.path());
  for (int i = 0; i < 3; ++i) {
    clock->at += std::chrono::seconds{2};
    auto who = door.admit(anonymous);
    BOOST_REQUIRE(!who);
    BOOST_TEST((code_of(who.error()) == errc::unauthenticated));
  }
}

} // namespace scratchpage::test
