#include "scratchpage/runtime/cli/commands/travel_counts.hpp"

#include <ostream>

#include "scratchpage/messages/json_writer.hpp"

namespace scratchpage {

void print_counts(const end_line& counts, bool json, const command_environment& environment) {
  if (json) {
    environment.out << to_json_text(counts) << '\n';
    return;
  }
  environment.out << count_of(counts.agents, "agent") << ": " << count_of(counts.events, "change")
                  << ", " << counts.archived << " archived, "
                  << count_of(counts.documents, "document") << ", "
                  << count_of(counts.files, "file") << '\n';
}

} // namespace scratchpage
