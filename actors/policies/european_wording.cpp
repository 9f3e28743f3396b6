#include "scratchpage/actors/policies/european_wording.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/actors/policies/wording_words.hpp"

namespace scratchpage {

namespace {

constexpr double european_rather = 0.2; // how probable what is lasting by its grammar has to be
constexpr double european_likely = 0.25;

/// The third person of a verb that was found in a table, or "" if the table has none.
std::string irregular_form(const policies::pairs& table, const std::string& verb) {
  auto i = table.find(verb);
  return i == table.end() ? std::string{} : std::string{i->second};
}

std::string german_verb(const std::string& verb) {
  static const policies::pairs irregular{{"bin", "ist"}, {"habe", "hat"}, {"hab", "hat"},
    {"esse", "isst"}, {"vertrage", "verträgt"}, {"nehme", "nimmt"}, {"trage", "trägt"},
    {"fahre", "fährt"}, {"schlafe", "schläft"}, {"lese", "liest"}, {"spreche", "spricht"},
    {"sehe", "sieht"}, {"gebe", "gibt"}, {"laufe", "läuft"}, {"trank", "trinkt"}, {"aß", "isst"},
    {"war", "ist"}, {"hatte", "hat"}, {"lebte", "lebt"}, {"wohnte", "wohnt"}, {"fuhr", "fährt"},
    {"rauchte", "raucht"}, {"arbeitete", "arbeitet"}, {"wohnen", "wohnt"}, {"leben", "lebt"},
    {"haben", "hat"}, {"sind", "ist"}, {"nutzen", "nutzt"}, {"arbeiten", "arbeitet"},
    {"sammle", "sammelt"}, {"lächle", "lächelt"}, {"kann", "kann"}, {"essen", "isst"},
    {"trinken", "trinkt"}, {"verwenden", "verwendet"}, {"heizen", "heizt"}, {"mögen", "mag"}};
  if (auto form = irregular_form(irregular, verb); !form.empty())
    return form;
  if (!verb.ends_with("e"))
    return verb;
  return verb.ends_with("te") || verb.ends_with("de") ? verb + "t"
                                                      : verb.substr(0, verb.size() - 1) + "t";
}

std::string french_verb(const std::string& verb) {
  static const policies::pairs irregular{{"suis", "est"}, {"ai", "a"}, {"vais", "va"},
    {"vis", "vit"}, {"peux", "peut"}, {"veux", "veut"}, {"prends", "prend"}, {"mangeais", "mange"},
    {"buvais", "boit"}, {"habitais", "habite"}, {"assieds", "assied"}, {"avons", "a"},
    {"habitons", "habite"}, {"mets", "met"}, {"apprends", "apprend"}, {"fais", "fait"}};
  if (auto form = irregular_form(irregular, verb); !form.empty())
    return form;
  if (verb.size() > 4 && verb.ends_with("ons"))
    return verb.substr(0, verb.size() - 3) + "e";
  return verb.size() > 3 && verb.ends_with("s") ? verb.substr(0, verb.size() - 1) + "t" : verb;
}

/// A clause about what was before, and is no more.
bool tells_of_before(const policies::texts& lower) {
  static const policies::known_words signs{"früher", "antes", "avant", "autrefois", "damals"};
  return policies::has_word(lower, signs);
}

bool tells_of_now(const policies::texts& lower) {
  static const policies::known_words signs{
    "jetzt", "ahora", "maintenant", "inzwischen", "désormais", "mittlerweile"};
  return policies::has_word(lower, signs);
}

/// "usaba" → "usa", and a verb in the present as well.
std::string spanish_verb_of_past(const std::string& verb) {
  constexpr size_t shortest = 5;
  return verb.size() >= shortest && verb.ends_with("aba") ? verb.substr(0, verb.size() - 2)
                                                          : spanish_verb(verb);
}

/// A verb that the speaker used of themselves in the clause before, in the third person.
std::string verb_before(std::string_view before, std::string (*form)(const std::string&)) {
  for (const auto& word : policies::lower_of(policies::tokens_of(before)))
    if (auto now = form(word); now != word)
      return now;
  return {};
}

policies::texts words_until(const policies::texts& words, size_t end) {
  return {words.begin(), words.begin() + static_cast<ptrdiff_t>(end)};
}

void leave_out_first(policies::texts& words, const policies::known_words& list) {
  while (words.size() > 1 && list.contains(policies::plain(words[0])))
    words.erase(words.begin());
}

size_t position_of(const policies::texts& words, const policies::known_words& list) {
  auto i = std::find_if(
    words.begin(), words.end(), [&](const std::string& word) { return list.contains(word); });
  return static_cast<size_t>(i - words.begin());
}

/// How sure the classifier has to be about a clause of the speaker's own, by its verb.
double need_of(const policies::texts& lower, const std::string& verb) {
  static const policies::known_words passing{"möchte", "will", "brauche", "suche", "hätte", "würde",
    "habe's", "weiß", "glaube", "denke", "hoffe", "frage", "wollte", "danke", "muss", "könnte",
    "quiero", "quisiera", "necesito", "busco", "creo", "pienso", "espero", "entiendo", "querría",
    "pregunto", "acepto", "confirmo", "voudrais", "veux", "cherche", "crois", "pense", "espère",
    "comprends", "aimerais", "confirme", "accepte", "excuse", "sais", "vais", "voy", "sé",
    "verstehe", "bestätige", "werde", "gehe", "komme", "puedo", "peux", "dois", "debo", "estoy",
    "bräuchte", "tengo que"};
  static const policies::known_words lasting{"heiße", "wohne", "lebe", "arbeite", "esse", "trinke",
    "spreche", "nehme", "fahre", "reise", "spiele", "lerne", "nutze", "benutze", "trage", "rauche",
    "schlafe", "vertrage", "mag", "liebe", "hasse", "bevorzuge", "sammle", "verwende", "leide",
    "unterrichte", "soy", "vivo", "trabajo", "como", "bebo", "hablo", "tomo", "viajo", "juego",
    "aprendo", "uso", "fumo", "duermo", "odio", "prefiero", "colecciono", "sufro", "padezco",
    "llamo", "conduzco", "habite", "travaille", "mange", "bois", "parle", "prends", "voyage",
    "joue", "apprends", "utilise", "porte", "fume", "dors", "déteste", "préfère", "collectionne",
    "souffre", "enseigne", "conduis", "aime", "appelle", "gusta", "encanta", "tengo", "ai", "suis",
    "bin", "habe", "vis", "étudie", "estudio", "studiere", "haben", "wohnen", "leben", "koche",
    "cocino", "cuisine"};
  static const policies::known_words general{"immer", "nie", "niemals", "jeden", "jede", "täglich",
    "siempre", "nunca", "todos", "cada", "jamás", "toujours", "jamais", "chaque", "tous", "nur",
    "solo", "sólo", "ne", "plus", "grundsätzlich", "montags", "dienstags", "mittwochs",
    "donnerstags", "freitags", "samstags", "sonntags", "morgens", "abends", "nachts", "mittags",
    "vormittags", "jamais", "les", "los"};
  auto is_general = policies::has_word(lower, general);
  if (passing.contains(verb) && !is_general)
    return retold::never;
  return lasting.contains(verb) ? is_general ? 0.1 : european_rather
         : is_general           ? european_likely
                                : 0.5;
}

retold told_european_demand(std::string statement, double needed) {
  return {std::move(statement), needed, {}, true};
}

// -- German ---------------------------------------------------------------------------------

const policies::pairs& german_persons() {
  static const policies::pairs result{{"ich", ""}, {"wir", ""}, {"mein", "ihr"}, {"meine", "ihre"},
    {"meinen", "ihren"}, {"meinem", "ihrem"}, {"mir", ""}, {"mich", "sich"}, {"bitte", ""},
    {"uns", ""}};
  return result;
}

/// "de Gmail a Proton": what is left has a name.
bool leaves_a_name(const policies::texts& words, const policies::texts& lower) {
  auto from = position_of(lower, {"de"});
  return from + 2 < words.size()
         && std::isupper(static_cast<unsigned char>(words[from + 1][0])) != 0;
}

/// A place or thing without the verb that ends its clause.
std::string without_switch(const std::string& text, const policies::known_words& verbs) {
  policies::texts kept;
  for (const auto& word : policies::tokens_of(text))
    if (!verbs.contains(policies::plain(word)))
      kept.push_back(word);
  return joined(kept, " ");
}

retold german_of_me(policies::texts words, const policies::texts& lower, size_t me) {
  auto verb = me == 0 ? me + 1 : me - 1;
  static const policies::known_words past{"war", "hatte", "wohnte", "lebte", "trank", "aß", "fuhr",
    "rauchte", "arbeitete", "waren", "hatten", "wohnten", "spielte", "mochte"};
  if (verb >= lower.size() || past.contains(lower[verb]))
    return {};
  static const policies::known_words homes{"wohne", "lebe", "wohnen", "leben"};
  auto is_home = homes.contains(lower[verb])
                 && (policies::has_word(lower, "in") || policies::has_word(lower, "bei"))
                 && !policies::has_word(lower, "nicht");
  auto need = need_of(lower, lower[verb]);
  auto said = "Der Nutzer " + german_verb(lower[verb]);
  auto is_named = lower[verb] == "heiße";
  words.erase(words.begin() + static_cast<ptrdiff_t>(verb));
  return {said + " " + policies::rest_of(words, 0, german_persons()),
    is_home || is_named ? 0 : need,
    is_home    ? "lives"
    : is_named ? "name"
               : ""};
}

retold german_demand(const policies::texts& lower, const policies::texts& words, bool asked) {
  static const policies::known_words verbs{"antworte", "antworten", "schreib", "schreibe",
    "schreiben", "sprich", "nutze", "verwende", "nenn", "nenne", "duze", "duz", "sieze", "ruf",
    "rufen", "schick", "schicke", "benutze", "nimm", "gib", "zeig", "zeige", "fass", "fasse",
    "erkläre", "sende"};
  static const policies::known_words general{"immer", "nie", "niemals", "keine", "kein", "keinen",
    "ab", "künftig", "grundsätzlich", "stets", "nur"};
  static const policies::known_words definite{
    "den", "die", "das", "dem", "diese", "diesen", "dieses", "heute"};
  if (verbs.contains(lower[0]))
    return told_european_demand(
      "Der Nutzer möchte: " + policies::rest_of(words, 0, {{"bitte", ""}}),
      policies::has_word(lower, general)    ? 0.2
      : policies::has_word(lower, definite) ? 0.8
                                            : 0.45);
  static const policies::known_words determiners{
    "der", "die", "das", "ein", "eine", "es", "er", "sie"};
  if (policies::has_word(lower, general) && !determiners.contains(lower[0]))
    return told_european_demand(
      "Der Nutzer möchte " + policies::rest_of(words, 0, german_persons()),
      asked || lower[0].starts_with("kein") || lower[0].starts_with("nie") ? european_likely : 0.5);
  return {};
}

// -- Spanish --------------------------------------------------------------------------------

const policies::pairs& spanish_persons() {
  static const policies::pairs result{{"yo", ""}, {"me", "se"}, {"mi", "su"}, {"mis", "sus"},
    {"por", "por"}, {"nos", "se"}, {"favor", "favor"}};
  return result;
}

std::string lower_ascii(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) {
    return c < 0x80 ? static_cast<char>(std::tolower(c)) : static_cast<char>(c);
  });
  return text;
}

