#include <string>

#include "scratchpage/actors/conversation/read_back.hpp"
#include "scratchpage/actors/page/index/ranked_cursors.hpp"
#include "scratchpage/actors/scratchbook/scratchbook_rules.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/text/display_text.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/persistence/files/base64.hpp"
#include "scratchpage/tests/fuzz/targets.hpp"

namespace scratchpage::fuzz {

namespace {

constexpr size_t short_bytes = 20;
constexpr uint32_t few_tokens = 40;

void show(std::string_view bytes) {
  auto shown = escaped(bytes);
  promise(utf8::is_valid(shown), "what is shown is UTF-8");
  promise(escaped(shown) == shown || shown.find('\\') != std::string::npos, "it is escaped");
  for (std::string_view rest = shown; !rest.empty();) {
    auto next = utf8::first_character(rest);
    promise(!is_unsafe(next.code), "no character controls a terminal");
    rest.remove_prefix(next.bytes);
  }
}

void cut(std::string_view text) {
  auto prefix = utf8::prefix(text, short_bytes);
  promise(prefix.size() <= short_bytes && utf8::is_valid(prefix), "a prefix has whole characters");
  auto cut = utf8::shortened(text, short_bytes);
  promise(cut.size() <= short_bytes && utf8::is_valid(cut), "so has a shortened text");
  promise(text.size() > short_bytes || cut == text, "a short text is not cut");
  auto preview = preview_of(text, "large/x.txt", few_tokens, estimate_tokens);
  promise(utf8::is_valid(preview), "a preview is UTF-8");
  promise(estimate_tokens(preview) <= few_tokens, "a preview is within its budget");
}

void quote(std::string_view text) {
  std::string quoted;
  append_quoted(quoted, text);
  json_limits limits;
  limits.max_bytes = quoted.size();
  auto read = parse_json(quoted, limits);
  promise(read && read->is_string() && read->get_string() == text, "a text is the same again");
}

void read_in_pages(std::string_view text) {
  std::string all;
  uint64_t at = 0;
  do {
    auto page = page_of(text.substr(at), at, text.size(), few_tokens);
    promise(page.next == 0 || page.next > at, "each page advances");
    all += page.text;
    at = page.next;
  } while (at != 0);
  promise(all == text, "the pages are the whole text");
}

void read_small_things(std::string_view text) {
  auto tag = normalized_tag(text);
  promise(normalized_tag(tag) == tag, "normalizing again changes nothing");
  if (auto at = from_rfc3339(text))
    promise(from_rfc3339(to_rfc3339(*at)) == to_milliseconds(*at), "a time is the same again");
  if (auto cursor = ranked_cursors::from_text(text); cursor && !text.empty()) {
    auto again = ranked_cursors::from_text(ranked_cursors::to_text(*cursor));
    promise(again && again->before == cursor->before && again->order == cursor->order
              && again->offset == cursor->offset,
      "a cursor is the same again");
  }
}

} // namespace

void texts(std::string_view bytes) {
  promise(utf8::is_valid(bytes) == (utf8::first_invalid(bytes) == std::string_view::npos),
    "a text is valid if no byte is invalid");
  show(bytes);
  promise(from_base64(to_base64(bytes)) == bytes, "bytes are the same after base64");
  if (auto read = from_base64(bytes))
    promise(to_base64(*read) == bytes, "base64 is the same again");
  if (!utf8::is_valid(bytes))
    return;
  cut(bytes);
  quote(bytes);
  read_in_pages(bytes);
  read_small_things(bytes);
}

} // namespace scratchpage::fuzz
