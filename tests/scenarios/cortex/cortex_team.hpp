#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scratchpage/actors/policies/json_path.hpp"
#include "scratchpage/messages/json/json_text.hpp"
#include "scratchpage/tests/scenarios/cortex/faulty_stores.hpp"
#include "scratchpage/tests/support/team.hpp"

namespace scratchpage::test {

using boost::test_tools::per_element;
using boost::unit_test::label;

/// A list of texts, for BOOST_TEST with `per_element`.
using texts = std::vector<std::string>;

texts ids_of(const std::vector<observation_ptr>& xs);

texts contents_of(const std::vector<observation_ptr>& xs);

texts in_order(texts xs);

/// What a goal's context says about its observations.
texts contents_in_context(const goal& x);

observation_draft in_context(observation_draft x, json::object context);

observation_draft insight(std::string content, double confidence, std::vector<std::string> tags,
  const std::string& goal_id = {});

/// A tool's answer that reports these.
recorded_response reporting(const std::vector<observation_draft>& drafts);

/// The entries of one operation in a trace.
std::vector<trace_entry> entries_of(const memory_trace& trace, std::string_view operation);

/// The entries of one operation about one observation.
std::vector<trace_entry> entries_about(
  const memory_trace& trace, std::string_view operation, const observation_ptr& x);

/// An ensemble whose journal and goal store fail on demand, and short ways to
/// look at what became of observations and goals.
struct cortex_team : team {
  std::shared_ptr<faulty_journal> journal = std::make_shared<faulty_journal>();
  std::shared_ptr<faulty_goal_store> store = std::make_shared<faulty_goal_store>();

  cortex_team();

  /// As `start`, on another clock than the driver's.
  void start_on(std::shared_ptr<const scratchpage::clock> its_clock);

  /// A tool notes something between the turns.
  observation_ptr note(observation_draft x);
  observation_ptr note(std::string content, double confidence, std::vector<std::string> tags,
    const std::string& goal_id = {});

  /// Several at once.
  std::vector<observation_ptr> note_all(std::vector<observation_draft> drafts);

  /// A turn with one call of a tool.
  turn_result use(std::string tool_id);

  /// The observation as it is now, null if it is not served.
  observation_ptr get(const observation_ptr& x);

  /// As above, and it is there.
  observation_ptr still(const observation_ptr& x);

  query_result tagged(std::vector<std::string> tags);
  query_result about_goal(const std::string& goal_id);
  observation_ptr only(std::string type);
  goal only_goal();
  goal goal_of(const std::string& goal_id);
  goal make_goal(std::string goal_id, std::vector<pending_action> actions = {});

  /// What is archived, in any status.
  std::vector<observation_ptr> archive();

  status archived_as(const observation_ptr& x);
  std::vector<trace_entry> entries(std::string_view operation) const;
  std::vector<trace_entry> about(std::string_view operation, const observation_ptr& x) const;
  trace_entry only_entry(std::string_view operation) const;
  trace_entry only_entry(std::string_view operation, const observation_ptr& x) const;
  assembled_context context_for(std::string prompt, uint32_t budget);
};

} // namespace scratchpage::test
