#include "scratchpage/runtime/cli/terminal/table.hpp"

#include <algorithm>
#include <ostream>

#include "scratchpage/messages/text/display_text.hpp"
#include "scratchpage/messages/text/escaped_text.hpp"

namespace scratchpage {

namespace {

constexpr size_t most_bytes = 1'000; // of a cell; more fits no line
constexpr size_t most_columns = 40;  // of all but the last
constexpr size_t gap = 2;
constexpr size_t least_last = 24;

table_cell shown(const table_cell& x) {
  return {escaped(utf8::shortened(x.text, most_bytes)), x.how};
}

std::string aligned(const table_column& column, const std::string& text, size_t width) {
  auto cut = fit(text, width);
  auto rest = std::string(width - display_width(cut), ' ');
  return column.right ? rest + cut : cut + rest;
}

} // namespace

void table::add(const std::vector<table_cell>& cells, const std::vector<table_cell>& notes) {
  row added;
  for (const auto& cell : cells)
    added.cells.push_back(shown(cell));
  for (const auto& note : notes)
    added.notes.push_back(shown(note));
  rows_.push_back(std::move(added));
}

/// 0: the column is left out.
std::vector<size_t> table::widths(const terminal_style& style) const {
  std::vector<size_t> result;
  size_t used = 0;
  for (size_t i = 0; i + 1 < columns_.size(); ++i) {
    auto width = display_width(columns_[i].title);
    for (const auto& row : rows_)
      width = std::max(width, display_width(row.cells[i].text));
    result.push_back(std::min(width, most_columns));
    used += result.back() + gap;
  }
  for (size_t i = result.size(); i-- > 0 && used + least_last > style.width;) {
    if (columns_[i].spared) {
      used -= result[i] + gap;
      result[i] = 0;
    }
  }
  result.push_back(std::max(least_last, style.width - std::min(style.width, used)));
  return result;
}

void table::print(std::ostream& out, const terminal_style& style) const {
  auto wide = widths(style);
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
  for (const auto& row : rows_) {
    line([&](size_t i) -> const table_cell& { return row.cells[i]; });
    for (const auto& note : row.notes)
      out << "    " << paint(style, note.how, fit(note.text, style.width - 4)) << '\n';
  }
}

} // namespace scratchpage
