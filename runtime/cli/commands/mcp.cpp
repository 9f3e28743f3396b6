#include "scratchpage/runtime/cli/commands/page_commands.hpp"

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
#include "scratchpage/runtime/api/operation_caller.hpp"
#include "scratchpage/runtime/api/operation_list.hpp"
#include "scratchpage/runtime/auth/caller_claim.hpp"
#include "scratchpage/runtime/cli/commands/local_person.hpp"
#include "scratchpage/runtime/cli/commands/opening.hpp"
#include "scratchpage/runtime/cli/commands/options.hpp"
#include "scratchpage/runtime/cli/io/command_line.hpp"
#include "scratchpage/runtime/cli/io/files.hpp"
#include "scratchpage/runtime/cli/io/pipe_io.hpp"
#include "scratchpage/runtime/cli/io/shutdown.hpp"
#include "scratchpage/runtime/execution/job_queue.hpp"
#include "scratchpage/runtime/execution/strand.hpp"
#include "scratchpage/runtime/execution/wall_clock.hpp"
#include "scratchpage/runtime/mcp/server/agent_changes.hpp"
#include "scratchpage/runtime/mcp/server/agent_provider.hpp"
#include "scratchpage/runtime/mcp/server/stdio_session.hpp"

namespace scratchpage {

namespace {

constexpr size_t max_line_bytes = size_t{4} << 20;
constexpr size_t max_in_work = 256;
/// How long the rest of the requests may take after the end of the input. After a signal, the next
/// two and the time that a shared agent needs to end have to stay below ten seconds together.
constexpr timespan timeout_at_end = std::chrono::minutes{1};
constexpr timespan timeout_after_signal = std::chrono::seconds{4};
constexpr timespan timeout_to_settle = std::chrono::seconds{1};

/// Counts the lines that are in work. The reader waits while there are too many.
class gate {
public:
  /// Waits for room. False once the gate is closed.
  bool enter() {
    std::unique_lock guard{mutex_};
    changed_.wait(guard, [this] { return inside_ < max_in_work || until_; });
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

  /// Lets no further line in. Those inside have that much time.
  void close(timespan timeout) {
    std::lock_guard guard{mutex_};
    auto until = std::chrono::steady_clock::now() + timeout;
    until_ = until_ ? std::min(*until_, until) : until;
    changed_.notify_all();
  }

  /// Waits until all lines have left; false if the time is over. @pre The gate is closed.
  bool wait_until_empty() {
    std::unique_lock guard{mutex_};
    while (inside_ > 0 && std::chrono::steady_clock::now() < *until_)
      changed_.wait_until(guard, std::chrono::steady_clock::time_point{*until_});
    return inside_ == 0;
  }

  /// When the time of the lines inside is over. @pre The gate is closed.
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

/// The input from the client. It can be stopped if it has a descriptor.
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
  std::optional<interruptible_input> read_;
  std::istream in_;
};

/// The output to the client. Writing a line does not wait for the client to read it.
class client_output {
public:
  client_output(const command_environment& environment, std::function<void()> on_gone)
    : stream_{environment.out},
      on_gone_{std::move(on_gone)} {
    if (environment.out_fd >= 0)
      writer_.emplace(environment.out_fd, on_gone_);
  }

  /// Writes a line. Used by one thread at a time.
  void write(std::string line) {
    line += '\n';
    if (writer_)
      writer_->write(std::move(line));
    else if (!(stream_ << line << std::flush))
      on_gone_();
  }