retold spanish_demand(const policies::texts& lower, const policies::texts& words) {
  static const policies::known_words general{"siempre", "nunca", "jamás", "adelante", "nada"};
  static const policies::known_words articles{"el", "la", "los", "las", "un", "una"};
  static const policies::known_words verbs{"responde", "contesta", "escribe", "escríbeme",
    "mándame", "usa", "utiliza", "llámame", "háblame", "envíame", "trátame", "respóndeme",
    "tutéame"};
  auto is_usual =
    lower.size() > 2 && lower.back() == "siempre" && lower[lower.size() - 2] == "como";
  auto is_noun = lower[0] == "siempre" && lower.size() < 6 && spanish_verb(lower[1]) == lower[1];
  if (is_usual || is_noun)
    return told_european_demand("El usuario prefiere "
                                  + policies::rest_of(words, is_noun ? 1 : 0,
                                    {{"gracias", ""}, {"como", ""}, {"siempre", ""}}),
      lower.size() > 2 ? 0.1 : 0.5);
  auto habitual = policies::has_word(lower, general);
  if (!articles.contains(lower[0]) && (habitual || verbs.contains(lower[0])))
    return told_european_demand(
      "El usuario quiere: " + policies::rest_of(words, 0), habitual ? 0.3 : 0.5);
  return {};
}

