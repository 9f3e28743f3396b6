#include "scratchpage/runtime/cli/terminal/terminal.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <ostream>

#include <sys/ioctl.h>
#include <unistd.h>

#include "scratchpage/messages/text/display_text.hpp"

namespace scratchpage {

namespace {

std::string_view code_of_ink(ink how) {
  switch (how) {
  case ink::bold:
    return "1";
  case ink::faint:
    return "2";
  case ink::good:
    return "32";
  case ink::warn:
    return "33";
  case ink::bad:
    return "31";
  case ink::accent:
    return "36";
  default:
    return "";
  }
}

const char* environment(const char* name) {
  const auto* value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): nothing sets any
  return value == nullptr ? "" : value;
}

/// Whether the locale that is in effect uses UTF-8.
bool speaks_utf8() {
  for (const auto* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    std::string_view value = environment(name);
    if (value.empty())
      continue;
    auto has = [value](std::string_view part) { return value.find(part) != value.npos; };
    return has("UTF-8") || has("utf8") || has("utf-8") || has("UTF8");
  }
  return false;
}

constexpr size_t max_bytes = 4'000; // of a cell; no line of a terminal has room for more
constexpr size_t max_columns = 40;  // of all but the last, on a terminal
constexpr size_t gap = 2;
constexpr size_t least_last = 24;
constexpr size_t least_cut = 8; // columns are not cut below this
constexpr size_t narrowest = 20;
constexpr size_t widest = 1'000;

table_cell shown(const table_cell& x, const terminal_style& style) {
  return {escaped(style.is_limited() ? utf8::shortened(x.text, max_bytes) : x.text), x.how};
}

/// What the variable COLUMNS says; nothing if it is unset or no number of columns.
std::optional<size_t> columns_of_environment() {
  std::string_view text = environment("COLUMNS");
  size_t result = 0;
  auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), result);
  auto is_number = ec == std::errc{} && end == text.data() + text.size() && result > 0;
  return is_number ? std::optional{result} : std::nullopt;
}

std::string aligned(const table_column& column, const std::string& text, size_t width) {
  auto cut = fit(text, width);
  auto rest = std::string(width - display_width(cut), ' ');
  return column.right ? rest + cut : cut + rest;
}

} // namespace

std::string paint(const terminal_style& style, ink how, std::string_view text) {
  auto code = code_of_ink(how);
  if (!style.colour || code.empty() || text.empty())
    return std::string{text};
  return std::string{"\x1b["}.append(code).append("m").append(text).append("\x1b[0m");
}

std::string draw_bar(const terminal_style& style, double share, size_t columns) {
  auto full = static_cast<size_t>(
    std::floor(std::clamp(share, 0.0, 1.0) * static_cast<double>(columns) + 0.5));
  std::string result;
  for (size_t i = 0; i < columns; ++i)
    result += i < full ? (style.symbols ? "█" : "#") : (style.symbols ? "░" : "-");
  return result;
}

std::string count_of(size_t n, std::string_view one) {
  return std::to_string(n).append(" ").append(one).append(n == 1 ? "" : "s");
}

bool is_terminal(int fd) {
  return isatty(fd) == 1;
}

size_t width_of_terminal(int fd) {
  constexpr size_t usual = 80;
  winsize size{};
  auto is_known = ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  auto own = is_known ? size_t{size.ws_col} : usual;
  return std::clamp(columns_of_environment().value_or(own), narrowest, widest);
}

terminal_style style_of(int fd) {
  terminal_style result;
  if (!is_terminal(fd))
    return result;
  result.is_terminal = true;
  auto dumb = std::string_view{environment("TERM")} == "dumb";
  result.colour = !dumb && std::string_view{environment("NO_COLOR")}.empty();
  result.symbols = !dumb && speaks_utf8();
  result.width = width_of_terminal(fd);
  return result;
}

void table::add(const std::vector<table_cell>& cells, const std::vector<table_cell>& notes) {
  rows_.push_back({cells, notes});
}

std::vector<size_t> table::widths(
  const std::vector<row>& shown, const terminal_style& style) const {
  std::vector<size_t> result;
  size_t used = 0;
  for (size_t i = 0; i + 1 < columns_.size(); ++i) {
    auto width = display_width(columns_[i].title);
    for (const auto& row : shown)
      width = std::max(width, display_width(row.cells[i].text));
    result.push_back(style.is_limited() ? std::min(width, max_columns) : width);
    used += result.back() + gap;
  }
  auto is_narrow = [&] { return style.is_limited() && used + least_last > style.width; };
  for (size_t i = result.size(); i-- > 0 && is_narrow();) {
    if (columns_[i].spared) {
      used -= result[i] + gap;
      result[i] = 0;
    }
  }
  while (is_narrow() && !result.empty()) {
    auto most = std::max_element(result.begin(), result.end());
    if (*most <= least_cut)
      break;
    --*most;
    --used;
  }
  result.push_back(std::max(least_cut, style.width - std::min(style.width, used)));
  return result;
}

void table::print(std::ostream& out, const terminal_style& style) const {
  std::vector<row> rows;
  for (const auto& from : rows_) {
    auto& to = rows.emplace_back();
    for (const auto& cell : from.cells)
      to.cells.push_back(shown(cell, style));
    for (const auto& note : from.notes)
      to.notes.push_back(shown(note, style));
  }
  auto wide = widths(rows, style);
  auto line = [&](auto cell_of) {
    for (size_t i = 0; i < columns_.size(); ++i) {
      const table_cell& cell = cell_of(i);
      auto is_last = i + 1 == columns_.size();
      if (is_last)
        out << paint(style, cell.how, fit(cell.text, wide[i])) << '\n';
      else if (wide[i] > 0)
        out << paint(style, cell.how, aligned(columns_[i], cell.text, wide[i]))
            << std::string(gap, ' ');
    }
  };
  std::vector<table_cell> titles;
  for (const auto& column : columns_)
    titles.push_back({std::string{column.title}, ink::faint});
  line([&](size_t i) -> const table_cell& { return titles[i]; });
  for (const auto& row : rows) {
    line([&](size_t i) -> const table_cell& { return row.cells[i]; });
    for (const auto& note : row.notes)
      out << "    " << paint(style, note.how, fit(note.text, style.width - 4)) << '\n';
  }
}

} // namespace scratchpage
