#include <set>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/simulation/input_file.hpp"
#include "scratchpage/runtime/simulation/scenario.hpp"
#include "scratchpage/tests/fuzz/targets.hpp"
#include "scratchpage/tests/support/planned_calls.hpp"

namespace scratchpage::fuzz {

namespace {

/// How many answers are recorded, each for a call of its own.
size_t count_answers(const conversation& x) {
  std::set<std::string> ids;
  for (const auto& tool : x.tools)
    for (const auto& answer : std::get<recorded_tool>(tool.kind).responses)
      promise(ids.insert(answer.call_id).second, "no call has two answers");
  return ids.size();
}

void check(const conversation& x) {
  promise(!x.agents.empty(), "a conversation has an agent");
  promise(
    count_turns(x) <= 1'000'000 && count_calls(x) <= 1'000'000, "turns and calls are bounded");
}

/// Ids are unique, each call has one answer, and what is left out is named.
void check(const conversations_read& x) {
  promise(!x.conversations.empty(), "a transcript has a conversation");
  promise(x.notices.kept().size() <= transcript_limits::notices, "notices are bounded");
  std::set<std::string> ids;
  for (const auto& one : x.conversations) {
    check(one);
    promise(ids.insert(one.id).second, "no two conversations have one id");
    promise(count_answers(one) == count_calls(one), "each call has one answer");
  }
  for (const auto& one : x.notices.kept())
    promise(one.text.starts_with("FILE"), "a notice names the file");
}

/// Errors name the file first.
void check(const caf::error& x) {
  promise(field_of(x).starts_with("FILE"), "an error names the file");
}

} // namespace

void replay(std::string_view bytes) {
  kind_of_input(bytes, "FILE");
  if (auto read = read_scenario(bytes, "FILE"))
    check(*read);
  else
    check(read.error());
  if (auto read = read_transcript(bytes, "FILE"))
    check(*read);
  else
    check(read.error());
}

} // namespace scratchpage::fuzz
