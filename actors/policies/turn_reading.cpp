#include "scratchpage/actors/policies/turn_reading.hpp"

#include <algorithm>

#include "scratchpage/actors/language/classifiers.hpp"
#include "scratchpage/actors/language/part_list.hpp"
#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/actors/policies/call_substitution.hpp"
#include "scratchpage/actors/policies/deed_reading.hpp"
#include "scratchpage/actors/policies/detail_matching.hpp"
#include "scratchpage/actors/policies/output_reading.hpp"
#include "scratchpage/actors/policies/request_gaps.hpp"
#include "scratchpage/actors/policies/request_matching.hpp"
#include "scratchpage/actors/policies/response_signs.hpp"
#include "scratchpage/messages/json/json_text.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

constexpr size_t quoted_bytes = 100; // of what was asked
constexpr size_t promise_bytes = 80; // of a response that may only promise to look
constexpr double alarming = 0.8;     // confidence of an alert, from here on

bool is_alert(const observation& x) {
  return (x.type == "risk_alert" || x.type == "security_alert" || x.type == "alert")
         && x.confidence >= alarming;
}

/// Whether the response speaks of what an observation says: it has words of it.
bool mentions(const std::string& response, const observation& x) {
  auto said = words_of(response);
  size_t shared = 0;
  for (const auto& word : words_of(x.content))
    if (word.size() > 4 && contains(said, word))
      ++shared;
  return shared > 0;
}

/// Whether what was asked for is that something begins and then goes on by itself.
bool starts_something(const std::vector<asked_thing>& things) {
  static const std::vector<std::string> verbs{"start", "launch", "play", "begin", "boot", "resume",
    "starte", "spiele", "spiel", "inicia", "arranca", "reproduce", "lance", "démarre", "joue"};
  static const std::vector<std::string_view> unspaced{
    "启动", "开始", "播放", "起動", "開始", "再生", "かけて"};
  return std::any_of(things.begin(), things.end(), [&](const asked_thing& thing) {
    auto words = words_of(thing.text);
    return first_shared(words, verbs) != nullptr || has_part(thing.text, unspaced);
  });
}

/// Whether something is to stand in a queue, so that being there is the end of it.
bool is_about_queue(const std::vector<asked_thing>& things) {
  return std::any_of(things.begin(), things.end(), [](const asked_thing& thing) {
    return in_lower_case(thing.text).find("queue") != std::string::npos;
  });
}

/// Whether a response says that something is left to do. That it runs is what was wanted of
/// something that was to be started.
bool leaves_open(std::string response, const std::vector<asked_thing>& things) {
  static const std::vector<std::string_view> begun{"is running", "has started", "was started",
    "started,", "queued", "正在播放", "正在运行", "再生して"};
  response = read_part(response);
  if (starts_something(things) || is_about_queue(things))
    for (auto one : begun)
      for (auto at = response.find(one); at != std::string::npos; at = response.find(one))
        response.erase(at, one.size());
  return says_unfinished(response);
}

/// Whether a text ends with a question.
bool ends_asking(std::string_view text) {
  auto end = text.find_last_not_of(" \t\n\"')");
  return end != std::string_view::npos
         && (text[end] == '?' || text.substr(0, end + 1).ends_with("\xEF\xBC\x9F"));
}

/// Whether an input that nothing was asked in by its words wants something by its meaning.
bool wants_something(std::string_view input) {
  if (is_small_talk(input))
    return false;
  auto seen = language::wish().classify(input);
  return seen.name == "wish" || seen.name == "search" || seen.name == "question"
         || seen.name == "more";
}

/// Whether an input wants words in which anything may be said.
bool wants_verse(std::string_view input) {
  static const std::vector<std::string> signs{"poem", "haiku", "story", "song", "lyrics", "gedicht",
    "geschichte", "poema", "cuento", "poème", "histoire"};
  return first_shared(words_of(input), signs) != nullptr;
}

