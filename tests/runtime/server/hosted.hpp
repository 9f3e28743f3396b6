#pragma once

#include <memory>
#include <string>

#include <boost/test/unit_test.hpp>

#include "scratchpage/runtime/api/operation_caller.hpp"
#include "scratchpage/runtime/host/agent_host.hpp"
#include "scratchpage/tests/support/temp_dir.hpp"

namespace scratchpage::test {

/// A host on a temporary data directory.
struct hosted : temp_dir {
  explicit hosted(config x = default_config());
  ~hosted();

  void host_again();
  hosted_agent_ptr agent(const std::string& id);

  /// Calls an operation of an agent and waits for the answer.
  caf::expected<json::value> try_to(
    const std::string& id, const std::string& operation, json::object arguments);
  json::value call(const std::string& id, const std::string& operation, json::object arguments);

  config with;
  caller by = as_user("ann");
  std::unique_ptr<agent_host> host;
};

} // namespace scratchpage::test
