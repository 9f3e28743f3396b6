#include "scratchpage/actors/policies/unspaced_pointing.hpp"

#include <algorithm>
#include <array>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/messages/text/trimmed.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

constexpr size_t input_bytes = 90;
constexpr size_t said_bytes = 600;
constexpr size_t bytes_of_character = 3; ///< of these scripts

constexpr std::array<std::string_view, 8> pointer_parts{
  "那个", "这个", "它", "那封", "それ", "あれ", "例の", "そっち"};

constexpr std::array<std::string_view, 34> wanted_parts{"取消", "删", "改到", "改成", "推迟",
  "提前", "发给", "转发", "关掉", "打开", "退掉", "退了", "订", "买", "续", "打印", "回复", "移到",
  "调到", "キャンセル", "消し", "削除", "送っ", "変更", "移し", "ずらし", "予約し", "注文し",
  "買っ", "印刷", "開い", "閉じ", "止め", "返信し"};

/// What tells which, or that all are meant or none.
constexpr std::array<std::string_view, 25> telling_parts{"都", "全部", "两个", "所有", "第一",
  "第二", "最后", "随便", "哪", "不", "别", "谢谢", "前面", "后面", "全て", "全部", "両方", "どれ",
  "どっち", "一つ目", "二つ目", "最初", "最後", "ない", "なくて"};

/// What asks for something that is written or drawn.
constexpr std::array<std::string_view, 6> making_parts{"写", "画", "编", "書い", "描い", "作っ"};

/// What makes a question a request.
constexpr std::array<std::string_view, 7> polite{
  "能", "可以", "请", "もらえ", "くれ", "いただけ", "お願い"};

/// Between things that are listed.
constexpr std::array<std::string_view, 3> separators{"，", "、", "；"};

/// In the name of each thing that has a time.
constexpr std::array<std::string_view, 6> times{"点", "时", "時", "号", "日", ":"};

size_t separator_at(std::string_view text, size_t i, bool is_joined) {
  for (auto one : separators)
    if (is_at(text, i, one))
      return one.size();
  for (std::string_view one : {"和", "と"})
    if (is_joined && is_at(text, i, one))
      return one.size();
  return 0;
}

/// Without a sign at the end, the polite end of a sentence and what is before a colon.
std::string_view list_of(std::string_view said) {
  said = trimmed(said);
  for (std::string_view end : {"。", "！", "です", "ます", "があり", "があります"})
    if (said.ends_with(end))
      said.remove_suffix(end.size());
  constexpr std::string_view colon = "：";
  if (auto at = said.find(colon); at != std::string_view::npos)
    said.remove_prefix(at + colon.size());
  return said;
}

std::vector<std::string_view> parts_of(std::string_view text, bool is_joined) {
  std::vector<std::string_view> result;
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i)
    if (auto length = separator_at(text, i, is_joined); length > 0) {
      result.push_back(trimmed(text.substr(begin, i - begin)));
      begin = i + length;
      i = begin - 1;
    }
  result.push_back(trimmed(text.substr(begin)));
  return result;
}

/// Whether two characters in a row of the input are in this thing and not in all others.
bool is_told(std::string_view input, const std::vector<std::string_view>& things) {
  for (size_t i = 0; i + 2 * bytes_of_character <= input.size(); ++i) {
    auto both = input.substr(i, 2 * bytes_of_character);
    if (static_cast<unsigned char>(both[0]) < 0xE3 || !utf8::is_valid(both))
      continue;
    auto has_both = [&](std::string_view one) { return one.find(both) != std::string_view::npos; };
    auto count = std::count_if(things.begin(), things.end(), has_both);
    if (count > 0 && static_cast<size_t>(count) < things.size())
      return true;
  }
  return false;
}

/// What something is done with: "把会议改到周四", "会議を移して".
std::string_view noun_in(std::string_view input) {
  constexpr std::string_view before = "把";
  constexpr std::string_view behind = "を";
  auto noun_behind = [&](size_t at) {
    auto rest = input.substr(at);
    auto end = rest.size();
    for (auto verb : wanted_parts)
      end = std::min(end, rest.find(verb));
    return trimmed(rest.substr(0, end), " .!");
  };
  std::string_view noun;
  if (auto at = input.find(before); at != std::string_view::npos)
    noun = noun_behind(at + before.size());
  else if (auto end = std::min(input.find(behind), input.find("に")); end < input.size())
    noun = input.substr(0, end);
  for (std::string_view pointer : {"那个", "那封", "这个"})
    if (auto place = input.find(pointer); place != std::string_view::npos)
      noun = noun_behind(place + pointer.size());
  auto is_short = noun.size() >= 2 * bytes_of_character && noun.size() <= 6 * bytes_of_character;
  return is_short ? noun : std::string_view{};
}

/// "上午9点面试", "一件外套"
bool is_single(std::string_view thing) {
  return !thing.empty() && (has_part(thing, times) || thing.starts_with("一"));
}

bool asks_with_a_sign(std::string_view input) {
  return has_part(input, std::array<std::string_view, 2>{"？", "?"});
}

} // namespace

bool is_unspaced_pointing(std::string_view input) {
  return input.size() <= input_bytes && (has_part(input, pointer_parts) || !noun_in(input).empty())
         && has_part(input, wanted_parts) && !has_part(input, telling_parts)
         && (!asks_with_a_sign(input) || has_part(input, polite));
}

std::vector<std::string_view> unspaced_things(
  std::string_view input, std::string_view asked, std::string_view said) {
  if (said.size() > said_bytes || has_part(asked, making_parts))
    return {};
  auto list = list_of(said);
  if (list.find("。") != std::string_view::npos)
    return {};
  auto noun = noun_in(input);
  auto is_noun_of = [&](std::string_view one) { return one.find(noun) != std::string_view::npos; };
  auto things = parts_of(list, true);
  auto fit = !noun.empty() && std::all_of(things.begin(), things.end(), is_noun_of);
  if (!fit && has_part(input, pointer_parts)) {
    things = parts_of(list, false);
    fit = std::all_of(things.begin(), things.end(), is_single);
  }
  return fit && things.size() > 1 && !is_told(input, things) ? things
                                                             : std::vector<std::string_view>{};
}

} // namespace scratchpage
