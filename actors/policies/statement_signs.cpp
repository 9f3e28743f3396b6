#include "scratchpage/actors/policies/statement_signs.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "scratchpage/actors/language/recent_readings.hpp"
#include "scratchpage/actors/language/words.hpp"

namespace scratchpage {

namespace {

size_t digits_in(std::string_view text) {
  return static_cast<size_t>(
    std::count_if(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }));
}

/// "Please translate: I am allergic to nuts"; not "no need to translate that for me".
bool asks_to_translate(const std::vector<std::string>& words) {
  static const phrase_list verbs{
    {"translate", "übersetze", "übersetz", "traduce", "traduis", "traduisez", "traduzca"}};
  constexpr size_t leading = 4;
  for (size_t i = 0; i < words.size() && i < leading; ++i)
    if (verbs.length_at(words, i) > 0)
      return i == 0 || words[i - 1] != "to";
  return false;
}

} // namespace

std::vector<std::string> words_without_sides(std::string_view text) {
  static const phrase_list sides{{"left hand*", "left side", "left knee", "left foot", "left leg",
    "left arm", "left eye", "left ear", "left shoulder", "left hip", "left lane", "left wing"}};
  auto words = words_of(text);
  for (size_t i = 0; i < words.size(); ++i)
    if (sides.length_at(words, i) > 0)
      words[i] = "side";
  return words;
}

namespace {

bool has_signs_of_jest(std::string_view text) {
  static const phrase_list phrases{{"haha*", "lol", "kidding", "joking", "joke", "oh great",
    "oh wonderful", "oh joy", "oh fantastic", "yeah right", "as if", "said no one",
    "my absolute favourite", "my absolute favorite", "just adore", "simply adore", "just love it",
    "exactly what i needed", "just what i needed", "what a joy", "how wonderful", "lucky me",
    "in my dreams", "in my novel", "in my book", "in my game", "in my dream", "i dreamt",
    "i dreamed", "a screenplay", "dialogue in which", "poem in which", "story in which",
    "song in which", "write a poem", "write a story", "write me a poem", "write me a story",
    "write a song", "a screenplay", "best day ever", "feel so valued", "best service ever",
    "thrilled", "imagine", "pretend", "hypothetically", "in the story", "in my story",
    "story about", "poem about", "my character", "role play", "roleplay", "in the film",
    "in the movie", "in the book", "in the novel", "in the song", "in the example",
    "in this example", "for example a user", "according to", "na toll", "na super", "na klasse",
    "na prima", "wie schön, schon", "scherz", "spaß beiseite", "nur spaß", "bromeo", "je plaisante",
    "je rigole", "witz", "angenommen", "stell dir vor", "geschichte über", "imagina", "broma",
    "qué bien", "qué ilusión", "qué alegría", "historia de", "imagine que", "justo lo que",
    "sí claro", "genau das was ich", "genau was ich", "juste ce qu'il", "blague", "ah génial",
    "ah super", "oh génial", "génial, encore", "quelle joie", "histoire d'un", "youpi", "told me",
    "says that", "said that", "she says", "he says", "she said", "he said", "they say",
    "teacher says", "says i am", "says i'm", "proverb", "ignore what i", "forget what i said"}};
  constexpr std::array<std::string_view, 13> parts{"开玩笑", "冗談", "😂", "🙄", "🤣", ";)",
    "/s ", "翻译", "訳して", "哈哈", "太棒了，又", "物語", "故事"};
  auto words = words_of(text);
  return phrases.find_in(words) != nullptr || has_part(text, parts) || asks_to_translate(words);
}

} // namespace

bool is_in_jest(std::string_view text) {
  thread_local recent_readings<bool> known;
  return known.of(text, has_signs_of_jest);
}

