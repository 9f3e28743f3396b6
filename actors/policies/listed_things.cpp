#include "scratchpage/actors/policies/listed_things.hpp"

#include <algorithm>
#include <array>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/actors/policies/sentence_text.hpp"
#include "scratchpage/messages/text/trimmed.hpp"

namespace scratchpage {

namespace {

constexpr std::string_view around_items = " \t\r\n.!;,";

/// Between the last two things of a list.
constexpr std::array<std::string_view, 9> joints{
  " and ", " und ", " sowie ", " et ", " y ", " e ", " or ", " oder ", " ou "};

/// Before the first thing of a sentence that lists some.
constexpr std::array<std::string_view, 21> list_openings{"you have ", "you've got ", "you own ",
  "there is ", "there's ", "there are ", "i found ", "i see ", "i have ", "we have ", "du hast ",
  "sie haben ", "es gibt ", "ich habe ", "tu as ", "vous avez ", "il y a ", "tienes ", "hay ",
  "tiene ", "tengo "};

/// The rest of a line behind the sign or the number of an item, "" if it has none.
std::string_view behind_mark(std::string_view line) {
  line = trimmed(line);
  for (std::string_view mark : {"- ", "* ", "\xE2\x80\xA2 ", "\xE2\x80\x93 "})
    if (line.starts_with(mark))
      return trimmed(line.substr(mark.size()));
  auto digits = line.find_first_not_of("0123456789");
  if (digits == 0 || digits > 2 || line.size() < digits + 2)
    return {};
  auto is_mark = (line[digits] == '.' || line[digits] == ')') && line[digits + 1] == ' ';
  return is_mark ? trimmed(line.substr(digits + 1)) : std::string_view{};
}

/// The items that have a line each; nothing if another line than a question follows them.
listing listed_in_lines(std::string_view text) {
  listing result;
  result.is_marked = true;
  for (size_t begin = 0; begin < text.size();) {
    auto end = std::min(text.find('\n', begin), text.size());
    auto line = text.substr(begin, end - begin);
    if (auto item = behind_mark(line); !item.empty() && result.items.size() < listing_limits::items)
      result.items.push_back(trimmed(item, around_items));
    else if (result.items.empty())
      result.intro = text.substr(0, end);
    else if (!trimmed(line).empty() && !ends_with_question_mark(line))
      return {};
    begin = end + 1;
  }
  return result.items.size() > 1 ? result : listing{};
}

void add_item(listing& to, std::string_view part) {
  part = trimmed(part, around_items);
  for (auto joint : joints) {
    auto first = joint.substr(1);
    if (part.starts_with(first))
      part.remove_prefix(first.size());
  }
  if (!part.empty() && to.items.size() < listing_limits::items)
    to.items.push_back(part);
}

/// Adds the parts between the separators.
void add_parts(listing& to, std::string_view text, std::string_view separator) {
  for (size_t begin = 0; begin <= text.size();) {
    auto end = std::min(text.find(separator, begin), text.size());
    add_item(to, text.substr(begin, end - begin));
    begin = end + separator.size();
  }
}

struct joint_place {
  size_t at = std::string_view::npos;
  size_t bytes = 0;
};

/// The last joint of two things.
joint_place last_joint_in(std::string_view text) {
  joint_place result;
  for (auto joint : joints)
    if (auto at = text.rfind(joint);
        at != std::string_view::npos && (result.bytes == 0 || at > result.at))
      result = {at, joint.size()};
  return result;
}

/// "A, B and C", "A, B, and C, which is new", or "A with D and E, B".
void add_enumerated(listing& to, std::string_view text) {
  auto joint = last_joint_in(text);
  auto comma = text.rfind(", ");
  auto has_comma_before = joint.bytes > 0 && joint.at > 0 && text[joint.at - 1] == ',';
  auto is_last = joint.bytes > 0 && (comma == std::string_view::npos || comma < joint.at);
  if (!is_last && !has_comma_before)
    return add_parts(to, text, ", ");
  add_parts(to, text.substr(0, joint.at), ", ");
  add_item(to, text.substr(joint.at + joint.bytes));
}

std::string_view without_opening(std::string_view text) {
  auto small = in_lower_case(text.substr(0, std::min<size_t>(text.size(), 16)));
  for (auto opening : list_openings)
    if (small.starts_with(opening))
      return text.substr(opening.size());
  return text;
}

/// Where the list behind a colon begins; 0 if there is none.
size_t behind_colon(std::string_view sentence) {
  if (auto at = sentence.find(": "); at != std::string_view::npos)
    return at + 2;
  constexpr std::string_view wide = "\xEF\xBC\x9A";
  auto at = sentence.find(wide);
  return at != std::string_view::npos ? at + wide.size() : 0;
}

} // namespace

listing listed_in(std::string_view text) {
  if (text.size() > listing_limits::text_bytes)
    return {};
  if (auto lines = listed_in_lines(text); !lines.items.empty())
    return lines;
  auto sentences = sentences_of(text);
  while (!sentences.empty() && ends_with_question_mark(sentences.back()))
    sentences.pop_back();
  if (sentences.empty())
    return {};
  listing result;
  auto body = sentences.back();
  auto colon = behind_colon(body);
  body = colon > 0 ? body.substr(colon) : without_opening(body);
  result.intro = text.substr(0, static_cast<size_t>(body.data() - text.data()));
  auto has_semicolons = body.find("; ") != std::string_view::npos;
  result.is_marked = colon > 0 || has_semicolons;
  if (has_semicolons)
    add_parts(result, body, "; ");
  else
    add_enumerated(result, body);
  return result.items.size() > 1 ? result : listing{};
}

} // namespace scratchpage
