#include "scratchpage/runtime/cli/terminal/top_screen.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <csignal>
#include <sstream>
#include <utility>

#include <poll.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "scratchpage/messages/text/display_text.hpp"
#include "scratchpage/runtime/cli/terminal/terminal.hpp"

namespace scratchpage {

// -- frame ----------------------------------------------------------------------------

namespace {

constexpr double wait_to_worry_ms = 1'000;
constexpr size_t head_lines = 4;
constexpr size_t beside_agent = 26; // columns of the program's name and of the time
constexpr size_t max_subscribers = 10;

std::string time_of_day(timestamp at) {
  constexpr size_t date = 11; // "2025-11-05T"
  constexpr size_t to_seconds = 8;
  return to_rfc3339(at).substr(date, to_seconds);
}

std::string one_decimal(double x) {
  std::ostringstream out;
  out.setf(std::ios::fixed);
  out.precision(1);
  out << x;
  return out.str();
}

/// The values as a row of bars. The largest one has the full height.
std::string sparkline(const terminal_style& style, const rate_history& values) {
  constexpr std::array<std::string_view, 8> bars{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  constexpr std::array<std::string_view, 8> plain{"_", "_", ".", ".", "-", "-", "=", "#"};
  const auto& marks = style.symbols ? bars : plain;
  auto most = values.empty() ? 0.0 : *std::max_element(values.begin(), values.end());
  std::string result;
  for (auto x : values) {
    auto share = most > 0 ? x / most : 0;
    auto at = static_cast<size_t>(std::lrint(share * static_cast<double>(marks.size() - 1)));
    result += marks[at];
  }
  return result;
}

struct figure {
  std::string_view name;
  std::string value;
  ink how = ink::bold;
};

/// As many of the figures as fit on one line.
std::string line_of(const std::vector<figure>& all, const terminal_style& style) {
  constexpr size_t gap = 2;
  std::string result;
  size_t used = 0;
  for (const auto& x : all) {
    used += x.name.size() + 1 + x.value.size() + gap;
    if (used > style.width + gap)
      break;
    result += paint(style, ink::faint, x.name) + " " + paint(style, x.how, x.value) + "  ";
  }
  return result;
}

std::vector<std::string> lines_of(const table& x, const terminal_style& style) {
  std::ostringstream out;
  x.print(out, style);
  std::vector<std::string> result;
  std::istringstream in{out.str()};
  for (std::string line; std::getline(in, line);)
    result.push_back(std::move(line));
  return result;
}

std::vector<std::string> head_of(
  const agent_snapshot& x, const rate_history& rates, const terminal_style& style) {
  const auto& page = x.page;
  auto rate = one_decimal(rates.empty() ? 0 : rates.back());
  constexpr std::string_view of_rates = "changes a second";
  auto room = style.width - std::min(style.width, of_rates.size() + rate.size() + 3);
  auto first =
    rates.size() > room ? rates.end() - static_cast<std::ptrdiff_t>(room) : rates.begin();
  return {
    paint(style, ink::accent, "scratchpage") + " "
      + paint(style, ink::bold, fit(one_line(x.agent), style.width - beside_agent)) + "  "
      + paint(style, ink::faint, time_of_day(x.at) + " UTC"),
    line_of(
      {{"live", std::to_string(page.live)}, {"open turns", std::to_string(page.open_turns)},
        {"subscribers", std::to_string(page.subscribers)},
        {"changes", std::to_string(page.sequence)}, {"on page", std::to_string(page.observations)},
        {"expired", std::to_string(page.expired)},
        {"evicted", std::to_string(page.evicted), page.evicted > 0 ? ink::warn : ink::bold}},
      style),
    line_of({{of_rates, rate}}, style)
      + paint(style, ink::accent, sparkline(style, {first, rates.end()})),
    "",
  };
}

/// The subscribers, sorted by lag, the largest first, then by name.
table subscribers_of(const agent_snapshot& x, size_t most) {
  auto all = x.subscribers.subscribers;
  std::stable_sort(all.begin(), all.end(),
    [](const auto& a, const auto& b) { return a.lag != b.lag ? a.lag > b.lag : a.name < b.name; });
  table rows{{{"SUBSCRIBER"}, {"LAG", true}, {"WAITS", true}, {"IN TURNS"}}};
  for (size_t i = 0; i < std::min(most, all.size()); ++i) {
    const auto& one = all[i];
    auto is_late = one.waiting_ms > wait_to_worry_ms;
    rows.add({{one.name, ink::accent}, {std::to_string(one.lag), is_late ? ink::bad : ink::plain},
      {one.waiting_ms > 0 ? human_time(one.waiting_ms) : "", is_late ? ink::bad : ink::faint},
      {one.in_turns ? "yes" : "", ink::faint}});
  }
  return rows;
}

ink ink_of(turn_status x) {
  switch (x) {
  case turn_status::complete:
    return ink::good;
  case turn_status::timed_out:
    return ink::bad;
  case turn_status::waiting:
  case turn_status::more_work:
    return ink::warn;
  default:
    return ink::accent;
  }
}

table turns_of(const agent_snapshot& x, size_t most) {
  table rows{{{"TURN"}, {"STATUS"}, {"TOOK", true}, {"URGENCY", false, true}, {"INPUT"}}};
  for (size_t i = 0; i < std::min(most, x.turns.turns.size()); ++i) {
    const auto& one = x.turns.turns[i];
    auto took = human_time(in_milliseconds(one.ended_at.value_or(x.at) - one.started_at));
    rows.add({{one.turn_id, ink::accent}, {to_string(one.status), ink_of(one.status)}, {took},
      {one.urgency ? to_string(*one.urgency) : "", ink::faint}, {one.input}});
  }
  return rows;
}

table goals_of(const agent_snapshot& x, size_t most) {
  table rows{{{"GOAL"}, {"STATUS"}, {"PROGRESS", true}, {"OPEN ACTIONS", true, true}, {"TITLE"}}};
  for (size_t i = 0; i < std::min(most, x.goals.goals.size()); ++i) {
    const auto& one = x.goals.goals[i];
    auto open = std::count_if(
      one.pending_actions.begin(), one.pending_actions.end(), [](const pending_action& action) {
        return action.status == action_status::pending
               || action.status == action_status::in_progress;
      });
    rows.add({{one.goal_id, ink::accent}, {to_string(one.status)},
      {std::to_string(std::lrint(100 * one.progress)) + " %"}, {std::to_string(open)},
      {one.title}});
  }
  return rows;
}

table newest_of(const agent_snapshot& x, size_t most) {
  table rows{{{"LEFT", true}, {"TYPE"}, {"CONF", true, true}, {"BY", false, true}, {"NEWEST"}}};
  for (size_t i = 0; i < std::min(most, x.newest.observations.size()); ++i) {
    const auto& one = *x.newest.observations[i];
    auto left = std::max(0.0, in_milliseconds(one.expires_at - x.at));
    rows.add({{human_time(left), ink::faint}, {one.type, ink::accent},
      {std::to_string(std::lrint(100 * one.confidence)) + " %"}, {one.source.name, ink::faint},
      {one.content}});
  }
  return rows;
}

} // namespace

double changes_per_second(const agent_snapshot& before, const agent_snapshot& now) {
  auto seconds = in_milliseconds(now.at - before.at) / 1'000;
  if (seconds <= 0 || now.page.sequence < before.page.sequence)
    return 0;
  return static_cast<double>(now.page.sequence - before.page.sequence) / seconds;
}

std::vector<std::string> draw_frame(
  const agent_snapshot& x, const rate_history& rates, const terminal_style& style, size_t height) {
  auto result = head_of(x, rates, style);
  auto left = height > head_lines ? height - head_lines : 0;
  auto add = [&](const table& rows) {
    for (auto& line : lines_of(rows, style))
      result.push_back(std::move(line));
    result.emplace_back();
  };
  // Each table has a title and an empty line. The last one gets the lines that the others leave.
  constexpr size_t frame = 2;
  auto share = [&](size_t wanted, size_t most) {
    auto max_now = left > frame ? std::min(most, left - frame) : 0;
    auto given = std::min(wanted, max_now);
    left -= given > 0 ? given + frame : 0;
    return given;
  };
  auto third = std::max<size_t>(3, height / 5);
  if (auto n = share(x.subscribers.subscribers.size(), std::min(max_subscribers, third)))
    add(subscribers_of(x, n));
  if (auto n = share(x.turns.turns.size(), third))
    add(turns_of(x, n));
  if (auto n = share(x.goals.goals.size(), third))
    add(goals_of(x, n));
  if (auto n = share(x.newest.observations.size(), height))
    add(newest_of(x, n));
  if (result.size() > height)
    result.resize(height);
  return result;
}

// -- screen ---------------------------------------------------------------------------

namespace {

/// Switches to the alternate screen, hides the cursor, and cuts long lines.
constexpr std::string_view enter = "\x1b[?1049h\x1b[?25l\x1b[?7l";
constexpr std::string_view leave = "\x1b[?7h\x1b[?25h\x1b[?1049l";
constexpr std::string_view home = "\x1b[H";
constexpr std::string_view rest_of_line = "\x1b[K";
constexpr std::string_view rest_of_screen = "\x1b[J";

sigset_t ends_and_sizes() {
  sigset_t result;
  sigemptyset(&result);
  for (auto one : {SIGINT, SIGTERM, SIGHUP, SIGWINCH})
    sigaddset(&result, one);
  return result;
}

winsize size_of(int fd) {
  winsize result{};
  if (ioctl(fd, TIOCGWINSZ, &result) != 0 || result.ws_row == 0)
    result = {24, 80, 0, 0};
  return result;
}

} // namespace

live_screen::live_screen(std::ostream& out, int out_fd, int in_fd)
  : out_{out},
    out_fd_{out_fd},
    in_fd_{in_fd} {
  auto kept = ends_and_sizes();
  pthread_sigmask(SIG_BLOCK, &kept, nullptr);
  signals_ = signalfd(-1, &kept, SFD_NONBLOCK | SFD_CLOEXEC);
  termios keys{};
  if (tcgetattr(in_fd_, &keys) == 0) {
    before_ = keys;
    keys.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    tcsetattr(in_fd_, TCSANOW, &keys);
  }
}

live_screen::~live_screen() {
  if (is_shown_)
    out_ << leave << std::flush;
  if (before_)
    tcsetattr(in_fd_, TCSANOW, &*before_);
  if (signals_ >= 0)
    close(signals_);
}

size_t live_screen::height() const {
  return size_of(out_fd_).ws_row;
}

size_t live_screen::width() const {
  return std::clamp<size_t>(size_of(out_fd_).ws_col, 40, 160);
}

void live_screen::show(const std::vector<std::string>& lines) {
  if (!std::exchange(is_shown_, true))
    out_ << enter;
  out_ << home;
  for (size_t i = 0; i < lines.size(); ++i)
    out_ << (i == 0 ? "" : "\r\n") << lines[i] << rest_of_line;
  out_ << rest_of_screen << std::flush;
}

bool live_screen::wait(timespan timeout) {
  std::array<pollfd, 2> all{pollfd{signals_, POLLIN, 0}, pollfd{in_fd_, POLLIN, 0}};
  auto count = before_ ? all.size() : 1; // keys of a terminal, but not the input of a pipe
  auto most = std::chrono::duration_cast<std::chrono::milliseconds>(timeout).count();
  if (poll(all.data(), count, static_cast<int>(most)) <= 0)
    return static_cast<bool>(out_);
  signalfd_siginfo signal{};
  while (read(signals_, &signal, sizeof signal) == sizeof signal)
    if (signal.ssi_signo != SIGWINCH)
      return false;
  std::array<char, 64> keys{};
  auto got = (all[1].revents & POLLIN) != 0 && before_ ? read(in_fd_, keys.data(), keys.size()) : 0;
  auto end = keys.begin() + std::max<ssize_t>(got, 0);
  auto quits = std::any_of(keys.begin(), end, [](char c) { return c == 'q' || c == 'Q'; });
  return !quits && out_;
}

} // namespace scratchpage
