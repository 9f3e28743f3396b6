#include "scratchpage/runtime/mcp/client/transport.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include <poll.h>

#include "scratchpage/actors/tools/child_process.hpp"
#include "scratchpage/actors/tools/running_child.hpp"
#include "scratchpage/messages/json/json_text.hpp"
#include "scratchpage/runtime/mcp/client/http_transport.hpp"

namespace scratchpage::mcp_client {

namespace {

/// The variables that a program inherits from this process, whose environment may have secrets.
/// `env` adds to them.
const std::vector<std::string> inherited{"HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "PATH",
  "SHELL", "TERM", "TMPDIR", "TZ", "USER", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME",
  "XDG_RUNTIME_DIR", "XDG_STATE_HOME"};

child_command command_of(const server_config& server) {
  child_command result;
  result.argv = {server.command};
  result.argv.insert(result.argv.end(), server.args.begin(), server.args.end());
  result.env = server.env;
  result.working_directory = server.cwd;
  result.inherits = inherited;
  return result;
}

constexpr int long_time_ms = 60'000; // `interrupt_` ends the wait if there is something to do

/// The text to be written, passed from the sender's thread to the child's.
class outgoing {
public:
  explicit outgoing(size_t max_bytes)
    : max_bytes_{max_bytes} {}

  bool add(std::string_view line) {
    std::lock_guard guard{mutex_};
    if (!text_.empty() && text_.size() + line.size() > max_bytes_)
      return false;
    text_ += line;
    text_ += '\n';
    return true;
  }

  bool empty() const {
    std::lock_guard guard{mutex_};
    return text_.empty();
  }

  /// Writes as much as the child takes. False if it has closed its input.
  bool write_to(running_child& child) {
    std::lock_guard guard{mutex_};
    auto n = child.write_some(text_);
    text_.erase(0, n.value_or(text_.size()));
    return n.has_value();
  }

private:
  size_t max_bytes_;
  mutable std::mutex mutex_;
  std::string text_;
};

class stdio_transport : public transport {
public:
  stdio_transport(spawned_child started, stdio_limits limits, event_sink sink)
    : limits_{limits},
      sink_{std::move(sink)},
      outgoing_{limits.max_queued_bytes},
      child_{std::move(started), limits.max_stderr_bytes},
      thread_{[this] { run(); }} {}

  ~stdio_transport() override {
    interrupt_.stop();
    thread_.join();
  }

  bool send(const json::object& message, timespan) override {
    auto has_room = outgoing_.add(to_text(message));
    interrupt_.cancel(); // wakes the thread: there is something to write
    return has_room;
  }

private:
  void run() {
    std::optional<std::string> problem;
    while (!interrupt_.is_stopped() && !problem)
      problem = work();
    // A program that ends by itself has a more useful exit status than one that is ended.
    auto has_ended = child_.wait_for_exit(at_end_ ? limits_.grace : timespan{0});
    child_.close_input();
    if (!has_ended)
      child_.wait_for_exit(limits_.grace);
    auto end = child_.end(limits_.grace);
    if (problem && !interrupt_.is_stopped())
      sink_({transport_event::kind::ended, with_last_words(problem->empty() ? end : *problem)});
  }

  /// Waits for something to do and does it. Returns why the connection is over, once it is; "" if
  /// the program has closed its output.
  std::optional<std::string> work() {
    poll_once();
    if (interrupt_.is_stopped())
      return std::nullopt;
    for (auto end = input_.find('\n'); end != std::string::npos; end = input_.find('\n')) {
      auto line = input_.substr(0, end);
      input_.erase(0, end + 1);
      if (line.size() > limits_.max_line_bytes)
        return too_long();
      if (line.find_first_not_of(" \t\r") != std::string::npos
          && !sink_({transport_event::kind::message, std::move(line)}))
        return "its messages are not needed any more";
    }
    if (input_.size() > limits_.max_line_bytes)
      return too_long();
    return at_end_ ? std::optional<std::string>{""} : std::nullopt;
  }

  void poll_once() {
    auto writes = !input_closed_ && !outgoing_.empty();
    std::array<pollfd, 4> fds{{
      {writes ? child_.in() : -1, POLLOUT, 0},
      {child_.out(), POLLIN, 0},
      {child_.err(), POLLIN, 0},
      {interrupt_.fd(), POLLIN, 0},
    }};
    if (::poll(fds.data(), fds.size(), long_time_ms) <= 0)
      return;
    if (fds[3].revents != 0)
      interrupt_.drain();
    if (fds[2].revents != 0)
      child_.read_stderr();
    if (fds[0].revents != 0)
      input_closed_ = !outgoing_.write_to(child_);
    if (fds[1].revents != 0)
      at_end_ = !child_.read_some(input_);
  }

  std::string too_long() const {
    return "wrote a line of more than " + std::to_string(limits_.max_line_bytes) + " bytes";
  }

  std::string with_last_words(std::string text) const {
    constexpr size_t most = 500;
    auto tail = child_.stderr_tail();
    if (tail.empty())
      return text;
    return text + "; its standard error ends with: "
           + printable(tail.substr(tail.size() - std::min(tail.size(), most)), 2 * most);
  }

  stdio_limits limits_;
  event_sink sink_;
  outgoing outgoing_;
  child_interrupt interrupt_;
  running_child child_; // used by the thread alone
  std::string input_;   ///< read, and not yet passed on
  bool input_closed_ = false;
  bool at_end_ = false;
  std::thread thread_; // the last: it uses all of the above
};

/// The transport of a program that could not be started.
class nothing_started : public transport {
public:
  bool send(const json::object&, timespan) override { return true; }
};

} // namespace

size_t max_message_bytes(const server_config& server) {
  // Escapes and pictures make a message larger than the text that is kept of it.
  return 4 * server.max_result_bytes + (size_t{1} << 20);
}

std::unique_ptr<transport> connect_to(const server_config& server, event_sink sink) {
  if (server.is_program()) {
    stdio_limits limits;
    limits.max_line_bytes = max_message_bytes(server);
    return start_program(command_of(server), limits, std::move(sink));
  }
  return connect_over_http(server, std::move(sink));
}

event_inbox::event_inbox(size_t max_bytes, std::function<void()> wake)
  : max_bytes_{max_bytes},
    wake_{std::move(wake)} {}

bool event_inbox::put(transport_event x) {
  constexpr size_t overhead = 256; // of an event without any text
  auto size = x.text.size() + overhead;
  auto was_empty = false;
  {
    std::unique_lock guard{mutex_};
    room_.wait(guard, [&] { return closed_ || events_.empty() || bytes_ + size <= max_bytes_; });
    if (closed_)
      return false;
    was_empty = events_.empty();
    bytes_ += size;
    events_.push_back(std::move(x));
  }
  if (was_empty)
    wake_();
  return true;
}

std::vector<transport_event> event_inbox::take() {
  std::lock_guard guard{mutex_};
  bytes_ = 0;
  room_.notify_all();
  return std::exchange(events_, {});
}

void event_inbox::close() {
  std::lock_guard guard{mutex_};
  closed_ = true;
  room_.notify_all();
}

std::unique_ptr<transport> start_program(
  const child_command& command, stdio_limits limits, event_sink sink) {
  auto started = spawn_child(command);
  if (started.pid >= 0)
    return std::make_unique<stdio_transport>(std::move(started), limits, std::move(sink));
  sink({transport_event::kind::ended, std::move(started.error)});
  return std::make_unique<nothing_started>();
}

} // namespace scratchpage::mcp_client
