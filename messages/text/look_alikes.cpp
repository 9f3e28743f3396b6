#include "scratchpage/messages/text/display_text.hpp"

#include <array>

#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

/// Consecutive characters from `first` on, and the ASCII letter that each of them looks like; a
/// blank if it looks like none.
struct row {
  char32_t first;
  std::string_view letters;
};

constexpr std::array rows{
  // clang-format off
  row{0x00AA, "a       23     1o"}, // Latin-1
  // Latin letters with marks
  row{0x00C0,
    ("aaaaaa ceeeeiiiidnooooo ouuuuy  aaaaaa ceeeeiiiidnooooo ouuuuy yaaaaaacccccc"
    "ccddddeeeeeeeeeegggggggghhhhiiiiiiiiii  jjkk llllll  llnnnnnn nnoooooo  rrrr"
    "rrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs               eeff   i         oo  "
    "  r        uu u  zz                      aaiioouuuuuuuuuu aaaa    ggkkoooo  "
    "j   gg  nnaa  ooaaaaeeeeiiiioooorrrruuuusstt  hh      aaeeooooooooyy   j")},
  // phonetic letters
  row{0x0251,
    ("aa      e e     gg      iil        n         r r s        u   y         b  h"
    "  l")},
  row{0x02B0, "h jr   wy                                        lsx"}, // superscript letters
  // Greek
  row{0x037F,
    ("j      a ehi o ywiaby ezh ik mn o p oty x wiyaeniuaby e n ik  v o p otu x wi"
    "uouw b yyy       ff                  kpcj e   cm")},
  // Cyrillic
  row{0x0400,
    ("ee resiij   k y a br e    k mhonpcty x      b   a br e    k mhonpcty x      "
    "b   ee r siij   k y                   oovvvv                                "
    "  kk                  yy          hhee  i              iaaaa  ee            "
    "  oooooo  yyyyyy")},
  row{0x0500, "dd        hhgg            qqww"}, // more Cyrillic
  row{0x0566, "q         h n     n    u   g   o"}, // Armenian
  row{0x1D00, "a   cd e  jk m o        p  tu   vwz"}, // small capitals
  // more superscript letters
  row{0x1D2C,
    ("a b de ghijklmn o prtuwa a bdeee g kmno   ptu  v by  xiruvbyp x             "
    "h                                  ac d f g  ii    l    n  s    uu z")},
  // Latin letters with more marks
  row{0x1E00,
    ("aabbbbbbccddddddddddeeeeeeeeeeffgghhhhhhhhhhiiiikkkkkkllllllllmmmmmmnnnnnnnn"
    "oooooooopppprrrrrrrrssssssssssttttttttuuuuuuuuuuvvvvwwwwwwwwwwxxxxyyzzzzzzht"
    "wy s    aaaaaaaaaaaaaaaaaaaaaaaaeeeeeeeeeeeeeeeeiiiioooooooooooooooooooooooo"
    "uuuuuuuuuuuuuuyyyyyyyy    yy")},
  row{0x2070, "0i  456789     n0123456789      aeoxehklmnpst"}, // superscripts and subscripts
  // letter-like signs
  row{0x2102,
    ("c    e  ghhhhhiill n   pqrrr      z w z kabc eef mo    i   yy      ddeij")},
  row{0x2160, "i   v    x  lcdmi   v    x  lcdm"}, // Roman numerals
  row{0x24B6, "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz"}, // in brackets and circles
  row{0xA730, "fs"}, // small capitals
  row{0x1F12B, "cr   abcdefghijklmnopqrstuvwxyz"}, // in brackets, squares and circles
  // clang-format on
};

/// The letters of a ligature; "" if the character is none.
std::string_view ligature(char32_t code) {
  constexpr std::array<std::string_view, 7> all{"ff", "fi", "fl", "ffi", "ffl", "st", "st"};
  return code >= 0xFB00 && code < 0xFB00 + all.size() ? all[code - 0xFB00] : std::string_view{};
}

