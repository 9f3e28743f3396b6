#include "scratchpage/actors/policies/wish_reading.hpp"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "scratchpage/actors/language/classifiers.hpp"
#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/actors/policies/reply_reading.hpp"
#include "scratchpage/actors/policies/response_reading.hpp"
#include "scratchpage/actors/policies/sentence_text.hpp"
#include "scratchpage/actors/policies/wish_signs.hpp"
#include "scratchpage/actors/policies/wish_title.hpp"

namespace scratchpage {

namespace {

/// How much less probable an answer is when nothing was asked.
constexpr double answer_without_question = 0.1;

constexpr size_t short_title = 40;   // in bytes: a longer one says itself what it is about
constexpr size_t short_answer = 400; // in bytes: of a longer one no name is the one that is meant

constexpr double surely_wanted =
  0.5; // that something is wanted, while something else is talked about

/// Words that tell that a wish comes beside another one.
bool is_addition(const std::vector<std::string>& words) {
  return std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return is_one_of(
      {"also", "additionally", "besides", "too", "außerdem", "también", "aussi"}, word);
  });
}

/// Words that ask for others of what was found.
bool asks_for_others(const std::vector<std::string>& words) {
  return std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return is_one_of({"other", "others", "else", "another", "different", "instead"}, word);
  });
}

/// What is open when the input comes.
struct situation {
  bool is_first = false;      ///< nothing was said before
  bool is_asked_anew = false; ///< the agent asked what else it can do
  bool needs_answer = false;  ///< a question for a permission or for something that is missing
};

/// Whether a question asks what is wanted: "What changes would you like to make?"
bool asks_for_wish(std::string_view question) {
  static const phrase_list all{{"what would you like", "what changes", "which changes",
    "what kind of change*", "what modification*", "what do you want", "what do you need",
    "what exactly", "what can i", "how can i help", "what you would like", "what you'd like",
    "what specific change*", "what specific modification*"}};
  return all.find_in(words_of(question)) != nullptr;
}

situation situation_of(std::string_view before, const response_reading& said, bool asked) {
  if (before.empty())
    return {true, false, asked};
  if (said.waits == waiting_kind::inputs && asks_for_wish(said.question))
    return {false, true, false};
  auto is_choice = said.waits == waiting_kind::choice;
  return {false, said.offers_help && !asked, asked && !is_choice};
}

/// What a sentence of an input is, of the classes of `language::wish`.
struct sentence_kind {
  std::string_view name; ///< "wish" for a wish and for a search
  double probability = 0;
};

sentence_kind kind_of(std::string_view sentence, const situation& now) {
  const auto& classifier = language::wish();
  const auto& classes = classifier.classes();
  auto found = classifier.probabilities(with_names_masked(sentence));
  sentence_kind wanted{"wish"};
  sentence_kind other;
  for (size_t i = 0; i < classes.size(); ++i) {
    auto is_answer = is_one_of({"detail", "more"}, classes[i]);
    if (is_answer && (now.is_first || now.is_asked_anew))
      found[i] *= answer_without_question;
    if (is_one_of({"wish", "search"}, classes[i]))
      wanted.probability += found[i];
    else if (found[i] > other.probability)
      other = {classes[i], found[i]};
  }
  return wanted.probability > other.probability ? wanted : other;
}

bool refuses(const std::vector<std::string>& words) {
  static const phrase_list all{{"don't want", "do not want", "don't need", "do not need",
    "don't have to", "no need", "don't book", "don't buy", "not interested"}};
  return all.find_in(words) != nullptr;
}

/// Whether words give up everything: "I won't make any changes", "leave it all as it is".
bool means_all(const std::vector<std::string>& words) {
  return std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return is_one_of({"any", "anything", "all", "everything", "changes", "nothing", "alles",
                       "nichts", "todo", "nada", "tout", "rien"},
      word);
  });
}

