#include "scratchpage/runtime/cli/terminal/top_frame.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>
#include <utility>

#include "scratchpage/messages/text/display_text.hpp"

namespace scratchpage {

namespace {

constexpr double wait_to_worry_ms = 1'000;
constexpr size_t beside_agent = 26; // columns of the program's name and of the time
constexpr size_t short_screen = 12; // with fewer lines the head is shorter, and keys are not named

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
    used += (result.empty() ? 0 : gap) + x.name.size() + 1 + x.value.size();
    if (used > style.width)
      break;
    result.append(result.empty() ? 0 : gap, ' ');
    result += paint(style, ink::faint, x.name) + " " + paint(style, x.how, x.value);
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
  auto for_agent = std::max(style.width, beside_agent + 8) - beside_agent;
  return {
    paint(style, ink::accent, "scratchpage") + " "
      + paint(style, ink::bold, fit(one_line(x.agent), for_agent)) + "  "
      + paint(style, ink::faint, time_of_day(x.at) + " UTC"),
    line_of(
      {{"live", std::to_string(page.live)}, {"open turns", std::to_string(page.open_turns)},
        {"subscribers", std::to_string(page.subscribers)},
        {"changes", std::to_string(page.sequence)}, {"on page", std::to_string(page.observations)},
        {"expired", std::to_string(page.expired)},
        {"evicted", std::to_string(page.evicted), page.evicted > 0 ? ink::warn : ink::bold}},
      style),
    line_of({{of_rates, rate}}, style) + "  "
      + paint(style, ink::accent, sparkline(style, {first, rates.end()})),
    "",
  };
}

/// Subscribers from `first` on, sorted by lag, the largest first, then by name.
table subscribers_of(const agent_snapshot& x, size_t first, size_t most) {
  auto all = x.subscribers.subscribers;
  std::stable_sort(all.begin(), all.end(),
    [](const auto& a, const auto& b) { return a.lag != b.lag ? a.lag > b.lag : a.name < b.name; });
  table rows{{{"SUBSCRIBER"}, {"LAG", true}, {"WAITS", true}, {"IN TURNS"}}};
  for (size_t i = first; i < std::min(first + most, all.size()); ++i) {
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

table turns_of(const agent_snapshot& x, size_t first, size_t most) {
  table rows{{{"TURN"}, {"STATUS"}, {"TOOK", true}, {"URGENCY", false, true}, {"INPUT"}}};
  for (size_t i = first; i < std::min(first + most, x.turns.turns.size()); ++i) {
    const auto& one = x.turns.turns[i];
    auto took = human_time(in_milliseconds(one.ended_at.value_or(x.at) - one.started_at));
    rows.add({{one.turn_id, ink::accent}, {to_string(one.status), ink_of(one.status)}, {took},
      {one.urgency ? to_string(*one.urgency) : "", ink::faint}, {one.input}});
  }
  return rows;
}

table goals_of(const agent_snapshot& x, size_t first, size_t most) {
  table rows{{{"GOAL"}, {"STATUS"}, {"PROGRESS", true}, {"OPEN ACTIONS", true, true}, {"TITLE"}}};
  for (size_t i = first; i < std::min(first + most, x.goals.goals.size()); ++i) {
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

table newest_of(const agent_snapshot& x, size_t first, size_t most) {
  table rows{{{"LEFT", true}, {"TYPE"}, {"CONF", true, true}, {"BY", false, true}, {"NEWEST"}}};
  for (size_t i = first; i < std::min(first + most, x.newest.observations.size()); ++i) {
    const auto& one = *x.newest.observations[i];
    auto left = std::max(0.0, in_milliseconds(one.expires_at - x.at));
    rows.add({{human_time(left), ink::faint}, {one.type, ink::accent},
      {std::to_string(std::lrint(100 * one.confidence)) + " %"}, {one.source.name, ink::faint},
      {one.content}});
  }
  return rows;
}

/// A part with a key: how many rows it has, and its table.
struct top_list {
  top_part part;
  char key;
  std::string_view one; ///< the name of one row
  size_t rows;
  table (*draw)(const agent_snapshot& x, size_t first, size_t most);
};

std::array<top_list, 4> lists_of(const agent_snapshot& x) {
  return {{
    {top_part::subscribers, 's', "subscriber", x.subscribers.subscribers.size(), &subscribers_of},
    {top_part::turns, 't', "turn", x.turns.turns.size(), &turns_of},
    {top_part::goals, 'g', "goal", x.goals.goals.size(), &goals_of},
    {top_part::newest, 'n', "observation", x.newest.observations.size(), &newest_of},
  }};
}

void append_lines(const table& rows, const terminal_style& style, std::vector<std::string>& to) {
  for (auto& line : lines_of(rows, style))
    to.push_back(std::move(line));
}

/// Draws the first rows of a list in `lines` lines below its titles. If there are more rows, the
/// last line says how many.
void draw_beginning(const agent_snapshot& x, const top_list& list, size_t lines,
  const terminal_style& style, std::vector<std::string>& to) {
  auto shown = list.rows <= lines ? list.rows : lines - 1;
  append_lines(list.draw(x, 0, shown), style, to);
  if (shown < list.rows)
    to.push_back(paint(style, ink::faint,
      fit("… " + std::to_string(list.rows - shown) + " more; " + list.key + " shows all "
            + count_of(list.rows, list.one),
        style.width)));
  to.emplace_back();
}

/// Something of each list. Each has a title and an empty line. Lines that are left then go to the
/// lists that have more rows, in their order.
void draw_overview(const agent_snapshot& x, const terminal_style& style, size_t height,
  std::vector<std::string>& to) {
  constexpr size_t frame = 2;
  auto left = height > to.size() ? height - to.size() : 0;
  auto third = std::max<size_t>(3, height / 5);
  auto lists = lists_of(x);
  std::array<size_t, 4> lines{};
  for (size_t i = 0; i < lists.size(); ++i) {
    lines[i] = std::min(lists[i].rows, left > frame ? std::min(third, left - frame) : 0);
    left -= lines[i] > 0 ? lines[i] + frame : 0;
  }
  for (size_t i = 0; i < lists.size(); ++i) {
    auto more = lines[i] > 0 ? std::min(lists[i].rows - lines[i], left) : 0;
    left -= more;
    if (lines[i] > 0)
      draw_beginning(x, lists[i], lines[i] + more, style, to);
  }
}

/// The rows of one list from `first` on.
void draw_list(const agent_snapshot& x, const top_list& list, size_t first,
  const terminal_style& style, size_t height, std::vector<std::string>& to) {
  constexpr size_t titles = 2; // of the list and of its columns
  auto room = height > to.size() + titles ? height - to.size() - titles : 1;
  first = list.rows > room ? std::min(first, list.rows - room) : 0;
  auto last = std::min(first + room, list.rows);
  auto which = list.rows == 0 ? "no " + std::string{list.one} + "s"
                              : count_of(list.rows, list.one) + ", " + std::to_string(first + 1)
                                  + " to " + std::to_string(last);
  to.push_back(paint(style, ink::bold, fit(which, style.width)));
  if (list.rows > 0)
    append_lines(list.draw(x, first, room), style, to);
}

void draw_help(
  size_t first, const terminal_style& style, size_t height, std::vector<std::string>& to) {
  const auto& all = top_help();
  first = all.size() > height ? std::min(first, all.size() - height) : 0;
  for (size_t i = first; i < all.size() && to.size() < height; ++i)
    to.push_back(fit(all[i], style.width));
}

} // namespace

double changes_per_second(const agent_snapshot& before, const agent_snapshot& now) {
  auto seconds = in_milliseconds(now.at - before.at) / 1'000;
  if (seconds <= 0 || now.page.sequence < before.page.sequence)
    return 0;
  return static_cast<double>(now.page.sequence - before.page.sequence) / seconds;
}

bool top_view::take(std::string_view keys, size_t height, const agent_snapshot& x) {
  auto page = std::max<size_t>(1, height / 2);
  auto back = [this](size_t rows) { first -= std::min(first, rows); };
  auto show = [this](top_part what) { *this = {part == what ? top_part::overview : what, 0}; };
  while (!keys.empty()) {
    constexpr std::string_view sequence = "\x1b[";
    if (keys.starts_with(sequence) && keys.size() > sequence.size()) {
      auto key = keys[sequence.size()];
      keys.remove_prefix(sequence.size() + 1);
      if (keys.starts_with('~'))
        keys.remove_prefix(1);
      key == 'A' ? back(1) : key == '5' ? back(page) : key == 'H' ? back(first) : void();
      first += key == 'B' ? 1 : key == '6' ? page : 0;
      continue;
    }
    switch (keys.front()) {
    case 'q':
    case 'Q':
      return false;
    case '?':
    case 'h':
      show(top_part::help);
      break;
    case 's':
      show(top_part::subscribers);
      break;
    case 't':
      show(top_part::turns);
      break;
    case 'g':
      show(top_part::goals);
      break;
    case 'n':
      show(top_part::newest);
      break;
    case 'o':
    case '\x1b':
      *this = {};
      break;
    case 'j':
      ++first;
      break;
    case 'k':
      back(1);
      break;
    case ' ':
      first += page;
      break;
    case 'b':
      back(page);
      break;
    default:
      break;
    }
    keys.remove_prefix(1);
  }
  auto rows = part == top_part::help ? top_help().size() : size_t{0};
  for (const auto& list : lists_of(x))
    if (list.part == part)
      rows = list.rows;
  first = std::min(first, rows > page ? rows - page : 0);
  return true;
}

const std::vector<std::string>& top_help() {
  static const std::vector<std::string> lines{
    "Keys of a terminal:",
    "  q               ends it",
    "  ? or h          shows or hides this help",
    "  s, t, g, n      show all subscribers, turns, goals or newest observations",
    "  o or Escape     shows the overview again",
    "  arrows, j, k    scroll by a line; PgUp, PgDn, space, b: by half a screen",
    "",
    "Figures:",
    "  live            observations that are not resolved and have not expired",
    "  on page         all observations that the page holds",
    "  changes         changes of the page since the agent exists",
    "  expired         observations whose time was over",
    "  evicted         observations that had to leave because the page was full",
    "",
    "Columns:",
    "  LAG             changes that the subscriber wants and has not acknowledged",
    "  stand_in        stands for daemons, which begin when something needs them",
    "  WAITS           how long it has not acknowledged the last batch",
    "  IN TURNS        whether turns wait for the subscriber",
    "  TOOK            how long the turn took, or has taken so far",
    "  OPEN ACTIONS    actions of the goal that are not done",
    "  LEFT            the time until the observation expires",
    "  CONF            its confidence",
    "  BY              the tool, daemon or user that added it",
  };
  return lines;
}

std::vector<std::string> draw_frame(const agent_snapshot& x, const rate_history& rates,
  const terminal_style& style, size_t height, const top_view& view) {
  std::vector<std::string> result;
  auto names_keys = style.is_terminal && height >= short_screen;
  auto room = height - (names_keys ? 1 : 0);
  if (view.part == top_part::help) {
    draw_help(view.first, style, room, result);
  } else {
    result = head_of(x, rates, style);
    if (height < short_screen)
      result.resize(2);
    if (view.part == top_part::overview)
      draw_overview(x, style, room, result);
    else
      for (const auto& list : lists_of(x))
        if (list.part == view.part)
          draw_list(x, list, view.first, style, room, result);
  }
  result.resize(std::min(result.size(), room));
  if (names_keys) {
    result.resize(room);
    result.push_back(paint(style, ink::faint,
      fit("q ends, ? explains, s t g n show all subscribers, turns, goals, newest", style.width)));
  }
  return result;
}

} // namespace scratchpage
