#include "scratchpage/runtime/cli/commands/mcp.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <istream>
#include <mutex>
#include <optional>
#include <ostream>
#include <thread>
#include <utility>

#include "scratchpage/messages/principal_name.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/runtime/auth/caller_claim.hpp"
#include "scratchpage/runtime/cli/commands/opening.hpp"
#include "scratchpage/runtime/cli/commands/option_reader.hpp"
#include "scratchpage/runtime/cli/io/command_answer.hpp"
#include "scratchpage/runtime/cli/io/end_deadline.hpp"
#include "scratchpage/runtime/cli/io/end_signals.hpp"
#include "scratchpage/runtime/cli/io/line_reader.hpp"
#include "scratchpage/runtime/cli/io/patient_writer.hpp"
#include "scratchpage/runtime/cli/io/stoppable_input.hpp"
#include "scratchpage/runtime/execution/actor_guest.hpp"
#include "scratchpage/runtime/execution/caller_strand.hpp"
#include "scratchpage/runtime/execution/wall_clock.hpp"
#include "scratchpage/runtime/mcp/server/agent_offers.hpp"
#include "scratchpage/runtime/mcp/server/polled_changes.hpp"
#include "scratchpage/runtime/mcp/server/stdio_session.hpp"

namespace scratchpage {

namespace {

constexpr size_t most_line_bytes = size_t{4} << 20;
constexpr size_t most_in_work = 256;
/// For what was asked, when nothing more comes; and when somebody wants an end. With
/// what a shared agent takes for others, that is to be over in ten seconds.
constexpr timespan patience_at_the_end = std::chrono::minutes{1};
constexpr timespan patience_after_a_signal = std::chrono::seconds{4};
constexpr timespan patience_for_rest = std::chrono::seconds{1};

/// Counts lines that are worked on; the reader waits while there are too many.
class gate {
public:
  /// False if no more are taken.
  bool enter() {
    std::unique_lock guard{mutex_};
    changed_.wait(guard, [this] { return inside_ < most_in_work || until_; });
    if (until_)
      return false;
    ++inside_;
    return true;
  }

  void leave() {
    std::lock_guard guard{mutex_};
    --inside_;
    changed_.notify_all();
  }

  /// Takes no more, and waits no longer than that for those inside.
  void close(timespan patience) {
    std::lock_guard guard{mutex_};
    auto until = std::chrono::steady_clock::now() + patience;
    until_ = until_ ? std::min(*until_, until) : until;
    changed_.notify_all();
  }

  /// Once closed: whether all have left in time.
  bool wait_until_empty() {
    std::unique_lock guard{mutex_};
    while (inside_ > 0 && std::chrono::steady_clock::now() < *until_)
      changed_.wait_until(guard, std::chrono::steady_clock::time_point{*until_});
    return inside_ == 0;
  }

  /// Once closed.
  std::chrono::steady_clock::time_point until() {
    std::lock_guard guard{mutex_};
    return *until_;
  }

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  size_t inside_ = 0;
  std::optional<std::chrono::steady_clock::time_point> until_;
};

/// What the client writes: the descriptor, if the process has one.
class client_input {
public:
  explicit client_input(const command_environment& environment)
    : in_{environment.in->rdbuf()} {
    if (environment.in_fd >= 0)
      in_.rdbuf(&read_.emplace(environment.in_fd));
  }

  std::istream& stream() { return in_; }

  void stop() const {
    if (read_)
      read_->stop();
  }

private:
  std::optional<stoppable_input> read_;
  std::istream in_;
};

/// What the client reads, a line at a time; nobody waits for it to do so.
class client_output {
public:
  client_output(const command_environment& environment, std::function<void()> on_gone)
    : stream_{environment.out},
      on_gone_{std::move(on_gone)} {
    if (environment.out_fd >= 0)
      writer_.emplace(environment.out_fd, on_gone_);
  }

  /// On one thread at a time.
  void write(std::string line) {
    line += '\n';
    if (writer_)
      writer_->write(std::move(line));
    else if (!(stream_ << line << std::flush))
      on_gone_();
  }

