#include <algorithm>
#include <utility>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/actors/policies/european_wording.hpp"
#include "scratchpage/actors/policies/european_words.hpp"

namespace scratchpage {

namespace {

constexpr std::string_view german_quote = "Der Nutzer sagt: ";

/// "zeichn" and "arbeit" cannot end with "t" as they are.
std::string with_german_ending(const std::string& stem) {
  if (stem.empty())
    return stem;
  constexpr std::string_view open_sounds = "aeioulrhnm";
  auto last = stem.back();
  auto before = stem.size() > 1 ? stem[stem.size() - 2] : 'a';
  auto is_hard =
    last == 't' || last == 'd' || stem.ends_with("chn")
    || ((last == 'n' || last == 'm') && open_sounds.find(before) == std::string_view::npos);
  return stem + (is_hard ? "et" : "t");
}

/// "Ich fahr", "ich spiel": people leave the ending out when they speak.
const policies::known_words& german_verbs_cut_short() {
  static const policies::known_words result{"fahr", "spiel", "wohn", "arbeit", "nehm", "trink",
    "ess", "mach", "brauch", "find", "geh", "komm", "sitz", "steh", "lauf", "les", "schreib", "hör",
    "lern", "koch", "leb", "kauf", "zahl", "nutz", "trag", "rauch", "schlaf", "sprech", "back",
    "leit", "kenn", "glaub", "denk", "studier", "heiß", "vertrag", "verwend", "such"};
  return result;
}

/// The clause with whole verbs, and with the "ich" that people leave out: "bin nach Graz gezogen".
void write_out_german(policies::texts& words) {
  static const policies::known_words openings{"bin", "hab", "habe", "wohne", "arbeite", "fahre",
    "nehme", "trinke", "esse", "lebe", "lerne", "spiele", "nutze", "kann"};
  auto lower = policies::lower_of(words);
  static const policies::known_words subjects{"ich", "er", "sie", "es", "wir", "man", "du"};
  if (lower.size() > 2 && openings.contains(lower[0]) && !subjects.contains(lower[1])) {
    words.insert(words.begin() + 1, "ich");
    lower = policies::lower_of(words);
  }
  auto me = policies::european::position_of(lower, {"ich"});
  for (auto i : {me + 1, me - 1})
    if (me < lower.size() && i < lower.size() && german_verbs_cut_short().contains(lower[i]))
      words[i] += "e";
}

/// The third person of a German verb in the first person; other words as they are.
std::string german_verb(const std::string& verb) {
  static const policies::pairs irregular{{"bin", "ist"}, {"habe", "hat"}, {"hab", "hat"},
    {"esse", "isst"}, {"vertrage", "verträgt"}, {"nehme", "nimmt"}, {"trage", "trägt"},
    {"fahre", "fährt"}, {"schlafe", "schläft"}, {"lese", "liest"}, {"spreche", "spricht"},
    {"sehe", "sieht"}, {"gebe", "gibt"}, {"laufe", "läuft"}, {"trank", "trinkt"}, {"aß", "isst"},
    {"war", "ist"}, {"hatte", "hat"}, {"lebte", "lebt"}, {"wohnte", "wohnt"}, {"fuhr", "fährt"},
    {"rauchte", "raucht"}, {"arbeitete", "arbeitet"}, {"haben", "hat"}, {"sind", "ist"},
    {"essen", "isst"}, {"mögen", "mag"}, {"halte", "hält"}, {"halten", "hält"}, {"lasse", "lässt"},
    {"wasche", "wäscht"}, {"helfe", "hilft"}, {"treffe", "trifft"}, {"treffen", "trifft"},
    {"vergesse", "vergisst"}, {"werde", "wird"}, {"werden", "wird"}, {"können", "kann"},
    {"dürfen", "darf"}, {"müssen", "muss"}, {"wollen", "will"}, {"sollen", "soll"},
    {"möchten", "möchte"}, {"wissen", "weiß"}, {"fahren", "fährt"}, {"schlafen", "schläft"},
    {"lesen", "liest"}, {"sprechen", "spricht"}, {"nehmen", "nimmt"}, {"geben", "gibt"},
    {"laufen", "läuft"}, {"tragen", "trägt"}, {"vertragen", "verträgt"}, {"sehen", "sieht"},
    {"empfehle", "empfiehlt"}, {"unterhalte", "unterhält"}, {"ertrage", "erträgt"}};
  static const policies::known_words same{
    "kann", "darf", "muss", "will", "soll", "mag", "möchte", "weiß", "könnte", "würde", "hätte"};
  if (auto form = policies::european::irregular_form(irregular, verb); !form.empty())
    return form;
  if (same.contains(verb) || verb.size() < 3)
    return verb;
  auto stem = verb.substr(0, verb.size() - 1);
  constexpr std::string_view vowels = "aeiouy";
  if (verb.ends_with("le") && verb.size() > 4 && verb[verb.size() - 3] != 'l'
      && verb[verb.size() - 3] != 'h'
      && vowels.find(verb[verb.size() - 3]) == std::string_view::npos
      && static_cast<unsigned char>(verb[verb.size() - 3]) < 0x80)
    return verb.substr(0, verb.size() - 2) + "elt";
  if (verb.ends_with("e"))
    return with_german_ending(stem);
  if (verb.ends_with("en"))
    return with_german_ending(verb.substr(0, verb.size() - 2));
  return verb.ends_with("ln") || verb.ends_with("rn") ? stem + "t" : verb;
}

/// Whether a word can be the verb of "ich" or "wir".
bool is_german_verb(const std::string& word, bool of_many) {
  static const policies::known_words no_verbs{"heute", "gerne", "meine", "keine", "alle", "viele",
    "beide", "lange", "morgen", "gegen", "zwischen", "neben", "wegen", "unseren", "meinen",
    "keinen", "einen", "eine", "jeden", "jede", "ohne", "bitte", "diese", "diesen", "eigene"};
  static const policies::known_words sure{"bin", "hab", "kann", "darf", "muss", "will", "soll",
    "mag", "möchte", "weiß", "könnte", "würde", "hätte", "war", "hatte", "sind", "trank", "aß"};
  if (no_verbs.contains(word))
    return false;
  return sure.contains(word)
         || (of_many ? word.ends_with("en") || word.ends_with("ln") || word.ends_with("rn")
                     : word.ends_with("e"));
}

const policies::pairs& german_persons(bool is_woman) {
  static const policies::pairs man{{"ich", "er"}, {"wir", "er"}, {"mein", "sein"},
    {"meine", "seine"}, {"meinen", "seinen"}, {"meinem", "seinem"}, {"meiner", "seiner"},
    {"meines", "seines"}, {"unser", "sein"}, {"unsere", "seine"}, {"unseren", "seinen"},
    {"unserem", "seinem"}, {"unserer", "seiner"}, {"mir", "sich"}, {"mich", "sich"}, {"bitte", ""},
    {"uns", "sich"}};
  static const policies::pairs woman{{"ich", "sie"}, {"wir", "sie"}, {"mein", "ihr"},
    {"meine", "ihre"}, {"meinen", "ihren"}, {"meinem", "ihrem"}, {"meiner", "ihrer"},
    {"meines", "ihres"}, {"unser", "ihr"}, {"unsere", "ihre"}, {"unseren", "ihren"},
    {"unserem", "ihrem"}, {"unserer", "ihrer"}, {"mir", "sich"}, {"mich", "sich"}, {"bitte", ""},
    {"uns", "sich"}};
  return is_woman ? woman : man;
}

/// "Ich bin Lehrerin": what tells that the speaker is a woman.
bool is_german_woman(const policies::texts& words, const policies::texts& lower) {
  auto be = policies::european::position_of(lower, {"bin"});
  if (be >= lower.size())
    return false;
  return std::any_of(words.begin(), words.end(), [](const std::string& word) {
    auto plain = policies::plain(word);
    return plain.size() > 5 && plain.ends_with("in") && policies::european::is_capital(word)
           && plain != "berlin";
  });
}

/// "nicht mehr in Bremen, sondern in Rostock" → "in Rostock"
void leave_out_denied(policies::texts& words) {
  auto lower = policies::lower_of(words);
  auto turn = policies::european::position_of(lower, {"sondern"});
  auto denial =
    policies::european::position_of(lower, {"nicht", "kein", "keine", "keinen", "keinem"});
  if (turn + 1 < lower.size() && denial < turn)
    words.erase(words.begin() + static_cast<ptrdiff_t>(denial),
      words.begin() + static_cast<ptrdiff_t>(turn) + 1);
}

/// A place or thing without the verb that ends its clause.
std::string without_switch(const std::string& text, const policies::known_words& verbs) {
  policies::texts kept;
  for (const auto& word : policies::tokens_of(text))
    if (!verbs.contains(policies::plain(word)))
      kept.push_back(word);
  return joined(kept, " ");
}

/// Whether the clause ends with a participle, and so tells what was done: "ich habe … bestellt".
bool tells_german_deed(const policies::texts& lower) {
  static const policies::known_words auxiliaries{"habe", "hab", "haben", "bin", "sind"};
  const auto& last = lower.back();
  auto is_participle =
    (last.starts_with("ge") && last.size() > 5 && (last.ends_with("t") || last.ends_with("en")))
    || last.ends_with("iert")
    || (last.ends_with("t")
        && (last.starts_with("be") || last.starts_with("ver") || last.starts_with("er")));
  return is_participle && policies::has_word(lower, auxiliaries);
}

/// Where the speaker's verb is; the number of words if there is none.
size_t german_verb_of_me(const policies::texts& lower, size_t me, bool is_dependent) {
  auto of_many = lower[me] == "wir";
  auto is_verb = [&](size_t i) { return i < lower.size() && is_german_verb(lower[i], of_many); };
  if (is_dependent)
    return is_verb(lower.size() - 1) ? lower.size() - 1 : lower.size();
  if (me > 0 && is_verb(me - 1))
    return me - 1;
  return is_verb(me + 1) ? me + 1 : lower.size();
}

retold german_of_me(policies::texts words, size_t me, bool is_dependent, std::string_view clause) {
  leave_out_denied(words);
  auto lower = policies::lower_of(words);
  if (me >= lower.size())
    return {};
  static const policies::known_words past{"war", "hatte", "wohnte", "lebte", "trank", "aß", "fuhr",
    "rauchte", "arbeitete", "waren", "hatten", "wohnten", "spielte", "mochte"};
  if (policies::has_word(lower, past) || policies::european::tells_mood(lower))
    return {};
  auto verb = german_verb_of_me(lower, me, is_dependent);
  if (verb >= lower.size())
    return policies::european::quoted(german_quote, clause, 0.5);
  static const policies::known_words homes{"wohne", "lebe", "wohnen", "leben"};
  static const policies::known_words in{"in", "bei", "im"};
  auto is_home = homes.contains(lower[verb]) && policies::has_word(lower, in)
                 && !policies::has_word(lower, "nicht");
  auto is_named = lower[verb] == "heiße";
  auto need = policies::european::need_of(lower, lower[verb]);
  if (need <= policies::european::likely && tells_german_deed(lower))
    need = 0.6;
  auto is_woman = is_german_woman(words, lower);
  auto said = std::string{is_woman ? "Die Nutzerin " : "Der Nutzer "} + german_verb(lower[verb]);
  policies::texts rest;
  for (size_t i = 0; i < words.size(); ++i)
    if (i != verb && i != me)
      rest.push_back(words[i]);
  auto more = policies::lower_of(rest);
  if (policies::has_word(more, policies::known_words{"ich", "wir"}))
    return policies::european::quoted(german_quote, clause, is_home || is_named ? 0 : need);
  return {said + " " + policies::european::within(rest, 0, rest.size(), german_persons(is_woman)),
    is_home || is_named ? 0 : need,
    is_home    ? "lives"
    : is_named ? "name"
               : ""};
}

/// "Meine Tochter Lena hat …" → "Die Tochter des Nutzers, Lena, hat …"
retold german_of_mine(const policies::texts& lower, const policies::texts& words) {
  static const policies::known_words men{"mann", "sohn", "vater", "hund", "kater", "bruder", "chef",
    "arzt", "name", "nachname", "vorname", "vermieter", "kollege", "nachbar", "opa", "onkel",
    "partner", "freund", "wagen", "hausarzt", "server", "testserver", "laptop", "rechner", "papa"};
  static const policies::known_words things{"kind", "auto", "haus", "budget", "pferd", "team",
    "büro", "handy", "baby", "knie", "konto", "fahrrad", "rad", "projekt", "unternehmen", "lager"};
  static const policies::known_words verbs{"ist", "hat", "heißt", "sind", "haben", "lautet",
    "läuft", "geht", "isst", "mag", "trinkt", "braucht", "arbeitet", "lebt", "wohnt", "spielt",
    "kann", "darf", "verträgt", "hasst", "liebt", "fährt", "spricht", "nimmt", "wird", "studiert"};
  auto is_plural = lower[0] == "meine" || lower[0] == "unsere";
  std::string article = is_plural                   ? "Die "
                        : men.contains(lower[1])    ? "Der "
                        : things.contains(lower[1]) ? "Das "
                                                    : "";
  auto has_name = lower.size() > 3 && policies::european::is_capital(words[2])
                  && verbs.contains(lower[3]) && !words[1].ends_with(',');
  auto owner = article + words[1] + " des Nutzers";
  auto rest = has_name
                ? ", " + words[2] + ", "
                    + policies::european::within(words, 3, words.size(), german_persons(false))
                : " " + policies::rest_of(words, 2, german_persons(false));
  auto is_named = lower[2] == "heißt";
  static const policies::known_words passing{"wurde", "war", "kommt", "kam", "ging", "bestellung",
    "paket", "flug", "termin", "frage", "problem"};
  auto needed = policies::has_word(policies::european::words_until(lower, 4), passing) ? 0.8
                : lower.size() > 4 && lower[2] == "ist" && lower[3].starts_with("ein")
                  ? policies::european::rather / 2
                  : policies::european::likely;
  return {owner + rest, needed, is_named ? lower[1] + " name" : ""};
}

retold german_demand(const policies::texts& lower, const policies::texts& words, bool asked) {
  static const policies::known_words verbs{"antworte", "antworten", "schreib", "schreibe",
    "schreiben", "sprich", "nutze", "verwende", "nenn", "nenne", "duze", "duz", "sieze", "ruf",
    "rufen", "schick", "schicke", "benutze", "nimm", "gib", "zeig", "zeige", "fass", "fasse",
    "erkläre", "sende", "halte", "halt", "merk", "formuliere", "rechne", "lass", "duzen", "siezen",
    "nutzen", "verwenden", "schicken", "geben", "zeigen"};
  static const policies::known_words general{"immer", "nie", "niemals", "keine", "kein", "keinen",
    "ab", "künftig", "grundsätzlich", "stets", "nur", "duze", "duz", "sieze", "zukünftig", "duzen",
    "siezen"};
  static const policies::known_words definite{
    "den", "die", "das", "dem", "diese", "diesen", "dieses", "heute"};
  static const policies::known_words naming{"nenn", "nenne", "nennt", "nennen"};
  if (naming.contains(lower[0]) && lower.size() > 2
      && (lower[1] == "mich" || (lower[1] == "sie" && lower[2] == "mich"))) {
    auto name =
      policies::rest_of(words, lower[1] == "mich" ? 2 : 3, {{"bitte", ""}, {"einfach", ""}});
    if (policies::european::is_capital(name) && lower.size() < 6)
      return {"Der Nutzer möchte " + name + " genannt werden", 0, "name", true};
  }
  if (verbs.contains(lower[0]))
    return policies::european::demanded(
      "Der Nutzer möchte: " + policies::rest_of(words, 0, {{"bitte", ""}}),
      policies::has_word(lower, general)    ? 0.2
      : policies::has_word(lower, definite) ? 0.8
                                            : 0.45);
  static const policies::known_words determiners{
    "der", "die", "das", "ein", "eine", "es", "er", "sie"};
  static const policies::known_words stating{"kannst", "kannste", "ist", "sind", "wird", "werden",
    "geht", "hat", "haben", "schmeckt", "kostet", "läuft", "gibt", "mag", "darf", "kann", "soll",
    "muss", "bleibt", "kommt", "macht"};
  if (policies::has_word(lower, general) && !determiners.contains(lower[0])
      && !policies::has_word(lower, stating))
    return policies::european::demanded(
      "Der Nutzer möchte "
        + policies::european::within(words, 0, words.size(), german_persons(false)),
      asked || lower[0].starts_with("kein") || lower[0].starts_with("nie")
        ? policies::european::likely
        : 0.5);
  return {};
}

/// "Wir sind nach Kiel gezogen", "ich bin auf Linux umgestiegen"
retold german_change(const policies::texts& lower, const policies::texts& words, size_t me) {
  static const policies::known_words moves{"gezogen", "umgezogen", "hergezogen"};
  if (policies::has_word(lower, moves)) {
    auto to = policies::european::position_of(lower, {"nach"});
    to = to < lower.size() ? to : policies::european::position_of(lower, {"in"});
    return to + 1 < lower.size()
             ? retold{"Der Nutzer wohnt in " + policies::place_of(words, to + 1), 0, "lives"}
             : retold{};
  }
  static const policies::known_words switches{
    "umgestiegen", "gewechselt", "umgestellt", "migriert", "gewandert"};
  if (!policies::has_word(lower, switches) || me >= lower.size())
    return {};
  auto to = policies::european::position_of(lower, {"auf", "zu", "zum"});
  if (to + 2 >= lower.size())
    return {};
  return {(lower[me] == "wir" ? "Das Team des Nutzers nutzt " : "Der Nutzer nutzt ")
            + without_switch(policies::place_of(words, to + 1), switches),
    0.1, {}};
}

/// The verb that the speaker used of themselves in the clause before, in the third person.
std::string german_verb_before(std::string_view before) {
  auto lower = policies::lower_of(policies::tokens_of(before));
  auto me = policies::european::position_of(lower, {"ich", "wir"});
  for (auto i : {me + 1, me - 1})
    if (me < lower.size() && i < lower.size()
        && (is_german_verb(lower[i], lower[me] == "wir") || lower[i].ends_with("te")))
      return german_verb(lower[i]);
  return {};
}

} // namespace

retold german(std::string_view clause, std::string_view said_before) {
  auto words = policies::tokens_of(clause);
  static const policies::known_words fillers{"und", "aber", "also", "denn", "weil", "übrigens",
    "ja", "ach", "darum", "deshalb", "da", "obwohl", "nein", "hallo", "ok", "okay"};
  static const policies::known_words dependent{"weil", "da", "obwohl"};
  auto first = policies::plain(words.empty() ? "" : words[0]);
  auto is_dependent = dependent.contains(first) && policies::plain(words.back()) != "ich"
                      && words.size() > 2 && !policies::european::is_capital(words.back())
                      && is_german_verb(policies::plain(words.back()), false);
  is_dependent =
    is_dependent
    || (dependent.contains(first) && words.size() > 2 && policies::plain(words[1]) == "wir");
  policies::european::leave_out_first(words, fillers);
  auto asked = policies::has_word(policies::lower_of(words), "bitte");
  policies::european::leave_out_first(words, {"bitte"});
  write_out_german(words);
  auto lower = policies::lower_of(words);
  static const policies::known_words conditions{"wenn", "falls", "ob", "sobald", "dass", "bevor"};
  if (lower.size() < 2 || policies::european::tells_of_before(lower))
    return {};
  auto me = policies::european::position_of(lower, {"ich", "wir"});
  if (conditions.contains(lower[0]) && me == 1)
    return {};
  if (me > 0 && me < lower.size() && words[me - 1].ends_with(',')
      && !conditions.contains(lower[0])) { // "Bello ist gestorben, wir haben jetzt Rex"
    words.erase(words.begin(), words.begin() + static_cast<ptrdiff_t>(me));
    lower.erase(lower.begin(), lower.begin() + static_cast<ptrdiff_t>(me));
    me = 0;
    if (lower.size() < 2)
      return {};
  }
  if (auto change = german_change(lower, words, me); !change.statement.empty())
    return change;
  if (me < lower.size())
    return german_of_me(words, me, is_dependent, clause);
  static const policies::known_words mine{"mein", "meine", "unser", "unsere"};
  if (mine.contains(lower[0]) && lower.size() > 2)
    return german_of_mine(lower, words);
  if (policies::european::tells_of_now(lower) && !said_before.empty())
    if (auto verb = german_verb_before(said_before); !verb.empty())
      return {"Der Nutzer " + verb + " "
                + policies::european::within(words, 0, words.size(), german_persons(false)),
        0, verb == "wohnt" || verb == "lebt" ? "lives" : ""};
  if (auto wanted = german_demand(lower, words, asked); !wanted.statement.empty())
    return wanted;
  return {policies::rest_of(words, 0), asked || lower.size() < 4 ? 0.85 : 0.6, {}};
}

} // namespace scratchpage
