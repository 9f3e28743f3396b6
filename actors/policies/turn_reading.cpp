#include "scratchpage/actors/policies/turn_reading.hpp"

#include <algorithm>

#include "scratchpage/actors/language/classifiers.hpp"
#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/actors/policies/output_reading.hpp"
#include "scratchpage/actors/policies/request_matching.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

constexpr size_t quoted_bytes = 100;     // of what was asked
constexpr size_t response_bytes = 4'096; // of a response that are read
constexpr double alarming = 0.8;         // confidence of an alert, from here on

std::string lower(std::string_view text) {
  std::string result{utf8::prefix(text, response_bytes)};
  for (size_t i = 0; i < result.size(); ++i) {
    if (result[i] >= 'A' && result[i] <= 'Z')
      result[i] = static_cast<char>(result[i] - 'A' + 'a');
    if (result.compare(i, 3, "\xE2\x80\x99") == 0) // a typographic apostrophe
      result.replace(i, 3, "'");
  }
  return result;
}

bool has_any(const std::string& text, const std::vector<std::string_view>& phrases) {
  return std::any_of(phrases.begin(), phrases.end(),
    [&](std::string_view one) { return text.find(one) != std::string::npos; });
}

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

/// Whether a text has any sign of a question or a request to the person.
bool asks_at_all(std::string_view response) {
  static const std::vector<std::string_view> signs{"?", "？", "please", "need", "let me know",
    "tell me", "could you", "can you", "would you", "which", "confirm", "choose", "reply", "enter",
    "provide", "bitte", "brauche", "benötige", "sag mir", "sagen sie", "por favor", "necesito",
    "dime", "indique", "confirm", "veuillez", "besoin", "merci de", "dites", "请", "需要", "告诉我",
    "ください", "ですか", "ますか", "でしょうか", "必要"};
  return has_any(lower(response), signs);
}

/// Whether a response plainly says that it was done, in languages that say so by a form of the
/// verb.
bool says_done(std::string_view response) {
  static const std::vector<std::string_view> done{"ました", "好了", "已经", "已为", "已将", "完成"};
  static const std::vector<std::string_view> not_done{"ません", "できな", "失敗", "エラー", "拒否",
    "断ら", "切れ", "ずに", "没", "未", "不", "无法", "失败", "错误", "拒绝", "过期"};
  auto text = lower(response);
  return has_any(text, done) && !has_any(text, not_done);
}

/// Whether a response tells the person to give something.
bool requests_of_person(std::string_view response) {
  static const std::vector<std::string_view> requests{"please enter", "please confirm",
    "please tell", "please choose", "please pick", "please provide", "please reply",
    "please send me", "please give me", "please approve", "please sign", "please type",
    "please select", "please specify", "please share", "please upload", "please authorise",
    "please authorize", "please log in", "please unlock", "let me know which", "let me know what",
    "let me know when", "let me know whether", "tell me which", "tell me what", "tell me when",
    "i need your", "i need to know", "bitte bestätig", "bitte nenn", "bitte gib", "bitte geben",
    "bitte wähl", "bitte sag", "bitte teil", "bitte schick", "sag mir", "por favor confirm",
    "por favor, confirm", "por favor indi", "por favor, indi", "por favor dime", "por favor elij",
    "por favor, elij", "dime ", "dígame", "veuillez", "merci de confirmer", "merci d'indiquer",
    "merci de choisir", "dites-moi", "dis-moi", "请确认", "请选择", "请输入", "请告诉", "请提供",
    "请问", "教えてください", "入力してください", "選んでください", "確認してください",
    "お選びください", "お知らせください", "ご入力"};
  return has_any(lower(response), requests);
}

/// Whether what was asked for is that something begins and then goes on by itself.
bool starts_something(const std::vector<asked_thing>& things) {
  static const std::vector<std::string> verbs{"start", "launch", "play", "begin", "boot", "resume",
    "starte", "spiele", "spiel", "inicia", "arranca", "reproduce", "lance", "démarre", "joue"};
  static const std::vector<std::string_view> unspaced{
    "启动", "开始", "播放", "起動", "開始", "再生", "かけて"};
  return std::any_of(things.begin(), things.end(), [&](const asked_thing& thing) {
    auto words = words_of(thing.text);
    return first_shared(words, verbs) != nullptr || has_any(thing.text, unspaced);
  });
}