  /// Whether everything is written, at the latest by then.
  bool flush(std::chrono::steady_clock::time_point until) {
    return writer_ ? writer_->flush(until) : static_cast<bool>(stream_);
  }

  void stop() {
    if (writer_)
      writer_->stop();
  }

private:
  std::ostream& stream_;
  const std::function<void()> on_gone_;
  std::optional<patient_writer> writer_;
};

/// Operations of an agent, wherever it lives; answers come on the strand.
mcp::run_operation operations_of(
  agent_client& agent, const std::shared_ptr<caller_strand>& strand) {
  return [&agent, strand](const mcp::client&, std::string operation, json::object arguments,
           mcp::on_operation then) {
    agent.start(std::move(operation), std::move(arguments),
      [strand, then = std::move(then)](caf::expected<std::string> x) {
        strand->post([then, x = std::move(x)]() mutable { then(std::move(x)); });
      });
  };
}

/// Gives the session what comes in, until nothing does. Runs the actors that answer
/// between the lines, and the journal's commits while no line waits: nobody has to be woken.
void receive_all(std::istream& from, mcp::stdio_session& to, gate& lines) {
  line_reader in{from, most_line_bytes};
  auto is_ready = false;
  actor_guest actors{[&] { is_ready = true; }, [&] { return !in.has_more_waiting(); }};
  for (std::string line; in.next(line);) {
    if (utf8::is_blank(line))
      continue;
    if (!lines.enter())
      break;
    to.receive(std::move(line), [&lines] { lines.leave(); });
    line.clear();
    while (std::exchange(is_ready, false))
      actors.run();
  }
}

/// Whether all that came in is answered.
bool converse(std::istream& from, mcp::stdio_session& with, gate& lines) {
  receive_all(from, with, lines);
  with.close();
  lines.close(patience_at_the_end);
  return lines.wait_until_empty();
}

} // namespace

exit_code run_mcp(const mcp_options& options, const command_environment& environment) {
  mcp::client who{as_daemon("mcp_client"), {}};
  option_reader read;
  read.text("--thread", options.thread, who.thread_id).text("--name", options.name, who.by.name);
  if (looks_like_component(who.by.name))
    read.refuse("--name", "a name that is none of the ensemble's", who.by.name);
  else if (!is_plain_name(who.by.name) || who.by.name.size() > access::most_name_bytes)
    read.refuse("--name", std::string{plain_name} + ", of 1 to 128 bytes", who.by.name);
  if (read.error())
    return complain(environment, read.error());
  if (environment.in == nullptr)
    return complain_of_input(
      environment, fail(errc::invalid_request, "mcp", "expected a standard input"));
  end_signals signals{end_signals::and_of_pipes{}};
  end_deadline late{environment};
  gate lines; // what is never answered leaves when the agent ends
  auto agent =
    open_agent(options.agent, if_missing::make, {who.by, who.thread_id}, tool_servers::on);
  if (!agent)
    return complain_of_input(environment, agent.error());
  warn_of_damage((*agent)->damage(), environment);
  client_input input{environment};
  client_output output{environment, [&] { signals.ask(); }};
  auto strand = std::make_shared<caller_strand>(std::make_shared<wall_clock>());
  auto run = operations_of(**agent, strand);
  auto offers =
    std::make_shared<mcp::agent_offers>(run, std::make_shared<mcp::polled_changes>(strand, run));
  auto session = std::make_shared<mcp::stdio_session>(std::make_shared<mcp::server>(strand, offers),
    std::move(who), [&](std::string answer) { output.write(std::move(answer)); });
  auto answered = false;
  std::thread conversation{[&] {
    answered = converse(input.stream(), *session, lines) && output.flush(lines.until());
    signals.ask();
  }};
  signals.await(environment.out_fd);
  late.begin();
  lines.close(patience_after_a_signal);
  input.stop();
  conversation.join();
  strand->stop();
  output.stop();
  settle(**agent, environment, patience_for_rest);
  return finish(environment, answered ? exit_code::ok : exit_code::unmet);
}

} // namespace scratchpage
