#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <caf/error.hpp>

#include "scratchpage/messages/tool.hpp"

namespace scratchpage {

struct latency_config {
  std::vector<std::string> tags;           ///< observations with one are measurements
  std::vector<std::string> types;          ///< so are these types, if they have a duration
  std::vector<std::string> duration_paths; ///< where metadata has it, in milliseconds
  uint32_t min_samples;                    ///< measurements of a tool before a suggestion
  double slow_ms;                          ///< a tool with a higher median is slow
  double faster_factor;                    ///< an alternative's median must be below this share
  double failure_share;                    ///< from this share on, a tool is unreliable
  double confidence;                       ///< of a suggestion from `min_samples` measurements
  double confidence_step;                  ///< added for each further measurement
  double max_confidence;

  static constexpr auto fields(auto all) {
    using self = latency_config;
    return all(required("tags", &self::tags), required("types", &self::types),
      required("duration_paths", &self::duration_paths),
      required("min_samples", &self::min_samples), required("slow_ms", &self::slow_ms),
      required("faster_factor", &self::faster_factor),
      required("failure_share", &self::failure_share), required("confidence", &self::confidence),
      required("confidence_step", &self::confidence_step),
      required("max_confidence", &self::max_confidence));
  }
};

/// How much the System Analyzer looks at, and how often.
struct analysis_limits {
  static constexpr size_t measurements = 100; ///< the newest of one tool by one source
  /// Live suggestions. When there are so many, further ones are about the agent's own tools only.
  static constexpr size_t suggestions = 100;
  /// Between two looks, however many measurements come meanwhile.
  static constexpr std::chrono::milliseconds pause = std::chrono::seconds{1};
};

caf::error validate(const latency_config& x, std::string_view path);

/// A suggestion of the System Analyzer.
struct suggestion {
  std::string key;       ///< equal for equal suggestions, so that none is repeated
  std::string statement; ///< for people
  std::string tool_id;   ///< the tool it is about
  std::string prefer;    ///< the tool to prefer, "" if none
  std::vector<std::string> tags;
  std::vector<std::string> observation_ids; ///< the measurements it is based on
  double confidence = 0;

  static constexpr auto fields(auto all) {
    using self = suggestion;
    return all(required("key", &self::key), required("statement", &self::statement),
      required("tool_id", &self::tool_id), optional("prefer", &self::prefer),
      required("tags", &self::tags), required("observation_ids", &self::observation_ids),
      required("confidence", &self::confidence));
  }
};

/// The System Analyzer's rules (contract 7). They suggest to prefer a faster alternative of a slow
/// tool or an alternative of an unreliable one, or to improve a tool that has no alternative.
class latency_policy {
public:
  explicit latency_policy(latency_config config)
    : config_{std::move(config)} {}

  /// At most one suggestion per tool, in the order of tool ids. A measurement is an observation
  /// with one of the tags or types and a duration: in its metadata, or in the beginning of its text
  /// (`reading_limits::observation_bytes`), such as "answered in 234ms" or "took 2.3 seconds". An
  /// observation whose `metadata.status` is not "ok" counts as a failure. A tool measures itself;
  /// other sources name the tool in `metadata.tool_id`. Of each tool, the newest
  /// `analysis_limits::measurements` of each source count.
  /// @pre the newest observations come first
  std::vector<suggestion> suggest(
    const std::vector<observation_ptr>& observations, const manifest_list& manifests) const;

private:
  struct measured;

  bool is_measurement(const observation& x) const;
  std::optional<double> duration_of(const observation& x) const;
  void measure(const observation& x, measured& tool) const;
  double confidence(size_t samples) const;
  suggestion about(const std::string& tool, const std::map<std::string, measured>& tools,
    const std::vector<std::string>& alternatives) const;
  std::string fastest(const measured& seen, const std::map<std::string, measured>& tools,
    const std::vector<std::string>& alternatives) const;

  latency_config config_;
};

} // namespace scratchpage
