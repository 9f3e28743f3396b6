#include "scratchpage/actors/policies/worth_reading.hpp"

#include <algorithm>
#include <array>

#include "scratchpage/actors/language/classifiers.hpp"
#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

constexpr double least_worth = 0.5;

const phrase_list& all_clears() {
  static const phrase_list result{{"all clear", "false alarm", "false positive", "back to normal",
    "has been resolved", "is resolved", "was resolved", "were resolved", "has been fixed",
    "is fixed", "was fixed", "has been lifted", "has been called off", "was called off",
    "is called off", "has been cancelled by the user", "only a test", "just a test", "only a drill",
    "just a drill", "no longer applies", "everything is fine", "everything is normal",
    "everything works again", "works again", "is working again", "entwarnung", "fehlalarm",
    "wieder normal", "alles in ordnung", "ist behoben", "wurde behoben", "ist aufgehoben",
    "nur eine übung", "nur ein test", "falsa alarma", "todo está bien", "todo en orden",
    "ya está resuelto", "se ha resuelto", "ha sido resuelto", "se ha desactivado", "fausse alerte",
    "tout va bien", "tout est en ordre", "est levée", "a été levée", "est résolu", "a été résolu",
    "n'était qu'un test"}};
  return result;
}

constexpr std::array<std::string_view, 11> unspaced_all_clears{"已解除", "一切正常", "误报",
  "恢复正常", "已修复", "已排除", "解除され", "誤報", "異常なし", "正常に戻", "復旧しました"};

const phrase_list& failures() {
  static const phrase_list result{{"failed", "fails", "failure", "could not", "couldn't", "cannot",
    "can't", "unable to", "did not work", "didn't work", "not possible", "impossible", "none left",
    "sold out", "not available", "unavailable", "was refused", "was rejected", "was declined",
    "timed out", "no luck", "without success", "nothing found", "not found", "fehlgeschlagen",
    "gescheitert", "nicht möglich", "ausverkauft", "nicht verfügbar", "abgelehnt", "konnte nicht",
    "ha fallado", "falló", "no se pudo", "no fue posible", "agotado", "agotadas", "rechazado",
    "rechazada", "a échoué", "n'a pas pu", "impossible de", "complet", "refusé", "refusée"}};
  return result;
}

/// "No flights are left", which is no fixed phrase.
bool says_none_left(const std::vector<std::string>& words) {
  auto no = std::find(words.begin(), words.end(), "no");
  return no != words.end() && std::find(no, words.end(), "left") != words.end();
}

constexpr std::array<std::string_view, 9> unspaced_failures{
  "失败", "无法", "售罄", "未能", "被拒绝", "失敗", "できません", "できなかった", "売り切れ"};

bool asks_by_type(std::string_view type) {
  constexpr std::array<std::string_view, 5> types{
    "alert", "risk_alert", "security_alert", "reminder", "action_suggestion"};
  return std::find(types.begin(), types.end(), type) != types.end();
}

std::string_view read_of(std::string_view text) {
  return utf8::prefix(text, reading_limits::observation_bytes);
}

} // namespace

bool is_all_clear(std::string_view text) {
  text = read_of(text);
  return all_clears().find_in(words_of(text)) != nullptr || has_part(text, unspaced_all_clears);
}

bool is_worth_a_goal(std::string_view text) {
  text = read_of(text);
  return !is_all_clear(text) && language::worth().probability(text, "goal") >= least_worth;
}

bool is_worth_a_goal(const observation& x) {
  return asks_by_type(x.type) ? !is_all_clear(x.content) : is_worth_a_goal(x.content);
}

bool tells_of_failure(std::string_view text) {
  text = read_of(text);
  auto words = words_of(text);
  return failures().find_in(words) != nullptr || says_none_left(words)
         || has_part(text, unspaced_failures);
}

} // namespace scratchpage
