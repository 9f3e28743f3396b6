#pragma once

#include <string>

#include "scratchpage/runtime/cli/commands/agent_options.hpp"
#include "scratchpage/runtime/cli/commands/filter_options.hpp"
#include "scratchpage/runtime/cli/io/command_line.hpp"

namespace scratchpage {

/// `scratchpage query` and, without a text, `scratchpage archive`.
struct query_options {
  agent_options agent;
  std::string text;
  filter_options filter;
  paging_options paging;
};

/// What is on the page.
exit_code run_query(const query_options& options, const command_environment& environment);

/// What has left it.
exit_code run_archive(const query_options& options, const command_environment& environment);

} // namespace scratchpage