/// Removes the style of a character of the mathematical alphabets, which have Latin letters in 13
/// styles, Greek ones in five, and digits.
char32_t without_style(char32_t code) {
  if (code >= 0x1D400 && code <= 0x1D6A3)
    return U'a' + (code - 0x1D400) % 26;
  if (code == 0x1D6A4 || code == 0x1D6A5) // without their dots
    return code == 0x1D6A4 ? U'i' : U'j';
  if (code >= 0x1D6A8 && code <= 0x1D7CB) {
    auto place = (code - 0x1D6A8) % 58;
    return place <= 24 ? 0x391 + place : place >= 26 && place <= 50 ? 0x3B1 + place - 26 : code;
  }
  return code >= 0x1D7CE && code <= 0x1D7FF ? U'0' + (code - 0x1D7CE) % 10 : code;
}

/// The lower-case ASCII character of which this is a styled, full-width or upper-case form; other
/// characters stay as they are.
char32_t plain(char32_t code) {
  code = without_style(code);
  if (code >= 0xFF01 && code <= 0xFF5E) // full width
    code -= 0xFEE0;
  return code >= 'A' && code <= 'Z' ? code - 'A' + 'a' : code;
}

/// The ASCII letter that the character looks like, or the character itself.
char32_t letter_of(char32_t code) {
  code = plain(code);
  if (code < 0x80)
    return code;
  for (const auto& [first, letters] : rows)
    if (code >= first && code < first + letters.size() && letters[code - first] != ' ')
      return static_cast<char32_t>(letters[code - first]);
  return code;
}

bool is_combining_mark(char32_t code) {
  return (code >= 0x0300 && code <= 0x036F) || (code >= 0x1AB0 && code <= 0x1AFF)
         || (code >= 0x1DC0 && code <= 0x1DFF) || (code >= 0x20D0 && code <= 0x20FF)
         || (code >= 0xFE20 && code <= 0xFE2F);
}

/// Whether a reader does not read the character: a combining mark, or an invisible one.
bool is_hidden(char32_t code) {
  return is_combining_mark(code) || code == 0xFE0E || code == 0xFE0F
         || (is_unsafe(code) && !utf8::is_white_space(code));
}

/// Whether a character that `letter_of` gave is punctuation or a picture.
bool is_sign(char32_t code) {
  if (code < 0x80)
    return !((code >= 'a' && code <= 'z') || (code >= '0' && code <= '9'));
  return (code >= 0x80 && code <= 0xBF) || code == 0xD7 || code == 0xF7
         || (code >= 0x02B0 && code <= 0x02FF) || (code >= 0x2000 && code <= 0x2BFF)
         || (code >= 0x3000 && code <= 0x303F) || (code >= 0xFE10 && code <= 0xFE6F)
         || (code >= 0x1F000 && code <= 0x1FAFF);
}

} // namespace

std::string in_plain_letters(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    auto next = utf8::first_character(text);
    auto bytes = text.substr(0, next.bytes);
    text.remove_prefix(next.bytes);
    if (!next.valid) {
      result += bytes;
    } else if (utf8::is_white_space(next.code)) {
      if (!result.empty() && result.back() != ' ')
        result += ' ';
    } else if (!is_hidden(next.code)) {
      auto code = letter_of(next.code);
      if (auto parts = ligature(code); !parts.empty())
        result += parts;
      else if (code < 0x80)
        result += static_cast<char>(code);
      else
        result += bytes;
    }
  }
  return result;
}

std::string skeleton_of(std::string_view text) {
  std::string result;
  auto plain_text = in_plain_letters(text);
  for (std::string_view rest = plain_text; !rest.empty();) {
    auto next = utf8::first_character(rest);
    auto bytes = rest.substr(0, next.bytes);
    rest.remove_prefix(next.bytes);
    if (next.code == U'i' || next.code == U'1' || next.code == U'|')
      result += 'l';
    else if (next.code == U'0')
      result += 'o';
    else if (next.code == U'm')
      result += "rn";
    else if (!next.valid || !is_sign(next.code))
      result += bytes;
  }
  return result;
}

} // namespace scratchpage