  /// Waits until everything is written. False if that takes longer than `until`.
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
  std::optional<async_writer> writer_;
};

/// Performs operations of an agent, in whichever process it is: those of the client, and those of
/// this machine's user. Answers come on the strand.
perform_operation operations_of(
  agent_client& agent, local_person& user, const std::shared_ptr<inline_strand>& strand) {
  return [&agent, &user, strand](
           const principal& who, std::string operation, json::object arguments, on_answer then) {
    auto answer = [strand, then = std::move(then)](caf::expected<std::string> x) {
      strand->post([then, x = std::move(x)]() mutable { then(std::move(x)); });
    };
    name_request(operation, who.request_key, arguments);
    if (is_person(who.by))
      user.start(std::move(operation), std::move(arguments), std::move(answer));
    else
      agent.start(std::move(operation), std::move(arguments), std::move(answer));
  };
}

/// The client is a program that this machine's user has started on a data directory of theirs. So
/// an answer of its user is that user's word. Behind a server, the client's token decides, and it
/// is an agent's.
mcp::person_at person_of(const agent_options& options) {
  if (!options.server.empty())
    return nullptr;
  return [file = options.config, trusts = std::optional<bool>{}](
           const principal& client, const std::string&) mutable -> std::optional<principal> {
    if (!trusts) { // read when it is needed first, since most clients are never asked
      auto config = load_config_file(file);
      trusts = config && config->consent.elicitation != elicitation::off;
    }
    if (!*trusts)
      return std::nullopt;
    auto result = client;
    result.by = as_admin(login_name());
    return result;
  };
}

/// Passes lines to the session until the input ends. Between lines it runs the actors that answer,
/// and the journal's commits while no line waits, so that no other thread has to be woken.
void receive_all(std::istream& from, mcp::stdio_session& to, gate& lines) {
  line_reader in{from, max_line_bytes};
  auto is_ready = false;
  inline_executor actors{[&] { is_ready = true; }, [&] { return !in.has_more_waiting(); }};
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

/// Serves the client until its input ends. False if not everything was answered in time.
bool converse(std::istream& from, mcp::stdio_session& with, gate& lines) {
  receive_all(from, with, lines);
  with.close();
  lines.close(timeout_at_end);
  return lines.wait_until_empty();
}

} // namespace

exit_code run_mcp(const mcp_options& options, const command_environment& environment) {
  principal who{as_daemon("mcp_client"), {}};
  option_reader read;
  read.text("--thread", options.thread, who.thread_id).text("--name", options.name, who.by.name);
  if (looks_like_component(who.by.name))
    read.refuse("--name", "a name that no component of the agent has", who.by.name);
  else if (!is_plain_name(who.by.name) || who.by.name.size() > auth::max_name_bytes)
    read.refuse("--name", std::string{plain_name} + ", of 1 to 128 bytes", who.by.name);
  auto tools = tool_set::full;
  read.name("--tools", options.tools, tools);
  who.simple_tools = tools == tool_set::simple;
  if (read.error())
    return complain(environment, read.error());
  if (environment.in == nullptr)
    return complain_of_input(
      environment, fail(errc::invalid_request, "mcp", "expected a standard input"));
  end_signals signals{end_signals::and_of_pipes{}};
  end_deadline late{environment};
  gate lines; // lines that are never answered leave it when the agent ends
  auto agent =
    open_agent(options.agent, open_mode::create, {who.by, who.thread_id}, tool_servers::on);
  if (!agent)
    return complain_of_input(environment, agent.error());
  warn_of_damage((*agent)->damage(), environment);
  client_input input{environment};
  client_output output{environment, [&] { signals.ask(); }};
  auto strand = std::make_shared<inline_strand>(std::make_shared<wall_clock>());
  local_person user{options.agent};
  auto run = operations_of(**agent, user, strand);
  auto offers = std::make_shared<mcp::agent_provider>(
    run, std::make_shared<mcp::polled_changes>(strand, run), person_of(options.agent));
  auto session = std::make_shared<mcp::stdio_session>(std::make_shared<mcp::server>(strand, offers),
    std::move(who), [&](std::string answer) { output.write(std::move(answer)); });
  auto answered = false;
  std::thread conversation{[&] {
    answered = converse(input.stream(), *session, lines) && output.flush(lines.until());
    signals.ask();
  }};
  signals.await(environment.out_fd);
  late.begin();
  lines.close(timeout_after_signal);
  input.stop();
  conversation.join();
  strand->stop();
  output.stop();
  settle(**agent, environment, timeout_to_settle);
  return finish(environment, answered ? exit_code::ok : exit_code::unmet);
}

} // namespace scratchpage
