#include "scratchpage/runtime/cli/terminal/terminal.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <sys/ioctl.h>
#include <unistd.h>

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
  const auto* value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): nobody sets any
  return value == nullptr ? "" : value;
}

/// Whether the locale that counts says UTF-8.
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

terminal_style style_of(int fd) {
  terminal_style result;
  if (!is_terminal(fd))
    return result;
  result.is_terminal = true;
  auto dumb = std::string_view{environment("TERM")} == "dumb";
  result.colour = !dumb && std::string_view{environment("NO_COLOR")}.empty();
  result.symbols = !dumb && speaks_utf8();
  winsize size{};
  if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    result.width = std::clamp<size_t>(size.ws_col, 40, 160);
  return result;
}

} // namespace scratchpage
