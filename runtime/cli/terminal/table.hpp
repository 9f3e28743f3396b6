#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "scratchpage/runtime/cli/terminal/terminal.hpp"

namespace scratchpage {

struct table_column {
  std::string_view title;
  bool right = false;  ///< aligned there
  bool spared = false; ///< left out where it is narrow
};

struct table_cell {
  std::string text; ///< any text: what is unsafe to show is escaped
  ink how = ink::plain;
};

/// Rows under titles, as wide as what is in them; the last column has what is
/// left of the line, and long text in it is cut.
class table {
public:
  explicit table(std::vector<table_column> columns)
    : columns_{std::move(columns)} {}

  /// As many cells as columns; `notes` are lines of their own below them.
  void add(const std::vector<table_cell>& cells, const std::vector<table_cell>& notes = {});

  void print(std::ostream& out, const terminal_style& style) const;

private:
  struct row {
    std::vector<table_cell> cells;
    std::vector<table_cell> notes;
  };

  std::vector<size_t> widths(const terminal_style& style) const;

  std::vector<table_column> columns_;
  std::vector<row> rows_;
};

} // namespace scratchpage
