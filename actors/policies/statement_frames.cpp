#include "scratchpage/actors/policies/statement_frames.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/actors/policies/statement_signs.hpp"
#include "scratchpage/actors/policies/statement_stems.hpp"
#include "scratchpage/actors/policies/wording_words.hpp"

namespace scratchpage {

namespace {

using value_kinds = std::map<std::string_view, std::string_view>;

/// Verbs that tell about the same thing, in the third person.
const policies::pairs& relations() {
  static const policies::pairs result{{"lives", "lives"}, {"resides", "lives"}, {"wohnt", "lives"},
    {"lebt", "lives"}, {"vive", "lives"}, {"habite", "lives"}, {"vit", "lives"}, {"eats", "eats"},
    {"isst", "eats"}, {"come", "eats"}, {"mange", "eats"}, {"drinks", "drinks"},
    {"trinkt", "drinks"}, {"bebe", "drinks"}, {"boit", "drinks"}, {"drives", "travels"},
    {"cycles", "travels"}, {"commutes", "travels"}, {"walks", "travels"}, {"rides", "travels"},
    {"flies", "travels"}, {"fährt", "travels"}, {"bikes", "travels"}, {"uses", "uses"},
    {"nutzt", "uses"}, {"verwendet", "uses"}, {"benutzt", "uses"}, {"usa", "uses"},
    {"utiliza", "uses"}, {"utilise", "uses"}, {"runs", "runs"}, {"swims", "exercises"},
    {"jogs", "exercises"}, {"plays", "exercises"}, {"trains", "exercises"},
    {"practises", "exercises"}, {"practices", "exercises"}, {"likes", "likes"}, {"loves", "likes"},
    {"enjoys", "likes"}, {"dislikes", "likes"}, {"hates", "likes"}, {"mag", "likes"},
    {"prefers", "prefers"}, {"bevorzugt", "prefers"}, {"prefiere", "prefers"},
    {"préfère", "prefers"}, {"wants", "wants"}, {"möchte", "wants"}, {"quiere", "wants"},
    {"veut", "wants"}, {"works", "works"}, {"arbeitet", "works"}, {"trabaja", "works"},
    {"travaille", "works"}, {"is", "is"}, {"are", "is"}, {"ist", "is"}, {"es", "is"}, {"est", "is"},
    {"has", "has"}, {"have", "has"}, {"hat", "has"}, {"tiene", "has"}, {"a", "has"},
    {"owns", "has"}, {"takes", "takes"}, {"sees", "sees"}, {"speaks", "speaks"}, {"wears", "wears"},
    {"pays", "pays"}, {"goes", "goes"}, {"starts", "starts"}, {"begins", "starts"},
    {"ends", "ends"}, {"finishes", "ends"}, {"sleeps", "sleeps"}, {"gets", "gets"},
    {"does", "does"}, {"takes", "takes"}, {"orders", "orders"}, {"opens", "opens"},
    {"closes", "closes"}, {"cannot", "can"}, {"can", "can"}, {"deploys", "deploys"},
    {"writes", "writes"}, {"reads", "reads"}, {"studies", "studies"}, {"learns", "studies"},
    {"meets", "meets"}, {"lies", "is"}, {"live", "is"}, {"run", "runs"}, {"use", "uses"},
    {"start", "starts"}, {"begin", "starts"}, {"end", "ends"}, {"smokes", "smokes"},
    {"buys", "buys"}, {"shops", "buys"}, {"heißt", "named"}, {"appelle", "named"},
    {"llama", "named"}, {"hates", "likes"}, {"moved", "moved"}, {"costs", "costs"},
    {"comes", "comes"}, {"arrives", "arrives"}, {"weighs", "weighs"}, {"trinkt", "drinks"},
    {"raucht", "smokes"}};
  return result;
}

/// Values of which somebody has or takes one at a time.
const value_kinds& kinds() {
  static const value_kinds result = [] {
    value_kinds all;
    auto add = [&all](std::string_view kind, std::initializer_list<std::string_view> values) {
      for (auto one : values)
        all.emplace(one, kind);
    };
    add("drink", {"tea", "coffee", "espresso", "decaf", "matcha", "cocoa", "beer", "wine", "water",
                   "juice", "cola", "milk", "tee", "kaffee", "wasser", "té", "café", "agua", "thé",
                   "eau", "lemonade", "cappuccino", "latte"});
    add("seat", {"aisle", "window", "fensterplatz", "gangplatz", "fensterplätze", "gangplätze",
                  "pasillo", "ventana", "ventanilla", "couloir", "fenêtre", "hublot"});
    add("theme", {"dark", "light", "bright"});
    add("part of the day", {"morning", "mornings", "afternoon", "afternoons", "evening", "evenings",
                             "night", "nights", "day", "noon"});
    add("channel", {"email", "emails", "mail", "phone", "calls", "call", "text", "texts", "sms",
                     "chat", "letter", "letters", "whatsapp", "signal", "telegram", "post",
                     "e-mail", "telefon", "teléfono", "correo", "téléphone"});
    add("transport", {"train", "trains", "bus", "car", "bike", "bicycle", "plane", "tram", "subway",
                       "metro", "taxi", "ferry", "foot", "zug", "auto", "fahrrad", "tren", "coche",
                       "voiture", "vélo", "scooter", "motorbike", "tube", "underground"});
    add("units", {"metric", "imperial", "celsius", "fahrenheit", "miles", "kilometres",
                   "kilometers", "pounds", "kilograms", "kilos"});
    add("payment", {"cash", "card", "paypal", "transfer", "invoice", "cheque", "debit", "credit"});
    add("indentation", {"tabs", "spaces"});
    add("diet", {"vegan", "vegetarian", "pescatarian", "omnivore", "vegetarisch"});
    add("marital status", {"single", "married", "divorced", "widowed", "engaged", "separated"});
    add("system", {"windows", "linux", "macos", "mac", "ubuntu", "android", "ios", "iphone"});
    add("editor", {"vim", "emacs", "vscode", "neovim", "intellij", "nano", "pycharm"});
    add("computer language", {"python", "rust", "java", "kotlin", "typescript", "javascript", "go",
                               "c++", "ruby", "swift", "scala", "perl"});
    add("talking place", {"slack", "teams", "discord", "zoom", "mattermost", "meet", "webex"});
    add("tracker", {"jira", "linear", "trello", "asana", "github", "gitlab", "redmine", "notion"});
    add("database", {"mysql", "postgres", "postgresql", "mongodb", "sqlite", "oracle", "mariadb"});
    add("lodging", {"hotel", "hotels", "hostel", "hostels", "apartment", "apartments", "campsite"});
    add("length", {"short", "long", "brief", "detailed", "concise", "lengthy", "terse", "verbose"});
    add("manner", {"formal", "informal", "casual"});
    add("browser", {"firefox", "chrome", "safari", "edge", "opera", "brave"});
    add("meat", {"meat", "fleisch", "carne", "viande"});
    add("speech",
      {"english", "german", "french", "spanish", "italian", "dutch", "deutsch", "englisch"});
    add("style of citation", {"apa", "mla", "chicago", "harvard", "ieee", "vancouver"});
    add("instrument", {"violin", "cello", "piano", "guitar", "trumpet", "drums", "flute", "bass",
                        "viola", "clarinet", "saxophone", "trombone", "harp", "ukulele", "oboe",
                        "geige", "klavier", "gitarre", "trompete", "schlagzeug", "flöte",
                        "klarinette", "violín", "guitarra", "trompeta", "batería", "flauta",
                        "violon", "guitare", "trompette", "batterie", "flûte", "violoncelle"});
    add("shift", {"earlies", "lates", "early", "late", "nights", "days", "frühschicht",
                   "spätschicht", "nachtschicht", "tagschicht"});
    add("heating",
      {"gas", "oil", "pellets", "pump", "coal", "district", "wärmepumpe", "öl", "fernwärme"});
    add("fuel", {"diesel", "petrol", "electric", "hybrid", "benziner", "elektroauto"});
    add("phone", {"pixel", "fairphone", "galaxy", "blackberry", "nokia", "motorola", "xiaomi"});
    add("cloud", {"aws", "azure", "gcp", "hetzner", "heroku", "digitalocean", "vercel"});
    add("package manager", {"npm", "pnpm", "yarn", "pip", "poetry", "conda", "cargo"});
    add("build tool", {"cmake", "bazel", "meson", "gradle", "maven", "ninja"});
    add("shell", {"bash", "zsh", "fish", "powershell"});
    add("spelling", {"british", "american"});
    add("sport", {"running", "swimming", "cycling", "tennis", "football", "yoga", "climbing",
                   "badminton", "rowing", "basketball", "squash", "golf"});
    return all;
  }();
  return result;
}

bool is_time(std::string_view word) {
  static const policies::known_words list{"one", "two", "three", "four", "five", "six", "seven",
    "eight", "nine", "ten", "eleven", "twelve", "half", "quarter", "noon", "midnight", "am", "pm",
    "o'clock", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    "mondays", "tuesdays", "wednesdays", "thursdays", "fridays", "saturdays", "sundays", "past",
    "uhr", "sharp", "thirty", "fifteen", "twenty", "morning", "mornings", "evening", "evenings",
    "afternoon", "night", "nights", "week", "weeks", "month", "months", "year", "day", "days",
    "hour", "hours", "minutes", "daily", "weekly", "every", "twice", "once", "usually"};
  return list.contains(word)
         || (!word.empty() && std::isdigit(static_cast<unsigned char>(word[0])));
}

bool is_denying(std::string_view word) {
  static const policies::known_words list{"not", "never", "no", "longer", "cannot", "nicht", "kein",
    "keine", "keinen", "nie", "nunca", "pas", "jamais", "plus", "doesn't", "isn't", "can't",
    "dislikes", "hates"};
  return list.contains(word);
}

bool leads_to_relation(std::string_view word) {
  static const policies::known_words list{"always", "now", "usually", "only", "also", "often",
    "never", "not", "does", "no", "longer", "mostly", "still", "really", "doesn't", "has", "been",
    "ya", "no", "ne", "n'a", "ahora", "siempre", "nunca", "se", "s'", "currently", "rather",
    "would", "generally", "strictly"};
  return list.contains(word);
}

bool is_person(std::string_view word) {
  static const policies::known_words list{"user", "customer", "patient", "client", "guest",
    "learner", "student", "pupil", "caller", "tenant", "nutzer", "usuario", "l'utilisateur",
    "nutzerin", "usuaria", "l'utilisatrice", "utilisateur", "kunde", "cliente", "subscriber",
    "employee", "traveller", "passenger"};
  return list.contains(word);
}

/// Where the verb of a statement is: the first known one behind the subject.
size_t verb_in(const std::vector<std::string>& words) {
  constexpr size_t longest = 7;
  static const policies::known_words articles{"the", "der", "die", "el", "la", "le", "a"};
  size_t from = !words.empty() && articles.contains(words[0]) ? 1 : 0;
  auto is_of_person = from < words.size() && is_person(words[from]);
  for (auto i = from + 1; i < words.size() && i < longest; ++i) {
    if (is_of_person && leads_to_relation(words[i]) && i + 1 < words.size()
        && (words[i] != "has" || words[i + 1] == "been"))
      continue;
    if (is_of_person || relations().contains(words[i]))
      return i;
  }
  return std::min(from + 1, words.size());
}

/// "night shifts": what a phrase is about is its last word, up to a preposition.
std::string head_of(const std::vector<std::string>& words, size_t from) {
  static const policies::known_words ends{"in", "at", "on", "for", "with", "near", "to", "when",
    "over", "than", "of", "and", "or", "from", "by", "after", "before", "during", "because", "as",
    "instead", "without", "now", "whenever", "if", "while"};
  size_t end = from;
  while (end < words.size() && !ends.contains(words[end]))
    ++end;
  return end >= from + 2 && end <= from + 4 ? stem(words[end - 1]) : std::string{};
}

bool is_of_choice(std::string_view relation) {
  static const policies::known_words list{"prefers", "meets", "works", "wears", "wants", "sleeps",
    "starts", "ends", "gets", "pays", "is", "opens", "closes", "costs", "weighs", "travels",
    "comes", "studies", "arrives"};
  return list.contains(relation);
}

/// Whether there is one of what the subject names: a dentist, but not a sister.
bool is_held_by_one(std::string_view subject) {
  static const policies::known_words of_many{"sister", "brother", "son", "daughter", "friend",
    "colleagu", "neighbour", "neighbor", "cousin", "child", "dog", "cat", "aunt", "uncl", "custom",
    "supplier", "client", "hobbi", "partner", "pet", "student", "team", "servic"};
  return !subject.empty() && subject.find(' ') == std::string_view::npos
         && !of_many.contains(subject);
}

std::string named_value(
  const statement_frame& x, const std::vector<std::string>& words, size_t object) {
  if (!x.subject.empty() && !x.is_denied && object < words.size()) {
    if (x.relation == "is" && x.is_proper && is_held_by_one(x.subject))
      return x.subject;
    return is_of_choice(x.relation) && !x.times.empty() && x.object.empty() ? x.subject + " time"
                                                                            : std::string{};
  }
  if (!x.subject.empty() || x.is_denied || object >= words.size())
    return x.subject.empty() && x.relation == "is" && x.kinds.contains("diet") ? "diet"
                                                                               : std::string{};
  static const policies::known_words in{"in", "at", "en", "à"};
  if (x.relation == "lives" && in.contains(words[object]))
    return "lives";
  static const policies::known_words at{"at", "for", "bei", "chez"};
  static const policies::known_words no_employer{"home", "night", "nights", "weekends", "the", "a"};
  if (x.relation == "works" && at.contains(words[object]) && object + 1 < words.size()
      && !no_employer.contains(words[object + 1]))
    return "works";
  if (x.relation == "named" || (x.relation == "is" && words[object] == "called")
      || (x.relation == "goes" && words[object] == "by"))
    return "name";
  if (x.relation == "is")
    for (auto kind : {"diet", "marital status"})
      if (x.kinds.contains(kind))
        return kind;
  if (x.relation == "eats" && x.kinds.contains("meat"))
    return "diet";
  if ((x.relation == "travels" || x.relation == "pays") && x.kinds.size() == 1)
    return x.relation + " " + *x.kinds.begin();
  if (x.relation != "prefers" || words.size() > object + 6)
    return {};
  if (x.kinds.size() == 1)
    return *x.kinds.begin() == "seat" ? "seat" : "preferred " + *x.kinds.begin();
  auto head = head_of(words, object);
  return head.empty() ? std::string{} : "preferred " + head;
}

size_t shared_words(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  return static_cast<size_t>(
    std::count_if(a.begin(), a.end(), [&](const std::string& one) { return contains(b, one); }));
}

bool shares_kind(const statement_frame& a, const statement_frame& b) {
  return std::any_of(
    a.kinds.begin(), a.kinds.end(), [&](const std::string& one) { return b.kinds.contains(one); });
}

bool are_of_one_relation(const statement_frame& a, const statement_frame& b) {
  static const policies::known_words going{"travels", "takes", "goes"};
  static const policies::known_words sport{"exercises", "runs", "does"};
  static const policies::known_words meals{"eats", "has"};
  static const policies::known_words taste{"likes", "prefers", "wants", "drinks", "eats"};
  if (a.relation == b.relation)
    return true;
  for (const auto* list : {&going, &sport, &meals, &taste})
    if (list->contains(a.relation) && list->contains(b.relation))
      return true;
  return false;
}

/// Statements about the same that have another time, number or word at one place.
bool differs_in_value(const statement_frame& a, const statement_frame& b) {
  auto shared = shared_words(a.object, b.object);
  auto most = std::max(a.object.size(), b.object.size());
  if (a.object.size() == b.object.size() && shared == most)
    return a.times != b.times && !a.times.empty() && !b.times.empty()
           && (!a.subject.empty() || shared > 0);
  if (a.object.size() != b.object.size() || most - shared != 1 || a.times != b.times)
    return false;
  return (shared > 0 && most <= 3 && a.object.back() == b.object.back()) || shares_kind(a, b);
}

/// Whether what follows the verb begins with a name.
bool has_name_behind(std::string_view statement, std::string_view verb) {
  static const policies::known_words between{"at", "with", "by", "called", "a", "an", "the", "now"};
  auto tokens = policies::tokens_of(statement);
  auto is_capital = [](const std::string& x) { return x[0] >= 'A' && x[0] <= 'Z'; };
  for (size_t i = 1; i + 1 < tokens.size(); ++i) {
    if (policies::plain(tokens[i]) != verb)
      continue;
    while (i + 2 < tokens.size() && between.contains(policies::plain(tokens[i + 1])))
      ++i;
    return is_capital(tokens[i + 1]);
  }
  return false;
}

} // namespace

std::string_view kind_of_word(std::string_view word) {
  auto found = kinds().find(word);
  return found == kinds().end() ? std::string_view{} : found->second;
}

statement_frame frame_of(std::string_view statement) {
  statement_frame result;
  auto words = words_of(statement);
  auto verb = verb_in(words);
  if (verb >= words.size())
    return result;
  for (size_t i = 0; i < verb; ++i) {
    result.is_denied = result.is_denied || is_denying(words[i]);
    static const policies::known_words left_out{"the", "der", "die", "das", "el", "la", "le", "s",
      "user's", "user", "their", "des", "nutzers", "del", "de", "a", "an"};
    if (!left_out.contains(words[i]) && !is_person(words[i]) && !leads_to_relation(words[i]))
      result.subject.append(result.subject.empty() ? "" : " ").append(stem(words[i]));
  }
  result.is_proper = has_name_behind(statement, words[verb]);
  auto known = relations().find(words[verb]);
  auto base = relations().find(words[verb] + "s");
  result.relation = known != relations().end()  ? known->second
                    : base != relations().end() ? base->second
                                                : std::string_view{words[verb]};
  result.is_denied = result.is_denied || is_denying(words[verb]);
  auto object = verb + 1;
  for (auto i = object; i < words.size(); ++i) {
    result.is_denied = result.is_denied || (i < object + 2 && is_denying(words[i]));
    if (auto kind = kinds().find(words[i]); kind != kinds().end())
      result.kinds.emplace(kind->second);
    if (is_time(words[i]))
      result.times.insert(words[i]);
    else
      for (auto& one : stems_in_order(words[i]))
        if (!is_denying(one))
          result.object.push_back(std::move(one));
  }
  result.named = named_value(result, words, object);
  return result;
}

bool contradicts(const statement_frame& later, const statement_frame& earlier) {
  if (later.subject != earlier.subject)
    return false;
  if (!later.named.empty() && later.named == earlier.named)
    return later.object != earlier.object || later.times != earlier.times;
  auto same = later.object.size() == earlier.object.size()
              && shared_words(later.object, earlier.object) == later.object.size();
  auto is_taste = are_of_one_relation(later, earlier) && later.relation != "has";
  if (later.is_denied != earlier.is_denied)
    return same && !later.object.empty() && is_taste && later.times == earlier.times;
  if (later.relation != earlier.relation)
    return false;
  if (later.relation == "is" && is_held_by_one(later.subject) && later.is_proper
      && earlier.is_proper)
    return later.object != earlier.object;
  return is_of_choice(later.relation) && differs_in_value(later, earlier);
}

double replacement(const statement_frame& later, const statement_frame& earlier, bool is_strong) {
  static const policies::known_words having{"has", "uses", "travels", "is"};
  auto kind = shares_kind(later, earlier);
  // "My phone is a Galaxy", "got a Fairphone now"
  if (kind && later.subject.empty() != earlier.subject.empty() && having.contains(later.relation)
      && having.contains(earlier.relation))
    return 1;
  if (later.subject != earlier.subject)
    return 0;
  auto one = are_of_one_relation(later, earlier);
  auto shared = shared_words(later.object, earlier.object);
  auto least = std::min(later.object.size(), earlier.object.size());
  auto share = least > 0 ? static_cast<double>(shared) / static_cast<double>(least) : 0;
  static const policies::known_words tastes{"wants", "prefers", "likes"};
  one = one || (kind && tastes.contains(later.relation));
  auto times = !later.times.empty() && !earlier.times.empty();
  // What tells the time of something says nothing against with whom it is done.
  if (shared > 0 && !kind && later.times.empty() != earlier.times.empty()
      && later.object.size() > shared && earlier.object.size() == shared)
    return 0;
  if (!later.subject.empty() && times && shared == least)
    return 1;
  if (one && shared == 0 && !kind)
    return times && is_strong && later.times == earlier.times ? 1 : 0;
  auto sum =
    (one ? 0.75 : 0.0) + (kind ? std::max(share, 0.5) : share) * 0.75 + (is_strong ? 0.25 : 0.0);
  return sum;
}

bool is_ending(std::string_view statement) {
  static const phrase_list signs{{"any more", "anymore", "has left", "left", "sold", "stopped",
    "has stopped", "quit", "gave up", "given up", "died", "retired", "is gone", "are gone",
    "is history", "are over", "is over", "no longer", "dropped", "cancelled", "got rid", "no more",
    "has gone off", "broke down", "closed down", "nicht mehr", "ya no", "ne * plus", "n'est plus",
    "n'ai plus", "n'a plus", "verkauft", "vendí", "vendu", "is done", "are done", "resigned",
    "moved on", "expired", "ended", "passed away", "gestorben", "aufgehört", "drangegeben",
    "aufgegeben", "traded in", "traded", "closed the", "dejé", "he dejado", "arrêté"}};
  constexpr std::array<std::string_view, 11> parts{"不再", "戒了", "戒掉", "やめ", "卖了",
    "売りました", "送人了", "去世", "死了", "亡くな", "卒業し"};
  auto words = words_without_sides(statement);
  auto is_elided =
    contains(words, "plus") && std::any_of(words.begin(), words.end(), [](const std::string& word) {
      return word == "ne" || word.starts_with("n'");
    });
  return signs.find_in(words) != nullptr || is_elided
         || std::any_of(parts.begin(), parts.end(),
           [&](std::string_view one) { return statement.find(one) != std::string_view::npos; });
}

} // namespace scratchpage
