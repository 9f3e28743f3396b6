#include "scratchpage/actors/policies/european_words.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include "scratchpage/actors/language/words.hpp"

namespace scratchpage::policies::european {

namespace {

/// Words that are capital only at the beginning of a sentence.
bool is_small_word(std::string_view word) {
  static const policies::known_words list{"seit", "im", "am", "in", "an", "bei", "wegen", "nach",
    "vor", "für", "jeden", "jede", "jedes", "zum", "zur", "auf", "mit", "aus", "von", "vom", "als",
    "zu", "ohne", "unter", "über", "ab", "um", "bis", "durch", "statt", "normalerweise", "meistens",
    "leider", "jetzt", "inzwischen", "mittlerweile", "eigentlich", "außerdem", "derzeit",
    "beruflich", "privat", "dort", "hier", "nachts", "morgens", "abends", "mittags", "vormittags",
    "nachmittags", "montags", "dienstags", "mittwochs", "donnerstags", "freitags", "samstags",
    "sonntags", "täglich", "zuhause", "immer", "nie", "oft", "manchmal", "auch", "nur", "aktuell",
    "grundsätzlich", "unterwegs", "tagsüber", "beim", "zwischen", "während", "sein", "seine",
    "seinem", "seinen", "seiner", "keine", "keinen", "kein", "desde", "en", "los", "las", "el",
    "la", "por", "todos", "todas", "cada", "de", "durante", "siempre", "nunca", "ahora",
    "actualmente", "normalmente", "generalmente", "además", "ya", "no", "solo", "sólo", "también",
    "casi", "a", "con", "sin", "depuis", "le", "les", "à", "au", "chez", "pour", "tous", "toutes",
    "chaque", "sans", "pendant", "toujours", "maintenant", "normalement", "généralement", "avec"};
  return list.contains(word);
}

} // namespace

std::string irregular_form(const policies::pairs& table, const std::string& verb) {
  auto i = table.find(verb);
  return i == table.end() ? std::string{} : std::string{i->second};
}

bool tells_of_before(const policies::texts& lower) {
  static const policies::known_words signs{"früher", "antes", "avant", "autrefois", "damals"};
  auto i = position_of(lower, signs);
  if (i >= lower.size())
    return false;
  static const policies::known_words times{"de", "que", "d", "le", "la", "las", "los", "noche",
    "midi", "huit", "neuf", "dix"}; // "antes de las diez" is an hour
  auto is_limit =
    lower[i] != "früher" && lower[i] != "damals" && i > 0 && i + 1 < lower.size()
    && (times.contains(lower[i + 1]) || lower[i + 1].find_first_of("0123456789") == 0);
  return !is_limit;
}

bool tells_of_now(const policies::texts& lower) {
  static const policies::known_words signs{
    "jetzt", "ahora", "maintenant", "inzwischen", "désormais", "mittlerweile"};
  return policies::has_word(lower, signs);
}

policies::texts words_until(const policies::texts& words, size_t end) {
  return {words.begin(), words.begin() + static_cast<ptrdiff_t>(std::min(end, words.size()))};
}

void leave_out_first(policies::texts& words, const policies::known_words& list) {
  while (words.size() > 1 && list.contains(policies::plain(words[0])))
    words.erase(words.begin());
}

size_t position_of(const policies::texts& words, const policies::known_words& list, size_t from) {
  while (from < words.size() && !list.contains(words[from]))
    ++from;
  return std::min(from, words.size());
}

double need_of(const policies::texts& lower, const std::string& verb) {
  static const policies::known_words passing{"möchte", "will", "brauche", "suche", "hätte", "würde",
    "habe's", "weiß", "glaube", "denke", "hoffe", "frage", "wollte", "danke", "muss", "könnte",
    "quiero", "quisiera", "necesito", "busco", "creo", "pienso", "espero", "entiendo", "querría",
    "pregunto", "acepto", "confirmo", "voudrais", "veux", "cherche", "crois", "pense", "espère",
    "comprends", "aimerais", "confirme", "accepte", "excuse", "sais", "vais", "voy", "sé",
    "verstehe", "bestätige", "werde", "gehe", "komme", "puedo", "peux", "dois", "debo", "estoy",
    "bräuchte", "warte", "versuche", "intento", "estamos", "essaie", "attends", "veo", "vois",
    "sehe", "finde", "encuentro", "trouve", "brauchen", "wollen", "möchten", "voulons", "queremos",
    "necesitamos", "demande", "mache", "hago", "fais", "bekomme", "recibo", "reçois"};
  static const policies::known_words lasting{"heiße", "wohne", "lebe", "arbeite", "esse", "trinke",
    "spreche", "nehme", "fahre", "reise", "spiele", "lerne", "nutze", "benutze", "trage", "rauche",
    "schlafe", "vertrage", "mag", "liebe", "hasse", "bevorzuge", "sammle", "verwende", "leide",
    "unterrichte", "soy", "vivo", "trabajo", "como", "bebo", "hablo", "tomo", "viajo", "juego",
    "aprendo", "uso", "fumo", "duermo", "odio", "prefiero", "colecciono", "sufro", "padezco",
    "llamo", "conduzco", "habite", "travaille", "mange", "bois", "parle", "prends", "voyage",
    "joue", "apprends", "utilise", "porte", "fume", "dors", "déteste", "préfère", "collectionne",
    "souffre", "enseigne", "conduis", "aime", "appelle", "gusta", "encanta", "tengo", "ai", "suis",
    "bin", "habe", "vis", "étudie", "estudio", "studiere", "haben", "wohnen", "leben", "koche",
    "cocino", "cuisine", "roule", "tenemos", "avons", "vivimos", "habitons", "usamos", "utilisons",
    "arbeiten", "nutzen", "trabajamos", "travaillons", "somos", "sind", "sommes", "singe", "canto",
    "chante", "llevo", "pratique", "practico", "laufe", "corro", "cours", "halte", "besitze",
    "possède", "ernähre", "pflege", "leite", "dirijo", "dirige", "doy", "cobro", "verdiene",
    "gagne", "sprechen", "hablamos", "parlons", "essen", "comemos", "mangeons", "heizen",
    "schwimme", "nado", "nage", "alquilo", "loue", "miete", "malvivo", "elevamos", "desplegamos",
    "déployons", "deployen", "liefern", "levantamos", "levanto", "lève", "acuesto", "couche",
    "kenne"};
  static const policies::known_words general{"immer", "nie", "niemals", "jeden", "jede", "täglich",
    "siempre", "nunca", "todos", "cada", "jamás", "toujours", "jamais", "chaque", "tous", "nur",
    "solo", "sólo", "ne", "plus", "grundsätzlich", "montags", "dienstags", "mittwochs",
    "donnerstags", "freitags", "samstags", "sonntags", "morgens", "abends", "nachts", "mittags",
    "vormittags", "jamais", "les", "los", "normalerweise", "meistens", "normalmente", "normalement",
    "alle", "jedes", "nachmittags", "vegan", "seit", "desde", "depuis"};
  static const policies::known_words unable{"kann", "darf", "puedo", "peux", "debo", "dois",
    "können", "podemos", "pouvons", "soporto", "supporte", "vertrage", "ertrage", "muss"};
  static const policies::known_words denials{"nicht", "kein", "keine", "keinen", "no", "pas", "ne"};
  auto is_general = policies::has_word(lower, general);
  if (unable.contains(verb) && policies::has_word(lower, denials))
    return 0.4;
  if (passing.contains(verb) && !is_general)
    return retold::never;
  if (passing.contains(verb))
    return 0.4;
  return lasting.contains(verb) ? is_general ? 0.1 : rather : is_general ? likely : open;
}

bool tells_mood(const policies::texts& lower) {
  static const policies::known_words states{"bin", "suis", "estoy", "soy", "habe", "ai", "tengo"};
  static const policies::known_words moods{"müde", "sicher", "unsicher", "fertig", "spät", "froh",
    "traurig", "sauer", "krank", "bereit", "gespannt", "zufrieden", "unzufrieden", "dabei",
    "zurück", "hungrig", "durstig", "hunger", "durst", "unterwegs", "gestresst", "genervt",
    "enttäuscht", "einverstanden", "dankbar", "neugierig", "verwirrt", "fatigué", "fatiguée", "sûr",
    "sûre", "prêt", "prête", "désolé", "désolée", "content", "contente", "déçu", "déçue", "perdu",
    "perdue", "malade", "inquiet", "inquiète", "pressé", "pressée", "retard", "faim", "soif",
    "froid", "chaud", "sommeil", "hâte", "peur", "envie", "besoin", "raison", "tort", "oublié",
    "train", "cansado", "cansada", "seguro", "segura", "listo", "lista", "enfermo", "enferma",
    "hambre", "sed", "sueño", "frío", "calor", "prisa", "razón", "ganas", "dudas", "duda", "frage",
    "fragen", "problem", "question", "problème", "pregunta", "problema", "zeit", "lust", "eilig",
    "cita", "termin", "rendez-vous", "tiempo", "temps", "idee", "idée", "idea"};
  static const policies::known_words lasting{"immer", "ständig", "siempre", "toujours", "nie",
    "nunca", "jamais", "chronisch", "jeden", "cada", "chaque"};
  if (policies::has_word(lower, lasting))
    return false;
  auto verb = position_of(lower, states);
  auto last = std::min(verb + 5, lower.size());
  for (auto i = verb; i < last; ++i)
    if (moods.contains(lower[i]))
      return true;
  return false;
}

bool leaves_a_name(const policies::texts& words, const policies::texts& lower) {
  auto from = position_of(lower, {"de"});
  return from + 2 < words.size() && is_capital(words[from + 1]);
}

std::string within(
  const policies::texts& words, size_t from, size_t to, const policies::pairs& replaced) {
  policies::texts part{words.begin() + static_cast<ptrdiff_t>(std::min(from, words.size())),
    words.begin() + static_cast<ptrdiff_t>(std::min(to, words.size()))};
  if (!part.empty()) {
    auto first = policies::plain(part[0]);
    if (is_small_word(first))
      part[0] = part[0].ends_with(',') ? first + "," : first;
  }
  auto result = policies::rest_of(part, 0, replaced);
  while (result.ends_with(','))
    result.pop_back();
  return result;
}

retold demanded(std::string statement, double needed) {
  return {std::move(statement), needed, {}, true};
}

retold quoted(std::string_view says, std::string_view clause, double needed) {
  constexpr std::string_view around = " \t\r\n.,;:!?";
  auto from = clause.find_first_not_of(around);
  if (from == std::string_view::npos)
    return {};
  clause = clause.substr(from, clause.find_last_not_of(around) - from + 1);
  return {std::string{says} + std::string{clause}, needed, {}};
}

bool is_capital(const std::string& word) {
  return !word.empty()
         && (std::isupper(static_cast<unsigned char>(word[0])) != 0
             || (word.size() > 1 && word[0] == '\xC3' && static_cast<unsigned char>(word[1]) >= 0x80
                 && static_cast<unsigned char>(word[1]) <= 0x9E));
}

} // namespace scratchpage::policies::european
