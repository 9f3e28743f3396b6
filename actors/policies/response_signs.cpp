#include "scratchpage/actors/policies/response_signs.hpp"

#include <algorithm>

#include "scratchpage/actors/language/part_list.hpp"
#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

constexpr size_t response_bytes = 4'096; // of a response that are read

} // namespace

std::string read_part(std::string_view text) {
  return in_lower_case(utf8::prefix(text, response_bytes));
}

bool asks_at_all(std::string_view response) {
  static const part_list signs{"?", "？", "please", "need", "let me know", "tell me", "could you",
    "can you", "would you", "which", "confirm", "choose", "reply", "enter", "provide", "bitte",
    "brauche", "benötige", "sag mir", "sagen sie", "por favor", "necesito", "dime", "indique",
    "confirm", "veuillez", "besoin", "merci de", "dites", "请", "需要", "告诉我", "ください",
    "ですか", "ますか", "でしょうか", "必要"};
  return signs.occurs_in(read_part(response));
}

bool says_done(std::string_view response) {
  static const part_list done{"ました", "好了", "已经", "已为", "已将", "完成"};
  static const part_list not_done{"ません", "できな", "失敗", "エラー", "拒否", "断ら", "切れ",
    "ずに", "没", "未", "不", "无法", "失败", "错误", "拒绝", "过期"};
  auto text = read_part(response);
  return done.occurs_in(text) && !not_done.occurs_in(text);
}

bool says_failed(std::string_view response) {
  static const part_list phrases{"did not work", "didn't work", "failed", "could not", "couldn't",
    "unable to", "was not able to", "can neither", "fehlgeschlagen", "nicht geklappt",
    "konnte nicht", "konnte ich nicht", "konnte den", "konnte die", "gescheitert", "no he podido",
    "no pude", "no se ha podido", "no se pudo", "ha fallado", "falló", "n'ai pas pu", "n'a pas pu",
    "n'a pas fonctionné", "a échoué", "失败", "未能", "没能", "没有成功", "できませんでした",
    "失敗"};
  return phrases.occurs_in(read_part(response));
}

bool says_needless(std::string_view response) {
  static const part_list phrases{"nothing had to be", "nothing to do", "nothing needed to be",
    "there was nothing to", "already there", "already exist", "already set", "already up to date",
    "schon vorhanden", "bereits vorhanden", "ya existe", "existe déjà", "已存在", "已经存在",
    "既に存在", "there is nothing to", "nichts zu tun", "nichts getan werden", "war nicht nötig",
    "no hacía falta", "no había nada que", "rien à faire", "n'était pas nécessaire", "无需",
    "不需要", "必要はありません"};
  return phrases.occurs_in(read_part(response));
}

bool requests_of_person(std::string_view response) {
  static const part_list requests{"please enter", "please confirm", "please tell", "please choose",
    "please pick", "please provide", "please reply", "please send me", "please give me",
    "please approve", "please sign", "please type", "please select", "please specify",
    "please share", "please upload", "please authorise", "please authorize", "please log in",
    "please unlock", "let me know which", "let me know what", "let me know when",
    "let me know whether", "tell me which", "tell me what", "tell me when", "i need your",
    "i need to know", "bitte bestätig", "bitte nenn", "bitte gib", "bitte geben", "bitte wähl",
    "bitte sag", "bitte teil", "bitte schick", "sag mir", "por favor confirm", "por favor, confirm",
    "por favor indi", "por favor, indi", "por favor dime", "por favor elij", "por favor, elij",
    "dime ", "dígame", "veuillez", "merci de confirmer", "merci d'indiquer", "merci de choisir",
    "dites-moi", "dis-moi", "请确认", "请选择", "请输入", "请告诉", "请提供", "请问",
    "教えてください", "入力してください", "選んでください", "確認してください", "お選びください",
    "お知らせください", "ご入力"};
  return requests.occurs_in(read_part(response));
}

