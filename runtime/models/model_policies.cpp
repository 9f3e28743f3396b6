#include "scratchpage/runtime/models/model_policies.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/json/json_text.hpp"
#include "scratchpage/runtime/models/answers.hpp"
#include "scratchpage/runtime/models/guards.hpp"
#include "scratchpage/runtime/models/questions.hpp"
#include "scratchpage/runtime/models/schema.hpp"

namespace scratchpage::models {

namespace {

/// How long after the deadline for models a daemon still waits for the gate.
constexpr timespan grace = std::chrono::seconds{1};

/// Makes a decision of an answer, or says why not.
template <class Policy, class Answer>
using guard = std::function<caf::expected<typename Policy::decision>(
  const Answer&, const typename Policy::question&, const typename Policy::decision& rules)>;

/// A policy that asks a model. The rules decide first: they are the fallback, and the limit of what
/// the model may decide.
template <class Policy, class Answer>
class asking_policy : public Policy {
public:
  struct parts {
    std::string daemon;
    std::string prompt;
    decided_by who = decided_by::model;
    model_config config;
    std::shared_ptr<const pii_masker> masker;
    guard<Policy, Answer> judge;
  };

  asking_policy(std::shared_ptr<Policy> rules, parts with, model_gate gate)
    : rules_{std::move(rules)},
      with_{std::make_shared<const parts>(std::move(with))},
      schema_{schema_of<Answer>()},
      gate_{std::move(gate)} {}

  void decide(const typename Policy::question& what, typename Policy::answer decided) override {
    typename Policy::decision rules{};
    rules_->decide(what, [&](typename Policy::decision x) { rules = std::move(x); });
    auto then = [with = with_, what, rules = std::move(rules), decided = std::move(decided)](
                  const chat_reply& reply) {
      auto by_model = judge(*with, reply, what, rules);
      decided(by_model ? std::move(*by_model) : rules);
      return by_model ? reply_use{true} : reply_use{false, describe(by_model.error())};
    };
    gate_.ask({request(what), what.by, std::move(then)});
  }

private:
  chat_request request(const typename Policy::question& what) const {
    auto facts = told(what);
    if (with_->masker)
      with_->masker->mask(facts);
    return {with_->daemon, with_->prompt, to_text(facts), schema_, with_->config.answer_tokens};
  }

  static caf::expected<typename Policy::decision> judge(const parts& with, const chat_reply& reply,
    const typename Policy::question& what, const typename Policy::decision& rules) {
    if (reply.outcome != reply_outcome::answered)
      return fail(errc::internal, "model", reply.error);
    auto answer = from_json<Answer>(json::value(reply.content));
    if (!answer)
      return answer.error();
    auto result = with.judge(*answer, what, rules);
    if (result && with.who == decided_by::model_then_rules
        && answer->confidence < with.config.sure_from)
      return fail(errc::invalid_request, "confidence", "expected an answer that is sure enough");
    return result;
  }

  std::shared_ptr<Policy> rules_;
  std::shared_ptr<const parts> with_;
  json::object schema_;
  model_gate gate_;
};

template <class Answer, class Policy>
void add(policy_factory<Policy>& to, decided_by who, std::string daemon, std::string prompt,
  const policy_parts& parts, const model_gate& gate, guard<Policy, Answer> judge) {
  if (who == decided_by::rules || to)
    return;
  typename asking_policy<Policy, Answer>::parts with{
    std::move(daemon), std::move(prompt), who, parts.config, parts.masker, std::move(judge)};
  to = [with = std::move(with), gate](std::shared_ptr<Policy> rules) -> std::shared_ptr<Policy> {
    return std::make_shared<asking_policy<Policy, Answer>>(std::move(rules), with, gate);
  };
}

} // namespace

void add_policies(policy_factories& to, const policy_parts& parts, const model_gate& gate) {
  const auto& who = parts.config.daemons;
  const auto& prompts = *parts.prompts;
  add<router_answer, router_policy>(to.router, who.router, "router", prompts.router, parts, gate,
    [](const auto& x, const auto& about, const auto& rules) { return decided(x, about, rules); });
  add<clarifier_answer, clarifier_policy>(to.clarifier, who.clarifier, "clarifier",
    prompts.clarifier, parts, gate,
    [](const auto& x, const auto& about, const auto& rules) { return decided(x, about, rules); });
  add<error_handler_answer, error_handler_policy>(to.error_handler, who.error_handler,
    "error_handler", prompts.error_handler, parts, gate,
    [policy = std::make_shared<const recovery_policy>(parts.recovery)](const auto& x,
      const auto& about, const auto& rules) { return decided(x, about, rules, *policy); });
  add<evaluator_answer, evaluator_policy>(to.evaluator, who.evaluator, "evaluator",
    prompts.evaluator, parts, gate,
    [](const auto& x, const auto& about, const auto& rules) { return decided(x, about, rules); });
  add<reflector_answer, reflector_policy>(to.reflector, who.reflector, "reflector",
    prompts.reflector, parts, gate,
    [masker = parts.masker](const auto& x, const auto& about, const auto& rules) {
      return decided(x, about, rules, masker.get());
    });
  to.within = std::max(to.within, from_milliseconds(parts.config.deadline_ms) + grace);
}

} // namespace scratchpage::models