/// One turn, read step by step.
class turn_reader {
public:
  explicit turn_reader(const evaluation_input& turn)
    : turn_{turn},
      said_{read_response(turn.response)},
      things_{things_asked(turn.input)},
      final_{says_final(turn.response)},
      unfinished_{leaves_open(turn.response, things_)},
      needless_{says_needless(turn.response)} {
    if (says_done(turn.response) || (begins_done(turn.response) && !says_failed(turn.response))) {
      said_.tells_success = true;
      said_.tells_failure = false;
    }
    for (const auto& call : turn.calls)
      outputs_.push_back(read_outputs(call.outputs));
    has_deeds_ = std::any_of(
      things_.begin(), things_.end(), [](const auto& one) { return one.kind == asked_kind::deed; });
    questions_ = !things_.empty()
                 && std::all_of(things_.begin(), things_.end(),
                   [](const auto& one) { return one.kind == asked_kind::answer; });
    // "Is it still running?" is answered by "It is still running".
    unfinished_ = unfinished_ && !(questions_ && says_unfinished(turn.input));
  }

  turn_reading read() {
    if (said_.waits
        && asks_at_all(offers_more_help(turn_.response) ? said_.question : turn_.response)
        && !gives_what_was_counted() && !(turn_.calls.empty() && only_refuses(turn_.response))) {
      open(evaluation_outcome::waiting,
        "the response asks: " + utf8::shortened(said_.question, quoted_bytes));
      return std::move(result_);
    }
    if (asks_back()) {
      open(evaluation_outcome::waiting,
        "the response asks: " + utf8::shortened(turn_.response, quoted_bytes));
      return std::move(result_);
    }
    read_calls();
    read_alerts();
    if (is_left_to_person()) {
      result_.reasons.clear();
      open(evaluation_outcome::waiting,
        "the user has to act: " + utf8::shortened(turn_.response, quoted_bytes));
      return std::move(result_);
    }
    if (is_given_up()) {
      result_.outcome = evaluation_outcome::failed;
      result_.reasons.insert(result_.reasons.begin(), "the response says that it did not work");
      return std::move(result_);
    }
    read_requests();
    read_said();
    return std::move(result_);
  }

private:
  void open(evaluation_outcome outcome, std::string reason) {
    result_.outcome = outcome;
    result_.reasons.push_back(std::move(reason));
  }

  void more_work(std::string reason) { open(evaluation_outcome::more_work, std::move(reason)); }

  /// Whether the response is a list that was asked for; questions in it are not to the person.
  bool gives_what_was_counted() const {
    return numbered_entries(turn_.response) > 1
           && std::any_of(things_.begin(), things_.end(),
             [](const auto& one) { return one.count || one.kind == asked_kind::words; });
  }

  /// Whether the response answers with a question what nothing was done about.
  bool asks_back() const {
    auto asks = ends_asking(turn_.response) || requests_of_person(turn_.response);
    auto has_failed = std::any_of(turn_.calls.begin(), turn_.calls.end(),
      [](const auto& one) { return one.outcome != call_outcome::succeeded; });
    return asks && (has_deeds_ || has_failed) && !has_done_something() && !said_.offers_help
           && (has_failed || !said_.tells_success) && !gives_what_was_counted();
  }

  /// Whether what is left to do is for the person.
  bool is_left_to_person() const {
    if (questions_ || turn_.calls.empty())
      return false;
    if (wants_deed_first(turn_.response)
        || ((is_begun_ || failing_) && goes_on_after_person(turn_.response)))
      return true;
    if (final_)
      return false;
    return hands_to_person(turn_.response)
           || (is_begun_ && !broken_ && tells_person_to_act(turn_.response));
  }

  bool has_done_something() const {
    for (size_t i = 0; i < turn_.calls.size(); ++i)
      if (turn_.calls[i].outcome == call_outcome::succeeded && !only_looks(turn_.calls[i])
          && outputs_[i].finding >= output_finding::fine)
        return true;
    return false;
  }

  bool is_answered() const { return !turn_.response.empty() && !said_.tells_failure; }