/// Whether a response says that something is left to do. That it runs is what was wanted of
/// something that was to be started.
bool leaves_open(std::string response, const std::vector<asked_thing>& things) {
  static const std::vector<std::string_view> begun{
    "is running", "has started", "was started", "started,", "正在播放", "正在运行", "再生して"};
  response = lower(response);
  if (starts_something(things))
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

/// One turn, read step by step.
class reader {
public:
  explicit reader(const evaluation_input& turn)
    : turn_{turn},
      said_{read_response(turn.response)},
      things_{things_asked(turn.input)},
      final_{says_final(turn.response)},
      unfinished_{leaves_open(turn.response, things_)} {
    if (says_done(turn.response)) {
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
  }

  turn_reading read() {
    if (said_.waits && asks_at_all(turn_.response) && !gives_what_was_counted()) {
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
    return asks && has_deeds_ && !has_done_something() && !said_.offers_help && !said_.tells_success
           && !gives_what_was_counted();
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
      if (settled || call.outputs.empty() || is_made_good(i))
        continue;
      const auto& found = outputs_[i];
      if (is_open(call, found)) {
        failing_ = failing_ || found.finding <= output_finding::refused;
        more_work(call.tool_id + ": " + found.reason);
      }
      broken_ = broken_ || found.is_error;
      failing_ = failing_ || found.finding <= output_finding::refused
                 || found.finding == output_finding::empty;
    }
    auto has_failed = std::any_of(turn_.calls.begin(), turn_.calls.end(),
      [](const auto& one) { return one.outcome != call_outcome::succeeded; });
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
      return !questions_ && (has_deeds_ || things_.empty() || !only_looks(call));
    case output_finding::partial:
      // Lines that were asked for may speak of failures.
      return !(found.is_told && call.outcome == call_outcome::succeeded && !has_deeds_
               && only_looks(call) && !turn_.response.empty());
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

  /// Whether the response says that what was asked for did not work, and leaves it at that.
  bool is_given_up() const {
    if (turn_.response.empty() || unfinished_ || questions_)
      return false;
    if (!things_.empty() && !has_deeds_)
      return final_ && broken_;
    if (final_)
      return failing_ || said_.tells_failure || (turn_.calls.empty() && !said_.tells_success);
    return said_.tells_failure && failing_ && !said_.tells_success;
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
      auto is_done = std::any_of(turn_.calls.begin(), turn_.calls.end(),
        [&](const call_record& call) { return (speaks(call) || is_told) && !only_looks(call); });
      auto in_words = thing.kind != asked_kind::deed && is_answered()
                      && (speaks_of(turn_.response, thing) || may_be_left_unnamed(thing));
      deeds += thing.kind == asked_kind::deed;
      if ((!has_call && !in_words && !is_done) || (thing.kind == asked_kind::deed && !is_done))
        more_work("asked and not done: " + utf8::shortened(thing.text, quoted_bytes));
      else if (thing.count && entries_ > 0 && entries_ < *thing.count
               && thing.kind != asked_kind::deed)
        more_work("only " + std::to_string(entries_) + " of " + std::to_string(*thing.count)
                  + " were found");
    }
    if (deeds > doing_calls() && result_.reasons.empty())
      read_untold();
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

  /// Deeds of which neither a call nor the response tells, where there are fewer calls than deeds.
  void read_untold() {
    auto said = words_of(turn_.response);
    static const std::vector<std::string> all{"both", "all", "everything", "beide", "beides",
      "alles", "ambos", "ambas", "todo", "tout", "deux", "done"};
    if (first_shared(said, all) != nullptr)
      return;
    for (const auto& thing : things_) {
      auto told = false;
      for (const auto& word : words_of(thing.text))
        told =
          told || (word.size() > 3 && std::any_of(said.begin(), said.end(), [&](const auto& x) {
            return stem(x) == stem(word);
          }));
      if (thing.kind == asked_kind::deed && !told)
        more_work("asked and not done: " + utf8::shortened(thing.text, quoted_bytes));
    }
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
  bool questions_ = false; ///< whether all that is asked are questions
  bool has_deeds_ = false; ///< whether something is to be done
  bool broken_ = false;    ///< whether a call itself went wrong
  bool failing_ = false;   ///< whether a call failed, or its outputs say so
  size_t entries_ = 0;     ///< of the lists that the calls gave
  turn_reading result_;
};

} // namespace

turn_reading read_whole_turn(const evaluation_input& turn) {
  return reader{turn}.read();
}

bool says_final(std::string_view response) {
  static const std::vector<std::string_view> phrases{"no longer possible", "not possible",
    "impossible", "cannot be", "can't be", "can not be", "could never", "no way to",
    "there is no way", "refused", "rejected", "declined", "denied", "not eligible", "not allowed",
    "not permitted", "for good", "permanently", "too late", "not entitled", "blocked",
    "is not offered", "does not accept", "no longer offered", "nothing can be done",
    "nothing i can do", "will not", "won't", "not refundable", "non-refundable",
    "not available anymore", "discontinued", "can no longer", "no longer be", "no longer accept",
    "no longer offer", "no longer available", "does not allow", "do not allow", "doesn't allow",
    "don't allow", "prohibited", "is forbidden", "deadline has passed", "sold out", "none are left",
    "none left", "kein zugriff", "ausgeschlossen", "nicht erlaubt", "nicht gestattet",
    "no está permitido", "no permite", "ya no es", "n'est plus", "interdit", "n'autorise pas",
    "不允许", "已无法", "不可以", "禁止", "ことができなく", "認められ", "nicht mehr möglich",
    "nicht möglich", "unmöglich", "leider nicht", "kann nicht mehr", "können nicht mehr",
    "abgelehnt", "verweigert", "endgültig", "zu spät", "lässt sich nicht", "no es posible",
    "ya no se puede", "no se puede", "imposible", "rechazad", "denegad", "demasiado tarde",
    "n'est plus possible", "n'est pas possible", "pas possible", "ne peut plus", "ne peut pas",
    "impossible", "refusé", "trop tard", "définitivement", "不能再", "无法", "不可能", "无法取消",
    "已经不能", "不能", "被拒绝", "拒绝了", "不予", "できません", "できなくなり", "不可能", "拒否",
    "断られ", "もう取り消せ", "対象外", "致しかね", "ことはできない"};
  return has_any(lower(response), phrases);
}

bool says_unfinished(std::string_view response) {
  static const std::vector<std::string_view> phrases{"in progress", "i will report", "i'll report",
    "will let you know", "i'll let you know", "not yet", "so far", "still running", "still working",
    "is running", "has started", "was started", "started,", "working on", "will try again",
    "i'll try again", "try again", "will keep", "keep trying", "i'll retry", "will retry",
    "as soon as", "to be continued", "remaining", "the rest", "are missing", "is missing",
    "one moment", "just a moment", "hold on", "i am on it", "i'm on it", "let me", "i will now",
    "i'll now", "next i", "later", "läuft noch", "noch nicht", "ich melde mich", "sobald",
    "moment bitte", "einen moment", "bisher", "versuche es erneut", "en curso", "todavía no",
    "aún no", "le avisaré", "te avisaré", "un momento", "en cuanto", "en cours", "pas encore",
    "je vous tiens", "je te tiens", "un instant", "dès que", "jusqu'ici", "还没", "正在", "稍后",
    "完成后", "请稍等", "尚未", "まだ", "進行中", "しています。完了", "少々お待ち", "完了次第",
    "終わり次第"};
  auto text = lower(response);
  if (has_any(text, phrases))
    return true;
  // "180 of 200 are collected"
  auto words = words_of(text);
  for (size_t i = 1; i + 1 < words.size(); ++i) {
    auto joins = words[i] == "of" || words[i] == "von" || words[i] == "de" || words[i] == "sur";
    if (joins && is_number(words[i - 1]) && is_number(words[i + 1]) && words[i - 1].size() < 10
        && words[i + 1].size() < 10 && std::stoull(words[i - 1]) < std::stoull(words[i + 1]))
      return true;
  }
  return false;
}

} // namespace scratchpage
