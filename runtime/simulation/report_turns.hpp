#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/runtime/simulation/conversation.hpp"
#include "scratchpage/runtime/simulation/decisions.hpp"
#include "scratchpage/runtime/simulation/player.hpp"
#include "scratchpage/runtime/simulation/report.hpp"

namespace scratchpage {

/// All observations of a conversation, each in its last form.
std::vector<observation_ptr> observations_of(const play_result& x);

/// How many questions wait for a person at the end of the conversation.
size_t open_questions(const play_result& x);

/// The turns of a conversation for the report's page: what was said on both sides, what was asked
/// and how it was answered, warnings, calls with their errors, and what happened to goals.
class report_turns {
public:
  /// Keeps a reference to the result. Moments are milliseconds since `begin`.
  report_turns(const play_result& result, report_limits limits, timestamp begin);

  /// The next turn, in the order of the result.
  json::object next();

  /// Whether any turn has calls, also calls that its agent has reported.
  bool has_calls() const;

private:
  struct asked;

  std::vector<asked> questions_in(const played_turn& turn) const;
  void note_answers(size_t turn);
  void tell_words(json::object& x, const played_turn& turn) const;
  void tell_questions(json::object& x, const played_turn& turn, size_t index) const;
  json::object shown(const asked& x, const played_turn& turn) const;
  json::array calls_of(const played_turn& turn) const;
  json::object reported(const observation& x) const;
  json::array goals_of(const played_turn& turn);
  void put(json::object& to, const std::string& name, json::array list) const;
  std::string words(const std::string& text) const;
  std::string line(const std::string& text) const;
  double since(timestamp at) const;

  const play_result& result_;
  report_limits limits_;
  timestamp begin_;
  size_t next_ = 0;
  goal_changes goals_;
  std::map<std::pair<std::string, std::string>, observation_ptr> last_forms_; // by id and content
  std::map<std::pair<std::string, std::string>, size_t> inputs_; // turns by agent and input's id
  std::map<size_t, json::array> answers_;                        // by turn
};

} // namespace scratchpage