bool hands_to_person(std::string_view response) {
  static const part_list phrases{"needs your", "need your", "requires your", "awaiting your",
    "waiting for your", "waiting for you", "waiting on your", "waiting on you", "needs you to",
    "need you to", "only you can", "you still have to", "you still need to", "once you have paid",
    "once you've paid", "once you pay", "once you have signed", "once you've signed",
    "once you sign", "once you have confirmed", "once you've confirmed", "once you confirm",
    "once you have approved", "once you approve", "sobald du bestätig", "sobald sie bestätig",
    "sobald du bezahl", "sobald sie bezahl", "sobald du unterschr", "sobald sie unterschr",
    "braucht deine", "braucht ihre", "braucht noch deine", "braucht noch ihre", "wartet auf deine",
    "wartet auf ihre", "warte auf deine", "warte auf ihre", "necesita tu", "necesita su",
    "falta tu", "falta su", "espera de tu", "espera de su", "il faut votre", "manque votre",
    "manque ta", "attend votre", "attend ta", "attend ton", "需要您", "需要你", "等您", "等你",
    "待您", "承認をお願い", "署名をお願い", "確認をお願い", "認証をお願い"};
  static const part_list denials{"no longer need", "not need", "n't need", "no longer require",
    "not require", "n't require", "braucht keine", "no necesita"};
  auto text = read_part(response);
  return phrases.occurs_in(text) && !denials.occurs_in(text);
}

bool tells_person_to_act(std::string_view response) {
  static const part_list phrases{"please approve", "please confirm", "please sign",
    "please authorise", "please authorize", "please verify", "please accept", "please scan",
    "please press", "please tap", "please enter", "please complete", "please unlock",
    "please log in", "please pay", "please insert", "please hold", "you need to", "you have to",
    "you must", "you'll need to", "you will need to", "bitte bestätig", "bitte genehmig",
    "bitte gib", "bitte geben", "bitte unterschreib", "bitte drück", "sie müssen", "du musst",
    "confirma en", "confirme en", "confírmal", "confírmel", "aprueba ", "apruebe ", "autoriza ",
    "autorice ", "debes ", "debe usted", "tiene que", "tienes que", "veuillez valider",
    "veuillez confirmer", "veuillez signer", "veuillez approuver", "veuillez saisir",
    "merci de valider", "merci de confirmer", "merci de signer", "validez", "signez", "请您",
    "请在", "请按", "请确认", "してください", "お願いします"};
  static const part_list waiting{
    "to wait", "must wait", "warten", "que esperar", "patienter", "请稍", "お待ち"};
  auto text = read_part(response);
  return phrases.occurs_in(text) && !waiting.occurs_in(text);
}

bool promises(std::string_view response) {
  static const phrase_list begins{{"i will", "i'll", "i am going to", "i'm going to"}};
  static const phrase_list verbs{{"send", "write", "call", "email", "tell", "check", "do", "look",
    "get", "let", "book", "order", "remind", "contact", "message", "forward", "start", "take care",
    "ask", "find", "inform", "notify", "arrange", "handle", "see to", "pass"}};
  static const std::vector<std::string_view> others{"ich werde ", "ich kümmere mich", "voy a ",
    "claro, voy a ", "je vais ", "我会", "我将", "好的，我会"};
  auto text = read_part(response);
  auto words = words_of(text);
  constexpr size_t opening = 3; // words before the promise: "of course, i'll"
  for (size_t at = 0; at <= opening && at < words.size(); ++at)
    if (auto length = begins.length_at(words, at); length > 0)
      if (verbs.length_at(words, at + length) > 0)
        return true;
  return std::any_of(
    others.begin(), others.end(), [&](std::string_view one) { return text.starts_with(one); });
}

bool refuses_to(std::string_view response) {
  static const part_list phrases{"i won't", "i will not", "i can't help", "i cannot help",
    "i can't assist", "i cannot assist", "i'm not able to help", "i am not able to help",
    "i'm not going to", "i refuse", "i am not able to", "i'm not able to", "only a doctor can",
    "only a lawyer can", "dazu bin ich nicht", "no soy capaz de", "je ne suis pas en mesure",
    "i can't do that", "i cannot do that", "i can't do this", "i cannot do this",
    "das kann ich nicht machen", "das kann ich nicht tun", "eso no puedo hacerlo",
    "no puedo hacer eso", "je ne peux pas faire ça", "je ne peux pas faire cela", "i must decline",
    "i have to decline", "that's something i can't", "dabei kann ich nicht",
    "dabei helfe ich nicht", "das mache ich nicht", "no puedo ayudar", "no te puedo ayudar",
    "no voy a", "no le puedo ayudar", "je ne peux pas vous aider", "je ne peux pas t'aider",
    "je refuse", "je ne vais pas", "无法帮", "不能帮", "无法协助", "不能协助", "お手伝いできません",
    "お手伝いすることはできません", "お断りします"};
  return phrases.occurs_in(read_part(response));
}

