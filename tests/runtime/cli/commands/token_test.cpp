#include <filesystem>

#include "scratchpage/messages/time.hpp"
#include "scratchpage/persistence/files/data_directory.hpp"
#include "scratchpage/runtime/auth/access_list.hpp"
#include "scratchpage/runtime/auth/token.hpp"
#include "scratchpage/runtime/execution/wall_clock.hpp"
#include "scratchpage/tests/runtime/cli/commands/shell.hpp"

/// `scratchpage token`: each command is a new process.

namespace scratchpage::test {

namespace {

namespace fs = std::filesystem;
using words = std::vector<std::string>;

struct token_shell : shell {
  int token(words x) {
    x.insert(x.begin(), "token");
    x.insert(x.begin() + 2, {"--data", data()});
    return run_plain(x);
  }

  /// Adds a token. Returns it; the output has nothing else.
  std::string made(words x) {
    x.insert(x.begin(), "add");
    BOOST_REQUIRE_MESSAGE(token(x) == 0, err);
    BOOST_REQUIRE(out.ends_with('\n'));
    return out.substr(0, out.size() - 1);
  }

  static std::string id_of(const std::string& x) { return x.substr(3, 8); }
  static std::string secret_of(const std::string& x) { return x.substr(12); }

  /// The principal that a server gives access by the token now.
  caf::expected<auth::identity> check(const std::string& token) const {
    auto kept = auth::token_file{auth::token_file::in(data())}.read();
    BOOST_REQUIRE(kept);
    return auth::access_list{kept->tokens}.check(token, wall_clock{}.now());
  }

  void rename(const std::string& from, const std::string& to) const {
    auto err = auth::token_file{auth::token_file::in(data())}.change(
      [&](std::vector<auth::token_entry>& all) -> caf::error {
        for (auto& x : all)
          x.name = x.name == from ? to : x.name;
        return {};
      });
    BOOST_REQUIRE(!err);
  }

