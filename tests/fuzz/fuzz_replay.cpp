#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/simulation/input_file.hpp"
#include "scratchpage/runtime/simulation/scenario.hpp"
#include "scratchpage/tests/fuzz/targets.hpp"
#include "scratchpage/tests/support/planned_calls.hpp"

namespace scratchpage::fuzz {

namespace {

void check(const conversation& x) {
  promise(!x.agents.empty(), "a conversation has an agent");
  promise(
    count_turns(x) <= 1'000'000 && count_calls(x) <= 1'000'000, "turns and calls are bounded");
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
    for (const auto& x : *read)
      check(x);
  else
    check(read.error());
}

} // namespace scratchpage::fuzz
