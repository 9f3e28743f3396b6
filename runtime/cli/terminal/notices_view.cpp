#include "scratchpage/runtime/cli/terminal/notices_view.hpp"

#include <ostream>

#include "scratchpage/messages/text/display_text.hpp"
#include "scratchpage/runtime/cli/terminal/terminal.hpp"

namespace scratchpage {

void print_notices(std::ostream& out, const input_notices& notices, bool is_quiet) {
  constexpr size_t most = 20;
  size_t told = 0;
  for (const auto& x : notices.kept())
    if ((x.refused || !is_quiet) && told < most) {
      out << "scratchpage: " << escaped(x.text) << '\n';
      ++told;
    }
  auto all = is_quiet ? notices.refused() : notices.count();
  if (all > told)
    out << "scratchpage: and " << count_of(all - told, "more message") << " like these\n";
  if (notices.refused() > 0)
    out << "scratchpage: " << count_of(notices.refused(), "line")
        << (notices.refused() == 1 ? " was" : " were") << " left out; the others are used\n";
}

} // namespace scratchpage
