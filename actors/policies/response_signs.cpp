#include "scratchpage/actors/policies/response_signs.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "scratchpage/actors/language/part_list.hpp"
#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

constexpr size_t response_bytes = 4'096; // of a response that are read
constexpr size_t opening_bytes = 40;     // of a response, that say what it is

/// A text from where it asks the person to do something; nothing if it only asks for patience.
std::string_view plea_in(std::string_view text) {
  constexpr std::string_view pleas[] = {"please ", "bitte ", "por favor", "veuillez ", "merci de ",
    "s'il vous plaît", "s'il te plaît", "，请", "。请", "请在", "请您", "ください", "お願い"};
  static const part_list waiting{"please wait", "please note", "please be ", "please bear",
    "please excuse", "please allow", "bitte warte", "bitte beacht", "bitte entschuldig",
    "bitte haben sie", "favor, espera", "favor espera", "veuillez patienter", "veuillez noter",
    "veuillez excuser", "请稍", "请等", "请注意", "请问", "お待ち"};
  for (auto plea : pleas)
    if (auto at = text.find(plea); at != std::string_view::npos)
      return waiting.occurs_in(text.substr(at)) ? std::string_view{} : text.substr(at);
  return {};
}

/// Whether a text has a "which" that asks, and does not go on with what was said: "12, which is
/// little".
bool asks_by_which(std::string_view text) {
  constexpr std::string_view word = "which";
  for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1))
    if (at < 2 || text.substr(at - 2, 2) != ", ")
      return true;
  return false;
}

/// Whether what is to come is only named as what rules something out: "It cannot be changed once it
/// is sent".
bool rules_out(std::string_view text, std::string_view condition) {
  static const part_list denials{"cannot", "can't", "can not", "no longer", "not possible",
    "kann nicht", "können nicht", "lässt sich nicht", "nicht mehr", "nicht möglich", "no se puede",
    "no pueden", "no es posible", "ne peut", "ne peuvent", "pourrez plus", "pourra plus", "ya no ",
    "n'est plus", "不能", "无法", "できません", "できない"};
  auto at = text.find(condition);
  auto begin = at == std::string_view::npos ? at : text.find_last_of(".!?:;", at);
  begin = begin == std::string_view::npos ? 0 : begin + 1;
  return at != std::string_view::npos && denials.occurs_in(text.substr(begin, at - begin));
}

/// Whether all that something is waiting for rules something out.
bool only_rules_out(std::string_view text) {
  constexpr std::string_view conditions[] = {
    "once it has", "once it is", "once they", "as soon as", "sobald", "en cuanto", "dès que"};
  auto found = false;
  for (auto one : conditions)
    if (text.find(one) != std::string_view::npos) {
      if (!rules_out(text, one))
        return false;
      found = true;
    }
  return found;
}

std::string_view sentence_at(std::string_view text, size_t at) {
  constexpr std::string_view ends = ".!?\n";
  auto begin = at == 0 ? std::string_view::npos : text.find_last_of(ends, at - 1);
  begin = begin == std::string_view::npos ? 0 : begin + 1;
  return text.substr(begin, text.find_first_of(ends, at) - begin);
}

/// Whether a number stands before the place and a greater one from `next` on: "180 of 200".
bool is_part_of_whole(std::string_view text, size_t at, size_t next) {
  constexpr size_t most_digits = 9;
  auto begin = at;
  while (begin > 0 && text[begin - 1] >= '0' && text[begin - 1] <= '9')
    --begin;
  auto end = next;
  while (end < text.size() && text[end] >= '0' && text[end] <= '9')
    ++end;
  if (begin == at || end == next || at - begin > most_digits || end - next > most_digits)
    return false;
  // "3 of 90 tests fail" is how it went.
  static const part_list bad{"fail", "fehl", "falla", "échou", "wrong", "broken", "失败", "失敗"};
  if (bad.occurs_in(sentence_at(text, begin)))
    return false;
  return std::stoul(std::string{text.substr(begin, at - begin)})
         < std::stoul(std::string{text.substr(next, end - next)});
}

bool tells_of_part(std::string_view text) {
  constexpr std::string_view joints[] = {" of ", " von ", " de ", " sur "};
  for (auto joint : joints)
    for (auto at = text.find(joint); at != std::string_view::npos; at = text.find(joint, at + 1))
      if (is_part_of_whole(text, at, at + joint.size()))
        return true;
  return false;
}

/// "Jetzt schicke ich", "als Nächstes lade ich".
bool announces_in_german(const std::vector<std::string>& words) {
  static const std::vector<std::string> now{
    "jetzt", "nun", "gleich", "danach", "anschließend", "nächstes"};
  for (size_t i = 0; i + 2 < words.size(); ++i)
    if (words[i + 2] == "ich" && words[i + 1].ends_with('e') && words[i + 1] != "habe"
        && words[i + 1] != "hatte" && contains(now, words[i]))
      return true;
  return false;
}

