#include "scratchpage/runtime/simulation/conversation.hpp"

#include <algorithm>
#include <cmath>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/text/display_text.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/runtime/simulation/player.hpp"

namespace scratchpage {

namespace {

std::string in_quotes(std::string_view text) {
  return "\"" + utf8::shortened(one_line(text), 120) + "\"";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

bool fits(const observation& x, const observation_expectation& wanted) {
  return contains(x.content, wanted.content_contains)
         && wanted.linked_to_goal.value_or(x.linked_to_goal) == x.linked_to_goal;
}

bool fits(const goal& x, const goal_expectation& wanted) {
  return contains(x.title, wanted.title_contains)
         && (wanted.goal_type.empty() || wanted.goal_type == x.goal_type)
         && wanted.status.value_or(x.status) == x.status
         && wanted.priority.value_or(x.priority) == x.priority
         && x.progress >= wanted.progress_at_least.value_or(0)
         && wanted.observations.value_or(x.observation_ids.size()) == x.observation_ids.size()
         && wanted.pending_actions.value_or(x.pending_actions.size()) == x.pending_actions.size();
}

bool fits(const fact& x, const fact_expectation& wanted) {
  return contains(x.statement, wanted.statement_contains)
         && x.confidence >= wanted.confidence_at_least.value_or(0)
         && x.support >= wanted.support_at_least.value_or(0);
}

bool fits(const trace_entry& x, const trace_expectation& wanted) {
  auto is = [](const std::string& value, const std::string& asked) {
    return asked.empty() || value == asked;
  };
  return is(x.component, wanted.component) && is(x.operation, wanted.operation)
         && is(x.status, wanted.status)
         && (wanted.detail_contains.empty()
             || contains(to_text(to_json(x.detail)), wanted.detail_contains));
}

std::string glimpse(const observation& x) {
  return x.type + " " + in_quotes(x.content);
}

std::string glimpse(const goal& x) {
  auto progress = std::to_string(std::lround(x.progress * 100));
  return in_quotes(x.title) + " (" + x.goal_type + ", " + to_string(x.status) + ", " + progress
         + " %, " + std::to_string(x.observation_ids.size()) + " observations)";
}

std::string glimpse(const fact& x) {
  return in_quotes(x.statement);
}

std::string glimpse(const trace_entry& x) {
  return x.component + "." + x.operation + " " + x.status;
}

const observation& value_of(const observation_ptr& x) {
  return *x;
}

template <class T>
const T& value_of(const T& x) {
  return x;
}

/// Collects the unmet expectations.
class checker {
public:
  explicit checker(replay_world& world)
    : world_{world} {}

  void check(const expectation& wanted) {
    if (wanted.turn)
      check_turn(*wanted.turn);
    for (const auto& x : wanted.observations)
      check_count("observations", x, world_.observations(x.filter, x.text));
    for (const auto& x : wanted.archive)
      check_count("archive", x, world_.archive(x.filter));
    for (const auto& x : wanted.goals)
      check_count("goals", x, world_.goals());
    for (const auto& x : wanted.facts)
      check_count("facts", x, world_.facts());
    for (const auto& x : wanted.trace)
      check_count("trace", x, caf::expected<std::vector<trace_entry>>{world_.trace()});
    if (!wanted.summary.empty())
      check_summary(wanted);
  }

  std::vector<std::string> take() { return std::move(unmet_); }

private:
  void check_turn(const turn_expectation& wanted) {
    const auto* turn = world_.last_turn();
    if (turn == nullptr) {
      unmet_.push_back("turn: expected a turn that has ended, but none has");
      return;
    }
    const auto& result = turn->result;
    if (wanted.status && *wanted.status != result.status)
      differ("turn.status", to_string(*wanted.status), to_string(result.status));
    if (wanted.urgency && *wanted.urgency != result.urgency)
      differ("turn.urgency", to_string(*wanted.urgency), to_string(result.urgency));
    check_number("turn.questions", wanted.questions, result.questions.size());
    check_number("turn.calls", wanted.calls, turn->calls.size());
    auto failed = std::count_if(turn->calls.begin(), turn->calls.end(), [](const played_call& x) {
      return x.status == tool_status::error || x.status == tool_status::timeout;
    });
    check_number("turn.failed_calls", wanted.failed_calls, static_cast<size_t>(failed));
    if (!contains(result.response, wanted.response_contains))
      differ(
        "turn.response_contains", in_quotes(wanted.response_contains), in_quotes(result.response));
    auto asks = [&](const std::string& x) { return contains(x, wanted.question_contains); };
    if (!wanted.question_contains.empty()
        && std::none_of(result.questions.begin(), result.questions.end(), asks))
      differ("turn.question_contains", in_quotes(wanted.question_contains),
        result.questions.empty() ? "no question" : in_quotes(result.questions.front()));
  }

  void check_number(std::string_view what, const std::optional<uint64_t>& wanted, size_t is) {
    if (wanted && *wanted != is)
      differ(what, std::to_string(*wanted), std::to_string(is));
  }

  template <class Wanted, class T>
  void check_count(
    std::string_view what, const Wanted& wanted, const caf::expected<std::vector<T>>& all) {
    if (!all) {
      unmet_.push_back(
        std::string{what} + ": the agent could not be asked: " + describe(all.error()));
      return;
    }
    auto fit = [&](const T& x) { return fits(value_of(x), wanted); };
    auto found = static_cast<uint64_t>(std::count_if(all->begin(), all->end(), fit));
    auto unbounded = !wanted.count && !wanted.at_least && !wanted.at_most;
    auto least = wanted.count.value_or(wanted.at_least.value_or(unbounded ? 1 : 0));
    auto most = wanted.count.value_or(wanted.at_most.value_or(UINT64_MAX));
    if (found >= least && found <= most)
      return;
    auto bound = least == most   ? "exactly " + std::to_string(least)
                 : found < least ? "at least " + std::to_string(least)
                                 : "at most " + std::to_string(most);
    auto text = std::string{what} + ": expected " + bound + " for " + demands(wanted) + ", found "
                + std::to_string(found);
    unmet_.push_back(text + nearest(*all, found));
  }

  /// The expectation as JSON, without its bounds and absent members.
  template <class Wanted>
  static std::string demands(const Wanted& wanted) {
    auto all = to_json(wanted).get_object();
    for (auto bound : {"count", "at_least", "at_most"})
      all.erase(bound);
    auto asked = without_empty(all);
    return asked.empty() ? "anything" : to_text(asked);
  }

  static json::object without_empty(const json::object& in) {
    json::object result;
    for (const auto& [key, value] : in) {
      auto kept = value.is_object() ? json::value(without_empty(value.get_object())) : value;
      auto empty = (kept.is_object() && kept.get_object().empty())
                   || (kept.is_array() && kept.get_array().empty());
      if (!empty)
        result[key] = std::move(kept);
    }
    return result;
  }

  /// What there is instead of a match, as a hint.
  template <class T>
  static std::string nearest(const std::vector<T>& all, uint64_t found) {
    if (found > 0 || all.empty())
      return {};
    std::string result = "; there is ";
    constexpr size_t shown = 3;
    for (size_t i = 0; i < std::min(shown, all.size()); ++i)
      result += (i == 0 ? "" : ", ") + glimpse(value_of(all[i]));
    if (all.size() > shown)
      result += " and " + std::to_string(all.size() - shown) + " more";
    return result;
  }

  void check_summary(const expectation& wanted) {
    auto figures = to_json(world_.summary()).get_object();
    for (const auto& [name, bounds] : wanted.summary) {
      const auto* value = figures.if_contains(name);
      if (value == nullptr) {
        unmet_.push_back("summary." + name + ": there is no such figure");
        continue;
      }
      auto is = value->to_number<double>();
      auto ok = bounds.equals.value_or(is) == is && is >= bounds.at_least.value_or(is)
                && is <= bounds.at_most.value_or(is);
      if (!ok)
        differ("summary." + name, to_text(to_json(bounds)), to_text(*value));
    }
  }

  void differ(std::string_view what, const std::string& wanted, const std::string& is) {
    unmet_.push_back(std::string{what} + ": expected " + wanted + ", was " + is);
  }

  replay_world& world_;
  std::vector<std::string> unmet_;
};

} // namespace

std::vector<std::string> find_unmet(const expectation& expected, replay_world& world) {
  checker all{world};
  all.check(expected);
  return all.take();
}

size_t count_turns(const conversation& x) {
  size_t result = 0;
  for (const auto& step : x.steps)
    if (const auto* begun = std::get_if<turns_step>(&step.what))
      result += begun->turns.size();
  return result;
}

} // namespace scratchpage
