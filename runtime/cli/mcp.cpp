#include "scratchpage/runtime/cli/mcp.hpp"

#include <condition_variable>
#include <istream>
#include <mutex>
#include <ostream>

#include "scratchpage/messages/utf8.hpp"
#include "scratchpage/runtime/cli/command_answer.hpp"
#include "scratchpage/runtime/cli/line_reader.hpp"
#include "scratchpage/runtime/cli/opening.hpp"
#include "scratchpage/runtime/cli/option_reader.hpp"
#include "scratchpage/runtime/mcp/agent_offers.hpp"
#include "scratchpage/runtime/mcp/polled_changes.hpp"
#include "scratchpage/runtime/mcp/stdio_session.hpp"
#include "scratchpage/runtime/thread_strand.hpp"
#include "scratchpage/runtime/wall_clock.hpp"

namespace scratchpage {

namespace {

constexpr size_t most_line_bytes = size_t{4} << 20;
constexpr size_t most_in_work = 256;
constexpr timespan patience_at_the_end = std::chrono::minutes{1};

/// Counts lines that are worked on; the reader waits while there are too many.
class gate {
public:
  void enter() {
    std::unique_lock guard{mutex_};
    changed_.wait(guard, [this] { return inside_ < most_in_work; });
    ++inside_;
  }

  void leave() {
    std::lock_guard guard{mutex_};
    --inside_;
    changed_.notify_all();
  }

  bool wait_until_empty() {
    std::unique_lock guard{mutex_};
    return changed_.wait_for(guard, patience_at_the_end, [this] { return inside_ == 0; });
  }

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  size_t inside_ = 0;
};

/// Operations of an agent, wherever it lives; answers come on the strand.
mcp::run_operation operations_of(
  agent_client& agent, const std::shared_ptr<thread_strand>& strand) {
  return [&agent, strand](const mcp::client&, std::string operation, json::object arguments,
           mcp::on_operation then) {
    agent.start(std::move(operation), std::move(arguments),
      [strand, then = std::move(then)](
        caf::expected<json::value> x) { strand->post([then, x = std::move(x)] { then(x); }); });
  };
}

} // namespace

exit_code run_mcp(const mcp_options& options, const command_environment& environment) {
  mcp::client who{as_daemon("mcp_client"), {}};
  option_reader read;
  read.text("--thread", options.thread, who.thread_id).text("--name", options.name, who.by.name);
  if (read.error())
    return complain(environment, read.error());
  if (environment.in == nullptr)
    return complain_of_input(
      environment, fail(errc::invalid_request, "mcp", "expected a standard input"));
  auto agent =
    open_agent(options.agent, if_missing::make, {who.by, who.thread_id}, tool_servers::on);
  if (!agent)
    return complain_of_input(environment, agent.error());
  warn_of_damage((*agent)->damage(), environment);
  gate lines;
  auto strand = std::make_shared<thread_strand>(std::make_shared<wall_clock>());
  auto run = operations_of(**agent, strand);
  auto offers =
    std::make_shared<mcp::agent_offers>(run, std::make_shared<mcp::polled_changes>(strand, run));
  auto session = std::make_shared<mcp::stdio_session>(
    std::make_shared<mcp::server>(strand, offers), std::move(who), [&](const std::string& answer) {
      environment.out << answer << '\n' << std::flush;
    });
  line_reader in{*environment.in, most_line_bytes};
  for (std::string line; in.next(line) && environment.out;) {
    if (utf8::is_blank(line))
      continue;
    lines.enter();
    session->receive(std::move(line), [&lines] { lines.leave(); });
    line.clear();
  }
  session->close();
  auto answered = lines.wait_until_empty();
  strand->stop();
  settle(**agent, environment);
  return finish(environment, answered ? exit_code::ok : exit_code::unmet);
}

} // namespace scratchpage