/// Whether "ich kann" or "darf ich" is denied: "deshalb kann ich sie nicht öffnen".
bool is_unable_in_german(const std::vector<std::string>& words) {
  constexpr size_t reach = 6; // words
  for (size_t i = 0; i + 1 < words.size(); ++i) {
    auto modal = words[i] == "kann" || words[i] == "darf";
    auto turned = words[i + 1] == "kann" || words[i + 1] == "darf";
    if (!((modal && words[i + 1] == "ich") || (turned && words[i] == "ich")))
      continue;
    for (auto k = i + 2; k < words.size() && k < i + reach; ++k)
      if (words[k] == "nicht" || words[k].starts_with("kein"))
        return true;
  }
  return false;
}

/// Whether the agent says what it does not do: "Kundendaten gebe ich nicht heraus".
bool refuses_in_german(const std::vector<std::string>& words) {
  static const std::vector<std::string> mere{
    "habe", "hatte", "finde", "sehe", "glaube", "denke", "kenne", "wüsste", "verstehe", "brauche"};
  for (size_t i = 0; i + 2 < words.size(); ++i)
    if (words[i + 1] == "ich" && words[i + 2] == "nicht" && words[i].ends_with('e')
        && !contains(mere, words[i]))
      return true;
  return false;
}

/// Whether the agent announces what it does next: "I'll pass it on when it is there".
bool announces(std::string_view text) {
  static const phrase_list begins{{"i'll", "i will", "i am going to", "i'm going to"}};
  static const phrase_list ends{{"next", "shortly", "in a moment", "in a minute", "right after",
    "when it is", "when it's", "when they are", "when that is", "when it comes", "when it arrives",
    "once that", "once it", "once they", "once the"}};
  auto words = words_of(text);
  return (begins.find_in(words) != nullptr && ends.find_in(words) != nullptr)
         || announces_in_german(words);
}

/// Likewise where the verb stands last: "これから送ります".
bool announces_unspaced(std::string_view text) {
  constexpr std::string_view openings[] = {
    "これから", "続いて", "この後", "このあと", "引き続き", "次に", "いまから", "今から"};
  for (auto one : openings)
    if (auto at = text.find(one); at != std::string_view::npos) {
      auto end = text.find("。", at);
      auto sentence = text.substr(at, end == std::string_view::npos ? end : end - at);
      if (sentence.ends_with("ます") || sentence.ends_with("ところです"))
        return true;
    }
  return false;
}

} // namespace

std::string read_part(std::string_view text) {
  return in_lower_case(utf8::prefix(text, response_bytes));
}

bool asks_at_all(std::string_view response) {
  static const part_list signs{"?", "？", "please", "need", "let me know", "tell me", "could you",
    "can you", "would you", "confirm", "choose", "reply", "enter", "provide", "bitte", "brauche",
    "benötige", "sag mir", "sagen sie", "por favor", "necesito", "dime", "indique", "confirm",
    "veuillez", "besoin", "merci de", "dites", "请", "需要", "告诉我", "ください", "ですか",
    "ますか", "でしょうか", "必要"};
  auto text = read_part(response);
  return signs.occurs_in(text) || asks_by_which(text);
}