  void read_calls() {
    for (size_t i = 0; i < turn_.calls.size(); ++i) {
      const auto& call = turn_.calls[i];
      entries_ += outputs_[i].entries;
      auto settled =
        call.outcome != call_outcome::succeeded && call.action != recovery_action::partial;
      if (settled || call.outputs.empty() || is_made_good(i) || is_needless(i) || is_undone(i))
        continue;
      const auto& found = outputs_[i];
      is_begun_ = is_begun_ || found.finding == output_finding::pending
                  || found.finding == output_finding::partial;
      if (is_open(call, found)) {
        failing_ = failing_ || found.finding <= output_finding::refused;
        more_work(call.tool_id + ": " + found.reason);
      }
      broken_ = broken_ || found.is_error;
      failing_ = failing_ || found.finding <= output_finding::refused
                 || found.finding == output_finding::empty;
    }
    auto has_failed = false;
    for (size_t i = 0; i < turn_.calls.size(); ++i)
      has_failed =
        has_failed
        || (turn_.calls[i].outcome != call_outcome::succeeded
            && turn_.calls[i].outcome != call_outcome::unanswered && !is_made_up_for(turn_, i));
    failing_ = failing_ || has_failed;
    broken_ = broken_ || has_failed;
  }

  bool is_made_good(size_t at) const {
    for (size_t i = at + 1; i < turn_.calls.size(); ++i)
      if (turn_.calls[i].tool_id == turn_.calls[at].tool_id
          && turn_.calls[i].outcome == call_outcome::succeeded
          && outputs_[i].finding >= output_finding::fine)
        return true;
    return false;
  }

  /// Whether a call changed nothing because there was nothing to do.
  bool is_needless(size_t at) const {
    return needless_ && turn_.calls[at].outcome == call_outcome::succeeded
           && !outputs_[at].is_error;
  }

  /// Whether a flag that is false is what was wanted: "subscribed" after "Cancel my subscription".
  bool is_undone(size_t at) const {
    static const std::vector<std::string> undoing{"cancel", "unsubscribe", "stop", "disable",
      "deactivate", "remove", "delete", "close", "end", "revoke", "mute", "off", "kündige",
      "kündigen", "storniere", "stornieren", "deaktiviere", "abbestellen", "aus", "cancela",
      "cancelar", "desactiva", "apaga", "annule", "annuler", "désactive", "éteins", "résilie"};
    constexpr size_t of_stem = 4; // bytes: "cancelled" would be the deed itself
    const auto& reason = outputs_[at].reason;
    return reason.ends_with(" is false") && !outputs_[at].is_error && !said_.tells_failure
           && std::any_of(things_.begin(), things_.end(), [&](const asked_thing& one) {
                auto words = words_of(one.text);
                const auto* verb = first_shared(words, undoing);
                return verb != nullptr && !reason.starts_with(verb->substr(0, of_stem));
              });
  }

  /// Whether the result of what was run is what was asked for, be it good or bad.
  bool wants_result() const {
    static const std::vector<std::string> results{"result", "results", "outcome", "failures",
      "errors", "report", "whether", "pass", "passes", "passed", "fail", "fails", "ob", "bestehen",
      "durchlaufen", "pasan", "fallan", "passent", "échouent", "ergebnis", "ergebnisse", "fehler",
      "resultado", "resultados", "errores", "résultat", "résultats", "erreurs"};
    static const part_list unspaced{"是否", "结果", "通过", "結果", "かどうか"};
    return !turn_.response.empty()
           && std::any_of(things_.begin(), things_.end(),
             [](const asked_thing& one) { return one.kind != asked_kind::deed; })
           && (first_shared(words_of(turn_.input), results) != nullptr
               || unspaced.occurs_in(turn_.input));
  }

  /// Whether something is left to do after a call with these outputs.
  bool is_open(const call_record& call, const output_reading& found) const {
    switch (found.finding) {
    case output_finding::fine:
    case output_finding::silent:
      return call.outcome != call_outcome::succeeded && !call.outputs.empty();
    case output_finding::empty:
      return turn_.response.empty() ? !(only_deeds() && !only_looks(call))
                                    : has_deeds_ && said_.tells_failure;
    case output_finding::pending:
      if (found.may_count && said_.tells_success && !unfinished_)
        return false;
      return !(questions_ && is_answered());
    case output_finding::failed:
    case output_finding::refused:
      if (turn_.response.empty() || (found.is_error && (!questions_ || said_.tells_failure)))
        return true;
      // Bad news is an answer, too.
      return !questions_ && !wants_result() && (has_deeds_ || things_.empty() || !only_looks(call));
    case output_finding::partial:
      // Lines that were asked for may speak of failures.
      return !(found.is_told && call.outcome == call_outcome::succeeded
               && ((!has_deeds_ && only_looks(call)) || wants_result()) && !turn_.response.empty());
    }
    return true;
  }

