#include "scratchpage/actors/policies/pointing_words.hpp"

#include <algorithm>
#include <array>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/actors/policies/wording_words.hpp"

namespace scratchpage {

namespace {

using policies::known_words;
using word_list = std::vector<std::string>;

constexpr size_t words_before_thing = 2; ///< between a verb and its thing: "send him the file"

const known_words& deeds() {
  static const known_words list{"cancel", "delete", "remove", "move", "postpone", "reschedule",
    "push", "shift", "send", "resend", "forward", "reply", "respond", "answer", "email", "mail",
    "call", "phone", "ring", "text", "message", "invite", "order", "reorder", "buy", "book",
    "reserve", "rebook", "restart", "reboot", "restore", "rename", "change", "update", "edit",
    "close", "open", "archive", "renew", "extend", "pay", "refund", "return", "share", "print",
    "turn", "switch", "set", "start", "stop", "pause", "block", "unblock", "lock", "unlock", "ship",
    "deliver", "confirm", "decline", "accept", "reject", "approve", "merge", "revert", "deploy",
    "install", "uninstall", "download", "upload", "copy", "duplicate", "translate", "summarise",
    "summarize", "sell", "schedule", "bring", "mute", "tell", "ask", "write", "play", "dim", "get",
    "add", "put", "mark", "track", "assign", "use", "read", "show", "snooze", "finish", "complete",
    "submit", "sign", "review", "check", "fix", "run", "rerun", "retry", "exchange", "attach",
    "transfer", "repeat", "resume", "replace", "ping", "contact", "inform", "notify", "let",
    "thank", "remind",
    // German
    "sag", "sage", "verschieb", "verschiebe", "lösch", "lösche", "storniere", "kündige", "kündig",
    "schick", "schicke", "sende", "leite", "antworte", "buche", "buch", "bestell", "bestelle",
    "kauf", "kaufe", "mach", "mache", "stell", "stelle", "schalte", "schalt", "dreh", "drehe",
    "druck", "drucke", "öffne", "schließ", "schließe", "ändere", "bezahl", "bezahle", "verlängere",
    "verlege", "entferne", "ruf", "schreib", "starte", "stopp", "zeig", "reservier", "reserviere",
    "frag",
    // French
    "annule", "annulez", "déplace", "déplacez", "envoie", "envoyez", "supprime", "supprimez",
    "réserve", "réservez", "commande", "commandes", "commandez", "achète", "achetez", "éteins",
    "allume", "baisse", "monte", "mets", "change", "renvoie", "réponds", "imprime", "ferme",
    "ouvre", "reporte", "reportez", "renouvelle", "résilie", "efface", "appelle", "paie", "paye",
    "payez", "payer", "annuler", "déplacer", "envoyer", "supprimer", "réserver", "commander",
    "reporter", "résilier", "imprimer", "fermer",
    // Spanish
    "cancela", "mueve", "borra", "elimina", "envía", "manda", "reserva", "compra", "pide", "apaga",
    "enciende", "sube", "baja", "cambia", "responde", "imprime", "cierra", "abre", "aplaza",
    "renueva", "llama", "paga", "pagar", "resérvame", "envíame", "mándame", "cómprame", "cancélame",
    "cancelar", "mover", "borrar", "eliminar", "enviar", "reservar", "comprar", "pedir", "apagar",
    "cambiar", "imprimir", "aplazar", "renovar"};
  return list;
}

/// German verbs at the end of a request: "Kannst du den Termin absagen?"
const known_words& last_deeds() {
  static const known_words list{"absagen", "verschieben", "löschen", "stornieren", "kündigen",
    "schicken", "senden", "weiterleiten", "buchen", "umbuchen", "bestellen", "abbestellen",
    "kaufen", "ausschalten", "einschalten", "ausmachen", "anmachen", "drucken", "ausdrucken",
    "ändern", "bezahlen", "verlängern", "öffnen", "schließen", "verlegen", "entfernen", "anrufen",
    "starten", "verschicken", "zurückgeben", "zurückschicken", "reservieren", "verkaufen",
    "aktualisieren", "umbenennen", "vorlesen", "schreiben", "antworten", "sagen"};
  return list;
}

/// Verbs whose "to" tells where something goes, and not which thing it is.
const known_words& bringing() {
  static const known_words list{"move", "postpone", "reschedule", "push", "shift", "send", "resend",
    "forward", "email", "mail", "rename", "change", "set", "turn", "switch", "share", "ship",
    "deliver", "copy", "bring", "extend", "upload", "transfer", "book", "reserve", "rebook",
    "schedule", "assign"};
  return list;
}

const phrase_list& before_deeds() {
  static const phrase_list list{{"please", "ok", "okay", "now", "then", "so", "and", "also", "well",
    "great", "alright", "thanks", "thank you", "can you", "could you", "would you", "will you",
    "can we", "let's", "i want to", "i'd like to", "i want you to", "i need you to", "go ahead and",
    "just", "hey", "bitte", "dann", "gut", "mal", "kannst du", "könntest du", "können sie",
    "könnten sie", "würdest du", "ich möchte", "ich will", "peux tu", "tu peux", "pourrais tu",
    "tu pourrais", "pouvez vous", "vous pouvez", "est ce que", "je veux", "je voudrais", "alors",
    "s'il te plaît", "puedes", "podrías", "puede", "por favor", "quiero", "quisiera", "bueno"}};
  return list;
}

const known_words& definite_words() {
  static const known_words list{"the", "my", "our", "that", "den", "die", "das", "der", "dem",
    "meinen", "meine", "mein", "meinem", "le", "la", "l", "l'", "mon", "ma", "cet", "cette", "ce",
    "el", "mi", "ese", "esa"};
  return list;
}

const known_words& indefinite_words() {
  static const known_words list{"a", "an", "one", "another", "some", "ein", "eine", "einen",
    "einer", "einem", "un", "une", "una"};
  return list;
}

const known_words& telling_words() {
  static const known_words list{"both", "all", "them", "those", "these", "each", "every",
    "everything", "everyone", "everybody", "any", "either", "neither", "whichever", "whatever",
    "random", "matter", "nothing", "none", "first", "second", "third", "fourth", "last", "latest",
    "newest", "oldest", "next", "previous", "other", "others", "former", "latter", "earlier",
    "later", "bigger", "biggest", "smaller", "smallest", "cheaper", "cheapest", "rest", "forget",
    "nevermind", "never", "not", "don't", "except", "which", "what", "top", "bottom",
    // German
    "beide", "beiden", "alle", "allen", "alles", "jeden", "jede", "jedes", "egal", "irgendein",
    "irgendeine", "irgendeinen", "erste", "ersten", "erstes", "zweite", "zweiten", "dritte",
    "dritten", "letzte", "letzten", "nächste", "nächsten", "andere", "anderen", "nicht", "welche",
    "welchen", "außer",
    // French
    "tous", "toutes", "tout", "toute", "deuxième", "second", "seconde", "premier", "première",
    "dernier", "dernière", "prochain", "prochaine", "autre", "autres", "importe", "chaque", "les",
    "pas", "quel", "quelle",
    // Spanish
    "todos", "todas", "todo", "ambos", "ambas", "cualquiera", "primero", "primera", "segundo",
    "segunda", "último", "última", "próximo", "próxima", "otro", "otra", "cada", "los", "las",
    "cuál", "qué"};
  return list;
}

/// Words behind a thing that do not tell which.
const known_words& following_words() {
  static const known_words list{"please", "now", "again", "instead", "saying", "early", "soon",
    "quickly", "zurück", "off", "up", "down", "out", "back", "into", "as", "too", "asap",
    "immediately", "forward", "earlier", "bitte", "ab", "an", "aus", "auf", "doch", "mal", "noch",
    "nochmal", "jetzt", "um", "weiter", "nach", "s'il", "stp", "maintenant", "à", "vers", "demain",
    "por", "ahora", "para", "al"};
  return list;
}

const known_words& counts() {
  static const known_words list{"one", "two", "three", "four", "five", "six", "another", "some",
    "a", "ein", "eine", "einen", "zwei", "drei", "vier", "fünf", "un", "une", "deux", "trois",
    "quatre", "cinq", "uno", "una", "dos", "tres", "cuatro"};
  return list;
}

bool is_count(const std::string& word) {
  return counts().contains(word) || is_number(word);
}

/// German nouns in -e and others that are one thing behind "die".
bool is_one_behind_die(const std::string& noun) {
  static const known_words list{"mail", "karte", "aufgabe", "lampe", "reise", "datei", "liste",
    "notiz", "flasche", "tasche", "jacke", "tabelle", "bestellung", "fahrt", "miete"};
  static constexpr std::array<std::string_view, 8> endings{
    "ung", "heit", "keit", "schaft", "ion", "tät", "rei", "icht"};
  return list.contains(noun)
         || std::any_of(endings.begin(), endings.end(), [&](auto x) { return noun.ends_with(x); });
}

/// Whether a noun behind `before` is one thing: "the meeting", not "the meetings".
bool is_singular(const std::string& before, const std::string& noun) {
  if (before == "die" || before == "meine")
    return is_one_behind_die(noun);
  auto may_be_plural = before == "the" || before == "my" || before == "our";
  return !may_be_plural || !noun.ends_with('s') || noun.ends_with("ss") || noun.ends_with("us");
}

const std::string& word_at(const word_list& words, size_t i) {
  static const std::string none;
  return i < words.size() ? words[i] : none;
}

/// Whether what is said from `i` on does not tell which thing is meant.
bool may_follow(const word_list& clause, size_t i, const std::string& verb) {
  const auto& word = word_at(clause, i);
  const auto& next = word_at(clause, i + 1);
  if (word.empty() || following_words().contains(word))
    return true;
  if (last_deeds().contains(word))
    return i + 1 == clause.size();
  if (word == "to" || word == "by" || word == "until" || word == "for")
    return bringing().contains(verb);
  if (word == "a") // "a bit"
    return next == "bit" || next == "little";
  return (word == "and" || word == "und" || word == "et" || word == "y") && deeds().contains(next);
}

bool is_it(const std::string& word) {
  return word == "it" || word == "ihn" || word == "es";
}

bool is_of_one(const std::string& word) {
  return word == "that" || word == "this" || word == "the";
}

/// "two more", "-en deux", "noch zwei".
bool is_amount_at(const word_list& clause, size_t i) {
  const auto& first = word_at(clause, i);
  const auto& second = word_at(clause, i + 1);
  const auto& third = word_at(clause, i + 2);
  if (first == "en")
    return is_count(second) && (third.empty() || third == "de" || third == "autres");
  if (first == "noch" || first == "otros" || first == "otras")
    return is_count(second) && third.empty();
  if (first == "another" && second == "one")
    return third.empty() || third == "please";
  return is_count(first) && (second == "more" || second == "más") && third.empty();
}

/// What points at one thing at `i`; `pointing::nothing` if nothing does.
pointed_thing thing_at(const word_list& clause, size_t i, std::string verb) {
  const auto& word = clause[i];
  const auto& next = word_at(clause, i + 1);
  if (is_amount_at(clause, i))
    return {pointing::amount, {}, i, clause.size(), std::move(verb)};
  if (is_it(word) && verb != "let")
    return {pointing::thing, {}, i, i + 1, std::move(verb)};
  if (is_of_one(word) && next == "one")
    return may_follow(clause, i + 2, verb)
             ? pointed_thing{pointing::one, {}, i, i + 2, std::move(verb)}
             : pointed_thing{};
  if ((word == "le" || word == "la") && may_follow(clause, i + 1, verb))
    return {pointing::thing, {}, i, i + 1, std::move(verb)};
  if (next == "rendez" && is_definite(word) && word_at(clause, i + 2) == "vous")
    return may_follow(clause, i + 3, verb)
             ? pointed_thing{pointing::noun, next, i, i + 3, std::move(verb)}
             : pointed_thing{};
  if (word.starts_with("l'") && word.size() > 4 && may_follow(clause, i + 1, verb))
    return {pointing::noun, word.substr(2), i, i + 1, std::move(verb)};
  if (!is_definite(word) || next.size() < 3 || following_words().contains(next)
      || last_deeds().contains(next) || !is_singular(word, next)
      || !may_follow(clause, i + 2, verb))
    return {};
  return {pointing::noun, next, i, i + 2, std::move(verb)};
}

/// "cancélalo"
bool is_deed_with_it(const std::string& word) {
  static const known_words stems{"cancéla", "bórra", "envía", "muéve", "apága", "bája", "súbe",
    "píde", "cómpra", "cámbia", "resérva", "elimína", "mánda", "impríme", "ábre", "ciérra",
    "apláza"};
  return (word.ends_with("lo") || word.ends_with("la"))
         && stems.contains(std::string_view{word}.substr(0, word.size() - 2));
}

} // namespace

bool is_deed(const std::string& word) {
  return deeds().contains(word);
}

bool tells_which(const std::string& word) {
  return telling_words().contains(word);
}

bool is_definite(const std::string& word) {
  return definite_words().contains(word);
}

bool is_indefinite(const std::string& word) {
  return indefinite_words().contains(word);
}

size_t deed_in(const word_list& clause) {
  size_t i = 0;
  while (auto length = before_deeds().length_at(clause, i))
    i += length;
  if (i < clause.size()
      && (deeds().contains(clause[i]) || is_deed_with_it(clause[i])
          || (i > 0 && last_deeds().contains(clause.back()))))
    return i;
  return clause.size();
}

pointed_thing pointed_at(const word_list& clause, size_t deed) {
  const auto& verb = clause[deed];
  if (is_deed_with_it(verb))
    return {pointing::thing, {}, deed, deed + 1, verb};
  auto is_first = deeds().contains(verb);
  auto begin = deed + (is_first ? 1 : 0);
  auto end = std::min(begin + words_before_thing + 1, clause.size());
  for (auto i = begin; i < end; ++i) {
    if (auto result = thing_at(clause, i, verb); result.by != pointing::nothing)
      return result;
    if (is_indefinite(clause[i]) || is_definite(clause[i]) || is_number(clause[i]))
      break;
  }
  return {};
}

} // namespace scratchpage