/// Words after which "como" is "I eat", and not "as".
bool leads_to_verb(std::string_view word) {
  static const policies::known_words list{
    "no", "yo", "nunca", "siempre", "solo", "sólo", "también", "me", "ya"};
  return list.contains(word);
}

// -- French ---------------------------------------------------------------------------------

const policies::pairs& french_persons() {
  static const policies::pairs result{{"je", ""}, {"me", "se"}, {"mon", "son"}, {"ma", "sa"},
    {"mes", "ses"}, {"merci", ""}, {"moi", ""}};
  return result;
}

/// Divides "j'ai" and "m'appelle" into two words each.
void divide_elisions(policies::texts& words) {
  for (size_t i = 0; i < words.size() && i < 4; ++i) {
    auto word = policies::plain(words[i]);
    if (word.size() < 4 || word[1] != '\'' || (word[0] != 'j' && word[0] != 'm' && word[0] != 'n'))
      continue;
    auto rest = word.substr(2);
    words[i] = rest;
    words.insert(words.begin() + static_cast<ptrdiff_t>(i), std::string{word[0]} + "e");
  }
}

bool has_open_vowel(const std::string& word) {
  return !word.empty()
         && (std::string_view{"aeiouh"}.find(word[0]) != std::string_view::npos
             || word.starts_with("é") || word.starts_with("è") || word.starts_with("ê"));
}