  bool only_deeds() const {
    return !things_.empty() && std::all_of(things_.begin(), things_.end(), [](const auto& one) {
      return one.kind == asked_kind::deed;
    });
  }

  void read_alerts() {
    for (const auto& one : turn_.noticed)
      if (one && is_alert(*one) && !mentions(turn_.response, *one))
        more_work("nobody was told of: " + utf8::shortened(one->content, quoted_bytes));
  }

  /// Whether the response says that the agent cannot or must not do it, where nothing was done.
  bool says_no() const {
    const auto& response = turn_.response;
    if (turn_.calls.empty())
      return (refuses_to(response) || (says_unable(response) && !wants_verse(turn_.input)))
             && !(questions_ && begins_with_no(response));
    return has_deeds_
           && ((!has_done_something() && says_unable(response))
               || (!said_.tells_success && begins_impossible(response)));
  }

  /// Whether the response says that what was asked for did not work, and leaves it at that.
  bool is_given_up() const {
    if (turn_.response.empty() || unfinished_)
      return false;
    if (says_no() && (!things_.empty() || wants_something(turn_.input)))
      return true;
    if (questions_ || (wants_result() && !broken_))
      return false;
    if (!things_.empty() && !has_deeds_)
      return final_ && broken_;
    if (final_)
      return failing_ || said_.tells_failure || (turn_.calls.empty() && !said_.tells_success);
    return (said_.tells_failure || says_failed(turn_.response)) && failing_
           && (!said_.tells_success || !has_done_something());
  }

  void read_requests() {
    if (turn_.calls.empty()) {
      read_talk();
      return;
    }
    size_t deeds = 0;
    for (const auto& thing : things_) {
      auto speaks = [&](const call_record& call) { return speaks_to(call, thing); };
      auto has_call = std::any_of(turn_.calls.begin(), turn_.calls.end(), speaks);
      // Who says that it is done names the call that did it, whatever it is called.
      auto is_told = things_.size() == 1 && said_.tells_success && !said_.tells_failure;
      auto is_done =
        std::any_of(turn_.calls.begin(), turn_.calls.end(), [&](const call_record& call) {
          return (speaks(call) || is_told) && (!only_looks(call) || only_runs(thing));
        });
      auto in_words = thing.kind != asked_kind::deed && is_answered()
                      && (speaks_of(turn_.response, thing) || may_be_left_unnamed(thing));
      deeds += thing.kind == asked_kind::deed;
      // What did something else has not looked, and nobody says that it has.
      if (thing.kind == asked_kind::look && turn_.response.empty() && has_deeds_
          && doing_calls() == turn_.calls.size() && turn_.calls.size() < things_.size()) {
        more_work("asked and not done: " + utf8::shortened(thing.text, quoted_bytes));
        continue;
      }
      if ((!has_call && !in_words && !is_done) || (thing.kind == asked_kind::deed && !is_done))
        more_work("asked and not done: " + utf8::shortened(thing.text, quoted_bytes));
      else if (thing.count && entries_ > 0 && entries_ < *thing.count
               && thing.kind != asked_kind::deed)
        more_work("only " + std::to_string(entries_) + " of " + std::to_string(*thing.count)
                  + " were found");
      else if (auto wrong = contradiction(thing, turn_.calls); !wrong.empty() && !unfinished_)
        more_work(wrong);
      else if (auto left = gap_in(thing, turn_, things_.size()); !left.empty())
        more_work(left);
    }
    if (deeds > doing_calls() && result_.reasons.empty() && !runs_anything())
      read_untold();
    if (result_.reasons.empty())
      read_listed();
  }

  /// Whether an answer to this may name nothing of it: it is all that was asked for, or one
  /// question among others ("Yes, and no").
  bool may_be_left_unnamed(const asked_thing& thing) const {
    return things_.size() == 1 || (thing.kind == asked_kind::answer && !has_deeds_);
  }

  size_t doing_calls() const {
    return static_cast<size_t>(std::count_if(
      turn_.calls.begin(), turn_.calls.end(), [](const auto& one) { return !only_looks(one); }));
  }

