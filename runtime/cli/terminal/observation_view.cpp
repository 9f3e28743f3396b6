#include "scratchpage/runtime/cli/terminal/observation_view.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>
#include <string>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/text/display_text.hpp"
#include "scratchpage/runtime/cli/terminal/terminal.hpp"

namespace scratchpage {

namespace {

constexpr size_t name_columns = 13;

ink ink_of(status x) {
  switch (x) {
  case status::active:
    return ink::good;
  case status::pending_review:
    return ink::warn;
  default:
    return ink::faint;
  }
}

/// "2025-11-05 10:30", UTC.
std::string minute_of(timestamp at) {
  auto text = to_rfc3339(at).substr(0, 16);
  std::replace(text.begin(), text.end(), 'T', ' ');
  return text;
}

/// 0.95, 0.5, 1.
std::string short_number(double x) {
  return to_text(json::value(std::floor(x * 100 + 0.5) / 100));
}

std::string joined(const std::vector<std::string>& texts) {
  std::string result;
  for (const auto& text : texts)
    result.append(result.empty() ? "" : ", ").append(text);
  return result;
}

/// Has a column for the status unless all observations are active. Where there is no terminal it
/// always has one, because programs may count columns.
table make_table(const std::vector<observation_ptr>& observations, const terminal_style& style) {
  auto is_active = [](const observation_ptr& x) { return x->status == status::active; };
  auto all_active =
    style.is_terminal && std::all_of(observations.begin(), observations.end(), is_active);
  std::vector<table_column> columns{{"ID"}, {"TYPE"}};
  if (!all_active)
    columns.push_back({"STATUS"});
  for (const auto& column : {table_column{"CONF", true, true},
         table_column{"CREATED (UTC)", false, true}, table_column{"CONTENT"}})
    columns.push_back(column);
  table result{std::move(columns)};
  for (const auto& x : observations) {
    std::vector<table_cell> cells{{x->observation_id, ink::accent}, {x->type}};
    if (!all_active)
      cells.push_back({to_string(x->status), ink_of(x->status)});
    cells.push_back({short_number(x->confidence)});
    cells.push_back({minute_of(x->created_at), ink::faint});
    cells.push_back({x->content});
    result.add(cells);
  }
  return result;
}

void print_line(std::ostream& out, const terminal_style& style, std::string_view label,
  const std::string& text, ink how = ink::plain) {
  if (!text.empty())
    out << "  " << paint(style, ink::faint, pad(label, name_columns))
        << paint(style, how, escaped(text)) << '\n';
}

/// Prints the content with its own line breaks.
void print_content(std::ostream& out, std::string_view content) {
  out << '\n';
  while (!content.empty()) {
    auto end = content.find('\n');
    out << "  " << escaped(content.substr(0, end)) << '\n';
    content.remove_prefix(end == std::string_view::npos ? content.size() : end + 1);
  }
  out << '\n';
}

std::string source_text(const source& x) {
  auto result = to_string(x.kind) + " " + x.name + ", " + to_rfc3339(x.at);
  return x.turn_id.empty() ? result : result + ", turn " + x.turn_id;
}

constexpr size_t gap_between = 2;
constexpr size_t most_bytes = 4'000; // of a text; no line of a terminal has room for more
constexpr size_t id_columns = 16;
constexpr size_t least_type_columns = 11;
constexpr size_t most_type_columns = 28;
constexpr size_t columns_for_each_of_type = 7; // of the width, one for the type
/// Below these widths less is shown beside the content.
constexpr size_t width_for_dates = 100;
constexpr size_t width_for_types = 80;
constexpr size_t width_for_ids = 56;

/// Prints one line: first columns, then a text that gets the rest of the width.
class line {
public:
  line(std::ostream& out, const terminal_style& style)
    : out_{out},
      style_{style} {}

  /// A text in `width` columns. On a terminal it is cut; elsewhere the width grows with it.
  line& column(ink how, std::string_view text, size_t& width) {
    auto shown = escaped(text);
    if (style_.is_limited())
      shown = fit(shown, width);
    width = std::max(width, display_width(shown));
    used_ += width + gap_between;
    out_ << paint(style_, how, shown)
         << std::string(width - display_width(shown) + gap_between, ' ');
    return *this;
  }

