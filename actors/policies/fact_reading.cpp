#include "scratchpage/actors/policies/fact_reading.hpp"

#include <algorithm>
#include <array>

#include "scratchpage/actors/language/classifiers.hpp"
#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/actors/policies/fact_wording.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

constexpr double least_lasting = 0.5;

template <size_t N>
bool has_any(std::string_view text, const std::array<std::string_view, N>& parts) {
  return std::any_of(parts.begin(), parts.end(),
    [&](std::string_view part) { return text.find(part) != std::string_view::npos; });
}

bool has_digit(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// -- what is certainly no fact --------------------------------------------------------------

/// Jest, things that are only supposed, and things that others have said.
bool is_unmeant(std::string_view text) {
  static const phrase_list phrases{{"haha*", "lol", "just kidding", "kidding", "joking", "joke",
    "oh great", "yeah right", "as if", "said no one", "my absolute favourite",
    "my absolute favorite", "would", "i'd kill", "imagine", "suppose", "what if", "pretend",
    "hypothetically", "i wish", "if i were", "if i had", "if i was", "if we", "might", "could",
    "maybe", "perhaps", "let's say", "in the story", "in my story", "my character", "role play",
    "translate", "according to", "na toll", "würde", "wäre", "vielleicht", "angenommen", "könnte",
    "stell dir vor", "scherz", "si fuera", "sería", "quizás", "tal vez", "imagina", "broma",
    "podría", "viviría", "si j'étais", "peut-être", "imagine que", "je pourrais", "je vivrais",
    "blague", "serait", "told me", "says that", "said that", "she says", "he says"}};
  constexpr std::array<std::string_view, 15> parts{"如果", "要是", "开玩笑", "也许", "可能", "假如",
    "もし", "冗談", "かもしれ", "たら", "なら", "😂", "🙄", ";)", "/s "};
  auto words = words_of(text);
  // "I'd rather" and "I would rather" tell a preference.
  static const phrase_list rather{{"would rather", "i'd rather", "would never"}};
  if (rather.find_in(words) != nullptr)
    return false;
  return phrases.find_in(words) != nullptr || has_any(text, parts);
}

bool is_quoted(std::string_view text) {
  constexpr std::array<std::string_view, 7> marks{"\"", "“", "„", "«", "「", "『", "» "};
  return has_any(text, marks);
}

bool is_question(std::string_view sentence) {
  return sentence.ends_with('?') || sentence.ends_with("？") || sentence.starts_with("¿");
}

/// What holds only today, or once.
bool is_passing(std::string_view clause) {
  static const phrase_list phrases{
    {"today", "tonight", "right now", "tomorrow", "yesterday", "this morning", "this afternoon",
      "this evening", "this week", "this weekend", "this time", "this one", "next week",
      "next month", "at the moment", "for now", "just once", "once", "last night", "for this",
      "until further", "remind me", "heute", "morgen früh", "gerade", "diesmal", "nächste woche",
      "im moment", "ausnahmsweise", "hoy", "mañana", "esta vez", "ahora mismo", "la próxima semana",
      "por esta vez", "aujourd'hui", "demain", "cette fois", "en ce moment", "la semaine prochaine",
      "ce soir", "erinnere mich", "recuérdame", "rappelle-moi"}};
  constexpr std::array<std::string_view, 12> parts{"今天", "明天", "这次", "下周", "现在没", "昨天",
    "今日", "明日", "今回", "来週", "昨日", "今夜"};
  return phrases.find_in(words_of(clause)) != nullptr || has_any(clause, parts);
}

// -- sentences and clauses -----------------------------------------------------------------

struct part {
  std::string_view text;
  size_t next; ///< where the text goes on
};

/// The text up to the first of the separators, which belongs to it if `keeps`.
template <size_t N>
part first_part(
  std::string_view text, const std::array<std::string_view, N>& separators, bool keeps) {
  for (size_t i = 0; i < text.size(); ++i)
    for (auto one : separators)
      if (text.substr(i).starts_with(one)) {
        auto is_within = one == "." && i + 1 < text.size() && text[i + 1] != ' ';
        if (!is_within)
          return {text.substr(0, keeps ? i + one.size() : i), i + one.size()};
      }
  return {text, text.size()};
}

template <size_t N>
std::vector<std::string_view> parts_of(
  std::string_view text, const std::array<std::string_view, N>& separators, bool keeps) {
  std::vector<std::string_view> result;
  while (!text.empty()) {
    auto one = first_part(text, separators, keeps);
    auto from = one.text.find_first_not_of(" \t\r\n");
    if (from != std::string_view::npos)
      result.push_back(one.text.substr(from));
    text.remove_prefix(one.next);
  }
  return result;
}

std::vector<std::string_view> sentences_of(std::string_view text) {
  constexpr std::array<std::string_view, 7> ends{".", "!", "?", "\n", "。", "！", "？"};
  return parts_of(text, ends, true);
}

std::vector<std::string_view> clauses_in(std::string_view sentence) {
  constexpr std::array<std::string_view, 20> ends{", ", "; ", " - ", " – ", " — ", ": ", "，", "；",
    "、今", "が、", " but ", " so ", " because ", " and I ", " and we ", " and my ", " aber ",
    " pero ", " mais ", ". "};
  return parts_of(sentence, ends, false);
}

// -- facts --------------------------------------------------------------------------------

bool is_negation(std::string_view word) {
  constexpr std::array<std::string_view, 21> list{"not", "no", "never", "don't", "doesn't", "does",
    "isn't", "cannot", "nicht", "kein", "keine", "keinen", "nie", "nunca", "ne", "pas", "jamais",
    "longer", "more", "any", "anymore"};
  return std::find(list.begin(), list.end(), word) != list.end();
}

/// The stems of a statement without negations and small words, in order.
std::string about(std::string_view statement) {
  static const content_words content{
    {"the", "a", "an", "user", "is", "are", "to", "of", "in", "at", "on", "der", "die", "das",
      "nutzer", "el", "la", "usuario", "l'utilisateur", "le", "les", "really", "very", "now"},
    1};
  auto words = words_of(statement);
  std::erase_if(words, [](const std::string& word) { return is_negation(word); });
  return joined(content.in_order(words), " ");
}

stated_fact made_of(std::string statement, std::string attribute, double confidence) {
  auto words = words_of(statement);
  stated_fact result;
  auto is_user = !words.empty() && (words[0] == "user" || attribute == "lives");
  result.subject = is_user || words.empty() ? "user" : words[0];
  result.attribute = attribute.empty() ? about(statement) : std::move(attribute);
  result.statement = std::move(statement);
  result.confidence = confidence;
  return result;
}

double lasting(std::string_view text) {
  return language::statement().probability(text, "lasting");
}

bool is_in_list(const std::vector<stated_fact>& list, const stated_fact& x) {
  return std::any_of(
    list.begin(), list.end(), [&](const stated_fact& one) { return one.attribute == x.attribute; });
}

/// What a user's sentence tells of them.
void read_sentence(std::string_view sentence, spoken_language in, std::vector<stated_fact>& to) {
  std::string_view before;
  for (auto clause : clauses_in(sentence)) {
    auto told = is_passing(clause) ? retold{} : retell(clause, before, in);
    before = clause;
    if (told.statement.empty())
      continue;
    auto sure = told.by_pattern ? 0.9 : lasting(clause);
    auto one = made_of(std::move(told.statement), std::move(told.attribute), sure);
    if (sure >= least_lasting && to.size() < fact_reading_limits::facts && !is_in_list(to, one))
      to.push_back(std::move(one));
  }
}

} // namespace