retold french_of_me(const policies::texts& lower, const policies::texts& words) {
  std::string said = lower[0] == "je" ? "L'utilisateur " : "Le groupe de l'utilisateur ";
  auto verb = size_t{1};
  for (; verb < lower.size(); ++verb) {
    static const policies::known_words pronouns{"ne", "me", "nous", "n'", "y", "en"};
    if (!pronouns.contains(lower[verb]))
      break;
    auto form = lower[verb] == "me" || lower[verb] == "nous" ? std::string{"se"} : lower[verb];
    auto elided = verb + 1 < lower.size() && has_open_vowel(lower[verb + 1]) && form.size() == 2;
    said += elided ? form.substr(0, 1) + "'" : form + " ";
  }
  if (verb >= lower.size())
    return {};
  static const policies::known_words present{"vais", "sais", "fais", "connais", "mais"};
  if (lower[verb].ends_with("ais") && !present.contains(lower[verb]))
    return {};
  auto is_home = (lower[verb] == "habite" || lower[verb] == "vis")
                 && !policies::has_word(lower, "pas") && !policies::has_word(lower, "plus");
  auto is_named = lower[verb] == "appelle" && lower[1] == "me";
  return {
    said + french_verb(lower[verb]) + " " + policies::rest_of(words, verb + 1, french_persons()),
    is_home || is_named ? 0 : need_of(lower, lower[verb]),
    is_home    ? "lives"
    : is_named ? "name"
               : ""};
}

