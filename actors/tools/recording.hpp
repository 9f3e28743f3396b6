#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scratchpage/messages/enum_names.hpp"
#include "scratchpage/messages/fields.hpp"
#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/messages/tool.hpp"

/// What a recorded tool answers (contract 6), as scenario files write it.

namespace scratchpage {

/// Milliseconds; the seed picks a whole one, every one equally likely.
struct latency_range {
  double min_ms = 0;
  double max_ms = 0;

  static constexpr auto fields(auto all) {
    return all(
      required("min_ms", &latency_range::min_ms), required("max_ms", &latency_range::max_ms));
  }
};

enum class fault_kind : uint8_t {
  timeout,          ///< answers, but a second after the call's timeout
  error,            ///< answers `error` at once, or after `latency_ms`
  malformed_writes, ///< the recorded answer, with drafts in it that break rules
};

template <>
inline constexpr std::array<std::string_view, 3> enum_names<fault_kind>{
  "timeout", "error", "malformed_writes"};

/// What goes wrong, and when. A timeout and an error stand in for a recorded
/// answer and do not use one up: the retry gets it.
struct recorded_fault {
  fault_kind fault = fault_kind::error;
  uint32_t on_attempt = 1; ///< 0: every attempt
  std::string error;       ///< the text of an error; "": "injected fault"
  std::optional<double> latency_ms;
  std::vector<json::value> scratch_page_writes; ///< the malformed ones; none: two of our own

  static constexpr auto fields(auto all) {
    using self = recorded_fault;
    return all(required("fault", &self::fault), optional("on_attempt", &self::on_attempt),
      optional("error", &self::error), optional("latency_ms", &self::latency_ms),
      one_or_many("scratch_page_writes", &self::scratch_page_writes));
  }
};

/// One answer. With a `call_id` it is for the calls of that name, else for
/// whichever call comes next.
struct recorded_response {
  std::string call_id; ///< a whole request id, or the part after its last '/'
  tool_status status = tool_status::ok;
  json::object outputs;
  std::vector<json::value> observations;
  std::vector<json::value> scratch_page_writes;
  std::vector<json::value> memory_writes;
  std::optional<double> latency_ms;     ///< else `latency`, else the tool's
  std::optional<latency_range> latency; ///< not together with `latency_ms`
  std::vector<recorded_fault> faults;   ///< for the call that gets this answer

  static constexpr auto fields(auto all) {
    using self = recorded_response;
    return all(optional("call_id", &self::call_id), optional("status", &self::status),
      optional("outputs", &self::outputs), one_or_many("observations", &self::observations),
      one_or_many("scratch_page_writes", &self::scratch_page_writes),
      one_or_many("memory_writes", &self::memory_writes), optional("latency_ms", &self::latency_ms),
      optional("latency", &self::latency), one_or_many("faults", &self::faults));
  }
};

/// What a call gets when every answer was used.
enum class after_last : uint8_t {
  nothing, ///< status `partial`, with a note
  repeat,  ///< the last answer again
};

template <>
inline constexpr std::array<std::string_view, 2> enum_names<after_last>{"nothing", "repeat"};

struct recorded_tool {
  std::vector<recorded_response> responses;
  scratchpage::after_last after_last = scratchpage::after_last::nothing;
  latency_range latency;              ///< of answers that have none of their own
  std::vector<recorded_fault> faults; ///< for every call, after those of its answer
  size_t max_pending = 4096;          ///< calls that wait for their latency
};

} // namespace scratchpage
