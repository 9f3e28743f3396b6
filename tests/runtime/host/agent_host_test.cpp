#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/tests/runtime/server/hosted.hpp"
#include "scratchpage/tests/support/callers.hpp"
#include "scratchpage/tests/support/few_threads_left.hpp"

/// Several agents of one data directory in one process.

namespace scratchpage::test {

BOOST_FIXTURE_TEST_SUITE(agent_hosts, hosted)

BOOST_AUTO_TEST_CASE(agents_have_pages_of_their_own) {
  call("ada", "add_observation", {{"type", "alert"}, {"content", "Smoke"}});
  call("bob", "add_observation", {{"type", "alert"}, {"content", "Fire"}});
  auto found = call("ada", "query_observations", {});
  BOOST_TEST(found.at("total_count").to_number<int>() == 1);
  BOOST_TEST(found.at("observations").at(0).at("content").as_string() == "Smoke");
}

BOOST_AUTO_TEST_CASE(what_they_know_is_there_when_they_are_hosted_again) {
  call("ada", "add_observation", {{"type", "alert"}, {"content", "Smoke"}});
  call("bob", "scratch_add", {{"kind", "note"}, {"title", "Call the fire brigade"}});
  host_again();
  BOOST_TEST(call("ada", "query_observations", {}).at("total_count").to_number<int>() == 1);
  BOOST_TEST(call("bob", "scratch_list", {}).at("items").as_array().size() == 1u);
}

BOOST_AUTO_TEST_CASE(one_that_is_asked_for_again_is_the_same) {
  auto first = agent("ada");
  BOOST_TEST((agent("ada")->page == first->page));
  BOOST_TEST((host->find("ada")->page == first->page));
  BOOST_TEST(!host->find("bob"));
}

BOOST_AUTO_TEST_CASE(an_agent_that_is_not_there_is_refused_where_none_is_to_be_made) {
  agent("ada");
  auto refused = host->open("bob", open_mode::existing);
  BOOST_REQUIRE(!refused);
  BOOST_TEST(
    describe(refused.error()) == "not_found: agent: expected an agent that is there, got 'bob'");
  BOOST_TEST(!host->find("bob"));
  BOOST_TEST(bool{host->open("ada", open_mode::existing)});
}

BOOST_AUTO_TEST_CASE(an_id_that_is_none_is_named) {
  for (const auto* id : {"", "a\xFF"}) {
    auto refused = host->open(id, open_mode::create);
    BOOST_REQUIRE(!refused);
    BOOST_TEST(
      describe(refused.error()) == "invalid_request: agent: expected an agent's id, in UTF-8");
  }
}

BOOST_AUTO_TEST_CASE(an_id_with_a_nul_begins_no_agent) {
  auto refused = host->open(std::string{"a\0b", 3}, open_mode::create);
  BOOST_REQUIRE(!refused);
  BOOST_TEST(
    describe(refused.error()) == "invalid_request: agent: expected an agent's id without U+0000");
}

BOOST_AUTO_TEST_CASE(an_id_that_an_export_could_not_have_begins_no_agent) {
  for (auto what : {open_mode::create, open_mode::existing}) {
    auto refused = host->open(std::string(1'025, 'x'), what);
    BOOST_REQUIRE(!refused);
    BOOST_TEST(describe(refused.error())
               == "invalid_request: agent: expected an agent's id of at most 1024 bytes");
  }
  BOOST_TEST(bool{host->open(std::string(1'024, 'x'), open_mode::create)});
}

namespace {

/// A host that allows few agents.
struct crowded_host : hosted {
  crowded_host()
    : hosted{with_few_agents()} {}

  static config with_few_agents() {
    auto result = default_config();
    result.host.max_agents = 10;
    return result;
  }

  /// Opens agents for the callers `by(0)`, `by(1)`, … until one is refused. Returns their number.
  size_t flood(const std::function<caller(size_t)>& by) {
    for (size_t count = 0;; ++count) {
      auto who = by(count);
      auto opened = host->open(who.name + std::to_string(count), open_mode::create, &who);
      if (opened)
        continue;
      BOOST_TEST((code_of(opened.error()) == errc::overloaded));
      BOOST_TEST(field_of(opened.error()) == "agent");
      return count;
    }
  }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(one_program_cannot_take_all_places_for_agents, crowded_host) {
  auto one = flood([](size_t) { return as_daemon("assistant"); });
  BOOST_TEST(one > 0u);
  BOOST_TEST(bool{host->open("embedded", open_mode::create)});
  auto rest = flood([](size_t) { return as_user("ann"); }); // persons have no limit
  BOOST_TEST(rest > 0u);
  auto all = one + 1 + rest;
  BOOST_TEST(one == all - all / 4);
}

BOOST_FIXTURE_TEST_CASE(programs_without_a_token_share_their_places_for_agents, crowded_host) {
  auto theirs = flood([](size_t i) { return claimed("agent-" + std::to_string(i)); });
  auto all = theirs + flood([](size_t) { return as_user("ann"); });
  BOOST_TEST(theirs == all - all / 4);
}

BOOST_AUTO_TEST_CASE(an_agent_needs_no_thread_of_its_own) {
  call("ada", "add_observation", {{"type", "alert"}, {"content", "Smoke"}});
  few_threads_left of{0};
  call("bob", "add_observation", {{"type", "alert"}, {"content", "Flood"}});
  BOOST_TEST(call("bob", "query_observations", {}).at("total_count").to_number<int>() == 1);
}

BOOST_AUTO_TEST_CASE(agents_that_are_asked_for_at_once_are_opened_once) {
  std::vector<std::future<hosted_agent_ptr>> found;
  for (int i = 0; i < 100; ++i) {
    auto id = "agent " + std::to_string(i % 10);
    found.push_back(std::async(std::launch::async, [this, id] { return agent(id); }));
  }
  std::map<std::string, hosted_agent_ptr> by_id;
  for (auto& x : found) {
    auto agent = x.get();
    auto [known, is_new] = by_id.emplace(agent->id, agent);
    BOOST_TEST((known->second == agent));
  }
  BOOST_TEST(by_id.size() == 10u);
  BOOST_TEST(host->agents().size() == 10u);
}

BOOST_AUTO_TEST_CASE(an_agent_that_another_is_about_to_make_is_there_for_those_who_only_read) {
  std::promise<caf::error> read;
  host->open("ada", open_mode::create, std::nullopt, [](const auto&) {});
  host->open("ada", open_mode::existing, std::nullopt,
    [&](const auto& x) { read.set_value(x ? caf::error{} : x.error()); });
  BOOST_TEST(!read.get_future().get());
}

BOOST_AUTO_TEST_CASE(somebody_who_may_make_an_agent_gets_it_although_a_reader_asked_first) {
  std::promise<caf::error> made;
  host->open("ada", open_mode::existing, std::nullopt, [](const auto&) {});
  host->open("ada", open_mode::create, std::nullopt,
    [&](const auto& x) { made.set_value(x ? caf::error{} : x.error()); });
  BOOST_TEST(!made.get_future().get());
}

namespace {

/// A scratchbook with a note. Its file is damaged while the agent is not hosted.
struct damaged_book : hosted {
  void damage(const std::function<void(std::string&)>& how) {
    call("ada", "scratch_add", {{"kind", "note"}, {"title", "Call the fire brigade"}});
    host.reset();
    auto bytes = read();
    how(bytes);
    std::ofstream{where(), std::ios::binary} << bytes;
    host_again();
    for (int i = 0; i < 2; ++i) { // a change does not repair it either
      auto refused = i == 0 ? try_to("ada", "scratch_list", {})
                            : try_to("ada", "scratch_add", {{"kind", "note"}, {"title", "New"}});
      BOOST_REQUIRE(!refused);
      BOOST_TEST((code_of(refused.error()) == errc::internal));
      auto why = describe(refused.error());
      BOOST_TEST(why.find("is not a scratchbook (") != std::string::npos, why);
      BOOST_TEST(why.find("it is not overwritten") != std::string::npos, why);
    }
    BOOST_TEST((read() == bytes));
  }

  std::filesystem::path where() const {
    return path() / "data" / "files" / "ada" / "scratchbook" / "main.json";
  }

  std::string read() const {
    std::ifstream in{where(), std::ios::binary};
    return {std::istreambuf_iterator<char>{in}, {}};
  }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_scratchbook_that_was_cut_to_nothing_is_not_a_new_one, damaged_book) {
  damage([](std::string& x) { x.clear(); });
}

BOOST_FIXTURE_TEST_CASE(a_bit_that_flipped_in_a_scratchbook_is_not_believed, damaged_book) {
  damage([](std::string& x) { x[x.find("fire")] ^= 1; });
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
