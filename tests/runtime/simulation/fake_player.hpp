#pragma once
#include <algorithm>

#include <chrono>
#include <map>
#include <utility>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/runtime/simulation/conversation.hpp"
#include "scratchpage/runtime/simulation/player.hpp"

namespace scratchpage::test {

/// Plays conversations by fixed rules instead of an ensemble: every turn is routed, its calls take
/// 120 ms each, one after another, a recorded failure gives an error alert and a
/// recovery plan, and every conversation ends with one goal and one fact.
class fake_player : public player {
public:
  /// What the player was asked. It is outside of the player, since commands create players.
  struct log {
    json::object config;
    std::vector<std::string> played;
    std::vector<play_options> options;
    caf::error config_error;
    caf::error play_error; ///< error of the second conversation
  };

  explicit fake_player(log& calls)
    : calls_{calls} {}

  caf::error configure(const json::object& config) override {
    calls_.config = config;
    return calls_.config_error;
  }

  caf::expected<play_result> play(const conversation& x, const play_options& options) override {
    calls_.played.push_back(x.id);
    calls_.options.push_back(options);
    if (calls_.play_error && calls_.played.size() == 2)
      return calls_.play_error;
    return one_play{x, options}.run();
  }

private:
  class one_play : public replay_world {
  public:
    one_play(const conversation& x, const play_options& options)
      : in_{x},
        options_{options} {
      now_ = x.start.value_or(*from_rfc3339("2025-11-05T09:00:00Z"));
    }

    play_result run() {
      auto begin = now_;
      for (const auto& step : in_.steps) {
        if (const auto* begun = std::get_if<turns_step>(&step.what)) {
          for (const auto& turn : begun->turns)
            play(turn);
        } else if (const auto* wait = std::get_if<wait_step>(&step.what)) {
          now_ += wait->duration;
        } else if (const auto* add = std::get_if<add_step>(&step.what)) {
          note(
            add->draft.type, add->draft.content, add->by.name, add->draft.confidence.value_or(0.5));
        } else if (const auto* expect = std::get_if<expect_step>(&step.what)) {
          ++out_.counters.expectations;
          auto unmet = find_unmet(expect->expected, *this);
          out_.counters.unmet += unmet.empty() ? 0 : 1;
          for (const auto& sentence : unmet)
            out_.unmet.push_back(step.where + ": " + sentence);
        }
      }
      finish(begin);
      return std::move(out_);
    }

    const played_turn* last_turn() const override {
      return out_.turns.empty() ? nullptr : &out_.turns.back();
    }

    /// Of the filter, only `type` is supported.
    caf::expected<std::vector<observation_ptr>> observations(
      const observation_filter& filter, const std::string&) override {
      std::vector<observation_ptr> result;
      for (const auto& x : out_.observations)
        if (filter.type.empty() || filter.type.front() == x->type)
          result.push_back(x);
      return result;
    }

    caf::expected<std::vector<observation_ptr>> archive(const observation_filter&) override {
      return std::vector<observation_ptr>{};
    }

    caf::expected<std::vector<goal>> goals() override { return out_.goals; }
    caf::expected<std::vector<fact>> facts() override { return out_.facts; }
    std::vector<trace_entry> trace() const override { return out_.trace; }
    run_summary summary() const override { return out_.counters; }

  private:
    void pass(double ms) { now_ += from_milliseconds(ms); }

    void write(const std::string& component, const std::string& operation, json::object detail = {},
      const std::string& status = "success", double ms = 0) {
      trace_entry entry;
      entry.id = out_.trace.size() + 1;
      entry.at = now_;
      entry.agent_id = in_.agents.front();
      entry.turn_id = turn_id_;
      entry.component = component;
      entry.operation = operation;
      entry.status = status;
      entry.duration_ms = ms;
      entry.detail = std::move(detail);
      out_.trace.push_back(std::move(entry));
    }

    observation_ptr note(const std::string& type, const std::string& content, const std::string& by,
      double confidence) {
      observation x;
      x.observation_id = "obs_20251105_" + std::to_string(100 + out_.observations.size());
      x.type = type;
      x.content = content;
      x.confidence = confidence;
      x.tags = {type.substr(0, 5), "sample"};
      x.source = {by == "user" ? source_kind::user : source_kind::daemon, by, turn_id_, now_};
      x.status = type == "error_alert" ? status::resolved : status::active;
      x.created_at = x.updated_at = now_;
      x.expires_at = now_ + std::chrono::minutes{type == "routing_decision" ? 60 : 10080};
      write(by, "decide", {{"type", type}});
      pass(0.1);
      write("scratch_page", "add_observation", {{"observation_id", x.observation_id}});
      ++out_.counters.observations_added;
      out_.observations.emplace_back(std::move(x));
      return out_.observations.back();
    }