bool tells_secret(std::string_view text) {
  static const phrase_list names{{"pin", "pincode", "password*", "passwort*", "passwd", "passcode*",
    "passphrase", "cvv", "cvc", "contraseña", "contraseñas", "clave", "mot de passe", "kennwort",
    "api key", "secret key", "private key", "access token", "seed phrase", "iban", "card number",
    "credit card", "kreditkartennummer", "social security number", "keep that to yourself",
    "don't tell anyone", "spare key", "ersatzschlüssel"}};
  static const phrase_list codes{
    {"code", "codes", "código", "token", "combination", "zahlencode", "türcode", "tan", "otp"}};
  constexpr std::array<std::string_view, 7> parts{
    "密码", "验证码", "暗証番号", "パスワード", "卡号", "口令", "合言葉"};
  auto words = words_of(text);
  return names.find_in(words) != nullptr || has_any(text, parts)
         || (codes.find_in(words) != nullptr && has_digit(text));
}

std::vector<stated_fact> read_facts(std::string_view text, fact_speaker who) {
  text = utf8::prefix(text, fact_reading_limits::text_bytes);
  std::vector<stated_fact> result;
  if (tells_secret(text) || is_unmeant(text) || is_quoted(text))
    return result;
  if (who == fact_speaker::other) {
    auto sure = is_passing(text) || is_question(text) ? 0 : lasting(text);
    if (sure >= least_lasting)
      result.push_back(made_of(std::string{text}, {}, sure));
    return result;
  }
  auto in = language_of(text);
  for (auto sentence : sentences_of(text))
    if (!is_question(sentence))
      read_sentence(sentence, in, result);
  return result;
}

std::string fact_key_of(const stated_fact& x) {
  return "fact:" + x.subject + ":" + x.attribute;
}

} // namespace scratchpage
