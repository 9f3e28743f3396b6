#include "scratchpage/runtime/simulation/report_views.hpp"

#include <cmath>
#include <sstream>
#include <utility>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/text/display_text.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage::report_page {

// clang-format off

const std::string_view head = R"html(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
)html";

const std::string_view body = R"html(<main>
<noscript><p class="note">This page draws the timelines with a script, and scripts are switched off.</p></noscript>
<div class="bar" id="bar" hidden>
<input type="search" id="filter" placeholder="Filter conversations ( / )" aria-label="Filter conversations">
<label><input type="checkbox" id="trouble"> only with errors or unmet expectations</label>
<label><input type="checkbox" id="waits"> only with open questions</label>
<span class="muted note" id="shown" role="status"></span>
</div>
<p class="muted note" id="none" hidden>No conversation has these words and properties.</p>
<div id="talks"></div>
<div class="tip" id="tip" role="status" hidden></div>
)html";

// clang-format on

} // namespace scratchpage::report_page

namespace scratchpage {

double short_ms(double x) {
  return std::round(x * 1000) / 1000;
}

json::value short_number(double x) {
  auto rounded = short_ms(x);
  if (rounded == std::floor(rounded) && std::fabs(rounded) < 1e15)
    return static_cast<int64_t>(rounded);
  return rounded;
}

json::array report_views::moments_of(const played_turn& x) {
  json::array result;
  auto has_prompt = false;
  for (const auto& moment : x.model) {
    json::object shown;
    if (moment.what == model_moment::kind::prompt) {
      has_prompt = true;
      shown["view"] = number_of(moment.view);
      shown["tokens"] = moment.tokens;
    } else {
      shown["compactions"] = moment.compactions;
      shown["offloaded"] = moment.offloaded_tokens;
      shown["kept"] = moment.kept_tokens;
    }
    result.push_back(std::move(shown));
  }
  if (!has_prompt && !x.scratchbook.empty())
    result.push_back(json::object{{"view", number_of(x.scratchbook)}});
  return result;
}

int64_t report_views::number_of(const std::string& view) {
  auto [known, is_new] = known_views_.try_emplace(view, static_cast<int64_t>(views_.size()));
  if (is_new && !add(view)) {
    ++hidden_;
    known->second = -1;
  }
  return known->second;
}

/// Adds a view. False if there is no room for it.
bool report_views::add(const std::string& view) {
  constexpr size_t of_a_number = 5;
  auto lines = lines_of(view);
  auto size = (lines.size() + 1) * of_a_number;
  for (const auto& line : lines)
    if (!known_lines_.contains(line))
      size += to_text(to_json(line)).size() + 1;
  if (used_ + size > room_)
    return false;
  used_ += size;
  json::array numbers;
  for (const auto& line : lines) {
    auto [known, is_new] = known_lines_.try_emplace(line, lines_.size());
    if (is_new)
      lines_.emplace_back(line);
    numbers.push_back(known->second);
  }
  views_.push_back(std::move(numbers));
  return true;
}

std::vector<std::string> report_views::lines_of(const std::string& view) const {
  std::vector<std::string> result;
  std::istringstream in{view};
  for (std::string line; std::getline(in, line);)
    result.push_back(utf8::shortened(one_line(line), line_bytes_));
  return result;
}

} // namespace scratchpage