bool is_wish(
  const sentence_kind& kind, const std::vector<std::string>& words, const situation& now) {
  if (kind.name != "wish" || refuses(words))
    return false;
  if (now.is_first)
    return true;
  if (asks_for_others(words) || (!now.is_asked_anew && kind.probability < surely_wanted))
    return false;
  return !now.needs_answer || is_addition(words);
}

/// "Play that song (Blue Moon)": what the agent named last stands for "it" and the like.
std::string with_name(std::string title, std::string_view before) {
  if (before.size() > short_answer)
    return title;
  for (auto sentence : sentences_of(before))
    if (auto name = first_name_in(sentence); is_telling_name(name))
      return std::move(title.append(" (").append(name).append(")"));
  return title;
}

void add_wish(std::string_view part, std::string_view before, wish_reading& to) {
  wish one{title_of_wish(part), topic_of_wish(part)};
  if (one.title.empty())
    return;
  if (points_back(part) && one.title.size() <= short_title)
    one.title = with_name(std::move(one.title), before);
  auto same = std::any_of(
    to.wishes.begin(), to.wishes.end(), [&](const wish& x) { return x.topic == one.topic; });
  if (!same)
    to.wishes.push_back(std::move(one));
}

/// People say why before they say what: of the sentences, the first that asks plainly is the wish,
/// and those after it that name something beside it.
void add_wishes(
  const std::vector<std::string_view>& sentences, std::string_view before, wish_reading& to) {
  auto first = std::find_if(sentences.begin(), sentences.end(), asks_plainly);
  if (first == sentences.end())
    first = sentences.begin();
  for (auto i = first; i != sentences.end(); ++i)
    if (to.wishes.empty() || is_addition(words_of(*i)))
      for (auto part : wishes_in(*i))
        add_wish(part, before, to);
}

/// Whether an agent offers only to leave the matter to somebody else.
bool hands_over(std::string_view question) {
  static const phrase_list all{{"transfer you", "connect you", "hand you over", "forward you",
    "put you through", "escalate*", "redirect you"}};
  return all.find_in(words_of(question)) != nullptr;
}

/// The agent offered to do something, and the person agrees.
void add_agreed(const response_reading& said, std::string_view input, wish_reading& to) {
  static const phrase_list offers{
    {"want me to", "like me to", "want to", "like to", "shall i", "should i"}};
  // "Shall I book it?" is about what is wanted already.
  static const phrase_list leave{{"shall i", "should i"}};
  if (said.waits != waiting_kind::choice || !to.wishes.empty())
    return;
  auto question = sentences_of(said.question).back();
  if (has_details(with_names_masked(question)) || offers.find_in(words_of(question)) == nullptr
      || read_reply(input, waiting_kind::choice, said.question) != answer_kind::affirmed
      || (leave.length_at(words_of(question), 0) > 0 && points_back(question))
      || !names_what_is_wanted(question) || tells_means(question) || hands_over(question))
    return;
  std::string of_user{question};
  if (auto at = of_user.find(" your "); at != std::string::npos)
    of_user.replace(at, 6, " my ");
  add_wish(of_user, said.question, to);
}

} // namespace

wish_reading read_wishes(std::string_view input, std::string_view before, bool asked) {
  auto said = read_response(before);
  auto now = situation_of(before, said, asked);
  wish_reading result;
  std::vector<std::string_view> wanted;
  for (auto sentence : sentences_of(input)) {
    if (sentence.starts_with("#"))
      continue; // a heading or a marker
    auto kind = kind_of(sentence, now);
    result.drops = result.drops || kind.name == "drop";
    result.drops_all = result.drops_all || (kind.name == "drop" && means_all(words_of(sentence)));
    result.says_done = result.says_done || kind.name == "done";
    result.is_question = result.is_question || kind.name == "question";
    if (is_wish(kind, words_of(sentence), now) && names_what_is_wanted(sentence)
        && (now.is_first || !tells_means(sentence)))
      wanted.push_back(sentence);
  }
  add_wishes(wanted, before, result);
  if (asked)
    add_agreed(said, input, result);
  return result;
}

} // namespace scratchpage
