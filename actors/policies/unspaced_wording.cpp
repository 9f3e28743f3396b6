#include "scratchpage/actors/policies/unspaced_wording.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string>
#include <utility>

#include "scratchpage/actors/policies/wording_words.hpp"

namespace scratchpage {

namespace {

constexpr double unspaced_rather = 0.2; // how probable what is lasting by its grammar has to be

bool has_part(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(),
    [&](std::string_view part) { return text.find(part) != std::string_view::npos; });
}

/// People and things that somebody has, and of which "my" need not be said.
template <size_t N>
bool begins_with_one(std::string_view text, const std::array<std::string_view, N>& nouns) {
  return std::any_of(
    nouns.begin(), nouns.end(), [&](std::string_view noun) { return text.starts_with(noun); });
}

double need_in_chinese(std::string_view text) {
  if (has_part(text, {"我想要", "我要", "我想", "帮我", "给我", "我需要", "请问", "我在找"})
      && !has_part(text, {"总是", "以后", "每", "一直", "从不", "永远", "不要给我", "别给我"}))
    return retold::never;
  if (text.starts_with("我的订单") || text.starts_with("我的快递") || has_part(text, {"正在"}))
    return retold::never;
  return has_part(
           text, {"总是", "从来", "从不", "每", "一直", "以后", "只", "不吃", "不喝", "过敏",
                   "我是", "喜欢", "讨厌", "住在", "我有", "的名字", "叫", "不再", "怕", "不能",
                   "不会", "不要给我", "预算", "上班", "夜班", "工作", "我开", "我用", "我教",
                   "我养", "我戴", "我学", "我家", "我们家", "养了", "不用", "我做", "我骑", "患有",
                   "病", "我们公司", "服务器", "晕", "恐", "忌口", "吃素", "素食"})
           ? unspaced_rather
           : 0.5;
}

double need_in_japanese(std::string_view text) {
  if (has_part(text, {"たいです", "ほしい", "お願いします", "ください"})
      && !has_part(text, {"いつも", "今後", "これから", "毎", "必ず", "絶対", "呼んで"}))
    return 0.7;
  if (has_part(text, {"いつも", "毎朝", "毎日", "毎晩", "毎週", "毎月", "毎年", "を飼って",
                       "習って", "勤務", "働いて", "担当し", "通って"})
      && has_part(text, {"ます", "です"}))
    return 0.1;
  return has_part(text, {"いつも", "毎", "アレルギー", "住んで", "ています", "好き", "嫌い", "苦手",
                          "必ず", "今後", "これから", "やめ", "ません", "は", "です"})
           ? 0.3
           : 0.5;
}

} // namespace

