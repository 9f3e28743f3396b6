#include <boost/test/unit_test.hpp>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "scratchpage/runtime/mcp/server/agent_changes.hpp"
#include "scratchpage/tests/runtime/mcp/server/manual_strand.hpp"

/// Polling resources that send no notifications.

namespace scratchpage::test {

namespace {

/// An agent whose operations answer synchronously.
struct polled_agent {
  std::shared_ptr<manual_strand> strand = std::make_shared<manual_strand>();
  size_t looks = 0;
  std::set<std::string> operations;
  std::string content = "1";
  std::shared_ptr<mcp::polled_changes> changes = std::make_shared<mcp::polled_changes>(
    strand, [this](const principal&, const std::string& operation, const json::object&,
              const on_answer& then) {
      ++looks;
      operations.insert(operation);
      then(content);
    });
  std::vector<std::string> told;

  ~polled_agent() { strand->stop(); }

  std::shared_ptr<void> subscribe(std::set<std::string> uris) {
    return changes->subscribe({as_daemon("listener"), "main"}, {{}, std::move(uris)},
      [this](const mcp::change& x) { told.push_back(x.uri); });
  }
};

constexpr size_t very_many = 50'000;

std::set<std::string> numbered(const std::string& begin) {
  std::set<std::string> result;
  for (size_t i = 0; i < very_many; ++i)
    result.insert(begin + std::to_string(i));
  return result;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_polled_changes, polled_agent)

BOOST_AUTO_TEST_CASE(any_number_of_resources_is_looked_at_without_filling_the_stack) {
  auto all = subscribe(numbered("scratchpage://observations/obs_"));
  BOOST_TEST(looks == very_many);
  strand->advance(std::chrono::milliseconds{600});
  BOOST_TEST(looks == 2 * very_many);
  BOOST_TEST(told.empty());
  content = "2";
  strand->advance(std::chrono::milliseconds{500});
  BOOST_TEST(told.size() == very_many);
}

BOOST_AUTO_TEST_CASE(any_number_of_addresses_at_which_nothing_is_hides_no_resource) {
  auto nothing = subscribe(numbered("nothing://"));
  auto goals = subscribe({"scratchpage://goals"});
  BOOST_TEST(looks == 1u);
  strand->advance(std::chrono::milliseconds{600});
  BOOST_TEST(looks == 2u);
  content = "2";
  strand->advance(std::chrono::milliseconds{500});
  BOOST_REQUIRE(told.size() == 1u);
  BOOST_TEST(told[0] == "scratchpage://goals");
}

BOOST_AUTO_TEST_CASE(of_a_scratchbook_the_view_is_looked_at_and_not_the_whole_book) {
  auto book = subscribe({"scratchpage://scratchbook"});
  BOOST_TEST((operations == std::set<std::string>{"scratch_read"}));
  strand->advance(std::chrono::milliseconds{600});
  content = "2";
  strand->advance(std::chrono::milliseconds{500});
  BOOST_TEST(told.size() == 1u);
}

BOOST_AUTO_TEST_CASE(of_a_page_alone_the_answer_is_taken_apart) {
  content = R"({"sequence": 1, "live": 1})";
  auto both = subscribe({"scratchpage://page", "scratchpage://goals"});
  strand->advance(std::chrono::milliseconds{600});
  content = R"({"sequence": 1, "live": 2})";
  strand->advance(std::chrono::milliseconds{500});
  BOOST_REQUIRE(told.size() == 1u);
  BOOST_TEST(told[0] == "scratchpage://goals");
}

BOOST_AUTO_TEST_CASE(nobody_looks_when_nobody_wants_to_know) {
  auto goals = subscribe({"scratchpage://goals"});
  strand->advance(std::chrono::seconds{1});
  goals.reset();
  strand->advance(std::chrono::seconds{1});
  auto before = looks;
  strand->advance(std::chrono::seconds{10});
  BOOST_TEST(looks == before);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
