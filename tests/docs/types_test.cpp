#define BOOST_TEST_MODULE types
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>

#include "scratchpage/actors/page/draft_rules.hpp"
#include "scratchpage/actors/page/index/index_config.hpp"
#include "scratchpage/actors/page/near_types.hpp"
#include "scratchpage/actors/page/page_config.hpp"
#include "scratchpage/actors/page/write_rules.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/runtime/config/config.hpp"
#include "scratchpage/tests/support/messages_fixture.hpp"
#include "scratchpage/tests/support/source_dir.hpp"

/// docs/types.md has every type that a page knows from the start, as the code treats it.

namespace scratchpage::test {

namespace {

struct described_type {
  std::string added_by;
  std::string goal;
  int64_t weight = 0;
};

std::string page_text() {
  std::ifstream in{source_file("docs/types.md")};
  return {std::istreambuf_iterator<char>{in}, {}};
}

/// The rows of the table of all types.
std::map<std::string, described_type> described_types(const std::string& text) {
  static const std::regex row{
    R"(\n\| `([a-z_]+)` \| [^|]+ \| ([^|]+) \| [^|]+ \| ([^|]+) \| (\d+) \|)"};
  std::map<std::string, described_type> result;
  for (std::sregex_iterator i{text.begin(), text.end(), row}, end; i != end; ++i)
    result[(*i)[1]] = {(*i)[2], (*i)[3], std::stoll((*i)[4])};
  return result;
}

bool has(const std::vector<std::string>& in, const std::string& x) {
  return std::ranges::find(in, x) != in.end();
}

} // namespace

BOOST_AUTO_TEST_CASE(the_page_about_types_has_each_registered_type_and_no_other) {
  auto described = described_types(page_text());
  const page_config page;
  for (const auto& type : page.types)
    BOOST_TEST(described.contains(type), type << " has no row in docs/types.md");
  for (const auto& [type, row] : described)
    BOOST_TEST(has(page.types, type), type << " is not registered");
}

BOOST_AUTO_TEST_CASE(it_has_the_weight_of_each_type_and_who_may_add_it) {
  const page_config page;
  const type_weights weights;
  const write_rules rules{page.tool_types};
  auto agent = as_daemon("assistant");
  agent.outside = true;
  for (const auto& [type, row] : described_types(page_text())) {
    BOOST_TEST(row.weight == weights.of(type), type);
    auto by_tools = row.added_by.starts_with("tools");
    BOOST_TEST(by_tools == has(page.tool_types, type), type);
    auto by_agents = row.added_by != "the ensemble only";
    BOOST_TEST(by_agents == !rules.check(observation_draft{type, "x"}, agent), type);
  }
}

BOOST_AUTO_TEST_CASE(a_type_that_may_become_a_goal_is_in_a_rule_and_no_other_is) {
  std::set<std::string> in_rules;
  auto with = default_config();
  for (const auto& rule : with.promotion.rules)
    in_rules.insert(rule.types.begin(), rule.types.end());
  for (const auto& [type, row] : described_types(page_text()))
    BOOST_TEST(row.goal.starts_with("from") == in_rules.contains(type), type);
}

BOOST_AUTO_TEST_CASE(each_example_is_one_that_a_page_takes) {
  auto text = page_text();
  static const std::regex line{R"(\n(\{"type": .*\}))"};
  std::set<std::string> shown;
  const type_registry types{page_config{}.types};
  for (std::sregex_iterator i{text.begin(), text.end(), line}, end; i != end; ++i) {
    auto draft = from_json_text<observation_draft>((*i)[1].str());
    BOOST_REQUIRE_MESSAGE(draft, (*i)[1] << (draft ? "" : ": " + describe(draft.error())));
    shown.insert(draft->type);
    BOOST_TEST(!!accept(std::move(*draft), as_daemon("router"), types, 60, timestamp{}), (*i)[1]);
  }
  BOOST_TEST(shown.size() == page_config{}.types.size());
}

BOOST_AUTO_TEST_CASE(what_is_often_tried_is_answered_with_what_the_page_says) {
  const page_config page;
  auto first = [&](const char* tried) {
    auto near = near_types(tried, page.types);
    return near.empty() ? std::string{} : near.front();
  };
  for (const auto* tried : {"note", "message", "info", "event"})
    BOOST_TEST(first(tried) == "observation", tried);
  for (const auto* tried : {"preference", "fact", "knowledge", "insight"})
    BOOST_TEST(first(tried) == "contextual_insight", tried);
  for (const auto* tried : {"todo", "task", "plan", "idea", "suggestion", "recommendation"})
    BOOST_TEST(first(tried) == "action_suggestion", tried);
  for (const auto* tried : {"error", "failure", "bug", "exception", "problem"})
    BOOST_TEST(first(tried) == "error_alert", tried);
  BOOST_TEST(first("warning") == "alert");
  BOOST_TEST(first("question") == "pending_confirmation");
  BOOST_TEST(first("lesson") == "learning");
}

} // namespace scratchpage::test
