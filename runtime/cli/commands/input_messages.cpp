#include "scratchpage/runtime/cli/commands/input_messages.hpp"

#include <ostream>

#include "scratchpage/messages/text/display_text.hpp"

namespace scratchpage {

void print_notices(
  const input_notices& notices, const command_environment& environment, bool is_quiet) {
  constexpr size_t most = 20;
  size_t told = 0;
  for (const auto& x : notices.kept())
    if ((x.refused || !is_quiet) && told < most) {
      environment.err << "scratchpage: " << x.text << '\n';
      ++told;
    }
  auto all = is_quiet ? notices.refused() : notices.count();
  if (all > told)
    environment.err << "scratchpage: and " << count_of(all - told, "more message") << " like these\n";
  if (notices.refused() > 0)
    environment.err << "scratchpage: " << count_of(notices.refused(), "line")
                    << " of the input left out; the others are played\n";
}

} // namespace scratchpage