retold french_demand(
  const policies::texts& lower, const policies::texts& words, std::string_view clause) {
  static const phrase_list habit{{"comme d'habitude", "comme toujours", "comme d'hab"}};
  static const policies::pairs left_out{{"merci", ""}, {"comme", ""}, {"d'habitude", ""}};
  auto always = lower[0] == "toujours";
  if (always || habit.find_in(words_of(clause)) != nullptr)
    return told_european_demand(
      "L'utilisateur préfère " + policies::rest_of(words, always ? 1 : 0, left_out),
      lower.size() > 2 ? 0 : 0.5);
  static const policies::known_words general{
    "toujours", "jamais", "dorénavant", "désormais", "tutoie", "tutoyez", "systématiquement"};
  static const policies::known_words determiners{
    "le", "la", "les", "un", "une", "il", "elle", "ce", "c'est"};
  auto asks =
    lower[0].ends_with("-moi") || lower[0] == "jamais" || policies::has_word(lower, general);
  if (asks && !determiners.contains(lower[0]))
    return told_european_demand(
      "L'utilisateur veut : " + policies::rest_of(words, 0, {{"merci", ""}}),
      policies::has_word(lower, general) ? european_rather : 0.5);
  if (lower[0] == "pas" && lower.size() > 2)
    return told_european_demand(
      "L'utilisateur ne veut " + policies::rest_of(words, 0, {{"merci", ""}}), 0.5);
  return {};
}

} // namespace

std::string spanish_verb(const std::string& verb) {
  static const policies::pairs irregular{{"soy", "es"}, {"tengo", "tiene"}, {"estoy", "está"},
    {"voy", "va"}, {"hago", "hace"}, {"puedo", "puede"}, {"quiero", "quiere"},
    {"prefiero", "prefiere"}, {"duermo", "duerme"}, {"vivo", "vive"}, {"como", "come"},
    {"bebo", "bebe"}, {"leo", "lee"}, {"aprendo", "aprende"}, {"escribo", "escribe"},
    {"sufro", "sufre"}, {"salgo", "sale"}, {"siento", "sienta"}, {"conduzco", "conduce"},
    {"vivía", "vive"}, {"comía", "come"}, {"bebía", "bebe"}, {"trabajaba", "trabaja"},
    {"vivimos", "vive"}, {"he", "ha"}, {"juego", "juega"}, {"padezco", "padece"},
    {"tenemos", "tiene"}, {"usamos", "usa"}, {"trabajamos", "trabaja"}, {"comemos", "come"},
    {"digo", "dice"}, {"vengo", "viene"}, {"pongo", "pone"}, {"empiezo", "empieza"},
    {"pierdo", "pierde"}, {"entiendo", "entiende"}, {"sé", "sabe"}, {"mi", "mi"}};
  if (auto form = irregular_form(irregular, verb); !form.empty())
    return form;
  static const policies::known_words no_verbs{"no", "pero", "como", "solo", "sólo", "cuando",
    "primero", "mucho", "todo", "otro", "nuestro", "marido", "hijo", "perro", "gato", "hermano",
    "cuatro", "ocho", "dinero", "tiempo", "trabajo", "lo", "yo", "mismo", "menos", "luego",
    "usuario", "algo", "pasillo", "vuelo", "tipo", "centro", "vino", "queso", "pescado", "desayuno",
    "correo", "colegio", "médico", "baño", "piso", "año", "minuto", "grupo", "número", "código",
    "proyecto", "asiento", "banco", "pueblo", "barrio", "verano", "invierno", "curso", "precio",
    "modo", "texto", "formato", "idioma", "claro", "oscuro", "pelo", "ejercicio", "cuarto"};
  if (no_verbs.contains(verb) && verb != "trabajo")
    return verb;
  return verb.size() > 2 && verb.ends_with("o") ? verb.substr(0, verb.size() - 1) + "a" : verb;
}

