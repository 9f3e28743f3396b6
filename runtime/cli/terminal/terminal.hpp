#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace scratchpage {

/// What the reader of a stream can be shown.
struct terminal_style {
  bool colour = false;
  bool symbols = false;     ///< more than ASCII, for marks and bars
  size_t width = 100;       ///< columns
  bool is_terminal = false; ///< somebody looks at it
};

/// How a piece of text stands out.
enum class ink { plain, bold, faint, good, warn, bad, accent };

/// `text` in that ink, if there are colours.
std::string paint(const terminal_style& style, ink how, std::string_view text);

/// A bar of `columns` columns, filled to `share` in [0, 1].
std::string draw_bar(const terminal_style& style, double share, size_t columns);

/// "1 turn", "3 turns".
std::string count_of(size_t n, std::string_view one);

/// Whether `fd` (1: output, 2: error output) is a terminal.
bool is_terminal(int fd);

/// A style for `fd` by what it is and by the environment: colours only on a
/// terminal, and not with NO_COLOR set or TERM=dumb.
terminal_style style_of(int fd);

} // namespace scratchpage
