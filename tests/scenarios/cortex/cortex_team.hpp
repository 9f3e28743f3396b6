#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scratchpage/actors/language/words.hpp"
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

/// The contents of the goal's observations, as the goal's context lists them.
texts contents_in_context(const goal& x);

observation_draft in_context(observation_draft x, json::object context);

observation_draft insight(std::string content, double confidence, std::vector<std::string> tags,
  const std::string& goal_id = {});

/// The answer of a tool that reports these observations.
recorded_response reporting(const std::vector<observation_draft>& drafts);

/// The entries of one operation in a trace.
std::vector<trace_entry> entries_of(const memory_trace& trace, std::string_view operation);

/// The entries of one operation about one observation.
std::vector<trace_entry> entries_about(
  const memory_trace& trace, std::string_view operation, const observation_ptr& x);

/// An ensemble whose journal and goal store fail on demand, with helpers that look up
/// observations, goals and trace entries.
struct cortex_team : team {
  std::shared_ptr<faulty_journal> journal = std::make_shared<faulty_journal>();
  std::shared_ptr<faulty_goal_store> store = std::make_shared<faulty_goal_store>();

  cortex_team();

  /// As `start`, but with `its_clock` instead of the driver's clock.
  void start_on(std::shared_ptr<const scratchpage::clock> its_clock);

  /// Adds an observation of a tool outside any turn.
  observation_ptr note(observation_draft x);
  observation_ptr note(std::string content, double confidence, std::vector<std::string> tags,
    const std::string& goal_id = {});

  /// Adds several observations with one request.
  std::vector<observation_ptr> note_all(std::vector<observation_draft> drafts);

  /// Runs a turn that calls the tool once.
  turn_result use(std::string tool_id);

  /// The current revision of the observation, null if the page does not serve it.
  observation_ptr get(const observation_ptr& x);

  /// As `get`, but fails the test if the page does not serve it.
  observation_ptr still(const observation_ptr& x);

  query_result tagged(std::vector<std::string> tags);
  query_result about_goal(const std::string& goal_id);
  observation_ptr only(std::string type);
  goal only_goal();
  goal goal_of(const std::string& goal_id);
  goal make_goal(std::string goal_id, std::vector<pending_action> actions = {});

  /// All archived observations, whatever their status.
  std::vector<observation_ptr> archive();

  status archived_as(const observation_ptr& x);
  std::vector<trace_entry> entries(std::string_view operation) const;
  std::vector<trace_entry> about(std::string_view operation, const observation_ptr& x) const;
  trace_entry only_entry(std::string_view operation) const;
  trace_entry only_entry(std::string_view operation, const observation_ptr& x) const;
  assembled_context context_for(std::string prompt, uint32_t budget);
};

} // namespace scratchpage::test
