#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "scratchpage/actors/turns/turn_record.hpp"
#include "scratchpage/tests/runtime/models/scripted_endpoint.hpp"
#include "scratchpage/tests/support/team.hpp"

namespace scratchpage::test {

inline json::object routed_as(const char* level) {
  return {{"level", level}, {"reasons", json::array{"the model says so"}},
    {"requests", json::array{}}, {"alert_ids", json::array{}}, {"confidence", 0.9}};
}

inline json::object judged_as(const char* outcome) {
  return {{"outcome", outcome}, {"summary", "The model has looked"},
    {"reasons", json::array{"the model says so"}}, {"reviews", json::array{}}, {"confidence", 0.9}};
}

/// What actors use, so that it outlives them.
struct model_parts {
  std::shared_ptr<scripted_endpoint> model = std::make_shared<scripted_endpoint>();
};

struct model_team : model_parts, team {
  model_team() {
    setup.config.models.model = "m";
    setup.models.endpoint = model;
  }

  /// All daemons ask the model.
  void let_all_ask(models::decided_by who = models::decided_by::model) {
    setup.config.models.daemons = {who, who, who, who, who};
  }

  void answer(const std::string& daemon, json::object content, uint64_t latency_ms = 300) {
    model->answers[daemon] = [=](const json::object&) { return answer_of(content, latency_ms); };
  }

  /// The members `decided_by` of the questions that a daemon has asked, in their order.
  std::string decided(const std::string& daemon) const {
    std::string result;
    for (const auto& x : trace->entries())
      if (x.operation == "ask_model" && text_member(x.detail, "daemon") == daemon)
        result.append(result.empty() ? "" : ", ").append(text_member(x.detail, "decided_by"));
    return result;
  }

  size_t calls_of(const std::string& tool) const {
    size_t result = 0;
    for (const auto& x : trace->entries())
      result += x.operation == "call_tool" && x.component == "executor"
                && text_member(x.detail, "tool_id") == tool;
    return result;
  }
};

} // namespace scratchpage::test