  line& column(ink how, std::string_view text, size_t&& width) { return column(how, text, width); }

  void rest(ink how, std::string_view text) {
    auto shown = escaped(style_.is_limited() ? utf8::shortened(text, most_bytes) : text);
    auto left = style_.width - std::min(style_.width, used_);
    out_ << paint(style_, how, fit(shown, left)) << '\n';
  }

private:
  std::ostream& out_;
  const terminal_style& style_;
  size_t used_ = 0;
};

ink ink_of(event_kind x) {
  switch (x) {
  case event_kind::added:
    return ink::good;
  case event_kind::updated:
  case event_kind::linked:
    return ink::accent;
  case event_kind::archived:
    return ink::faint;
  case event_kind::expired:
  case event_kind::lagged:
    return ink::warn;
  case event_kind::evicted:
    return ink::bad;
  default:
    return ink::plain;
  }
}

/// "2025-11-05 10:30:02", UTC.
std::string second_of(timestamp at) {
  auto text = to_rfc3339(at).substr(0, 19);
  std::replace(text.begin(), text.end(), 'T', ' ');
  return text;
}

} // namespace

void print_found(std::ostream& out, const terminal_style& style, const query_result& found,
  std::string_view more) {
  auto shown = found.observations.size();
  if (shown > 0) {
    make_table(found.observations, style).print(out, style);
    out << '\n';
  }
  auto total = count_of(found.total_count, "observation");
  if (shown < found.total_count)
    total = std::to_string(shown) + " of " + total;
  if (shown == 0 && found.total_count == 0)
    total = "no observations";
  if (!more.empty())
    total.append("; ").append(more);
  out << paint(style, ink::faint, total) << '\n';
  if (found.partial)
    out << paint(style, ink::warn, "the time was over before all observations were searched")
        << '\n';
  for (const auto& x : found.conflicts)
    out << paint(style, ink::warn, "observations disagree") << " about " << escaped(x.subject)
        << ": " << escaped(joined(x.observation_ids)) << '\n';
}

void print_whole(std::ostream& out, const terminal_style& style, const observation& x) {
  out << paint(style, ink::accent, escaped(x.observation_id)) << "  "
      << paint(style, ink::bold, escaped(x.type)) << "  "
      << paint(style, ink_of(x.status), to_string(x.status)) << '\n';
  print_content(out, x.content);
  print_line(out, style, "confidence", short_number(x.confidence));
  print_line(out, style, "tags", joined(x.tags));
  print_line(out, style, "source", source_text(x.source));
  print_line(out, style, "owner", x.owner);
  print_line(out, style, "context", x.context.empty() ? "" : to_text(x.context));
  print_line(out, style, "metadata", x.metadata.empty() ? "" : to_text(x.metadata));
  print_line(out, style, "goals", joined(x.linked_goal_ids), ink::accent);
  print_line(out, style, "created", to_rfc3339(x.created_at));
  if (x.revision > 1)
    print_line(
      out, style, "updated", to_rfc3339(x.updated_at) + ", revision " + std::to_string(x.revision));
  print_line(out, style, "expires", to_rfc3339(x.expires_at));
}

event_printer::event_printer(std::ostream& out, const terminal_style& style)
  : out_{out},
    style_{style},
    id_width_{id_columns},
    type_width_{style.is_limited() ? std::clamp(
                  style.width / columns_for_each_of_type, least_type_columns, most_type_columns)
                                   : least_type_columns} {}

void event_printer::print(const page_event& x) {
  line to{out_, style_};
  auto at = second_of(x.at);
  if (style_.width < width_for_dates)
    at.erase(0, at.find(' ') + 1);
  to.column(ink::faint, at, at.size()).column(ink_of(x.kind), to_string(x.kind), 8);
  if (!x.observation)
    return to.rest(ink::warn, count_of(x.missed, "change") + " missed; the current page follows");
  if (style_.width >= width_for_ids)
    to.column(ink::accent, x.observation->observation_id, id_width_);
  if (style_.width >= width_for_types)
    to.column(ink::plain, x.observation->type, type_width_)
      .column(ink::plain, short_number(x.observation->confidence), 4);
  to.rest(ink::plain, x.observation->content);
}

} // namespace scratchpage
