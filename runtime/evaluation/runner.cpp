#include "scratchpage/runtime/evaluation/runner.hpp"

#include <utility>

#include "scratchpage/actors/turns/response_questions.hpp"
#include "scratchpage/actors/turns/turn_record.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/runtime/simulation/decisions.hpp"

namespace scratchpage {

namespace {

std::vector<std::string> one_or_none(std::string name) {
  std::vector<std::string> result;
  if (!name.empty())
    result.push_back(std::move(name));
  return result;
}

/// The values of a member of the objects in a list, such as the kinds of opened questions.
std::vector<std::string> members_of(
  const json::object& in, std::string_view list, std::string_view member) {
  std::vector<std::string> result;
  for (const auto& x : in.at(view(list)).as_array())
    result.push_back(text_member(x.as_object(), member));
  return result;
}

std::string told(const std::vector<std::string>& names) {
  std::string result;
  for (const auto& name : names)
    result.append(result.empty() ? "" : " or ").append(name.empty() ? "none" : name);
  return result.empty() ? "none" : result;
}

bool is_by(const observation& x, std::string_view daemon) {
  return x.source.kind == source_kind::daemon && x.source.name == daemon;
}

/// What was decided in one turn of a conversation that was played.
class turn_decision {
public:
  turn_decision(const json::object& decided, const played_turn& turn, const play_result& all)
    : decided_{decided},
      turn_id_{turn.result.turn_id},
      all_{all} {}

  std::vector<std::string> named(std::string_view member) const {
    return one_or_none(text_member(decided_, member));
  }

  uint64_t goals(std::string_view list) const {
    return decided_.at("goals").as_object().at(view(list)).as_array().size();
  }

  std::vector<std::string> waiting(std::string_view list, std::string_view member) const {
    return members_of(decided_.at("waiting").as_object(), list, member);
  }

  /// Whether the Clarifier asked something itself.
  bool asks_user() const {
    for (const auto& x : all_.observations)
      if (x->type == "pending_confirmation" && x->source.turn_id == turn_id_
          && is_by(*x, "clarifier") && !is_response_question(*x))
        return true;
    return false;
  }

  /// A member of the first plan for the failure of that call.
  std::vector<std::string> planned(const std::string& call_id, std::string_view member) const {
    for (const auto& x : all_.observations)
      if (x->type == "recovery_plan" && x->source.turn_id == turn_id_ && is_by(*x, "error_handler")
          && text_member(x->metadata, "call_id") == call_id)
        return one_or_none(text_member(x->metadata, member));
    return {};
  }

private:
  const json::object& decided_;
  const std::string& turn_id_;
  const play_result& all_;
};

/// Compares one turn with its label, and collects what was judged otherwise.
class turn_comparison {
public:
  turn_comparison(const turn_label& label, const turn_decision& decision, scoring& scores)
    : label_{label},
      decision_{decision},
      scores_{scores} {}

  std::vector<disagreement> run() {
    names(figure::urgency, label_.urgency, decision_.named("urgency"));
    names(figure::assessment, label_.assessment, decision_.named("assessment"));
    goals(figure::goals_opened, label_.goals_opened, "opened");
    goals(figure::goals_completed, label_.goals_completed, "completed");
    goals(figure::goals_abandoned, label_.goals_abandoned, "abandoned");
    names(figure::waiting, label_.waiting, decision_.waiting("opened", "kind"));
    names(figure::answered, label_.answered, decision_.waiting("resolved", "as"));
    if (label_.asks_user)
      names(figure::asks_user, {*label_.asks_user ? "asks" : ""},
        decision_.asks_user() ? accepted_names{"asks"} : accepted_names{});
    for (const auto& [call_id, accepted] : label_.error_class)
      names(figure::error_class, accepted, decision_.planned(call_id, "error_class"), call_id);
    for (const auto& [call_id, accepted] : label_.recovery_action)
      names(figure::recovery_action, accepted, decision_.planned(call_id, "action"), call_id);
    return std::move(otherwise_);
  }

private:
  void names(figure what, const accepted_names& accepted, const std::vector<std::string>& found,
    const std::string& call_id = {}) {
    if (!accepted.empty() && !scores_.count(what, accepted, found))
      differs(what, call_id, told(accepted), told(found));
  }

  void goals(figure what, const std::optional<uint32_t>& wanted, std::string_view list) {
    if (!wanted)
      return;
    auto found = decision_.goals(list);
    if (!scores_.count(what, *wanted, found))
      differs(what, {}, std::to_string(*wanted), std::to_string(found));
  }

  void differs(figure what, const std::string& call_id, std::string wanted, std::string found) {
    auto& x = otherwise_.emplace_back();
    x.what = what;
    x.call_id = call_id;
    x.wanted = std::move(wanted);
    x.found = std::move(found);
  }

  const turn_label& label_;
  const turn_decision& decision_;
  scoring& scores_;
  std::vector<disagreement> otherwise_;
};

} // namespace

void measured_decisions::count(const labelled_conversation& x, const play_result& played) {
  summary_ += played.counters;
  auto decisions = decisions_in(x.played.id, played);
  json::object nothing{{"goals", {{"opened", json::array{}}, {"completed", json::array{}},
                                   {"abandoned", json::array{}}}},
    {"waiting", {{"opened", json::array{}}, {"resolved", json::array{}}}}};
  played_turn missing;
  for (size_t i = 0; i < x.labels.size(); ++i) {
    auto was_played = i < played.turns.size();
    turn_decision decision{was_played ? decisions[i].as_object() : nothing,
      was_played ? played.turns[i] : missing, played};
    for (auto& one : turn_comparison{x.labels[i], decision, scores_}.run()) {
      one.turn = i;
      note(std::move(one), x);
    }
  }
}

void measured_decisions::note(disagreement x, const labelled_conversation& of) {
  if (++kept_[static_cast<size_t>(x.what)] > evaluation_limits::cases)
    return;
  const auto& turn = turn_of(of.played, x.turn);
  x.file = of.played.file;
  x.conversation = of.played.id;
  x.input = shown(turn.request.input);
  x.response = shown(turn.recorded_response);
  if (x.turn > 0)
    x.before = shown(turn_of(of.played, x.turn - 1).recorded_response);
  otherwise_.push_back(std::move(x));
}

std::string measured_decisions::shown(const std::string& text) const {
  return utf8::shortened(
    masker_ != nullptr ? masker_->mask(text) : text, evaluation_limits::text_bytes);
}

caf::expected<play_result> play_and_count(
  player& with, const labelled_conversation& x, const play_options& how, measured_decisions& into) {
  auto result = with.play(x.played, how);
  if (result)
    into.count(x, *result);
  return result;
}

} // namespace scratchpage