bool offers_more_help(std::string_view text) {
  static const part_list all{"anything else i can", "something else i can", "with anything else",
    "anything else you need", "what else can i do", "anything more i can", "sonst noch etwas für",
    "noch etwas für", "ich sonst noch helfen", "ayudarle en algo más", "ayudarte en algo más",
    "algo más en que", "algo más en lo que", "autre chose pour", "puis-je faire autre chose",
    "还有什么可以", "还有其他需要", "他に何かお手伝い", "ほかに何かお手伝い"};
  return all.occurs_in(read_part(text));
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
    "失敗", "did not go through", "didn't go through", "has not been ", "have not been ",
    "hasn't been ", "haven't been ", "i can't ", "i cannot ", "no right to", "lack the ",
    "lack permission", "nothing has been", "nothing was ", "not permitted", "not something i can",
    "isn't something i can", "nichts wurde", "no tengo los permisos", "no tengo permisos",
    "pas les droits", "rien n'a été", "no permission", "not authorised", "not authorized",
    "wurde nicht", "wurden nicht", "geht nicht", "kann ich nicht", "keine berechtigung",
    "no puedo ", "no tengo permiso", "no se ha ", "je ne peux pas", "n'a pas été", "n'ont pas été",
    "pas le droit", "没有权限", "没有被", "権限がありません", "されていません", "されませんでした"};
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
  return (phrases.occurs_in(text) || !plea_in(text).empty()) && !waiting.occurs_in(text);
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
  static const part_list conditions{
    "once it has", "once it is", "once they", "as soon as", "sobald", "en cuanto", "dès que"};
  static const part_list phrases{"in progress", "i will report", "i'll report", "will let you know",
    "i'll let you know", "not yet", "so far", "still running", "still working", "is running",
    "has started", "was started", "started,", "working on", "will try again", "i'll try again",
    "try again", "will keep", "keep trying", "i'll retry", "will retry", "to be continued",
    "remaining", "the rest", "are missing", "is missing", "when it has finished",
    "when it is ready", "when it's done", "in the queue", "queued", "eingereiht", "en cola",
    "en file d'attente", "排队", "ahora busco", "ahora voy", "ahora se lo", "ahora te ",
    "ahora lo ", "ahora la ", "a continuación voy", "a continuación se lo", "a continuación lo",
    "je vais maintenant", "maintenant je", "ensuite je vais", "jetzt suche ich",
    "je cherche maintenant", "here are the first", "the first two", "the first three",
    "follow next", "follows next", "comes next", "come next", "it next.", "them next.",
    "hier sind die ersten", "folgen noch", "folgt noch", "aquí están los primeros",
    "voici les premiers", "one moment", "just a moment", "hold on", "i am on it", "i'm on it",
    "let me", "will now read", "will now check", "will now look", "will now search", "will now go",
    "will now start", "will now continue", "now reading", "now checking", "i will now", "i'll now",
    "next i", "later", "läuft noch", "noch nicht", "ich melde mich", "moment bitte", "einen moment",
    "bisher", "versuche es erneut", "en curso", "todavía no", "aún no", "le avisaré", "te avisaré",
    "un momento", "en cours", "pas encore", "je vous tiens", "je te tiens", "un instant",
    "jusqu'ici", "还没", "正在", "稍后", "完成后", "请稍等", "尚未", "まだ", "進行中",
    "is being created", "is being set up", "is being built", "is being prepared",
    "is being processed", "is being generated", "is being rendered", "is being uploaded",
    "is being converted", "is being copied", "is being installed", "is being deployed", "are being",
    "mache weiter", "mache mit", "fahre fort", "stehen noch aus", "steht noch aus", "fehlen noch",
    "fehlt noch", "als nächstes", "wird gerade", "werden gerade", "sigo con", "continúo con",
    "que faltan", "faltan por", "falta por", "quedan por", "queda por", "se está creando",
    "se está", "je continue", "je poursuis", "qui restent", "qui manquent", "reste à", "restent à",
    "en train d'être", "est en train", "还剩", "剩下的", "我继续", "我会继续", "继续处理",
    "接下来我", "我接下来", "我这就", "我马上", "下一步我", "残りは", "残りの", "続けます",
    "作成中", "処理しています", "しています。完了", "少々お待ち", "完了次第", "終わり次第"};
  auto text = read_part(response);
  if (phrases.occurs_in(text) || (conditions.occurs_in(text) && !only_rules_out(text)))
    return true;
  return tells_of_part(text) || announces(text) || announces_unspaced(text);
}

bool says_unable(std::string_view response) {
  static const phrase_list begins{{"i can't", "i cannot", "i can not", "i'm unable to",
    "i am unable to", "i could not", "i couldn't", "i'm not allowed to", "i am not allowed to",
    "i have no right to", "i have no permission to", "i have no access", "i lack"}};
  // What one cannot see or say is an answer.
  static const phrase_list mere{{"see", "find", "think", "say", "tell", "imagine", "wait",
    "promise", "remember", "recall", "judge", "guarantee", "be", "recommend", "know", "yet"}};
  static const part_list others{"das kann ich nicht", "no puedo ", "no me está permitido",
    "no tengo permiso", "je ne peux pas", "je ne suis pas autorisé", "je n'ai pas le droit", "不能",
    "无法", "没有权限", "no estoy autoriz", "no doy ", "no comparto", "no facilito",
    "je ne communique", "je ne donne", "je ne partage", "je ne divulgue", "お教えできません",
    "お伝えできません", "お答えできません", "提供できません", "開示できません", "しかねます",
    "不便", "off limits", "not something i can", "isn't something i can", "i don't give out",
    "i do not give out", "i don't share", "i do not share", "i don't disclose", "恕我不能", "恕难",
    "はできません", "ことができません", "致しかねます", "いたしかねます"};
  static const part_list otherwise{"but i can", "i can, however", "aber ich kann", "pero puedo",
    "pero sí puedo", "mais je peux", "但我可以", "不过我可以", "代わりに", "without your",
    "until you", "unless you", "before you", "ohne ihre", "ohne deine", "bis sie ", "bis du ",
    "sin tu ", "sin su ", "sans votre", "sans ton", "sans ta", "nicht finden", "nicht sagen",
    "nicht sehen", "puedo encontrar", "puedo decir", "puedo ver", "peux pas dire", "peux pas voir",
    "无法确定", "不能确定", "无法判断"};
  auto text = read_part(response);
  if (otherwise.occurs_in(text))
    return false;
  auto words = words_of(text);
  for (size_t at = 0; at < words.size(); ++at)
    if (auto length = begins.length_at(words, at); length > 0)
      return mere.length_at(words, at + length) == 0;
  return is_unable_in_german(words) || refuses_in_german(words) || others.occurs_in(text);
}