retold chinese(std::string_view clause) {
  std::string text{clause};
  if (has_part(text, {"以前", "曾经", "过去", "原来住", "原来是"}))
    return {};
  for (std::string_view move : {"搬到", "搬去", "搬来", "移居到", "移居", "定居在"}) {
    auto i = text.find(move);
    if (i == std::string::npos)
      continue;
    auto place = text.substr(i + move.size());
    for (auto part : {"了", "。", "！"})
      policies::replace_all(place, part, "");
    return {"用户住在" + place, 0, "lives"};
  }
  for (auto [sign, state] : {std::pair{"单身", "单身"}, {"订婚", "已订婚"}, {"离婚", "离婚了"},
         {"结婚了", "已婚"}, {"已婚", "已婚"}})
    if (auto i = text.find(sign); i != std::string::npos && text.starts_with("我"))
      return {std::string{"用户"} + state, 0.1, "marital status"};
  for (std::string_view naming : {"请叫我", "你可以叫我", "叫我", "称呼我"})
    if (text.starts_with(naming)) {
      auto name = text.substr(naming.size());
      for (auto part : {"就行", "就好", "就可以", "好了", "吧", "了", "。", "为"})
        policies::replace_all(name, part, "");
      return {"用户想被称为" + name, 0, "name", true};
    }
  for (std::string_view reason : {"因为", "由于", "所以", "另外", "其实", "对了"})
    if (text.starts_with(reason))
      text.erase(0, reason.size());
  auto need = need_in_chinese(text);
  if (text.starts_with("现在") && !has_part(text, {"？", "要", "想", "没"}))
    need = std::min(need, unspaced_rather);
  auto is_demand =
    has_part(text, {"请", "以后", "不要给我", "别给我"}) && !has_part(text, {"我请"});
  auto wanted = is_demand && text.find("我") == std::string::npos;
  for (auto part : {"现在", "请", "已经"})
    policies::replace_all(text, part, "");
  constexpr std::array<std::string_view, 33> kin{"妈", "爸", "组", "女儿", "儿子", "妈妈", "爸爸",
    "母亲", "父亲", "妻子", "丈夫", "老婆", "老公", "孩子", "哥哥", "弟弟", "姐姐", "妹妹", "公司",
    "老板", "狗", "猫", "同事", "邻居", "朋友", "医生", "奶奶", "爷爷", "家", "学校", "膝盖",
    "眼睛", "生日"};
  for (std::string_view me : {"我们", "咱们", "我"})
    if (text.starts_with(me) && begins_with_one(std::string_view{text}.substr(me.size()), kin))
      text = "用户的" + text.substr(me.size());
  policies::replace_all(text, "我们", "用户");
  policies::replace_all(text, "咱们", "用户");
  policies::replace_all(text, "我", "用户");
  auto lives = text.starts_with("用户住在") || text.starts_with("住在");
  if (text.find("用户") == std::string::npos)
    text = (wanted ? "用户要" : "用户") + text;
  return {text, lives ? 0 : need, lives ? "lives" : "", is_demand};
}

retold japanese(std::string_view clause) {
  std::string text{clause};
  if (text.starts_with("前は") || has_part(text, {"以前", "昔は"}))
    return {};
  for (std::string_view move : {"に引っ越", "へ引っ越", "に転居", "に移住", "に転勤", "に移り住"}) {
    auto i = text.find(move);
    if (i == std::string::npos)
      continue;
    auto place = text.substr(0, i);
    for (std::string_view part : {"から", "、", "は"})
      if (auto at = place.rfind(part); at != std::string::npos)
        place = place.substr(at + part.size());
    return {"利用者は" + place + "に住んでいる", 0, "lives"};
  }
  for (auto [sign, state] : {std::pair{"独身です", "独身である"}, {"婚約しました", "婚約している"},
         {"離婚しました", "離婚している"}, {"結婚しました", "結婚している"}})
    if (has_part(text, {sign}))
      return {std::string{"利用者は"} + state, 0.1, "marital status"};
  auto need = need_in_japanese(text);
  if (text.starts_with("は") || text.starts_with("今は")) // what was before is told before it
    need = std::min(need, unspaced_rather);
  for (auto part : {"今は", "私は", "僕は", "私の", "うちの", "うちでは", "わが家では",
         "我が家では", "うちは", "もう", "。"})
    policies::replace_all(text, part, "");
  if (text.starts_with("は"))
    text.erase(0, std::string_view{"は"}.size());
  auto lives = has_part(text, {"に住んで"});
  constexpr std::array<std::string_view, 16> kin{"妻", "夫", "息子", "娘", "母", "父", "犬", "猫",
    "兄", "弟", "姉", "妹", "上司", "同僚", "祖母", "祖父"};
  constexpr size_t longest_noun = 9; // bytes, with what follows it: "息子は"; not "猫アレルギー"
  auto of_other = begins_with_one(text, kin)
                  && has_part(std::string_view{text}.substr(0, longest_noun),
                    {"は", "が", "も", "の", "、", "と"});
  lives = lives && !of_other;
  auto about_user = text.starts_with("利用者");
  auto is_demand = has_part(text, {"ください"});
  return {about_user ? text : (of_other ? "利用者の" : "利用者は") + text, lives ? 0 : need,
    lives ? "lives" : "", is_demand};
}

} // namespace scratchpage