  /// Whether a call runs whatever it is given, so that one of them can do several things.
  bool runs_anything() const {
    if (turn_.response.empty())
      return false;
    static const std::vector<std::string> all{"shell", "bash", "terminal", "exec", "execute",
      "command", "console", "powershell", "python", "code", "script", "interpreter", "browser"};
    return std::any_of(turn_.calls.begin(), turn_.calls.end(), [](const call_record& one) {
      return first_shared(words_of_id(one.tool_id), all) != nullptr;
    });
  }

  /// Some of the values that the input lists are told of, and others are not.
  void read_listed() {
    auto values = listed_values(turn_.input);
    if (values.empty())
      values = listed_names(turn_.input);
    if (values.empty() || speaks_of_all(turn_.response))
      return;
    if (auto missing = missing_value(values, turn_); !missing.empty())
      more_work("nothing tells of " + missing);
  }

  /// Deeds of which neither a call nor the response tells, where there are fewer calls than deeds.
  void read_untold() {
    if (speaks_of_all(turn_.response))
      return;
    auto said = words_of(turn_.response);
    auto is_told = [&](const asked_thing& thing) {
      auto words = words_of(thing.text);
      return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
        return word.size() > 3 && std::any_of(said.begin(), said.end(), [&](const auto& x) {
          return stem(x) == stem(word);
        });
      });
    };
    // "a pizza and a coke" may be one thing to whoever tells of neither.
    auto tells_of_one = std::any_of(things_.begin(), things_.end(), is_told);
    for (const auto& call : turn_.calls)
      if (!only_looks(call))
        for (auto& word : words_of_id(call.tool_id))
          said.push_back(std::move(word));
    for (const auto& thing : things_)
      if (thing.kind == asked_kind::deed && (tells_of_one || !thing.is_beside) && !is_told(thing))
        more_work("asked and not done: " + utf8::shortened(thing.text, quoted_bytes));
  }

  /// A turn in which nothing was called.
  void read_talk() {
    if (things_.empty()) {
      if (turn_.response.empty() && wants_something(turn_.input))
        more_work("nothing was done and nothing was answered");
      return;
    }
    if (turn_.response.empty()) {
      for (const auto& thing : things_)
        more_work("asked and not done: " + utf8::shortened(thing.text, quoted_bytes));
      return;
    }
    auto entries = numbered_entries(turn_.response);
    if (entries == 0 && turn_.response.size() < promise_bytes && promises(turn_.response))
      return more_work("the response only promises it");
    if (questions_ && unfinished_ && entries == 0 && turn_.response.size() < promise_bytes)
      more_work("the response only promises an answer");
    for (const auto& thing : things_) {
      if (thing.count && entries > 0 && entries < *thing.count)
        more_work("only " + std::to_string(entries) + " of " + std::to_string(*thing.count)
                  + " were given");
      else if (thing.kind == asked_kind::deed && entries == 0
               && (said_.tells_success || said_.tells_failure || unfinished_
                   || turn_.response.size() < 80))
        more_work("no call did it: " + utf8::shortened(thing.text, quoted_bytes));
    }
  }

  void read_said() {
    if (turn_.response.empty() || result_.outcome != evaluation_outcome::complete || questions_)
      return;
    if (unfinished_ && !things_.empty())
      more_work("the response says that it goes on");
    else if (said_.tells_failure && !said_.tells_success && failing_ && (has_deeds_ || broken_)
             && !things_.empty())
      more_work("the response says that it did not work");
  }

  const evaluation_input& turn_;
  response_reading said_;
  std::vector<asked_thing> things_;
  std::vector<output_reading> outputs_; ///< of each call
  bool final_;                          ///< what the response says, as the functions below
  bool unfinished_;
  bool needless_;          ///< whether the response says that there was nothing to do
  bool is_begun_ = false;  ///< whether outputs say that something is begun and not done
  bool questions_ = false; ///< whether all that is asked are questions
  bool has_deeds_ = false; ///< whether something is to be done
  bool broken_ = false;    ///< whether a call itself went wrong
  bool failing_ = false;   ///< whether a call failed, or its outputs say so
  size_t entries_ = 0;     ///< of the lists that the calls gave
  turn_reading result_;
};

} // namespace

turn_reading read_whole_turn(const evaluation_input& turn) {
  return turn_reader{turn}.read();
}

} // namespace scratchpage
