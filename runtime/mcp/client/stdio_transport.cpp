#include "scratchpage/runtime/mcp/client/stdio_transport.hpp"

#include <poll.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include "scratchpage/actors/tools/child_interrupt.hpp"
#include "scratchpage/actors/tools/running_child.hpp"
#include "scratchpage/messages/json/json_text.hpp"

namespace scratchpage::mcp_client {

namespace {

constexpr int long_time_ms = 60'000; // somebody wakes us earlier if there is anything to do

/// What is to be written, handed from the sender's thread to the child's.
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

  /// Writes what the child takes; false if it has closed its input.
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
    // A program that is at its end tells more than one that is being ended.
    auto has_ended = child_.wait_for_exit(at_end_ ? limits_.grace : timespan{0});
    child_.close_input();
    if (!has_ended)
      child_.wait_for_exit(limits_.grace);
    auto end = child_.end(limits_.grace);
    if (problem && !interrupt_.is_stopped())
      sink_({transport_event::kind::ended, with_last_words(problem->empty() ? end : *problem)});
  }

  /// Waits for something to do and does it. Why it is over, once it is: "" if the
  /// program closed its output.
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
        return "nobody listens";
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
  running_child child_; // of the thread alone
  std::string input_;   ///< read and not yet told
  bool input_closed_ = false;
  bool at_end_ = false;
  std::thread thread_; // the last: it uses all of the above
};

/// A program that could not be started: says so, and that is all.
class nothing_started : public transport {
public:
  bool send(const json::object&, timespan) override { return true; }
};

} // namespace

std::unique_ptr<transport> start_program(
  const child_command& command, stdio_limits limits, event_sink sink) {
  auto started = spawn_child(command);
  if (started.pid >= 0)
    return std::make_unique<stdio_transport>(std::move(started), limits, std::move(sink));
  sink({transport_event::kind::ended, std::move(started.error)});
  return std::make_unique<nothing_started>();
}

} // namespace scratchpage::mcp_client
