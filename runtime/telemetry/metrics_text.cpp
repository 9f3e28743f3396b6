#include "scratchpage/runtime/telemetry/metrics_text.hpp"

#include <charconv>
#include <cmath>

namespace scratchpage::telemetry {

namespace {

std::string_view name_of(metric_type x) {
  constexpr std::array<std::string_view, 3> names{"counter", "gauge", "histogram"};
  return names[static_cast<size_t>(x)];
}

void append_number(std::string& to, double x) {
  if (!std::isfinite(x)) {
    to += std::isnan(x) ? "NaN" : x > 0 ? "+Inf" : "-Inf";
    return;
  }
  std::array<char, 400> room{}; // the longest has 309 digits, or as many zeros
  // Also what is small or large without an exponent, as people read it.
  auto end = std::to_chars(room.data(), room.data() + room.size(), x, std::chars_format::fixed).ptr;
  to.append(room.data(), end);
}

/// Backslashes, quotes and ends of lines would end a value early.
void append_value(std::string& to, std::string_view text) {
  for (char c : text) {
    if (c == '\\' || c == '"')
      to += '\\';
    if (c == '\n')
      to += "\\n";
    else
      to += c;
  }
}

} // namespace

void metrics_text::head(std::string_view name, metric_type type, std::string_view help) {
  text_.append("# HELP ").append(name).append(" ").append(help).append("\n# TYPE ");
  text_.append(name).append(" ").append(name_of(type)).append("\n");
}

void metrics_text::begin(
  std::string_view name, labels of, std::string_view suffix, std::string_view bound) {
  text_.append(name).append(suffix);
  auto separator = '{';
  auto put = [&](std::string_view label, std::string_view value) {
    text_ += std::exchange(separator, ',');
    text_.append(label).append("=\"");
    append_value(text_, value);
    text_ += '"';
  };
  for (const auto& [label, value] : of)
    put(label, value);
  if (!bound.empty())
    put("le", bound);
  text_ += separator == ',' ? "} " : " ";
}

void metrics_text::sample(std::string_view name, labels of, double value) {
  begin(name, of);
  append_number(text_, value);
  text_ += '\n';
}

void metrics_text::sample(std::string_view name, labels of, uint64_t value) {
  begin(name, of);
  text_.append(std::to_string(value)).append("\n");
}

void metrics_text::samples(std::string_view name, labels of, const duration_histogram& values) {
  uint64_t so_far = 0;
  for (size_t i = 0; i <= duration_histogram::bounds.size(); ++i) {
    std::string bound = "+Inf";
    if (i < duration_histogram::bounds.size()) {
      bound.clear();
      append_number(bound, duration_histogram::bounds[i]);
    }
    so_far += values.count(i);
    begin(name, of, "_bucket", bound);
    text_.append(std::to_string(so_far)).append("\n");
  }
  begin(name, of, "_sum");
  append_number(text_, values.seconds());
  text_ += '\n';
  begin(name, of, "_count");
  text_.append(std::to_string(so_far)).append("\n");
}

void metrics_text::only(
  std::string_view name, metric_type type, std::string_view help, double value) {
  head(name, type, help);
  sample(name, {}, value);
}

} // namespace scratchpage::telemetry