bool only_refuses(std::string_view response) {
  static const part_list marks{"?", "？"};
  return (says_unable(response) || refuses_to(response)) && !marks.occurs_in(response)
         && !requests_of_person(response);
}

bool begins_with_no(std::string_view response) {
  static const phrase_list all{{"no", "nein", "non"}};
  auto text = read_part(response);
  return all.length_at(words_of(utf8::prefix(text, opening_bytes)), 0) > 0
         || text.starts_with("不，") || text.starts_with("いいえ");
}

bool begins_impossible(std::string_view response) {
  static const part_list phrases{"not possible", "impossible", "can't be done", "cannot be done",
    "does not work", "doesn't work", "won't work", "nicht möglich", "unmöglich", "geht nicht",
    "no es posible", "imposible", "no se puede", "pas possible", "ne peut pas", "不可能", "办不到",
    "做不到", "できません", "不可能"};
  return phrases.occurs_in(utf8::prefix(read_part(response), opening_bytes));
}

bool begins_done(std::string_view response) {
  static const phrase_list openings{{"done", "all done", "all set", "erledigt", "fertig", "listo",
    "lista", "hecho", "ya está", "fait", "c'est fait", "voilà, c'est fait"}};
  auto words = words_of(utf8::prefix(read_part(response), opening_bytes));
  return openings.length_at(words, 0) > 0;
}

bool made_do(std::string_view response) {
  static const part_list phrases{"so i ", "instead", "i used", "i took", "another way",
    "stattdessen", "habe ich", "ich habe", "lo he ", "la he ", "en su lugar", "así que", "j'ai ",
    "à la place", "改用", "改为", "改成", "代わりに", "別の方法"};
  return phrases.occurs_in(read_part(response)) && !says_failed(response);
}

bool wants_deed_first(std::string_view response) {
  static const part_list afterwards{"then i'll", "then i will", "then i can", "so that i can",
    "so i can", "and i'll", "and i will", "i'll go on", "i'll continue", "after that i", ", dann ",
    "dann kann ich", "damit ich", "para que pueda", "y entonces", "así puedo", "después lo",
    "y luego", "pour que je", "afin que je", "et je ", "ensuite je", "je pourrai", "我就", "我再",
    "之后我", "然后我", "以便我", "我才能", "その後", "そのあと", "そうしたら", "そうすれば",
    "ましたら"};
  auto text = read_part(response);
  return afterwards.occurs_in(plea_in(text));
}

bool goes_on_after_person(std::string_view response) {
  static const part_list phrases{"once you ", "once you've", "as soon as you", "when you have",
    "when you've", "after you have", "after you've", "sobald du ", "wenn du das", "cuando haya",
    "cuando lo haya", "cuando lo haga", "en cuanto haya", "en cuanto lo haga", "una vez que haya",
    "dès que vous", "dès que tu", "quand vous aurez", "quand tu auras", "une fois que vous",
    "いただければ", "いただけましたら", "いただいたら", "いただいた後", "くだされば", "もらえれば"};
  static const part_list you{"您", "你"};
  static const part_list then_i{"后我", "后，我", "后就", "之后"};
  auto text = read_part(response);
  return phrases.occurs_in(text) || (you.occurs_in(text) && then_i.occurs_in(text))
         || response.find("obald Sie ") != std::string_view::npos; // and not "sie"
}

bool speaks_of_all(std::string_view response) {
  static const std::vector<std::string> whole{"both", "everything", "every", "each", "beide",
    "beides", "alle", "alles", "ambos", "ambas", "todo", "todos", "todas", "tout", "tous", "toutes",
    "deux", "done"};
  static const std::vector<std::string> after_all{
    "done", "set", "of", "were", "are", "have", "sorted", "good", "finished", "two", "three"};
  static const part_list unspaced{"全部", "都已", "所有", "両方", "すべて"};
  auto words = words_of(response);
  for (size_t i = 0; i < words.size(); ++i)
    if (words[i] == "all" && (i + 1 == words.size() || contains(after_all, words[i + 1])))
      return true;
  return first_shared(words, whole) != nullptr || unspaced.occurs_in(response);
}

} // namespace scratchpage
