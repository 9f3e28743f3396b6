#include <boost/test/unit_test.hpp>

#include <atomic>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/auth/token.hpp"
#include "scratchpage/tests/support/temp_dir.hpp"

/// The file of tokens: its mode, and how it is read and changed.

namespace scratchpage::test {

namespace {

namespace fs = std::filesystem;
using auth::token_entry;
using auth::token_file;
using entries = std::vector<token_entry>;

token_entry named(const std::string& name, uint64_t number = 0) {
  std::string random(auth::token_random_size, '\0');
  for (size_t i = 0; i < 5; ++i)
    random[i] = static_cast<char>(number >> (8 * i));
  auto made = auth::make_token(random);
  token_entry result;
  result.id = made.id;
  result.hash = auth::hash_of(made.secret);
  result.name = name;
  result.created_at = *from_rfc3339("2025-11-05T10:30:00Z");
  return result;
}

struct files : temp_dir {
  token_file file{token_file::in(path() / "data")};

  static caf::error add(const token_file& to, const token_entry& x) {
    return to.change([&x](entries& all) -> caf::error {
      all.push_back(x);
      return {};
    });
  }

  std::string names() const {
    auto found = file.read();
    if (!found)
      return describe(found.error());
    std::string result;
    for (const auto& x : found->tokens)
      result.append(result.empty() ? "" : " ").append(x.name);
    return result;
  }

