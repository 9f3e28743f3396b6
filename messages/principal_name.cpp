#include "scratchpage/messages/principal_name.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/text/display_text.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

/// U+FE0F selects the emoji form of a character. It is harmless in a text, but invisible in a name.
bool is_invisible(char32_t code) {
  return is_unsafe(code) || code == 0xFE0F;
}

/// The lower-case ASCII letter to which Unicode folds the character; others stay as they are.
char32_t small(char32_t code) {
  switch (code) {
  case 0x017F:
    return 's'; // the long s
  case 0x212A:
    return 'k'; // the sign for kelvins
  default:
    return code >= 'A' && code <= 'Z' ? code - 'A' + 'a' : code;
  }
}

/// Whether the name could be misread in a text of `said_by`: as a kind and a name, or as a relay of
/// somebody's words.
bool looks_like_provenance(std::string_view name) {
  constexpr std::array<std::string_view, 3> kinds{"daemon ", "tool ", "user "};
  constexpr std::string_view relay = "relayed by";
  const auto text = in_plain_letters(name);
  if (std::any_of(
        kinds.begin(), kinds.end(), [&](std::string_view kind) { return text.starts_with(kind); }))
    return true;
  for (auto at = text.find(relay); at != std::string::npos; at = text.find(relay, at + 1)) {
    auto before = std::string_view{text}.substr(0, at);
    if (before.ends_with(", ") || before.ends_with(","))
      return true;
  }
  return false;
}

std::vector<std::string> looks_of_components() {
  std::vector<std::string> result;
  for (auto name : component_names)
    result.push_back(skeleton_of(name));
  return result;
}

} // namespace

std::string look_of(std::string_view text) {
  std::string result;
  std::string blanks; // white space that is added if something follows
  while (!text.empty()) {
    auto next = utf8::first_character(text);
    auto bytes = text.substr(0, next.bytes);
    text.remove_prefix(next.bytes);
    if (next.valid && utf8::is_white_space(next.code)) {
      blanks += bytes;
    } else if (!next.valid || !is_invisible(next.code)) {
      if (!result.empty())
        result += blanks;
      blanks.clear();
      auto code = small(next.code);
      if (next.valid && code < 0x80)
        result += static_cast<char>(code);
      else
        result += bytes;
    }
  }
  return result;
}

bool is_plain_name(std::string_view name) {
  if (name.empty() || looks_like_provenance(name))
    return false;
  for (auto is_first = true; !name.empty(); is_first = false) {
    auto next = utf8::first_character(name);
    name.remove_prefix(next.bytes);
    auto is_at_end = is_first || name.empty();
    if (!next.valid || is_invisible(next.code) || (is_at_end && utf8::is_white_space(next.code)))
      return false;
  }
  return true;
}

bool looks_like_component(std::string_view name) {
  static const auto components = looks_of_components();
  static const auto kind = skeleton_of("daemon");
  auto look = skeleton_of(name);
  auto is_one = [&](std::string_view x) {
    return std::find(components.begin(), components.end(), x) != components.end();
  };
  return is_one(look) || (look.starts_with(kind) && is_one(look.substr(kind.size())));
}

} // namespace scratchpage
