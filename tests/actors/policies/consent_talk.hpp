#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "scratchpage/actors/policies/consent_policy.hpp"
#include "scratchpage/actors/policies/consent_question.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/runtime/config/config.hpp"
#include "scratchpage/tests/support/policy_builders.hpp"

/// Questions and inputs for the tests of consent_policy.

namespace scratchpage::test {

inline const consent_policy& policy() {
  static const consent_policy result{default_config().consent};
  return result;
}

inline observation_ptr changed(
  const observation_ptr& x, const std::function<void(observation&)>& how) {
  auto result = *x;
  how(result);
  return observation_ptr{std::move(result)};
}

/// A conversation: inputs and questions with ids and turns, as a page has them.
struct talk {
  std::vector<observation_ptr> inputs;
  std::vector<observation_ptr> asked;
  std::vector<observation_ptr> others; ///< questions about something else than consent
  int next_id = 100;
  int turns = 0;

  std::string make_id() { return "obs_" + std::to_string(next_id++); }

  observation_ptr say(std::string content, std::string user = "ann", std::string thread = "main") {
    auto x = seen(make_id(), "user_input", std::move(content));
    x.context["user_id"] = user;
    x.source = {source_kind::user, std::move(user), "turn_" + std::to_string(++turns), {}};
    x.context["thread_id"] = thread;
    x.created_at = timestamp{std::chrono::minutes{turns}};
    inputs.emplace_back(std::move(x));
    return inputs.back();
  }

  /// An agent passes on an input in the name of a user.
  observation_ptr relay(std::string content) {
    inputs.back() =
      changed(say(std::move(content)), [](observation& x) { x.source.relayed_by = "assistant"; });
    return inputs.back();
  }

  /// The Executor asks the speaker of the latest turn for consent.
  observation_ptr ask(const std::string& tool, json::object inputs_of_call = {}) {
    auto request = call("call_1", tool, {"call_0"}, {"call_0"});
    request.inputs = std::move(inputs_of_call);
    const auto& input = *inputs.back();
    auto draft = draft_of({request, input.source.name, "obs_1"}, "it costs money", {}, 60);
    auto x = seen(make_id(), draft.type, draft.content, draft.tags);
    x.source.turn_id = input.source.turn_id;
    x.context = input.context;
    x.metadata = draft.metadata;
    x.created_at = input.created_at;
    x.expires_at = input.created_at + std::chrono::minutes{60};
    asked.emplace_back(std::move(x));
    return asked.back();
  }

  /// A tool asks the user something else.
  observation_ptr wonder(std::string content, std::string turn, json::object context) {
    auto x = from_tool(seen(make_id(), "pending_confirmation", std::move(content)), "thermostat");
    x.source.turn_id = std::move(turn);
    x.context = std::move(context);
    others.emplace_back(std::move(x));
    return others.back();
  }

  observation_ptr wonder(std::string content = "Is the room warm enough?") {
    return wonder(std::move(content), "", {{"thread_id", "main"}});
  }

  std::vector<observation_ptr> questions() const {
    auto result = asked;
    result.insert(result.end(), others.begin(), others.end());
    return result;
  }

  std::string answers(const observation_ptr& input) const {
    std::vector<std::string> result;
    for (auto one : policy().answers(*input, asked, inputs, questions()))
      result.push_back(to_string(one));
    return listed(result);
  }

  std::string answers(std::string input) { return answers(say(std::move(input))); }
};

/// Ann was asked whether `pay` may be used.
struct asked_once : talk {
  asked_once() {
    say("Pay the rent");
    ask("pay", {{"amount", 100}});
  }
};

} // namespace scratchpage::test