  bool lets_in(const std::string& token) const { return static_cast<bool>(check(token)); }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(tokens, token_shell)

BOOST_AUTO_TEST_CASE(a_token_is_shown_once_and_lets_its_bearer_in) {
  auto ada = made({"--name", "ada's laptop"});
  BOOST_TEST(contains(err, "not shown again"), err);
  BOOST_TEST(contains(err, "token revoke " + id_of(ada)), err);
  BOOST_TEST(!contains(err, secret_of(ada)));
  auto who = check(ada);
  BOOST_REQUIRE(who);
  BOOST_TEST(who->name == "ada's laptop");
  BOOST_TEST(who->agents == words{"*"}, boost::test_tools::per_element());
  BOOST_TEST((who->role == role::daemon));
  BOOST_TEST((who->right == auth::right::write));
  BOOST_TEST(!contains(read("data/tokens.json"), secret_of(ada)));
}

BOOST_AUTO_TEST_CASE(a_token_is_for_what_was_said) {
  auto ada = made({"--name", "ada", "--agents", "ada,team-*", "--role", "tool", "--read-only"});
  auto who = check(ada);
  BOOST_REQUIRE(who);
  BOOST_TEST(who->agents == (words{"ada", "team-*"}), boost::test_tools::per_element());
  BOOST_TEST((who->role == role::tool));
  BOOST_TEST((who->right == auth::right::read));
  BOOST_TEST(!who->person);
}

BOOST_AUTO_TEST_CASE(a_token_is_a_persons_if_that_was_said_or_if_it_is_an_admins) {
  auto ann = made({"--name", "ann", "--person"});
  auto root = made({"--name", "root", "--role", "admin"});
  BOOST_TEST(check(ann)->person);
  BOOST_TEST((check(ann)->role == role::daemon));
  BOOST_TEST(check(root)->person);
  BOOST_TEST(token({"list"}) == 0);
  BOOST_TEST(contains(out, "yes"), out);
}

BOOST_AUTO_TEST_CASE(a_list_has_no_secret) {
  auto ada = made({"--name", "ada", "--agents", "ada", "--expires", "2199-12-31"});
  auto bob = made({"--name", "bob", "--read-only"});
  rename("bob", "a\x1b[2Jb"); // a name that an earlier version accepted
  BOOST_TEST(token({"list"}) == 0);
  BOOST_TEST(contains(out, id_of(ada)), out);
  BOOST_TEST(contains(out, "2199-12-31 00:00"), out);
  BOOST_TEST(contains(out, "valid"), out);
  BOOST_TEST(contains(out, "2 tokens"), out);
  BOOST_TEST(!contains(out, "\x1b["));
  BOOST_TEST(!contains(out, secret_of(ada)));
  BOOST_TEST(!contains(out, secret_of(bob)));
  BOOST_TEST(token({"list", "--json"}) == 0);
  BOOST_TEST(!contains(out, secret_of(ada)));
  auto lines = answers();
  BOOST_REQUIRE(lines.size() == 2u);
  BOOST_TEST(names_in(lines[0].as_object())
               == (words{"id", "name", "agents", "role", "right", "person", "created_at",
                 "expires_at", "state"}),
    boost::test_tools::per_element());
  BOOST_TEST((lines[1].at("right") == "read"));
}

BOOST_AUTO_TEST_CASE(a_list_of_nothing_leaves_nothing_behind) {
  BOOST_TEST(token({"list"}) == 0);
  BOOST_TEST(out.starts_with("no tokens; "));
  BOOST_TEST(!fs::exists(data()));
}

BOOST_AUTO_TEST_CASE(a_token_that_is_revoked_lets_nobody_in_and_is_still_listed) {
  auto ada = made({"--name", "ada"});
  auto bob = made({"--name", "bob"});
  BOOST_TEST(token({"revoke", id_of(ada)}) == 0);
  BOOST_TEST(out == id_of(ada) + "\n");
  BOOST_TEST(!lets_in(ada));
  BOOST_TEST(lets_in(bob));
  auto kept = read("data/tokens.json");
  BOOST_TEST(token({"revoke", id_of(ada)}) == 0); // revoking it again changes nothing
  BOOST_TEST(read("data/tokens.json") == kept);
  BOOST_TEST(token({"list"}) == 0);
  BOOST_TEST(contains(out, "revoked"), out);
  BOOST_TEST(token({"revoke", "aaaaaaaa"}) == 1);
  BOOST_TEST(contains(err, "ID: expected the id of a token"), err);
}

BOOST_AUTO_TEST_CASE(a_span_is_when_a_token_expires) {
  using namespace std::chrono_literals;
  made({"--name", "ada", "--expires", "30d"});
  made({"--name", "bob", "--expires", "12h"});
  made({"--name", "eve", "--expires", "90m"});
  auto kept = auth::token_file{auth::token_file::in(data())}.read();
  BOOST_REQUIRE(kept);
  auto lives = [&kept](
                 size_t i) { return *kept->tokens[i].expires_at - kept->tokens[i].created_at; };
  BOOST_TEST((lives(0) == 720h));
  BOOST_TEST((lives(1) == 12h));
  BOOST_TEST((lives(2) == 90min));
}

BOOST_AUTO_TEST_CASE(what_is_wrong_names_the_option_and_makes_no_token) {
  const std::vector<std::pair<words, std::string>> all{{{}, "--name"},
    {{"--name", ""}, "--name: expected a text"}, {{"--name", " "}, "--name: expected 1 to 200"},
    {{"--name", "a\xFF"}, "--name: expected valid UTF-8"},
    {{"--name", std::string(201, 'a')}, "--name: expected 1 to 200"},
    {{"--name", "Executor "}, "--name: expected a name that no component of the agent has"},
    {{"--name", "router", "--person"},
      "--name: expected a name that no component of the agent has"},
    {{"--name", "turns", "--role", "tool"},
      "--name: expected a name that no component of the agent has"},
    {{"--name", "ann "}, "--name: expected a name without blanks at its ends"},
    {{"--name", "a\nb"}, "--name: expected a name without blanks at its ends"},
    {{"--name", "a\xE2\x80\xAEz"}, "--name: expected a name without blanks at its ends"},
    {{"--name", "a", "--role", "tool", "--person"}, "--person: expected the role 'daemon'"},
    {{"--name", "a", "--role", "root"}, "--role: expected one of tool, daemon, admin"},
    {{"--name", "a", "--agents", ""}, "--agents"},
    {{"--name", "a", "--expires", "soon"}, "--expires: expected up to 3650d"},
    {{"--name", "a", "--expires", "0d"}, "--expires: expected up to 3650d"},
    {{"--name", "a", "--expires", "-1d"}, "--expires: expected"},
    {{"--name", "a", "--expires", "3651d"}, "--expires: expected up to 3650d"},
    {{"--name", "a", "--expires", "99999999999d"}, "--expires: expected up to 3650d"},
    {{"--name", "a", "--expires", "4294967295d"}, "--expires: expected up to 3650d"},
    {{"--name", "a", "--expires", "2020-01-01"}, "--expires: expected a time in the future"},
    {{"--name", "a", "--expires", "2020-13-01"}, "--expires: expected a time such as"},
    {{"--name", "a", "--tokens", "x"}, "--tokens"}};
  for (const auto& [given, expected] : all) {
    words x{"add"};
    x.insert(x.end(), given.begin(), given.end());
    BOOST_TEST(token(x) == 2, expected);
    BOOST_TEST(contains(err, expected), expected + " in " + err);
    BOOST_TEST(out == "", expected);
  }
  BOOST_TEST(!fs::exists(fs::path{data()} / "tokens.json"));
}

BOOST_AUTO_TEST_CASE(a_file_of_its_own_may_be_anywhere) {
  auto file = (path() / "server" / "tokens.json").string();
  BOOST_TEST(run_plain({"token", "add", "--tokens", file, "--name", "ada"}) == 0);
  BOOST_TEST(run_plain({"token", "list", "--tokens", file}) == 0);
  BOOST_TEST(contains(out, "1 token"), out);
  BOOST_TEST(!fs::exists(data()));
}

BOOST_AUTO_TEST_CASE(a_file_that_others_may_read_is_not_used) {
  made({"--name", "ada"});
  fs::permissions(fs::path{data()} / "tokens.json", static_cast<fs::perms>(0644));
  for (const auto& x :
    {words{"list"}, words{"add", "--name", "bob"}, words{"revoke", "aaaaaaaa"}}) {
    BOOST_TEST(token(x) == 1);
    BOOST_TEST(contains(err, "chmod 600"), err);
    BOOST_TEST(out == "");
  }
}

BOOST_AUTO_TEST_CASE(a_damaged_file_is_named_with_what_was_expected) {
  made({"--name", "ada"});
  auto kept = read("data/tokens.json");
  file("data/tokens.json", kept.substr(0, kept.size() - 10));
  BOOST_TEST(token({"list"}) == 2);
  BOOST_TEST(contains(err, "tokens.json: expected"), err);
  BOOST_TEST(token({"add", "--name", "bob"}) == 2);
  BOOST_TEST(read("data/tokens.json") == kept.substr(0, kept.size() - 10));
}

BOOST_AUTO_TEST_CASE(a_token_that_ended_makes_room_for_another) {
  made({"--name", "first"});
  auto file = auth::token_file{auth::token_file::in(data())};
  BOOST_REQUIRE(!file.change([](std::vector<auth::token_entry>& all) -> caf::error {
    auto one = all.front();
    one.id.assign(one.id.size(), 'a'); // otherwise three letters could sometimes repeat an id
    all.resize(auth::max_tokens, one);
    for (size_t i = 1; i < all.size(); ++i)
      for (size_t k = 0, rest = i; k < 3; ++k, rest /= 26)
        all[i].id[k] = static_cast<char>('a' + rest % 26);
    return {};
  }));
  BOOST_TEST(token({"add", "--name", "one more"}) == 1);
  BOOST_TEST(contains(err, "expected 1000 tokens at most"), err);
  BOOST_REQUIRE(!file.change([](std::vector<auth::token_entry>& all) -> caf::error {
    all[7].revoked_at = all[7].created_at;
    return {};
  }));
  auto ada = made({"--name", "one more"});
  BOOST_TEST(lets_in(ada));
  BOOST_TEST(file.read()->tokens.size() == auth::max_tokens);
}

BOOST_AUTO_TEST_CASE(a_running_process_keeps_nobody_from_making_tokens) {
  add("observation", "the directory is there");
  auto used = data_directory::open(data());
  BOOST_REQUIRE(static_cast<bool>(used));
  BOOST_TEST(lets_in(made({"--name", "ada"})));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