retold german(std::string_view clause, std::string_view said_before) {
  auto words = policies::tokens_of(clause);
  static const policies::known_words fillers{
    "und", "aber", "also", "denn", "weil", "übrigens", "ja", "ach", "darum", "deshalb"};
  leave_out_first(words, fillers);
  auto asked = policies::plain(words.empty() ? "" : words[0]) == "bitte"
               || policies::has_word(policies::lower_of(words), "bitte");
  leave_out_first(words, {"bitte"});
  auto lower = policies::lower_of(words);
  if (lower.size() < 2 || tells_of_before(lower))
    return {};
  if (policies::has_word(lower, "gezogen") || policies::has_word(lower, "umgezogen")) {
    auto to = position_of(lower, {"nach"});
    if (to >= lower.size())
      to = position_of(lower, {"in"});
    return {"Der Nutzer wohnt in " + policies::place_of(words, to + 1), 0, "lives"};
  }
  auto me = position_of(lower, {"ich", "wir"});
  static const policies::known_words switches{
    "umgestiegen", "gewechselt", "umgestellt", "migriert", "gewandert"};
  if (policies::has_word(lower, switches) && me < lower.size())
    if (auto to = position_of(lower, {"auf", "zu", "zum"}); to + 2 < lower.size())
      return {(lower[me] == "wir" ? "Das Team des Nutzers nutzt " : "Der Nutzer nutzt ")
                + without_switch(policies::place_of(words, to + 1), switches),
        0.1, {}};
  if (me < lower.size())
    return german_of_me(words, lower, me);
  static const policies::known_words mine{"mein", "meine", "unser", "unsere"};
  if (mine.contains(lower[0]) && lower.size() > 2) {
    auto is_named = lower[2] == "heißt";
    return {words[1] + " des Nutzers " + policies::rest_of(words, 2, german_persons()),
      european_likely, is_named ? lower[1] + " name" : ""};
  }
  if (tells_of_now(lower) && !said_before.empty())
    if (auto verb = verb_before(said_before, german_verb); !verb.empty())
      return {"Der Nutzer " + verb + " " + policies::rest_of(words, 0, german_persons()), 0,
        verb == "wohnt" || verb == "lebt" ? "lives" : ""};
  if (auto wanted = german_demand(lower, words, asked); !wanted.statement.empty())
    return wanted;
  return {policies::rest_of(words, 0), asked || lower.size() < 4 ? 0.85 : 0.6, {}};
}

retold spanish(std::string_view clause, std::string_view said_before) {
  auto words = policies::tokens_of(clause);
  static const policies::known_words fillers{"y", "pero", "porque", "así", "pues", "además"};
  leave_out_first(words, fillers);
  auto lower = policies::lower_of(words);
  if (lower.size() < 2 || tells_of_before(lower))
    return {};
  static const policies::known_words moves{"mudé", "mudamos", "mudado"};
  if (auto i = position_of(lower, moves); i + 2 < lower.size()) {
    auto to = position_of(policies::texts(lower.begin() + static_cast<ptrdiff_t>(i), lower.end()),
                {"a", "al"})
              + i;
    return {"El usuario vive en " + policies::place_of(words, (to < lower.size() ? to : i + 1) + 1),
      0, "lives"};
  }
  static const policies::known_words switches{
    "pasamos", "pasado", "pasé", "cambiamos", "cambié", "cambiado", "migramos", "migrado", "migré"};
  if (auto i = position_of(lower, switches); i < lower.size() && leaves_a_name(words, lower))
    if (auto to = position_of(lower, {"a", "al"}); to > i && to + 1 < lower.size())
      return {"El usuario usa " + policies::place_of(words, to + 1), 0.1, {}};
  if (tells_of_now(lower) && !said_before.empty())
    if (auto verb = verb_before(said_before, spanish_verb_of_past);
        !verb.empty() && lower.size() < 5)
      return {"El usuario " + verb + " " + policies::rest_of(words, 1, spanish_persons()), 0,
        verb == "vive" ? "lives" : ""};
  static const policies::known_words mine{
    "mi", "mis", "nuestro", "nuestra", "nuestros", "nuestras"};
  if (mine.contains(lower[0]) && lower.size() > 2)
    return {words[1] + " del usuario " + policies::rest_of(words, 2, spanish_persons()),
      european_likely, {}};
  if (auto i = position_of(lower, {"gusta", "gustan", "encanta", "duele", "molesta"});
      i < lower.size() && policies::has_word(lower, "me"))
    return {"Al usuario " + std::string{lower[0] == "no" ? "no " : ""} + "le "
              + policies::rest_of(words, i, spanish_persons()),
      european_rather, {}};
  if (auto wanted = spanish_demand(lower, words);
      wanted.statement.starts_with("El usuario prefiere"))
    return wanted;
  else if (!wanted.statement.empty() && spanish_verb(lower[0]) == lower[0]
           && (lower.size() < 2 || spanish_verb(lower[1]) == lower[1]))
    return wanted;
  for (size_t i = 0; i < std::min<size_t>(lower.size(), 4); ++i) {
    auto verb = spanish_verb(lower[i]);
    if (verb == lower[i] || (lower[i] == "como" && i > 0 && !leads_to_verb(lower[i - 1])))
      continue;
    if (lower[i] == "tengo" && i + 1 < lower.size() && lower[i + 1] == "que")
      return {};
    auto said =
      "El usuario " + lower_ascii(policies::rest_of(words_until(words, i), 0, spanish_persons()));
    if (!said.ends_with(" "))
      said += " ";
    auto is_home =
      verb == "vive" && policies::has_word(lower, "en") && !policies::has_word(lower, "no");
    auto is_named = lower[i] == "llamo";
    return {said + verb + " " + policies::rest_of(words, i + 1, spanish_persons()),
      is_home || is_named ? 0 : need_of(lower, lower[i]),
      is_home    ? "lives"
      : is_named ? "name"
                 : ""};
  }
  return {policies::rest_of(words, 0), lower.size() < 4 ? 0.85 : 0.6, {}};
}

