#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace scratchpage {

/// The width of what is no terminal: a pipe or a file gets whole lines.
inline constexpr size_t unlimited_width = 1'000'000;

/// What may be written to a stream for people.
struct terminal_style {
  bool colour = false;
  bool symbols = false;           ///< characters beyond ASCII, for marks and bars
  size_t width = unlimited_width; ///< columns
  bool is_terminal = false;       ///< the stream goes to a terminal

  /// Whether longer lines have to be cut.
  bool is_limited() const { return width < unlimited_width; }
};

/// How a piece of text is emphasized.
enum class ink { plain, bold, faint, good, warn, bad, accent };

/// Returns `text` in that ink if the style has colours, else unchanged.
std::string paint(const terminal_style& style, ink how, std::string_view text);

/// A bar of `columns` columns, filled to `share` in [0, 1].
std::string draw_bar(const terminal_style& style, double share, size_t columns);

/// "1 turn", "3 turns".
std::string count_of(size_t n, std::string_view one);

/// Whether `fd` (1: output, 2: error output) is a terminal.
bool is_terminal(int fd);

/// The columns of the terminal at `fd`: what the variable COLUMNS says, or the terminal itself; 80
/// if neither does.
size_t width_of_terminal(int fd);

/// The style for `fd`. What is no terminal has no limit of columns. It has colours on a terminal
/// only, and neither with NO_COLOR set nor with TERM=dumb.
terminal_style style_of(int fd);

struct table_column {
  std::string_view title;
  bool right = false;  ///< aligned to the right
  bool spared = false; ///< left out if the terminal is narrow
};

struct table_cell {
  std::string text; ///< any text: unsafe characters are escaped
  ink how = ink::plain;
};

/// Rows below titles. A column is as wide as its widest cell; the last one has the rest of the
/// line. On a terminal longer texts are cut, which "…" marks; if it is narrow, columns that are
/// spared are left out, and then the widest ones are cut. Elsewhere nothing is cut or left out.
class table {
public:
  explicit table(std::vector<table_column> columns)
    : columns_{std::move(columns)} {}

  /// Adds a row with one cell for each column. `notes` are separate lines below it.
  void add(const std::vector<table_cell>& cells, const std::vector<table_cell>& notes = {});

  void print(std::ostream& out, const terminal_style& style) const;

private:
  struct row {
    std::vector<table_cell> cells;
    std::vector<table_cell> notes;
  };

  /// The widths of the columns of `shown`; 0: the column is left out.
  std::vector<size_t> widths(const std::vector<row>& shown, const terminal_style& style) const;

  std::vector<table_column> columns_;
  std::vector<row> rows_;
};

} // namespace scratchpage