bool says_final(std::string_view response) {
  static const part_list phrases{"no longer possible", "not possible", "impossible", "cannot be",
    "can't be", "can not be", "can neither", "be neither", "weder", "ni se puede", "could never",
    "no way to", "there is no way", "refused", "rejected", "declined", "denied", "not eligible",
    "not allowed", "not permitted", "for good", "permanently", "too late", "not entitled",
    "blocked", "is not offered", "does not accept", "no longer offered", "nothing can be done",
    "nothing i can do", "will not", "won't", "not refundable", "non-refundable",
    "not available anymore", "discontinued", "can no longer", "no longer be", "no longer accept",
    "no longer offer", "no longer available", "does not allow", "do not allow", "doesn't allow",
    "don't allow", "prohibited", "is forbidden", "deadline has passed", "sold out", "none are left",
    "none left", "kein zugriff", "ausgeschlossen", "nicht erlaubt", "nicht gestattet",
    "no está permitido", "no permite", "ya no es", "n'est plus", "interdit", "n'autorise pas",
    "不允许", "已无法", "不可以", "禁止", "ことができなく", "認められ", "nicht mehr möglich",
    "nicht möglich", "unmöglich", "leider nicht", "kann nicht mehr", "können nicht mehr",
    "abgelehnt", "verweigert", "endgültig", "zu spät", "lässt sich nicht", "no es posible",
    "ya no se puede", "no se puede", "imposible", "rechazad", "denegad", "demasiado tarde",
    "n'est plus possible", "n'est pas possible", "pas possible", "ne peut plus", "ne peut pas",
    "impossible", "refusé", "trop tard", "définitivement", "不能再", "无法", "不可能", "无法取消",
    "已经不能", "不能", "被拒绝", "拒绝了", "不予", "できません", "できなくなり", "不可能", "拒否",
    "断られ", "もう取り消せ", "対象外", "致しかね", "ことはできない"};
  return phrases.occurs_in(read_part(response));
}

bool says_unfinished(std::string_view response) {
  static const part_list phrases{"in progress", "i will report", "i'll report", "will let you know",
    "i'll let you know", "not yet", "so far", "still running", "still working", "is running",
    "has started", "was started", "started,", "working on", "will try again", "i'll try again",
    "try again", "will keep", "keep trying", "i'll retry", "will retry", "as soon as",
    "to be continued", "remaining", "the rest", "are missing", "is missing", "once it has",
    "once it is", "once they", "when it has finished", "when it is ready", "when it's done",
    "in the queue", "queued", "eingereiht", "en cola", "en file d'attente", "排队", "ahora busco",
    "ahora voy", "jetzt suche ich", "je cherche maintenant", "here are the first", "the first two",
    "the first three", "follow next", "follows next", "it next.", "them next.",
    "hier sind die ersten", "folgen noch", "folgt noch", "aquí están los primeros",
    "voici les premiers", "one moment", "just a moment", "hold on", "i am on it", "i'm on it",
    "let me", "will now read", "will now check", "will now look", "will now search", "will now go",
    "will now start", "will now continue", "now reading", "now checking", "i will now", "i'll now",
    "next i", "later", "läuft noch", "noch nicht", "ich melde mich", "sobald", "moment bitte",
    "einen moment", "bisher", "versuche es erneut", "en curso", "todavía no", "aún no",
    "le avisaré", "te avisaré", "un momento", "en cuanto", "en cours", "pas encore",
    "je vous tiens", "je te tiens", "un instant", "dès que", "jusqu'ici", "还没", "正在", "稍后",
    "完成后", "请稍等", "尚未", "まだ", "進行中", "しています。完了", "少々お待ち", "完了次第",
    "終わり次第"};
  auto text = read_part(response);
  if (phrases.occurs_in(text))
    return true;
  // "180 of 200 are collected"
  auto words = words_of(text);
  for (size_t i = 1; i + 1 < words.size(); ++i) {
    auto joins = words[i] == "of" || words[i] == "von" || words[i] == "de" || words[i] == "sur";
    if (joins && is_number(words[i - 1]) && is_number(words[i + 1]) && words[i - 1].size() < 10
        && words[i + 1].size() < 10 && std::stoull(words[i - 1]) < std::stoull(words[i + 1]))
      return true;
  }
  return false;
}

} // namespace scratchpage
