#include "scratchpage/persistence/transfer/file_mask.hpp"

#include <algorithm>
#include <optional>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/scratchbook.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/persistence/stored_files/book_checksum.hpp"
#include "scratchpage/persistence/stored_files/stored_file.hpp"

namespace scratchpage {

namespace {

void mask(const pii_masker& with, json::object& item, std::string_view name) {
  if (auto* x = item.if_contains(name))
    with.mask(*x);
}

/// They stay sorted, and none is there twice.
void mask_tags(const pii_masker& with, json::object& item) {
  auto* x = item.if_contains("tags");
  if (x == nullptr || !x->is_array())
    return;
  with.mask(*x);
  auto& tags = x->get_array();
  auto text_of = [](const json::value& tag) -> const json::string& { return tag.get_string(); };
  std::sort(tags.begin(), tags.end(),
    [&](const auto& a, const auto& b) { return text_of(a) < text_of(b); });
  tags.erase(std::unique(tags.begin(), tags.end()), tags.end());
}

void mask_item(const pii_masker& with, json::value& x) {
  auto& item = x.get_object();
  for (const auto* name : {"title", "body", "phase"})
    mask(with, item, name);
  mask_tags(with, item);
}

/// Nothing, if it is no scratchbook.
std::optional<std::string> masked_book(const pii_masker& with, std::string_view bytes) {
  if (!bytes.starts_with('{'))
    return std::nullopt;
  constexpr json_limits limits{max_stored_file_bytes, 8, any_number_of_values};
  auto value = parse_json(bytes, limits);
  if (!value)
    return std::nullopt;
  auto version = take_version(value->get_object());
  if (!version || !from_json<scratchbook>(*value))
    return std::nullopt;
  auto before = to_text(*value);
  for (auto& item : value->get_object().at("items").as_array())
    mask_item(with, item);
  auto after = to_text(*value);
  return after == before ? std::string{bytes}
                         : to_book_file(std::move(value->get_object()), version->revision).text;
}

std::string masked_text(const pii_masker& with, std::string_view bytes) {
  std::string result;
  while (!bytes.empty()) {
    auto end = std::min(utf8::first_invalid(bytes), bytes.size());
    result += with.mask(bytes.substr(0, end));
    auto behind = std::min(end + 1, bytes.size()); // of what is no character
    result += bytes.substr(end, behind - end);
    bytes.remove_prefix(behind);
  }
  return result;
}

} // namespace

std::string masked_file(const pii_masker& with, std::string_view bytes) {
  auto book = masked_book(with, bytes);
  return book ? std::move(*book) : masked_text(with, bytes);
}

} // namespace scratchpage
