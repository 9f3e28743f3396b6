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
#include "scratchpage/runtime/mcp/stdio_session.hpp"

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

/// Hands lines to a session and counts them.
class line_feeder {
public:
  using handle = caf::typed_actor<caf::result<void>(std::string)>;
  static constexpr const char* name = "line_feeder";

  line_feeder(handle::pointer self, mcp::stdio_session::handle to, gate& lines)
    : self_{self},
      to_{std::move(to)},
      lines_{lines} {}

  handle::behavior_type make_behavior() {
    return {[this](std::string& line) {
      ask(self_, to_, caf::infinite, std::move(line))
        .then([this] { lines_.leave(); }, [this](const caf::error&) { lines_.leave(); });
    }};
  }

private:
  handle::pointer self_;
  mcp::stdio_session::handle to_;
  gate& lines_;
};

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
  gate lines; // actors of the agent refer to it to their end
  auto opened = open_host(options.agent, if_missing::make, tool_servers::on);
  if (!opened)
    return complain_of_input(environment, opened.error());
  warn_of_damage(opened->agent->damage, environment);
  auto& sys = opened->host->system();
  auto session = spawn<mcp::stdio_session>(sys, opened->agent->operations, std::move(who),
    [&](const std::string& answer) { environment.out << answer << '\n'
                                                     << std::flush; });
  auto feeder = spawn<line_feeder>(sys, session, lines);
  line_reader in{*environment.in, most_line_bytes};
  for (std::string line; in.next(line) && environment.out;) {
    if (utf8::is_blank(line))
      continue;
    lines.enter();
    anon_tell(feeder, std::move(line));
    line.clear();
  }
  auto answered = lines.wait_until_empty();
  for (const auto& x : {caf::actor_cast<caf::actor>(feeder), caf::actor_cast<caf::actor>(session)})
    caf::anon_send_exit(x, caf::exit_reason::user_shutdown);
  if (opened->host->settle())
    warn_of_unfinished(environment);
  return finish(environment, answered ? exit_code::ok : exit_code::unmet);
}

} // namespace scratchpage