    void play(const replay_turn& turn) {
      played_turn played;
      played.request = turn.request;
      turn_id_ = "turn_" + std::to_string(out_.turns.size() + 1);
      auto& result = played.result;
      result.turn_id = turn_id_;
      result.started_at = now_;
      auto keep = [&](observation_ptr x) { result.observations.push_back(std::move(x)); };
      keep(note("user_input", turn.request.input, "user", 1));
      result.urgency = turn.request.plan.size() > 2 ? urgency::high : urgency::low;
      keep(note("routing_decision", "Urgency " + to_string(result.urgency), "router", 0.9));
      if (!turn.request.plan.empty())
        keep(note("execution_plan", count(turn.request.plan.size()), "executor", 0.9));
      for (const auto& call : turn.request.plan)
        play(call, played, keep);
      keep(note("evaluation_result", "What was asked is done", "evaluator", 0.95));
      write("reflector", "reflect");
      result.status = turn_status::complete;
      result.response = turn.recorded_response;
      result.ended_at = now_;
      ++out_.counters.turns;
      out_.turns.push_back(std::move(played));
      turn_id_.clear();
      if (options_.on_turn)
        options_.on_turn();
    }

    /// The recorded error of a call.
    std::string error_of(const std::string& call_id) const {
      for (const auto& tool : in_.tools)
        for (const auto& response : std::get<recorded_tool>(tool.kind).responses)
          if (response.call_id == call_id && response.status == tool_status::error)
            return std::string{response.outputs.at("error").as_string()};
      return {};
    }

    static std::string count(size_t n) { return std::to_string(n) + " calls"; }

    template <class Keep>
    void play(const planned_call& call, played_turn& turn, Keep keep) {
      played_call outcome;
      outcome.call_id = call.call_id;
      outcome.tool_id = call.tool_id;
      outcome.started_at = now_;
      pass(120);
      outcome.duration_ms = 120;
      ++out_.counters.tool_calls;
      auto error = error_of(call.call_id);
      auto failed = !error.empty();
      write(
        "executor", "call_tool", {{"tool_id", call.tool_id}}, failed ? "internal" : "success", 120);
      if (failed) {
        outcome.status = tool_status::error;
        outcome.error = error;
        keep(note("error_alert", call.tool_id + " failed: " + outcome.error, "executor", 0.99));
        keep(note("recovery_plan", "Go on without " + call.tool_id, "error_handler", 0.85));
        ++out_.counters.tool_errors;
        ++out_.counters.error_alerts;
        ++out_.counters.recovery_plans;
      }
      turn.calls.push_back(std::move(outcome));
    }

    void finish(timestamp begin) {
      goal made;
      made.goal_id = "goal_1";
      made.goal_type = "help_user";
      made.title = "Help with what was asked first";
      made.status = goal_status::in_progress;
      made.progress = 0.4;
      for (const auto& x : out_.observations)
        if (x->type == "evaluation_result" && made.evidence.size() < 3) {
          made.observation_ids.push_back(x->observation_id);
          made.evidence.push_back({x->observation_id, x->content, x->confidence});
        }
      made.pending_actions.push_back({"action_1", "ask", "Ask whether it helped", assignee::user});
      out_.goals.push_back(made);
      fact known;
      known.fact_id = "fact_1";
      known.statement = "Calls take about 120 ms";
      known.confidence = 0.7;
      known.support = 3;
      out_.facts.push_back(known);
      write("frontal_cortex", "create_goal", {{"goal_id", made.goal_id}});
      auto& c = out_.counters;
      c.conversations = c.goals = c.facts = 1;
      c.trace_entries = out_.trace.size();
      c.virtual_seconds = in_milliseconds(now_ - begin) / 1000;
    }

    const conversation& in_;
    const play_options& options_;
    timestamp now_;
    std::string turn_id_;
    play_result out_;
  };

  log& calls_;
};

} // namespace scratchpage::test