bool is_supposed(std::string_view sentence) {
  static const phrase_list phrases{{"would", "i'd kill", "i'd", "suppose", "say the", "say a",
    "what if", "i wish", "if i were", "if i had", "if i was", "if i won", "if we", "might", "could",
    "maybe", "perhaps", "let's say", "one day i", "some day", "someday", "würde", "wäre", "hätte",
    "vielleicht", "könnte", "eines tages", "si fuera", "sería", "quizás", "quizá", "tal vez",
    "podría", "viviría", "ojalá", "algún día", "si j'étais", "si j'avais", "peut-être",
    "je pourrais", "je vivrais", "serait", "je voudrais", "un jour"}};
  static const phrase_list rather{{"would rather", "i'd rather", "would never", "i'd never"}};
  constexpr std::array<std::string_view, 10> parts{
    "如果", "要是", "也许", "可能", "假如", "もし", "かもしれ", "たらいい", "なら、", "多分"};
  auto words = words_of(sentence);
  if (rather.find_in(words) != nullptr) // it tells a preference
    return false;
  return phrases.find_in(words) != nullptr || has_part(sentence, parts);
}

bool is_quoted(std::string_view text) {
  constexpr std::array<std::string_view, 9> marks{"\"", "“", "„", "«", "「", "『", "» ", " '", "‘"};
  return has_part(text, marks);
}

bool is_question(std::string_view sentence) {
  while (sentence.ends_with(' '))
    sentence.remove_suffix(1);
  auto open = sentence;
  if (open.ends_with("。"))
    open.remove_suffix(std::string_view{"。"}.size());
  return sentence.ends_with('?') || sentence.ends_with("？") || sentence.starts_with("¿")
         || open.ends_with("ますか") || open.ends_with("ですか") || open.ends_with("ませんか")
         || open.ends_with("吗") || open.ends_with("呢");
}

namespace {

bool has_signs_of_passing(std::string_view clause) {
  static const phrase_list phrases{{"today", "tonight", "right now", "tomorrow", "yesterday",
    "this morning", "this afternoon", "this evening", "this week", "this weekend", "this time",
    "this one", "next week", "next month", "next monday", "next friday", "at the moment", "for now",
    "just once", "only once", "this once", "last night", "last week", "for this", "until further",
    "remind me", "an hour ago", "in an hour", "in a minute", "a moment ago", "just now", "heute",
    "morgen früh", "morgen bin", "morgen habe", "morgen fahre", "bis morgen", "erst morgen",
    "gerade", "diesmal", "nächste woche", "im moment", "ausnahmsweise", "nachher", "gestern",
    "dieses mal", "diese woche", "hoy", "mañana por", "esta vez", "ahora mismo",
    "la próxima semana", "por esta vez", "esta noche", "ayer", "esta semana", "aujourd'hui",
    "demain", "cette fois", "en ce moment", "la semaine prochaine", "ce soir", "cette semaine",
    "tout de suite", "erinnere mich", "recuérdame", "rappelle-moi"}};
  constexpr std::array<std::string_view, 20> parts{"あとで", "後で", "今ちょっと", "今天", "明天",
    "这次", "下周", "现在没", "昨天", "今日", "明日", "今回", "来週", "昨日", "今夜", "今晚",
    "刚才", "さっき", "今週", "这周"};
  static const phrase_list from_then_on{{"as of today", "as of tomorrow", "from today on",
    "from today", "from tomorrow", "from next week", "from next month", "from next monday",
    "from monday on", "starting today", "starting tomorrow", "starting next week",
    "starting next month", "as of next week", "as of next month", "as of this week",
    "as of this month", "as of this year", "from this week on", "ab heute", "ab morgen",
    "ab nächster woche", "seit heute", "seit gestern", "desde hoy", "a partir de hoy",
    "a partir de mañana", "desde ayer", "dès aujourd'hui", "à partir d'aujourd'hui",
    "à partir de demain", "depuis hier", "since yesterday", "since last week"}};
  constexpr std::array<std::string_view, 8> from_then_on_parts{"从今天起", "从明天起", "从下周起",
    "从今天开始", "从下周开始", "今日から", "明日から", "来週から"};
  if (from_then_on.find_in(words_of(clause)) != nullptr || has_part(clause, from_then_on_parts))
    return false;
  return phrases.find_in(words_of(clause)) != nullptr || has_part(clause, parts);
}

} // namespace

