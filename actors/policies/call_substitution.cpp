#include "scratchpage/actors/policies/call_substitution.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/actors/policies/deed_reading.hpp"
#include "scratchpage/actors/policies/output_reading.hpp"
#include "scratchpage/actors/policies/request_matching.hpp"
#include "scratchpage/actors/policies/response_reading.hpp"
#include "scratchpage/actors/policies/response_signs.hpp"
#include "scratchpage/messages/json/json_text.hpp"

namespace scratchpage {

namespace {

/// Whether the ids of two tools have a word for a thing in common: "fx_main" and "fx_backup".
bool share_a_thing(std::string_view a, std::string_view b) {
  static const std::vector<std::string> generic{
    "api", "tool", "service", "client", "server", "the", "primary", "backup", "v2", "main"};
  auto of_b = words_of_id(b);
  for (const auto& word : words_of_id(a))
    if (word.size() > 1 && contains(of_b, word) && !contains(generic, word)
        && !changes_by_name(word))
      return true;
  return false;
}

} // namespace

bool is_made_up_for(const evaluation_input& turn, size_t failed) {
  auto things = things_asked(turn.input);
  auto deeds = static_cast<size_t>(std::count_if(things.begin(), things.end(),
    [](const asked_thing& one) { return one.kind == asked_kind::deed; }));
  auto works = [](const call_record& one) {
    return one.outcome == call_outcome::succeeded
           && read_outputs(one.outputs).finding >= output_finding::fine;
  };
  auto done = static_cast<size_t>(std::count_if(turn.calls.begin(), turn.calls.end(),
    [&](const call_record& one) { return works(one) && !only_looks(one); }));
  auto is_told = !turn.response.empty() && !says_unfinished(turn.response);
  const auto& lost = turn.calls[failed];
  auto error = in_lower_case(lost.error.empty() ? to_text(lost.outputs) : lost.error);
  if (says_needless(turn.response)
      && (error.find("exist") != std::string::npos || error.find("already") != std::string::npos))
    return true;
  for (size_t i = failed + 1; i < turn.calls.size(); ++i) {
    const auto& later = turn.calls[i];
    if (later.tool_id == lost.tool_id && later.outcome == call_outcome::succeeded)
      return true;
    if (!works(later))
      continue;
    if (deeds == 0 && !things.empty() && is_told)
      return true;
    if (deeds == 1 && share_a_thing(later.tool_id, lost.tool_id))
      return true;
    if ((deeds > 0 ? done >= deeds : things.empty()) && !only_looks(later) && is_told
        && (read_response(turn.response).tells_success || made_do(turn.response)))
      return true;
  }
  return false;
}

} // namespace scratchpage
