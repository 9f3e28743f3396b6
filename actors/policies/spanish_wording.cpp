#include <algorithm>
#include <cctype>
#include <utility>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/actors/policies/european_wording.hpp"
#include "scratchpage/actors/policies/european_words.hpp"

namespace scratchpage {

namespace {

constexpr std::string_view spanish_quote = "El usuario dice: ";

const policies::pairs& spanish_persons() {
  static const policies::pairs result{{"yo", ""}, {"me", "se"}, {"mi", "su"}, {"mis", "sus"},
    {"nos", "se"}, {"nuestro", "su"}, {"nuestra", "su"}, {"nuestros", "sus"}, {"nuestras", "sus"},
    {"nosotros", "ellos"}, {"conmigo", "con el usuario"}, {"mí", "sí"}};
  return result;
}

/// "usaba" → "usa", and a verb in the present as well.
std::string spanish_verb_of_past(const std::string& verb) {
  constexpr size_t shortest = 5;
  return verb.size() >= shortest && verb.ends_with("aba") ? verb.substr(0, verb.size() - 2)
                                                          : spanish_verb(verb);
}

/// A verb that the speaker used of themselves in the clause before, in the third person.
std::string spanish_verb_before(std::string_view before) {
  for (const auto& word : policies::lower_of(policies::tokens_of(before)))
    if (auto now = spanish_verb_of_past(word); now != word)
      return now;
  return {};
}

/// Words after which "como" is "I eat", and not "as".
bool leads_to_verb(std::string_view word) {
  static const policies::known_words list{"no", "yo", "nunca", "siempre", "solo", "sólo", "también",
    "me", "ya", "y", "ahora", "hoy", "actualmente", "aquí", "allí"};
  return list.contains(word);
}

/// "Soy alérgica": what tells that the speaker is a woman.
bool is_spanish_woman(const policies::texts& lower, size_t verb) {
  static const policies::known_words of_both{"colega", "persona", "guía", "poeta", "atleta",
    "terapeuta", "belga", "indígena", "hipócrita", "analfabeta", "autodidacta", "vaga"};
  static const policies::known_words women{"madre", "mujer", "abuela", "viuda", "hermana"};
  if (verb + 1 >= lower.size() || (lower[verb] != "soy" && lower[verb] != "estoy"))
    return false;
  const auto& what = lower[verb + 1];
  return women.contains(what)
         || (what.size() > 4 && what.ends_with("a") && !what.ends_with("ista")
             && !of_both.contains(what));
}

/// Where a verb of the speaker's is, behind nothing but what can lead to it.
size_t spanish_verb_of_me(const policies::texts& lower) {
  static const policies::known_words leading{"yo", "no", "nunca", "siempre", "ya", "también",
    "solo", "sólo", "me", "nos", "lo", "la", "le", "los", "las", "ahora", "además", "casi", "aún",
    "todavía", "normalmente", "generalmente", "actualmente", "tampoco", "jamás", "nosotros", "se",
    "te"};
  static const policies::known_words circumstances{"desde", "en", "los", "las", "por", "todos",
    "todas", "cada", "de", "durante", "a", "al", "para", "con", "hoy", "entre"};
  constexpr size_t longest = 8;
  auto may_be_long = circumstances.contains(lower[0]);
  for (size_t i = 0; i < std::min(lower.size(), longest); ++i) {
    auto is_as = lower[i] == "como" && (i == 0 || !leads_to_verb(lower[i - 1]));
    auto is_noun = lower[i] == "trabajo" && i > 0 && !leads_to_verb(lower[i - 1]) && !may_be_long;
    if (spanish_verb(lower[i]) != lower[i] && !is_as && !is_noun)
      return i;
    if (!leading.contains(lower[i]) && !may_be_long)
      break;
  }
  return lower.size();
}

/// The clause with a second verb of the speaker's in the third person as well: "y trabajo".
policies::texts with_other_verbs(policies::texts words, const policies::texts& lower, size_t from) {
  static const policies::known_words before{"y", "e", "o", "pero", "que", "porque", "no", "donde",
    "ni", "siempre", "nunca", "me", "cuando"};
  for (auto i = from; i < words.size(); ++i)
    if (before.contains(lower[i - 1]))
      if (auto verb = spanish_verb(lower[i]); verb != lower[i])
        words[i] = verb + (words[i].ends_with(',') ? "," : "");
  return words;
}

retold spanish_of_me(const policies::texts& lower, const policies::texts& words, size_t at) {
  if (policies::european::tells_mood(lower))
    return {};
  if (lower[at] == "tengo" && at + 1 < lower.size() && lower[at + 1] == "que")
    return {};
  auto verb = spanish_verb(lower[at]);
  std::string said = is_spanish_woman(lower, at) ? "La usuaria " : "El usuario ";
  auto lead = policies::european::within(words, 0, at, spanish_persons());
  if (!lead.empty())
    said += lead + " ";
  auto is_denied = policies::has_word(lower, "no");
  auto is_home = verb == "vive" && policies::has_word(lower, "en") && !is_denied;
  auto works_at = verb == "trabaja" && at + 2 < words.size()
                  && (lower[at + 1] == "en" || lower[at + 1] == "para")
                  && std::isupper(static_cast<unsigned char>(words[at + 2][0])) != 0 && !is_denied;
  auto is_named = lower[at] == "llamo";
  return {said + verb + " "
            + policies::rest_of(with_other_verbs(words, lower, at + 1), at + 1, spanish_persons()),
    is_home || is_named || works_at ? 0 : policies::european::need_of(lower, lower[at]),
    is_home    ? "lives"
    : is_named ? "name"
    : works_at ? "works"
               : ""};
}

/// "Mi hijo Pablo es …" → "El hijo del usuario, Pablo, es …"
retold spanish_of_mine(const policies::texts& lower, const policies::texts& words) {
  static const policies::known_words women{"madre", "mujer", "suegra", "nuera", "red", "mamá",
    "ciudad", "piel", "clave", "calle", "habitación", "dirección"};
  static const policies::known_words men{"día", "idioma", "programa", "problema", "sistema"};
  static const policies::known_words verbs{"es", "son", "está", "están", "tiene", "tienen", "se",
    "vive", "trabaja", "come", "no", "va", "odia", "habla", "toca", "juega", "estudia", "lleva",
    "nunca", "siempre", "cierra", "abre", "necesita", "sufre", "padece", "toma", "duerme", "puede"};
  auto is_plural = lower[0].ends_with("s");
  auto is_woman =
    !men.contains(lower[1])
    && (women.contains(lower[1]) || lower[0].starts_with("nuestra") || lower[1].ends_with("a")
        || lower[1].ends_with("as") || lower[1].ends_with("ión") || lower[1].ends_with("dad"));
  std::string article = is_plural ? (is_woman ? "Las " : "Los ") : is_woman ? "La " : "El ";
  auto has_name = lower.size() > 3 && policies::european::is_capital(words[2])
                  && verbs.contains(lower[3]) && !words[1].ends_with(',');
  auto owner = article + words[1] + " del usuario";
  auto rest = has_name ? ", " + words[2] + ", " + policies::rest_of(words, 3, spanish_persons())
                       : " " + policies::rest_of(words, 2, spanish_persons());
  static const policies::known_words passing{"pedido", "vuelo", "paquete", "cita", "reserva",
    "pregunta", "problema", "fue", "llegó", "fueron"};
  auto is_passing = policies::has_word(policies::european::words_until(lower, 4), passing);
  return {owner + rest, is_passing ? 0.8 : policies::european::likely, {}};
}

/// "Me gusta …", but not "lo que más me gusta": the word has to be the verb of the clause.
bool is_stated_of_me(const policies::texts& lower, size_t verb) {
  auto relative = policies::european::position_of(lower, {"que", "cuando", "donde", "si"});
  return relative >= verb;
}

retold spanish_demand(const policies::texts& lower, const policies::texts& words) {
  static const policies::known_words general{"siempre", "nunca", "jamás", "adelante"};
  static const policies::known_words articles{"el", "la", "los", "las", "un", "una"};
  static const policies::known_words verbs{"responde", "contesta", "escribe", "usa", "utiliza",
    "tutéame", "trátame", "tráteme", "evita", "habla", "muestra", "recuerda"};
  static const policies::known_words naming{"llámame", "llámeme", "llamadme", "llámenme"};
  if (naming.contains(lower[0]) && policies::european::is_capital(words[1])) {
    auto name = words[1];
    while (name.ends_with(','))
      name.pop_back();
    return {"El usuario quiere que le llamen " + name, 0, "name", true};
  }
  auto is_usual =
    lower.size() > 2 && lower.back() == "siempre" && lower[lower.size() - 2] == "como";
  auto is_noun = lower[0] == "siempre" && lower.size() < 6 && spanish_verb(lower[1]) == lower[1]
                 && !lower[1].ends_with("me");
  if (is_usual || is_noun)
    return policies::european::demanded("El usuario prefiere "
                                          + policies::rest_of(words, is_noun ? 1 : 0,
                                            {{"gracias", ""}, {"como", ""}, {"siempre", ""}}),
      lower.size() > 2 ? 0.1 : 0.5);
  constexpr size_t shortest_order = 6;
  auto asks = [](const std::string& word) {
    return word.size() >= shortest_order && word.ends_with("me")
           && (word.find('\xC3') != std::string::npos || word.ends_with("dme"));
  };
  auto habitual = policies::has_word(lower, general);
  if (!articles.contains(lower[0]) && (habitual || verbs.contains(lower[0]) || asks(lower[0])))
    return policies::european::demanded(
      "El usuario quiere: " + policies::rest_of(words, 0), habitual                       ? 0.3
                                                           : lower[0].starts_with("trát") ? 0.2
                                                                                          : 0.6);
  return {};
}

/// "Nos mudamos a Vigo", "pasamos de Trello a Asana"
retold spanish_change(const policies::texts& lower, const policies::texts& words) {
  static const policies::known_words moves{"mudé", "mudamos", "mudado"};
  static const policies::known_words to_list{"a", "al"};
  if (auto i = policies::european::position_of(lower, moves); i + 2 < lower.size()) {
    auto to = policies::european::position_of(lower, to_list, i);
    return {"El usuario vive en " + policies::place_of(words, (to < lower.size() ? to : i + 1) + 1),
      0, "lives"};
  }
  static const policies::known_words switches{
    "pasamos", "pasado", "pasé", "cambiamos", "cambié", "cambiado", "migramos", "migrado", "migré"};
  auto i = policies::european::position_of(lower, switches);
  auto is_of_name = i + 2 < words.size() && to_list.contains(lower[i + 1])
                    && policies::european::is_capital(words[i + 2]); // "me he pasado a Linux"
  if (i >= lower.size() || (!is_of_name && !policies::european::leaves_a_name(words, lower)))
    return {};
  if (auto to = policies::european::position_of(lower, to_list, i); to + 1 < lower.size())
    return {"El usuario usa " + policies::place_of(words, to + 1), 0.1, {}};
  return {};
}

} // namespace

std::string spanish_verb(const std::string& verb) {
  static const policies::pairs irregular{{"soy", "es"}, {"tengo", "tiene"}, {"estoy", "está"},
    {"voy", "va"}, {"hago", "hace"}, {"puedo", "puede"}, {"quiero", "quiere"},
    {"prefiero", "prefiere"}, {"duermo", "duerme"}, {"vivo", "vive"}, {"como", "come"},
    {"bebo", "bebe"}, {"leo", "lee"}, {"aprendo", "aprende"}, {"escribo", "escribe"},
    {"sufro", "sufre"}, {"salgo", "sale"}, {"siento", "siente"}, {"conduzco", "conduce"},
    {"vivía", "vive"}, {"comía", "come"}, {"bebía", "bebe"}, {"trabajaba", "trabaja"},
    {"vivimos", "vive"}, {"he", "ha"}, {"juego", "juega"}, {"padezco", "padece"},
    {"tenemos", "tiene"}, {"usamos", "usa"}, {"trabajamos", "trabaja"}, {"comemos", "come"},
    {"digo", "dice"}, {"vengo", "viene"}, {"pongo", "pone"}, {"empiezo", "empieza"},
    {"pierdo", "pierde"}, {"entiendo", "entiende"}, {"sé", "sabe"}, {"mi", "mi"}, {"doy", "da"},
    {"somos", "es"}, {"estamos", "está"}, {"hemos", "ha"}, {"debo", "debe"}, {"corro", "corre"},
    {"vendo", "vende"}, {"veo", "ve"}, {"sigo", "sigue"}, {"recibo", "recibe"},
    {"vuelvo", "vuelve"}, {"acuesto", "acuesta"}, {"despierto", "despierta"}, {"cierro", "cierra"},
    {"pido", "pide"}, {"sirvo", "sirve"}, {"visto", "viste"}, {"conozco", "conoce"},
    {"ofrezco", "ofrece"}, {"traduzco", "traduce"}, {"cojo", "coge"}, {"dirijo", "dirige"},
    {"oigo", "oye"}, {"traigo", "trae"}, {"cuento", "cuenta"}, {"pienso", "piensa"},
    {"creo", "cree"}, {"comparto", "comparte"}, {"asisto", "asiste"}, {"hablamos", "habla"},
    {"cenamos", "cena"}, {"bebemos", "bebe"}, {"dormimos", "duerme"}, {"hacemos", "hace"},
    {"podemos", "puede"}, {"queremos", "quiere"}, {"preferimos", "prefiere"},
    {"levantamos", "levanta"}, {"desplegamos", "despliega"}, {"vamos", "va"},
    {"compramos", "compra"}, {"pagamos", "paga"}, {"necesitamos", "necesita"},
    {"celebramos", "celebra"}, {"viajamos", "viaja"}, {"cerramos", "cierra"}, {"abrimos", "abre"},
    {"desayunamos", "desayuna"}};
  if (auto form = policies::european::irregular_form(irregular, verb); !form.empty())
    return form;
  static const policies::known_words no_verbs{"no", "pero", "como", "solo", "sólo", "cuando",
    "primero", "mucho", "todo", "otro", "nuestro", "marido", "hijo", "perro", "gato", "hermano",
    "cuatro", "ocho", "dinero", "tiempo", "lo", "yo", "mismo", "menos", "luego", "usuario", "algo",
    "pasillo", "vuelo", "tipo", "centro", "vino", "queso", "pescado", "desayuno", "correo",
    "colegio", "médico", "baño", "piso", "año", "minuto", "grupo", "número", "código", "proyecto",
    "asiento", "banco", "pueblo", "barrio", "verano", "invierno", "curso", "precio", "modo",
    "texto", "formato", "idioma", "claro", "oscuro", "pelo", "ejercicio", "cuarto", "enero",
    "febrero", "marzo", "mayo", "junio", "julio", "agosto", "cinco", "domingo", "sábado", "turno",
    "equipo", "presupuesto", "puerto", "caso", "mercado", "negocio", "teléfono", "mundo", "lado",
    "horario", "único", "último", "nuevo", "pequeño", "largo", "corto", "rápido", "barato",
    "cierto", "favorito", "cliente", "servicio", "veterinario", "dentista", "abuelo", "tío",
    "primo", "sobrino", "nieto", "suegro", "vecino", "amigo", "jefe", "abogado", "cero", "medio",
    "cargo", "cuidado", "huevo", "cerdo", "tratamiento", "medicamento", "dentro", "aquello", "esto",
    "eso", "ello", "supuesto", "favor", "contrato", "despacho", "teatro", "coro"};
  if (no_verbs.contains(verb))
    return verb;
  static const policies::known_words of_lo{"hablo", "suelo", "bailo", "alquilo", "instalo",
    "reciclo", "calculo", "controlo", "escalo", "acumulo", "modelo", "velo", "vuelo"};
  if (verb.ends_with("lo") && !of_lo.contains(verb)) // "tenlo": to somebody else
    return verb;
  auto is_participle = verb.ends_with("ado") || verb.ends_with("ido") || verb.ends_with("endo")
                       || verb.ends_with("ando");
  return verb.size() > 2 && verb.ends_with("o") && !is_participle
           ? verb.substr(0, verb.size() - 1) + "a"
           : verb;
}

retold spanish(std::string_view clause, std::string_view said_before) {
  auto words = policies::tokens_of(clause);
  static const policies::known_words fillers{
    "y", "pero", "porque", "así", "pues", "además", "es", "hola", "sí", "oye", "bueno", "perdona"};
  auto is_reason = false;
  static const policies::known_words reasons{"como", "ya", "puesto", "dado"};
  if (words.size() > 2 && reasons.contains(policies::plain(words[0]))) {
    auto next = policies::plain(words[1]);
    is_reason =
      next == "que" || (policies::plain(words[0]) == "como" && spanish_verb(next) != next);
    if (is_reason)
      words.erase(words.begin(), words.begin() + (next == "que" ? 2 : 1));
  }
  if (words.size() > 2 && policies::plain(words[0]) == "es" && policies::plain(words[1]) == "que")
    words.erase(words.begin(), words.begin() + 2);
  while (words.size() > 1 && policies::plain(words[0]) != "es"
         && fillers.contains(policies::plain(words[0])))
    words.erase(words.begin());
  auto lower = policies::lower_of(words);
  static const policies::known_words conditions{"si", "aunque", "cuando", "que"};
  if (lower.size() < 2 || policies::european::tells_of_before(lower)
      || conditions.contains(lower[0]))
    return {};
  if (auto change = spanish_change(lower, words); !change.statement.empty())
    return change;
  if (lower.size() == 2 && lower[0] == "ya" && lower[1] == "no")
    if (auto before = spanish_verb_before(said_before); !before.empty())
      return {"El usuario ya no " + before, 0.1, {}};
  auto verb = spanish_verb_of_me(lower);
  if (policies::european::tells_of_now(lower) && !said_before.empty() && verb >= lower.size()
      && lower.size() < 5)
    if (auto before = spanish_verb_before(said_before); !before.empty())
      return {"El usuario " + before + " " + policies::rest_of(words, 1, spanish_persons()), 0,
        before == "vive" ? "lives" : ""};
  static const policies::known_words mine{
    "mi", "mis", "nuestro", "nuestra", "nuestros", "nuestras"};
  if (mine.contains(lower[0]) && lower.size() > 2)
    return spanish_of_mine(lower, words);
  static const policies::known_words tastes{"gusta", "gustan", "encanta", "encantan", "duele",
    "duelen", "molesta", "molestan", "interesa", "aburre", "falta", "faltan", "cuesta", "cuestan",
    "sienta", "sientan"};
  if (auto i = policies::european::position_of(lower, tastes);
      i < lower.size() && policies::has_word(lower, "me") && is_stated_of_me(lower, i))
    return {"Al usuario " + std::string{policies::has_word(lower, "no") ? "no " : ""} + "le "
              + policies::rest_of(words, i, spanish_persons()),
      policies::european::rather, {}};
  auto wanted = spanish_demand(lower, words);
  if (wanted.statement.starts_with("El usuario prefiere"))
    return wanted;
  if (verb < lower.size())
    return spanish_of_me(lower, words, verb);
  if (!wanted.statement.empty())
    return wanted;
  static const policies::known_words own{"me", "mi", "mis", "yo", "nos", "conmigo", "mí"};
  if (policies::has_word(lower, own))
    return policies::european::quoted(spanish_quote, clause, 0.6);
  static const policies::known_words corrections{"no", "mejor", "sí", "bueno"};
  if (corrections.contains(lower[0])) // "no, mejor en verde"
    return {};
  return {policies::rest_of(words, 0), lower.size() < 4 ? 0.85 : 0.6, {}};
}

} // namespace scratchpage
