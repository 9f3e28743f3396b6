#include "scratchpage/actors/policies/unspaced_wording.hpp"

#include <string>

namespace scratchpage {

namespace {

void replace_all(std::string& in, std::string_view from, std::string_view to) {
  for (auto i = in.find(from); i != std::string::npos; i = in.find(from, i + to.size()))
    in.replace(i, from.size(), to);
}

} // namespace

retold chinese(std::string_view clause) {
  std::string text{clause};
  if (text.find("以前") != std::string::npos || text.find("曾经") != std::string::npos)
    return {};
  if (auto i = text.find("搬到"); i != std::string::npos) {
    auto place = text.substr(i + 6);
    replace_all(place, "了", "");
    return {"用户住在" + place, true, "lives"};
  }
  for (auto part : {"现在", "请"})
    replace_all(text, part, "");
  replace_all(text, "我们", "用户");
  replace_all(text, "我", "用户");
  auto lives = text.find("住在") != std::string::npos;
  if (text.find("用户") == std::string::npos)
    text = "用户" + text;
  return {text, false, lives ? "lives" : ""};
}

retold japanese(std::string_view clause) {
  std::string text{clause};
  if (text.starts_with("前は") || text.find("以前") != std::string::npos)
    return {};
  if (auto i = text.find("に引っ越"); i != std::string::npos) {
    auto place = text.substr(0, i);
    for (std::string_view part : {"から", "、", "は"})
      if (auto at = place.rfind(part); at != std::string::npos)
        place = place.substr(at + part.size());
    return {"利用者は" + place + "に住んでいる", true, "lives"};
  }
  for (auto part : {"今は", "私は", "僕は", "私の", "うちの", "もう"})
    replace_all(text, part, "");
  auto lives = text.find("に住んで") != std::string::npos;
  auto about_user = text.starts_with("利用者");
  return {about_user ? text : "利用者は" + text, false, lives ? "lives" : ""};
}

} // namespace scratchpage