bool is_passing(std::string_view clause) {
  thread_local recent_readings<bool> known;
  return known.of(clause, has_signs_of_passing);
}

bool is_of_yesterday(std::string_view clause) {
  static const phrase_list phrases{{"yesterday", "last night", "last week", "gestern",
    "letzte woche", "ayer", "la semana pasada", "hier", "la semaine dernière"}};
  constexpr std::array<std::string_view, 5> parts{"昨天", "上周", "昨日", "先週", "先月"};
  static const phrase_list still_passing{{"today", "tonight", "tomorrow", "this week", "for now",
    "right now", "heute", "hoy", "aujourd'hui"}};
  auto words = words_of(clause);
  return (phrases.find_in(words) != nullptr || has_part(clause, parts))
         && still_passing.find_in(words) == nullptr;
}

namespace {

bool has_signs_of_secret(std::string_view text) {
  static const phrase_list names{{"pin", "pincode", "password*", "passwort*", "passwd", "passcode*",
    "passphrase", "cvv", "cvc", "contraseña", "contraseñas", "clave", "mot de passe", "kennwort",
    "api key", "secret key", "private key", "access token", "seed phrase", "iban", "card number",
    "credit card", "kreditkartennummer", "social security number", "keep that to yourself",
    "don't tell anyone", "spare key", "ersatzschlüssel", "kartennummer", "número de tarjeta",
    "numéro de carte", "under the mat", "recovery key", "schlüssel liegt"}};
  static const phrase_list codes{{"code", "codes", "código", "token", "combination", "zahlencode",
    "türcode", "tan", "otp", "digicode", "geheimzahl", "safe", "tresor", "login"}};
  constexpr std::array<std::string_view, 8> parts{
    "密码", "验证码", "暗証番号", "パスワード", "卡号", "口令", "合言葉", "カード番号"};
  constexpr size_t card_digits = 13;
  auto words = words_of(text);
  auto digits = digits_in(text);
  return names.find_in(words) != nullptr || has_part(text, parts) || digits >= card_digits
         || (digits > 0 && codes.find_in(words) != nullptr);
}

} // namespace

bool tells_secret(std::string_view text) {
  thread_local recent_readings<bool> known;
  return known.of(text, has_signs_of_secret);
}

bool tells_change(std::string_view text) {
  static const phrase_list phrases{{"now", "any more", "anymore", "no longer", "from now on",
    "instead", "actually", "for good", "gone off", "sold", "quit", "stopped", "gave up", "given up",
    "changed", "switched", "these days", "nowadays", "is history", "moved to", "correction",
    "not true any", "that note is wrong", "finally", "jetzt", "nicht mehr", "ab sofort", "ab jetzt",
    "künftig", "statt", "stattdessen", "inzwischen", "doch", "ahora", "ya no", "a partir de ahora",
    "en vez de", "en lugar de", "desde ahora", "he cambiado", "maintenant", "désormais",
    "dorénavant", "ne * plus", "n'est plus", "n'ai plus", "n'a plus", "au lieu",
    "à partir de maintenant", "finalement", "j'ai changé", "plus de", "since the", "gone",
    "retired", "over", "died", "left", "has moved", "have moved", "new", "no more", "since",
    "downgraded", "upgraded", "migrated", "replaced", "got married", "got divorced", "any longer",
    "rather than", "umgestiegen", "gewechselt", "as of", "starting", "put me on", "put me onto",
    "moved me", "switched me", "transferred me", "scrap that", "change of plan", "typo",
    "from next", "from today", "from tomorrow", "for good", "swapped", "shifted", "got engaged",
    "got a", "ab heute", "ab morgen", "seit"}};
  constexpr std::array<std::string_view, 14> parts{"现在", "不再", "改", "从现在", "以后", "已经",
    "今は", "もう", "やめ", "これから", "今後", "変え", "になりました", " plus "};
  return phrases.find_in(words_without_sides(text)) != nullptr || has_part(text, parts);
}

