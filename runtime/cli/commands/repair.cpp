#include "scratchpage/runtime/cli/commands/repair.hpp"

#include <ostream>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/persistence/transfer/repair.hpp"
#include "scratchpage/runtime/cli/commands/open_storage.hpp"
#include "scratchpage/runtime/cli/commands/slow_progress.hpp"
#include "scratchpage/runtime/cli/io/command_answer.hpp"
#include "scratchpage/runtime/cli/terminal/table.hpp"

namespace scratchpage {

namespace {

void print(const salvage_report& x, const command_environment& environment) {
  const auto& style = environment.out_style;
  table lost{{{"AGENT"}, {"LOST"}, {"WHICH"}, {"WHY"}}};
  for (const auto& one : x.lost)
    lost.add({{one.agent_id.empty() ? "?" : one.agent_id, ink::accent}, {one.what, ink::bad},
      {one.which}, {one.why, ink::faint}});
  if (!x.lost.empty()) {
    lost.print(environment.out, style);
    environment.out << '\n';
  }
  environment.out << "saved: " << count_of(x.agents, "agent") << ", "
                  << count_of(x.changes, "change") << ", "
                  << count_of(x.observations, "observation") << " of pages that begin anew, "
                  << x.archived << " archived, " << count_of(x.documents, "document") << ", "
                  << count_of(x.files, "file") << "; "
                  << (x.lost.empty() ? "nothing is lost" : "what is lost is listed above") << '\n';
}

} // namespace

exit_code run_repair(const repair_options& options, const command_environment& environment) {
  auto data = existing_data(options.data);
  if (!data)
    return complain_of_input(environment, data.error());
  if (options.into.empty())
    return complain(
      environment, fail(errc::invalid_request, "--into", "expected a directory to make"));
  slow_progress bar{environment, "changes", options.into.string()};
  auto report = repair(*data, options.into, std::ref(bar));
  if (!report)
    return complain_of_input(environment, report.error());
  if (options.json)
    environment.out << to_safe_text(to_json(*report)) << '\n';
  else
    print(*report, environment);
  return finish(environment, report->lost.empty() ? exit_code::ok : exit_code::unmet);
}

} // namespace scratchpage
