#include "scratchpage/actors/policies/english_demands.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include "scratchpage/actors/language/words.hpp"

namespace scratchpage {

namespace {

/// What the user wants to be different about policies::texts, calls and things they are given.
bool is_about_manner(const policies::texts& lower) {
  static const phrase_list nouns{{"answers", "replies", "responses", "paragraphs", "sentences",
    "bullet points", "bullets", "emojis", "emoji", "summaries", "emails", "reports", "units",
    "format", "style", "font", "fonts", "colours", "colors", "dates", "jargon", "examples", "lists",
    "invoices", "letters", "notifications", "calls", "citations", "references", "charts", "tables",
    "english", "german", "french", "spanish", "abbreviations", "headings", "text", "writing",
    "words", "language", "tone", "print", "receipts", "reminders", "variables", "commits",
    "comments", "tests", "names", "formal*", "informal*", "metric", "simple", "brief*", "short*"}};
  return nouns.find_in(lower) != nullptr;
}

bool is_for_one_thing(const policies::texts& lower) {
  if (lower.size() > 2 && (lower[1] == "a" || lower[1] == "an" || lower[2] == "a"))
    return true;
  static const policies::known_words definite{"the", "this", "that", "these", "those", "it", "them",
    "now", "my", "one", "two", "three", "four"};
  return policies::has_word(lower, definite);
}

bool opens_demand(std::string_view word) {
  static const policies::known_words verbs{"use", "write", "answer", "reply", "respond", "address",
    "send", "speak", "keep", "format", "cite", "quote", "sort", "sign", "avoid", "spell", "round",
    "put", "leave", "explain", "contact", "reach", "email", "text", "ring", "talk", "show", "give",
    "remember", "assume", "deliver", "serve", "schedule", "call", "prefer", "stick", "skip", "turn",
    "include", "start", "add", "list", "highlight", "translate", "suggest", "recommend", "offer",
    "ask", "tell", "let", "make", "mark", "label", "order", "ship", "pack", "pay", "print",
    "convert", "document", "name", "plan", "route", "notify", "wake", "dim", "lock", "play",
    "begin", "separate", "cut", "pick", "choose", "run", "commit", "test", "treat", "limit",
    "seat"};
  return verbs.contains(word);
}

const policies::pairs& left_out_of_demand() {
  static const policies::pairs result{{"please", ""}, {"again", ""}, {"my", "their"},
    {"me", "them"}, {"usual", ""}, {"i", "they"}, {"our", "their"}, {"us", "them"},
    {"i'm", "they are"}};
  return result;
}

retold told_english_demand(std::string statement, double needed) {
  return {std::move(statement), needed, {}, true};
}

std::string without_habit(const policies::texts& words, const policies::texts& lower) {
  static const phrase_list habit{{"as always", "as usual", "as ever", "like every time",
    "like always", "as every time", "as before", "same as always", "as i said", "like i said",
    "as mentioned", "please always", "always please", "from now on"}};
  for (size_t i = 0; i < lower.size(); ++i)
    if (habit.length_at(lower, i) > 0)
      return policies::rest_of(
        policies::texts(words.begin(), words.begin() + static_cast<ptrdiff_t>(i)), 0,
        left_out_of_demand());
  return policies::rest_of(words, 0, left_out_of_demand());
}

bool leads_to_demand(const policies::texts& lower) {
  static const policies::known_words list{"when", "whenever", "whatever", "wherever", "however"};
  return list.contains(lower[0]) || (lower[0] == "if" && lower[1] == "you");
}

/// Where the demand begins in "When you write to me, keep it short"; 0: nowhere.
size_t demand_after_circumstance(const policies::texts& words) {
  for (size_t i = 2; i + 1 < words.size() && i < 12; ++i)
    if (words[i - 1].ends_with(',')) {
      static const policies::known_words negations{"don't", "do", "never", "always", "please",
        "start", "begin", "include", "attach", "add", "list", "check", "let", "mention", "tell",
        "make"};
      auto next = policies::plain(words[i]);
      return opens_demand(next) || negations.contains(next) ? i : 0;
    }
  static const policies::known_words clear{
    "use", "keep", "answer", "reply", "write", "give", "round", "avoid", "skip", "include", "add"};
  for (size_t i = 3; i + 1 < words.size() && i < 9; ++i)
    if (clear.contains(policies::plain(words[i])) && policies::plain(words[i - 1]) != "to"
        && policies::plain(words[i - 1]) != "you")
      return i;
  return 0;
}

} // namespace

retold english_demand(const policies::texts& lower, const policies::texts& words) {
  static const phrase_list habit{{"as always", "as usual", "as ever", "from now on", "in future",
    "in all my", "every time", "like always", "as every time", "going forward", "as i said",
    "like i said", "as mentioned", "as before", "same as always", "henceforth", "as a rule",
    "by default", "from here on", "until i say otherwise"}};
  static const phrase_list whenever{{"always", "whenever", "when you", "any time", "anytime",
    "each time", "if you", "ever", "when i", "every", "unless", "at all times", "at all"}};
  static const policies::known_words limits{"before", "after", "on", "in", "at", "between",
    "during", "unless", "ever", "without", "from", "to", "with", "for"};
  if (lower[0] == "call" && lower.size() > 2 && lower.size() < 5 && lower[1] == "me"
      && std::isupper(static_cast<unsigned char>(words[2][0])) != 0)
    return {"User wants to be called " + words[2], 0, "name", true};
  auto habitual = habit.find_in(lower) != nullptr;
  auto manner = is_about_manner(lower);
  auto is_general = whenever.find_in(lower) != nullptr;
  if (lower[0] == "no" || (lower[0] == "never" && lower.size() > 1 && lower[1] == "more")) {
    auto plural = lower.size() > 1 && lower[1].ends_with('s') && policies::has_word(lower, limits);
    static const phrase_list lasting{{"for me", "for us", "ever"}};
    if (lower.size() > 1 && lower[1] == "need")
      return {};
    auto ever = lasting.find_in(lower) != nullptr || habitual;
    auto wanted = without_habit(words, lower).substr(lower[0].size());
    if (wanted.starts_with(" more "))
      wanted.erase(0, 5);
    return told_english_demand(
      (lower[0] == "no" ? "User does not want" : "User wants never") + wanted,
      plural || manner || ever || lower[0] == "never" ? 0.3 : 0.85);
  }
  static const phrase_list of_mine{{"for me", "for us"}};
  if (lower[0] == "only" && of_mine.find_in(lower) != nullptr)
    return told_english_demand(
      "User wants only "
        + policies::rest_of(
          words, 0, {{"only", ""}, {"for", ""}, {"me", ""}, {"us", ""}, {"please", ""}}),
      0.4);
  if (lower[0] == "nothing")
    return told_english_demand("User wants "
                                 + policies::rest_of(words, 0,
                                   {{"please", ""}, {"for", ""}, {"me", ""}, {"us", ""},
                                     {"any", ""}, {"more", ""}, {"anymore", ""}, {"thanks", ""}}),
      0.5);
  if (lower[0] == "never" && lower.size() > 1 && lower[1] == "mind")
    return {};
  if (lower[0] == "never" && lower.size() == 2 && !opens_demand(lower[1]))
    return {}; // "…, never butter"
  if (lower[0] == "always" || lower[0] == "never")
    return told_english_demand(
      "User wants you to " + lower[0] + " " + policies::rest_of(words, 1, left_out_of_demand()),
      lower.size() > 2 ? 0 : 0.5);
  if (lower[0] == "don't" || (lower[0] == "do" && lower[1] == "not"))
    return told_english_demand(
      "User wants you not to "
        + policies::rest_of(words, lower[0] == "do" ? 2 : 1, left_out_of_demand()),
      habitual || policies::has_word(lower, policies::known_words{"ever", "before", "after"}) ? 0.3
      : is_general                                                                            ? 0.4
      : is_for_one_thing(lower)                                                               ? 0.85
                                : 0.5);
  if (lower[0] == "stop" && lower.size() > 2 && lower[1].ends_with("ing"))
    return told_english_demand(
      "User wants you to stop " + policies::rest_of(words, 1, left_out_of_demand()),
      is_general || manner ? 0.4 : 0.7);
  static const policies::known_words being{"is", "are", "starts", "start", "goes", "go"};
  auto is_statement = lower.size() > 3 && (being.contains(lower[1]) || being.contains(lower[2]))
                      && !opens_demand(lower[0]);
  if (habitual && is_statement) // "standup is at ten from now on"
    return {without_habit(words, lower), 0.1, {}};
  if (habitual)
    return told_english_demand(
      (opens_demand(lower[0]) ? "User wants you to " : "User wants ") + without_habit(words, lower),
      0);
  if (opens_demand(lower[0]))
    return told_english_demand(
      "User wants you to " + policies::rest_of(words, 0, left_out_of_demand()),
      is_general                ? 0.4
      : is_for_one_thing(lower) ? 0.8
      : manner                  ? 0.3
                                : 0.6);
  if (auto at = leads_to_demand(lower) ? demand_after_circumstance(words) : 0; at > 0)
    return told_english_demand(
      "User wants you to "
        + policies::rest_of(
          policies::texts(words.begin() + static_cast<ptrdiff_t>(at), words.end()), 0,
          left_out_of_demand())
        + " "
        + policies::rest_of(
          policies::texts(words.begin(), words.begin() + static_cast<ptrdiff_t>(at)), 0,
          {{"me", "them"}, {"my", "their"}, {"i", "they"}}),
      lower[0] == "when" || lower[0] == "if" ? 0.3 : 0.2);
  static const policies::known_words determiners{
    "the", "all", "every", "each", "nobody", "our", "my", "in"};
  auto is_wish = policies::plain(words.back()) == "please" || lower.back() == "always";
  if (is_wish && lower.size() < 9 && lower.size() > 2 && !determiners.contains(lower[0]))
    return told_english_demand(
      "User wants " + policies::rest_of(words, 0, left_out_of_demand()), manner ? 0.35 : 0.8);
  if (manner && lower.size() < 6 && !determiners.contains(lower[0]))
    return told_english_demand(
      "User wants " + policies::rest_of(words, 0, left_out_of_demand()), 0.35);
  return {};
}

} // namespace scratchpage