  unsigned mode_of(const fs::path& x) const {
    struct stat found {};
    return ::stat(x.c_str(), &found) == 0 ? found.st_mode & 07777U : 0;
  }
};

std::string damaged(const std::string& text) {
  auto read = auth::read_tokens(text);
  return read ? "read" : describe(read.error());
}

/// A file with one token, in which the value of one member is replaced.
std::string with(const std::string& member, const std::string& value) {
  auto text = auth::to_text({named("ada")});
  auto at = text.find('"' + member + "\": ");
  BOOST_REQUIRE(at != std::string::npos);
  at += member.size() + 4;
  auto end = text.find_first_of(member == "agents" ? "]" : ",\n", at);
  return text.replace(at, end - at + (member == "agents" ? 1 : 0), value);
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(a_file_of_tokens, files)

BOOST_AUTO_TEST_CASE(that_is_not_there_has_none) {
  BOOST_TEST(names() == "");
  BOOST_TEST(!fs::exists(path() / "data"));
}

BOOST_AUTO_TEST_CASE(has_what_was_added_and_is_its_owners_alone) {
  BOOST_TEST(!add(file, named("ada", 1)));
  BOOST_TEST(!add(file, named("bob", 2)));
  BOOST_TEST(names() == "ada bob");
  BOOST_TEST(mode_of(file.path()) == 0600u);
  BOOST_TEST(mode_of(path() / "data") == 0700u);
}

BOOST_AUTO_TEST_CASE(is_read_as_it_was_written) {
  auto x = named("ada \"<\n", 7);
  x.agents = {"team-*", "ada"};
  x.role = role::admin;
  x.right = auth::right::read;
  x.person = true;
  x.expires_at = from_rfc3339("2026-01-01T00:00:00Z");
  x.revoked_at = from_rfc3339("2025-12-01T00:00:00.250Z");
  auto text = auth::to_text({x, named("bob", 8)});
  auto read = auth::read_tokens(text);
  BOOST_REQUIRE(read);
  BOOST_TEST(auth::to_text(*read) == text);
  BOOST_TEST((read->front().revoked_at == x.revoked_at));
  BOOST_TEST(read->front().agents == x.agents);
  BOOST_TEST(read->front().person);
}

BOOST_AUTO_TEST_CASE(that_others_may_read_is_refused_and_says_what_to_do) {
  BOOST_TEST(!add(file, named("ada")));
  for (auto mode : {0640, 0604, 0620, 0666, 0610}) {
    fs::permissions(file.path(), static_cast<fs::perms>(mode));
    auto found = file.read();
    BOOST_REQUIRE(!found);
    BOOST_TEST((code_of(found.error()) == errc::forbidden));
    BOOST_TEST(describe(found.error()).find("chmod 600") != std::string::npos);
    BOOST_TEST((code_of(add(file, named("bob", 1))) == errc::forbidden));
  }
  fs::permissions(file.path(), static_cast<fs::perms>(0400));
  BOOST_TEST(names() == "ada");
}

BOOST_AUTO_TEST_CASE(is_a_file_and_nothing_else) {
  fs::create_directories(file.path());
  BOOST_TEST((code_of(file.read().error()) == errc::forbidden));
  fs::remove(file.path());
  BOOST_REQUIRE(::mkfifo(file.path().c_str(), 0600) == 0);
  BOOST_TEST((code_of(file.read().error()) == errc::forbidden)); // without waiting for a writer
}

BOOST_AUTO_TEST_CASE(that_is_damaged_is_not_written_over) {
  BOOST_TEST(!add(file, named("ada")));
  auto text = read("data/tokens.json");
  temp_dir::file("data/tokens.json", text.substr(0, text.size() / 2));
  auto err = add(file, named("bob", 1));
  BOOST_TEST((code_of(err) == errc::invalid_request));
  BOOST_TEST(describe(err).find("tokens.json") != std::string::npos);
  BOOST_TEST(read("data/tokens.json") == text.substr(0, text.size() / 2));
}

BOOST_AUTO_TEST_CASE(says_what_is_wrong_and_where) {
  BOOST_TEST(damaged(with("id", "\"short\"")).find("tokens[0].id: expected eight letters")
             != std::string::npos);
  BOOST_TEST(
    damaged(with("hash", "\"abc\"")).find("tokens[0].hash: expected 64") != std::string::npos);
  BOOST_TEST(damaged(with("name", "\" \"")).find("tokens[0].name: expected") != std::string::npos);
  BOOST_TEST(damaged(with("agents", "[]")).find("tokens[0].agents: expected") != std::string::npos);
  BOOST_TEST(damaged(with("role", "\"root\"")).find("tokens[0].role: expected one of tool, daemon")
             != std::string::npos);
  BOOST_TEST(damaged(with("right", "\"all\"")).find("tokens[0].right: expected one of read, write")
             != std::string::npos);
  BOOST_TEST(damaged(with("version", "2")).find("version: expected 1") != std::string::npos);
  BOOST_TEST(damaged(with("id", "\"aaaaaaaa\", \"secret\": \"x\"")).find("tokens[0].secret")
             != std::string::npos);
  BOOST_TEST(damaged("{}").find("version: expected") != std::string::npos);
  BOOST_TEST(damaged("").starts_with("invalid_request"), damaged(""));
  BOOST_TEST(damaged(auth::to_text({named("ada"), named("bob")})).find("tokens[1]: expected an id")
             != std::string::npos);
}

BOOST_AUTO_TEST_CASE(quotes_nothing_that_is_in_it) {
  auto x = named("ada");
  x.hash = "this-is-not-for-anybody-to-see";
  BOOST_TEST(damaged(auth::to_text({x})).find("not-for-anybody") == std::string::npos);
  auto text = with("hash", "\"not-for-anybody");
  BOOST_TEST(damaged(text).find("not-for-anybody") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(stays_as_it_was_when_a_change_is_refused) {
  BOOST_TEST(!add(file, named("ada")));
  auto before = read("data/tokens.json");
  auto err = file.change([](entries& all) {
    all.clear();
    return fail(errc::not_found, "ID", "expected another");
  });
  BOOST_TEST((code_of(err) == errc::not_found));
  BOOST_TEST((code_of(add(file, named("again"))) == errc::invalid_request)); // the id is in use
  BOOST_TEST(read("data/tokens.json") == before);
}

BOOST_AUTO_TEST_CASE(stays_as_it_was_when_a_writer_dies_before_the_new_one_has_its_name) {
  BOOST_TEST(!add(file, named("ada")));
  temp_dir::file("data/.tokens.json.new", "{\"version\": 1, \"tok"); // left by a killed process
  BOOST_TEST(names() == "ada");
  BOOST_TEST(!add(file, named("bob", 1)));
  BOOST_TEST(names() == "ada bob");
  BOOST_TEST(!fs::exists(path() / "data" / ".tokens.json.new"));
}

BOOST_AUTO_TEST_CASE(is_the_old_one_or_the_new_one_for_whoever_reads_meanwhile) {
  BOOST_TEST(!add(file, named("ada")));
  auto open = ::open(file.path().c_str(), O_RDONLY); // NOLINT: a slow reader
  auto before = read("data/tokens.json");
  BOOST_TEST(!add(file, named("bob", 1)));
  std::string seen(before.size() + 1, '\0');
  seen.resize(static_cast<size_t>(::read(open, seen.data(), seen.size())));
  ::close(open);
  BOOST_TEST(seen == before);
}

BOOST_AUTO_TEST_CASE(loses_nothing_when_many_change_it_at_once) {
  constexpr size_t writers = 4, each = 5;
  std::atomic<int> refused{0};
  std::vector<std::thread> threads;
  for (size_t i = 0; i < writers; ++i)
    threads.emplace_back([&, i] {
      token_file mine{file.path()};
      for (size_t k = 0; k < each; ++k)
        refused += add(mine, named("x", i * each + k)) ? 1 : 0;
    });
  for (auto& x : threads)
    x.join();
  BOOST_TEST(refused == 0);
  auto found = file.read();
  BOOST_REQUIRE(found);
  BOOST_TEST(found->tokens.size() == writers * each);
}

BOOST_AUTO_TEST_CASE(has_a_bound) {
  entries many;
  for (size_t i = 0; i < auth::max_tokens; ++i)
    many.push_back(named("x", i));
  BOOST_TEST(!file.change([&](entries& all) -> caf::error {
    all = many;
    return {};
  }));
  BOOST_TEST((code_of(add(file, named("one too many", 5'000))) == errc::overloaded));
  auto x = named("ada");
  x.agents.assign(auth::max_agent_patterns + 1, "a");
  BOOST_TEST(damaged(auth::to_text({x})).find("tokens[0].agents") != std::string::npos);
  x = named(std::string(201, 'a'));
  BOOST_TEST(damaged(auth::to_text({x})).find("tokens[0].name") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(stays_behind_the_link_that_leads_to_it) {
  fs::create_directories(path() / "elsewhere");
  token_file real{path() / "elsewhere" / "tokens.json"};
  BOOST_TEST(!add(real, named("ada")));
  fs::create_directories(path() / "data");
  fs::create_symlink(real.path(), file.path());
  BOOST_TEST(!add(file, named("bob", 1)));
  BOOST_TEST(fs::is_symlink(file.path()));
  BOOST_TEST(real.read()->tokens.size() == 2u);
}

BOOST_AUTO_TEST_CASE(is_missing_and_not_empty_behind_a_link_that_leads_nowhere) {
  fs::create_directories(path() / "data");
  fs::create_symlink(path() / "not_mounted" / "tokens.json", file.path());
  auto read = file.read();
  BOOST_REQUIRE(!read);
  BOOST_TEST((code_of(read.error()) == errc::storage_unavailable));
  BOOST_TEST(describe(read.error()).find("is a link") != std::string::npos);
  BOOST_TEST((code_of(add(file, named("ada"))) == errc::storage_unavailable));
  BOOST_TEST(!fs::exists(path() / "not_mounted"));
  BOOST_TEST(file.stamp().has_value());
}

BOOST_AUTO_TEST_CASE(has_another_stamp_after_each_change) {
  BOOST_TEST(!file.stamp());
  BOOST_TEST(!add(file, named("ada")));
  auto first = file.stamp();
  BOOST_REQUIRE(first.has_value());
  BOOST_TEST((file.stamp() == first));
  BOOST_TEST((file.read()->stamp == first));
  BOOST_TEST(!file.change([](entries&) { return caf::error{}; }));
  BOOST_TEST((file.stamp() != first));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