bool tells_replacement(std::string_view text) {
  static const phrase_list phrases{{"instead", "any more", "anymore", "no longer", "from now on",
    "changed", "switched", "gone off", "is history", "for good", "quit", "stopped", "gave up",
    "given up", "sold", "actually", "only", "correction", "over", "again", "statt", "stattdessen",
    "nicht mehr", "ab jetzt", "ab sofort", "nur noch", "ya no", "en vez de", "en lugar de",
    "a partir de ahora", "au lieu", "désormais", "dorénavant", "à partir de maintenant",
    "ne * plus", "n'est plus", "n'ai plus", "n'a plus", "plus de", "rather than", "gone", "retired",
    "died", "left", "moved", "new", "put me", "scrap that", "change of plan"}};
  constexpr std::array<std::string_view, 7> parts{
    "不再", "改", "从现在", "以后", "やめ", "今後", "変え"};
  return phrases.find_in(words_without_sides(text)) != nullptr || has_part(text, parts);
}

bool tells_again(std::string_view text) {
  static const phrase_list phrases{{"again", "as always", "as usual", "as ever", "as in all",
    "like in all", "as in every", "like in every", "i said", "as i said", "i told you",
    "like every time", "like always", "every time", "wie immer", "schon wieder", "wieder",
    "wie gesagt", "wie üblich", "como siempre", "otra vez", "de nuevo", "ya dije",
    "comme d'habitude", "comme toujours", "encore", "comme je l'ai dit"}};
  constexpr std::array<std::string_view, 8> parts{
    "老样子", "照旧", "又", "还是", "いつも", "また", "一如既往", "前と同じ"};
  return phrases.find_in(words_of(text)) != nullptr || has_part(text, parts);
}

bool tells_mishap(std::string_view text) {
  static const phrase_list phrases{{"fail*", "error*", "slip*", "jam*", "stall*", "drift*",
    "timed out", "times out", "timeout", "time out", "missing", "lost", "loses", "forgot",
    "forgets", "forgotten", "mixed up", "mixes up", "confus*", "swapped", "instead of", "wrong",
    "broke*", "crash*", "overheat*", "stuck", "leak*", "reject*", "refuse*", "drop*", "denied",
    "late", "delay*", "slow*", "misread*", "mismatch*", "misalign*", "misplac*", "misrout*",
    "mistake*", "mistook", "misprint*", "misfire*", "misfeed*", "misinterpret*", "mislabel*",
    "misdetect*", "mishear*", "misheard", "misunder*", "mispron*", "miscount*", "miscalcul*",
    "misconfig*", "misjudg*", "misclassif*", "misspell*", "wrote", "incorrect*", "unreadable",
    "empty", "offline", "disconnect*", "bump*", "collide*", "scratch*", "tripped", "knocked over",
    "overshot", "overshoot*", "skipped", "misread*", "hangs", "froze", "freezes", "duplicate*",
    "garbled", "cut off", "corrupt*", "expired", "ran out", "runs out", "jamming", "too hot",
    "too cold", "flicker*", "spill*", "bent", "overflow*", "unstable", "blocked", "fehlgeschlagen",
    "fehler*", "verwechselt", "vergessen", "klemmt*", "ausgefallen", "falsch", "fehlt",
    "abgestürzt", "zu spät", "error", "falló", "falla", "fallo", "confunde", "confundió", "olvid*",
    "falta", "atasc*", "erreur*", "échou*", "échec", "oubli*", "confond*", "bloqu*", "panne",
    "manque", "manquant*", "plant*", "retard", "perdu*", "perd", "perdent", "déconnect*", "perdió",
    "pierde", "pierden", "desconect*", "caída", "verloren", "verliert", "getrennt", "abgebrochen",
    "hängt", "gestört"}};
  constexpr std::array<std::string_view, 14> parts{"失败", "错误", "超时", "忘", "混淆", "卡住",
    "断开", "失敗", "エラー", "間違", "忘れ", "滑", "タイムアウト", "写错"};
  return phrases.find_in(words_of(text)) != nullptr || has_part(text, parts);
}

} // namespace scratchpage
