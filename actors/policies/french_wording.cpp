#include <algorithm>
#include <utility>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/actors/policies/european_wording.hpp"
#include "scratchpage/actors/policies/european_words.hpp"

namespace scratchpage {

namespace {

constexpr std::string_view french_quote = "L'utilisateur dit : ";

/// The third person of a French verb in the first person; other words as they are.
std::string french_verb(const std::string& verb) {
  static const policies::pairs irregular{{"suis", "est"}, {"ai", "a"}, {"vais", "va"},
    {"vis", "vit"}, {"peux", "peut"}, {"veux", "veut"}, {"mangeais", "mange"}, {"buvais", "boit"},
    {"habitais", "habite"}, {"assieds", "assied"}, {"avons", "a"}, {"sommes", "est"},
    {"allons", "va"}, {"faisons", "fait"}, {"prenons", "prend"}, {"buvons", "boit"},
    {"vivons", "vit"}, {"dormons", "dort"}, {"voyons", "voit"}, {"devons", "doit"},
    {"pouvons", "peut"}, {"voulons", "veut"}, {"venons", "vient"}, {"tenons", "tient"},
    {"écrivons", "écrit"}, {"lisons", "lit"}, {"mettons", "met"}, {"apprenons", "apprend"},
    {"partons", "part"}, {"sortons", "sort"}, {"servons", "sert"}, {"connaissons", "connaît"},
    {"conduisons", "conduit"}, {"finissons", "finit"}, {"connais", "connaît"},
    {"préférons", "préfère"}, {"achetons", "achète"}, {"levons", "lève"}, {"élevons", "élève"},
    {"vendons", "vend"}, {"répondons", "répond"}};
  if (auto form = policies::european::irregular_form(irregular, verb); !form.empty())
    return form;
  if (verb.size() > 5 && verb.ends_with("geons"))
    return verb.substr(0, verb.size() - 3);
  if (verb.size() > 4 && verb.ends_with("ons"))
    return verb.substr(0, verb.size() - 3) + "e";
  if (verb.ends_with("ds") || verb.ends_with("ts"))
    return verb.substr(0, verb.size() - 1);
  return verb.size() > 3 && verb.ends_with("s") ? verb.substr(0, verb.size() - 1) + "t" : verb;
}

const policies::pairs& french_persons() {
  static const policies::pairs result{{"je", "il"}, {"me", "se"}, {"mon", "son"}, {"ma", "sa"},
    {"mes", "ses"}, {"merci", ""}, {"moi", "lui"}, {"notre", "son"}, {"nos", "ses"},
    {"nous", "eux"}};
  return result;
}

/// Divides "j'ai" and "m'appelle" into two words each.
void divide_elisions(policies::texts& words) {
  for (size_t i = 0; i < words.size() && i < 4; ++i) {
    auto word = policies::plain(words[i]);
    if (word.size() < 3 || word[1] != '\'' || (word[0] != 'j' && word[0] != 'm' && word[0] != 'n'))
      continue;
    auto rest = word.substr(2);
    words[i] = rest;
    words.insert(words.begin() + static_cast<ptrdiff_t>(i), std::string{word[0]} + "e");
  }
}

bool has_open_vowel(const std::string& word) {
  return !word.empty()
         && (std::string_view{"aeiouhyAEIOUHY"}.find(word[0]) != std::string_view::npos
             || word.starts_with("é") || word.starts_with("è") || word.starts_with("ê")
             || word.starts_with("É") || word.starts_with("â") || word.starts_with("î"));
}

/// "Je suis végétarienne": what tells that the speaker is a woman.
bool is_french_woman(const policies::texts& lower, size_t verb) {
  static const policies::known_words women{"sourde", "enceinte", "mère", "veuve", "femme", "née",
    "grande", "avocate", "étudiante", "enseignante", "assistante", "directrice", "avocate",
    "intolérante", "gauchère", "droitière", "sage-femme", "maîtresse", "diabétiques"};
  if (lower[verb] != "suis")
    return false;
  auto last = std::min(verb + 4, lower.size());
  for (auto i = verb + 1; i < last; ++i) {
    const auto& word = lower[i];
    for (auto ending : {"ienne", "ière", "euse", "trice", "mariée", "cée", "aise", "ante", "oise"})
      if (word.ends_with(ending) && word.size() > 5)
        return true;
    if (women.contains(word))
      return true;
    if (word == "de" || word == "à" || word == "dans")
      return false;
  }
  return false;
}

/// The rest of a clause with a second verb of the speaker's in the third person: "et je roule".
std::string rest_of_french(const policies::texts& words, size_t from) {
  auto lower = policies::lower_of(words);
  auto kept = words;
  for (auto i = from; i + 1 < kept.size(); ++i)
    if (lower[i] == "je")
      kept[i + 1] = french_verb(lower[i + 1]);
  auto result = policies::rest_of(kept, from, french_persons());
  return result;
}

retold french_of_me(
  const policies::texts& lower, const policies::texts& words, std::string_view clause) {
  if (policies::european::tells_mood(lower))
    return {};
  auto verb = size_t{1};
  std::string lead;
  for (; verb < lower.size(); ++verb) {
    static const policies::known_words pronouns{
      "ne", "me", "nous", "n'", "y", "en", "le", "la", "les", "lui", "leur"};
    if (!pronouns.contains(lower[verb]))
      break;
    auto form = lower[verb] == "me" || lower[verb] == "nous" ? std::string{"se"} : lower[verb];
    auto elided = verb + 1 < lower.size() && has_open_vowel(lower[verb + 1])
                  && (form == "ne" || form == "se" || form == "le" || form == "la");
    lead += elided ? form.substr(0, 1) + "'" : form + " ";
  }
  if (verb >= lower.size())
    return {};
  static const policies::known_words present{"vais", "sais", "fais", "connais", "mais", "hais"};
  if (lower[verb].ends_with("ais") && !present.contains(lower[verb]))
    return {};
  if (lower[verb].starts_with("l'") || lower[verb].starts_with("t'"))
    return policies::european::quoted(french_quote, clause, 0.6);
  auto is_denied = policies::has_word(lower, policies::known_words{"pas", "plus", "jamais"});
  auto is_home = (lower[verb] == "habite" || lower[verb] == "vis" || lower[verb] == "habitons"
                   || lower[verb] == "vivons")
                 && !is_denied;
  auto is_named = lower[verb] == "appelle" && lower[1] == "me";
  std::string who = is_french_woman(lower, verb) ? "L'utilisatrice " : "L'utilisateur ";
  auto need = policies::european::need_of(lower, lower[verb]);
  auto is_deed = (lower[verb] == "ai" || lower[verb] == "avons") && verb + 1 < lower.size()
                 && (lower[verb + 1].ends_with("é") || lower[verb + 1].ends_with("u"))
                 && lower[verb + 1] != "arrêté";
  if (is_deed && need <= policies::european::likely)
    need = 0.6;
  return {who + lead + french_verb(lower[verb]) + " " + rest_of_french(words, verb + 1),
    is_home || is_named ? 0 : need,
    is_home    ? "lives"
    : is_named ? "name"
               : ""};
}

/// "Ma fille Zoé est …" → "La fille de l'utilisateur, Zoé, est …"
retold french_of_mine(const policies::texts& lower, const policies::texts& words) {
  static const policies::known_words women{"maison", "voiture", "société", "chienne", "chatte",
    "famille", "base", "base de données", "machine", "ferme", "boutique", "cuisine", "fille",
    "mère", "femme", "sœur", "soeur", "cave", "chaudière", "banque", "école"};
  static const policies::known_words verbs{"est", "a", "ont", "sont", "s'appelle", "n'aime", "ne",
    "vit", "habite", "travaille", "mange", "déteste", "adore", "aime", "va", "joue", "parle",
    "souffre", "étudie", "porte", "prend", "peut", "tourne", "ferme", "ouvre", "boit", "dort"};
  auto is_woman = lower[0] == "ma" || women.contains(lower[1]) || lower[1].ends_with("tion");
  std::string article = lower[0] == "mes" || lower[0] == "nos" ? "Les "
                        : has_open_vowel(words[1])             ? "L'"
                        : is_woman                             ? "La "
                                                               : "Le ";
  auto has_name = lower.size() > 3 && policies::european::is_capital(words[2])
                  && verbs.contains(lower[3]) && !words[1].ends_with(',');
  auto owner = article + words[1] + " de l'utilisateur";
  auto rest = has_name ? ", " + words[2] + ", " + policies::rest_of(words, 3, french_persons())
                       : " " + policies::rest_of(words, 2, french_persons());
  static const policies::known_words passing{"commande", "vol", "colis", "rendez-vous",
    "réservation", "question", "problème", "était", "arrive"};
  auto is_passing = policies::has_word(policies::european::words_until(lower, 4), passing);
  return {owner + rest, is_passing ? 0.8 : policies::european::likely, {}};
}

retold french_demand(
  const policies::texts& lower, const policies::texts& words, std::string_view clause) {
  static const phrase_list habit{{"comme d'habitude", "comme toujours", "comme d'hab"}};
  static const policies::pairs left_out{{"merci", ""}, {"comme", ""}, {"d'habitude", ""}};
  static const policies::known_words naming{"appelle-moi", "appelez-moi", "nomme-moi"};
  if (naming.contains(lower[0]) && policies::european::is_capital(words[1]) && lower.size() < 5) {
    auto name = words[1];
    while (name.ends_with(','))
      name.pop_back();
    return {"L'utilisateur veut être appelé " + name, 0, "name", true};
  }
  auto always = lower[0] == "toujours";
  if (always || habit.find_in(words_of(clause)) != nullptr)
    return policies::european::demanded(
      "L'utilisateur préfère " + policies::rest_of(words, always ? 1 : 0, left_out),
      lower.size() > 2 ? 0 : 0.5);
  static const policies::known_words general{
    "toujours", "jamais", "dorénavant", "désormais", "tutoie", "tutoyez", "systématiquement"};
  static const policies::known_words determiners{
    "le", "la", "les", "un", "une", "il", "elle", "ce", "c'est"};
  auto asks = lower[0].ends_with("-moi") || lower[0].starts_with("tutoie")
              || lower[0].starts_with("tutoyez") || lower[0] == "jamais"
              || policies::has_word(lower, general);
  if (asks && !determiners.contains(lower[0]))
    return policies::european::demanded(
      policies::european::quoted("L'utilisateur demande : ", clause, 0).statement,
      policies::has_word(lower, general) || lower[0].starts_with("tuto")
        ? policies::european::rather
        : 0.5);
  if (lower[0] == "pas" && lower.size() > 2)
    return policies::european::demanded(
      "L'utilisateur ne veut " + policies::rest_of(words, 0, {{"merci", ""}}), 0.5);
  return {};
}

/// "J'ai déménagé à Nantes", "nous sommes passés de Trello à Asana"
retold french_change(const policies::texts& lower, const policies::texts& words) {
  static const policies::known_words moves{"déménagé", "emménagé", "installé", "installée"};
  static const policies::known_words to_list{"à", "au", "aux", "en"};
  if (auto i = policies::european::position_of(lower, moves); i + 2 < lower.size()) {
    auto to = policies::european::position_of(lower, to_list, i);
    return {"L'utilisateur habite " + (to < lower.size() ? lower[to] : std::string{"à"}) + " "
              + policies::place_of(words, (to < lower.size() ? to : i + 1) + 1),
      0, "lives"};
  }
  static const policies::known_words switches{
    "passé", "passés", "passée", "passées", "migré", "basculé"};
  auto i = policies::european::position_of(lower, switches);
  static const policies::known_words targets{"à", "au", "vers", "chez"};
  auto is_of_name = i + 2 < words.size() && targets.contains(lower[i + 1])
                    && policies::european::is_capital(words[i + 2]); // "passé à Linux"
  if (i >= lower.size() || (!is_of_name && !policies::european::leaves_a_name(words, lower)))
    return {};
  auto to = policies::european::position_of(lower, targets, i);
  if (to > i && to + 1 < lower.size())
    return {"L'utilisateur utilise " + policies::place_of(words, to + 1), 0.1, {}};
  return {};
}

/// The verb that the speaker used of themselves in the clause before, in the third person.
std::string french_verb_before(std::string_view before) {
  for (const auto& word : policies::lower_of(policies::tokens_of(before)))
    if (auto now = french_verb(word); now != word)
      return now;
  return {};
}

/// What leads to the reason that a clause gives: "comme je suis …", "vu que j'ai …".
void leave_out_french_opening(policies::texts& words) {
  static const policies::known_words fillers{
    "et", "mais", "donc", "car", "parce", "puisque", "comme", "bonjour", "salut", "oui", "non"};
  static const policies::known_words me{"je", "j", "nous"};
  auto next_is_me = [&](size_t i) {
    auto word = i < words.size() ? policies::plain(words[i]) : std::string{};
    return me.contains(word) || word.starts_with("j'");
  };
  for (auto again = true; again && words.size() > 2;) {
    auto first = policies::plain(words[0]);
    auto second = policies::plain(words[1]);
    auto is_because = first == "parce" || first == "vu" || first == "étant";
    again = (fillers.contains(first) && (first != "comme" || next_is_me(1)))
            || ((first == "que" || first == "maintenant" || first == "désormais") && next_is_me(1));
    if (is_because && (second.starts_with("qu") || second == "donné")) {
      auto that = second == "donné" ? size_t{2} : size_t{1};
      if (that + 1 < words.size())
        words.erase(words.begin(), words.begin() + static_cast<ptrdiff_t>(that) + 1);
    } else if (again) {
      words.erase(words.begin());
    }
  }
}

} // namespace

retold french(std::string_view clause, std::string_view said_before) {
  auto words = policies::tokens_of(clause);
  leave_out_french_opening(words);
  divide_elisions(words);
  auto lower = policies::lower_of(words);
  static const policies::known_words conditions{"si", "quand", "lorsque", "que"};
  if (lower.size() < 2 || policies::european::tells_of_before(lower)
      || conditions.contains(lower[0]))
    return {};
  if (auto change = french_change(lower, words); !change.statement.empty())
    return change;
  auto me = lower[0] == "je" || lower[0] == "nous";
  if (policies::european::tells_of_now(lower) && !said_before.empty() && !me)
    if (auto verb = french_verb_before(said_before); !verb.empty())
      return {"L'utilisateur " + verb + " " + policies::rest_of(words, 1, french_persons()), 0, {}};
  if (me) {
    auto result = french_of_me(lower, words, clause);
    auto before = policies::lower_of(policies::tokens_of(said_before));
    if (result.needed <= 1 && !before.empty() && policies::european::tells_of_before(before))
      result.needed = std::min(result.needed, 0.1);
    return result;
  }
  static const policies::known_words mine{"mon", "ma", "mes", "notre", "nos"};
  if (mine.contains(lower[0]) && lower.size() > 2)
    return french_of_mine(lower, words);
  auto of_me = policies::european::position_of(lower, {"je", "j'ai"});
  if (of_me == 0 || of_me + 1 >= lower.size() || of_me > 5)
    if (auto wanted = french_demand(lower, words, clause); !wanted.statement.empty())
      return wanted;
  static const policies::known_words answers{"oui", "non", "merci", "bonjour", "salut"};
  if (answers.contains(lower[0]))
    return {};
  static const policies::known_words own{"je", "me", "moi", "mon", "ma", "mes", "nous"};
  auto is_own = policies::has_word(lower, own)
                || std::any_of(lower.begin(), lower.end(), [](const std::string& word) {
                     return word.starts_with("j'") || word.starts_with("m'");
                   });
  if (auto at = policies::european::position_of(lower, {"je", "nous"});
      at < 6 && at + 1 < lower.size()) {
    policies::texts rest{words.begin() + static_cast<ptrdiff_t>(at), words.end()};
    auto result = french_of_me(policies::lower_of(rest), rest, clause);
    if (!result.statement.empty()) {
      auto lead = policies::european::within(words, 0, at, french_persons());
      result.statement += " " + lead;
      return result;
    }
  }
  if (is_own)
    return policies::european::quoted(french_quote, clause, 0.6);
  return {policies::rest_of(words, 0), lower.size() < 5 ? 0.85 : 0.6, {}};
}

} // namespace scratchpage
