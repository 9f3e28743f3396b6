#include "scratchpage/actors/policies/latency_policy.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <utility>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/messages/config_check.hpp"
#include "scratchpage/messages/limits.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

/// The measurements of one tool.
struct latency_policy::measured {
  std::vector<double> durations; ///< milliseconds
  size_t samples = 0;
  size_t failures = 0;
  std::vector<std::string> observation_ids;
  std::map<std::string, size_t> of_source; ///< number of measurements by source

  double median() const {
    auto sorted = durations;
    auto middle = sorted.begin() + static_cast<ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    return sorted.empty() ? 0 : *middle;
  }
};

namespace {

constexpr size_t max_tag_bytes = 64; // as much as a tag may have

/// Milliseconds in a unit, or 0 if it is not a known unit of time.
double unit_ms(std::string_view unit) {
  if (unit == "ms" || unit == "millisecond" || unit == "milliseconds")
    return 1;
  return unit == "s" || unit == "sec" || unit == "second" || unit == "seconds" ? 1000 : 0;
}

bool is_of_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
         || static_cast<unsigned char>(c) >= 0x80;
}

/// `unit_ms` of the first word in the beginning of the text.
double unit_after(std::string_view text) {
  constexpr size_t max_bytes = 16;
  text = text.substr(0, max_bytes);
  auto begin = std::find_if(text.begin(), text.end(), is_of_word);
  std::string word{begin, std::find_if_not(begin, text.end(), is_of_word)};
  for (auto& c : word)
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return unit_ms(word);
}

/// The first duration in the beginning of a text: a number and a unit, with or without a space.
std::optional<double> duration_in(std::string_view text) {
  constexpr std::string_view digits = "0123456789";
  text = utf8::prefix(text, reading_limits::observation_bytes);
  for (auto i = text.find_first_of(digits); i < text.size(); i = text.find_first_of(digits, i)) {
    double number = 0;
    auto [end, ec] =
      std::from_chars(text.data() + i, text.data() + text.size(), number, std::chars_format::fixed);
    if (ec != std::errc{})
      return std::nullopt;
    i = static_cast<size_t>(end - text.data());
    if (auto scale = unit_after(text.substr(i)); scale > 0)
      return number * scale;
  }
  return std::nullopt;
}

/// The tool that was measured, or "".
std::string tool_of(const observation& x) {
  auto name = is_from_tool(x) ? x.source.name : text_at(x.metadata, "tool_id");
  return name.size() <= plan_limits::id_bytes ? name : std::string{};
}

std::string in_ms(double duration) {
  return std::to_string(std::llround(duration)) + "ms";
}

} // namespace

caf::error validate(const latency_config& x, std::string_view path) {
  return config_check{path}
    .words("tags", x.tags)
    .words("types", x.types)
    .words("duration_paths", x.duration_paths)
    .range("min_samples", x.min_samples, 1, 1'000'000)
    .range("slow_ms", x.slow_ms, 0, 86'400'000)
    .range("faster_factor", x.faster_factor, 0, 1)
    .range("failure_share", x.failure_share, 0, 1)
    .range("confidence", x.confidence, 0, 1)
    .range("confidence_step", x.confidence_step, 0, 1)
    .range("max_confidence", x.max_confidence, x.confidence, 1)
    .error();
}

bool latency_policy::is_measurement(const observation& x) const {
  return first_shared(x.tags, config_.tags) != nullptr || contains(config_.types, x.type);
}

std::optional<double> latency_policy::duration_of(const observation& x) const {
  for (const auto& path : config_.duration_paths)
    if (auto found = number_at(x.metadata, path); found && *found >= 0)
      return found;
  // The text is read only if a tag says that the observation is a measurement.
  return first_shared(x.tags, config_.tags) != nullptr ? duration_in(x.content) : std::nullopt;
}

void latency_policy::measure(const observation& x, measured& tool) const {
  auto& given = tool.of_source[said_by(x.source)];
  if (given >= analysis_limits::measurements)
    return;
  auto status = text_at(x.metadata, "status");
  auto failed = !status.empty() && status != "ok";
  auto duration = duration_of(x);
  if (!failed && !duration)
    return;
  ++given;
  ++tool.samples;
  tool.failures += failed;
  if (!failed)
    tool.durations.push_back(*duration);
  tool.observation_ids.push_back(x.observation_id);
}

double latency_policy::confidence(size_t samples) const {
  auto more = static_cast<double>(samples - std::min<size_t>(samples, config_.min_samples));
  return std::min(config_.max_confidence, config_.confidence + config_.confidence_step * more);
}

std::vector<suggestion> latency_policy::suggest(
  const std::vector<observation_ptr>& observations, const manifest_list& manifests) const {
  std::map<std::string, measured> tools;
  for (const auto& one : observations)
    if (one && is_measurement(*one))
      if (auto tool = tool_of(*one); !tool.empty())
        measure(*one, tools[tool]);
  const std::vector<std::string> none;
  std::map<std::string, const tool_manifest*> known;
  for (const auto& manifest : manifests)
    known.emplace(manifest->tool_id, manifest.get());

  std::vector<suggestion> result;
  for (const auto& [tool, seen] : tools) {
    auto found = known.find(tool);
    if (seen.samples < config_.min_samples)
      continue;
    auto one = about(tool, tools, found != known.end() ? found->second->alternatives : none);
    if (!one.statement.empty())
      result.push_back(std::move(one));
  }
  return result;
}

/// A suggestion without a statement if there is nothing to suggest.
suggestion latency_policy::about(const std::string& tool,
  const std::map<std::string, measured>& tools,
  const std::vector<std::string>& alternatives) const {
  const auto& seen = tools.at(tool);
  auto share = static_cast<double>(seen.failures) / static_cast<double>(seen.samples);
  auto unreliable = seen.failures > 0 && share >= config_.failure_share;
  auto failures =
    std::to_string(seen.failures) + " of " + std::to_string(seen.samples) + " calls failed";
  suggestion one{{}, {}, tool, {}, {"performance", std::string{utf8::prefix(tool, max_tag_bytes)}},
    seen.observation_ids, confidence(seen.samples)};
  if (unreliable && !alternatives.empty()) {
    one.prefer = alternatives.front();
    one.statement = "Prefer " + one.prefer + " to " + tool + ": " + failures;
  } else if (auto faster = fastest(seen, tools, alternatives); !faster.empty()) {
    one.prefer = faster;
    one.statement = "Prefer " + faster + " to " + tool + ": it answers in "
                    + in_ms(tools.at(faster).median()) + " instead of " + in_ms(seen.median());
  } else if (seen.median() > config_.slow_ms) {
    one.statement = "Look for a faster way than " + tool + ": it takes " + in_ms(seen.median());
  } else if (unreliable) {
    one.statement = "Check " + tool + ": " + failures;
  }
  one.key = one.prefer.empty() ? "improve:" + tool : "prefer:" + one.prefer + ":" + tool;
  return one;
}

/// The fastest alternative whose median is below `faster_factor` of that of `seen`, or "".
std::string latency_policy::fastest(const measured& seen,
  const std::map<std::string, measured>& tools,
  const std::vector<std::string>& alternatives) const {
  std::string result;
  auto best = seen.median() * config_.faster_factor;
  for (const auto& name : alternatives) {
    auto i = tools.find(name);
    if (i == tools.end() || i->second.durations.empty() || i->second.samples < config_.min_samples
        || i->second.median() >= best)
      continue;
    best = i->second.median();
    result = name;
  }
  return result;
}

} // namespace scratchpage
