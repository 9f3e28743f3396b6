#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <caf/typed_response_promise.hpp>

#include "scratchpage/actors/tools/recording.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/messages/time.hpp"

namespace scratchpage {

/// What a recorded tool answers, and when.
struct recorded_answer {
  tool_response response;
  timespan latency{0};
};

/// Picks what was recorded for each call. The same calls get the same answers:
/// a latency depends on the seed, the tool, the request and the attempt, and
/// not on what else was asked.
class recorded_answers {
public:
  recorded_answers(tool_manifest manifest, recorded_tool recording, uint64_t seed);

  recorded_answer next(const tool_request& request);

private:
  using response_list = std::vector<size_t>; ///< places in `recording_.responses`

  const recorded_response* peek(const tool_request& request);
  void use_up(const tool_request& request);
  const recorded_fault* fault_for(
    const tool_request& request, const recorded_response* recorded) const;
  recorded_answer faulty(const tool_request& request, const recorded_fault& fault) const;
  timespan latency_of(const tool_request& request, const recorded_response& recorded) const;
  const response_list* named(const std::string& request_id) const;

  tool_manifest manifest_;
  recorded_tool recording_;
  uint64_t seed_;
  std::map<std::string, response_list, std::less<>> by_call_;
  std::map<std::string, size_t> place_of_; ///< request id: which of its call's answers it got
  std::map<std::string, size_t, std::less<>> used_by_call_;
  response_list in_order_;
  size_t used_in_order_ = 0;
};

/// The RECORDED TOOL.
class recorded_tool_state {
public:
  using handle = tool_actor;
  static constexpr const char* name = "recorded_tool";

  recorded_tool_state(
    handle::pointer self, tool_manifest manifest, recorded_tool recording, uint64_t seed);

  handle::behavior_type make_behavior();

private:
  caf::result<tool_response> call(const tool_request& request);

  handle::pointer self_;
  size_t max_pending_;
  recorded_answers answers_;
  std::map<uint64_t, caf::typed_response_promise<tool_response>> pending_;
  uint64_t last_ = 0;
};

} // namespace scratchpage