retold french(std::string_view clause, std::string_view said_before) {
  auto words = policies::tokens_of(clause);
  static const policies::known_words fillers{"et", "mais", "donc", "car", "parce"};
  leave_out_first(words, fillers);
  divide_elisions(words);
  auto lower = policies::lower_of(words);
  if (lower.size() < 2 || tells_of_before(lower))
    return {};
  if (auto i = position_of(lower, {"déménagé", "emménagé", "installé", "installée"});
      i + 2 < lower.size()) {
    auto to = position_of(policies::texts(lower.begin() + static_cast<ptrdiff_t>(i), lower.end()),
                {"à", "au", "aux"})
              + i;
    return {
      "L'utilisateur habite à " + policies::place_of(words, (to < lower.size() ? to : i + 1) + 1),
      0, "lives"};
  }
  if (auto i = position_of(lower, {"passé", "passés", "passée", "passées", "migré", "basculé"});
      i < lower.size() && leaves_a_name(words, lower))
    if (auto to = position_of(lower, {"à", "au", "vers"}); to > i && to + 1 < lower.size())
      return {"L'utilisateur utilise " + policies::place_of(words, to + 1), 0.1, {}};
  static const policies::known_words feelings{"faim", "soif", "froid", "chaud", "sommeil", "mal",
    "hâte", "peur", "envie", "besoin", "raison", "tort", "oublié"};
  if (auto i = position_of(lower, {"ai", "avons"});
      i + 1 < lower.size() && i < 3 && feelings.contains(lower[i + 1]) && lower.size() < 6)
    return {};
  if (tells_of_now(lower) && !said_before.empty())
    if (auto verb = verb_before(said_before, french_verb);
        !verb.empty() && lower[0] != "je" && lower[0] != "nous")
      return {"L'utilisateur " + verb + " " + policies::rest_of(words, 1, french_persons()), 0, {}};
  if (lower[0] == "je" || lower[0] == "nous")
    return french_of_me(lower, words);
  static const policies::known_words mine{"mon", "ma", "mes", "notre", "nos"};
  if (mine.contains(lower[0]) && lower.size() > 2)
    return {words[1] + " de l'utilisateur " + policies::rest_of(words, 2, french_persons()),
      european_likely, {}};
  if (auto wanted = french_demand(lower, words, clause); !wanted.statement.empty())
    return wanted;
  static const policies::known_words answers{"oui", "non", "merci", "bonjour", "salut"};
  if (answers.contains(lower[0]))
    return {};
  return {policies::rest_of(words, 0), lower.size() < 5 ? 0.85 : 0.6, {}};
}

} // namespace scratchpage
