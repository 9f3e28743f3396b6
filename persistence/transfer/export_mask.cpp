#include "scratchpage/persistence/transfer/export_mask.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/event.hpp"
#include "scratchpage/messages/goal.hpp"
#include "scratchpage/messages/json_writer.hpp"
#include "scratchpage/messages/memory.hpp"
#include "scratchpage/messages/scratchbook.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/persistence/store/documents.hpp"
#include "scratchpage/persistence/stored_files/file_versions.hpp"
#include "scratchpage/persistence/stored_files/stored_file.hpp"
#include "scratchpage/persistence/transfer/export_lines.hpp"

namespace scratchpage {

namespace {

void mask(const pii_masker& with, observation& x) {
  with.mask(x);
}

void mask(const pii_masker& with, observation_ptr& x) {
  if (!x || !with.finds_any(*x))
    return;
  auto masked = *x;
  with.mask(masked);
  x = observation_ptr{std::move(masked)};
}

void mask(const pii_masker& with, page_event& x) {
  mask(with, x.observation);
}

void mask(const pii_masker& with, episode& x) {
  for (auto& one : x.observations)
    mask(with, one);
}

void mask(const pii_masker& with, std::string& x) {
  x = with.mask(x);
}

void mask(const pii_masker& with, goal& x) {
  mask(with, x.title);
  mask(with, x.description);
  for (auto& one : x.evidence)
    mask(with, one.content);
  with.mask(x.context);
  for (auto& one : x.pending_actions)
    mask(with, one.description);
}

void mask(const pii_masker& with, fact& x) {
  mask(with, x.statement);
  for (auto& tag : x.tags)
    mask(with, tag);
}

void mask(const pii_masker& with, json::value& x) {
  with.mask(x);
}

std::string text_of(const json::value& x) {
  return to_text(x);
}

template <described T>
std::string text_of(const T& x) {
  return to_json_text(x);
}

template <class T>
caf::expected<T> read(std::string_view json) {
  if constexpr (described<T>)
    return from_json_text<T>(json, stored_json);
  else
    return parse_json(json, stored_json);
}

template <class T>
caf::expected<std::string> masked(const pii_masker& with, std::string_view json) {
  auto x = read<T>(json);
  if (!x)
    return x.error();
  auto before = text_of(*x);
  mask(with, *x);
  auto after = text_of(*x);
  return after == before ? std::string{json} : after;
}

/// Whether the collection has only names and numbers, which are not masked.
bool has_none(std::string_view in) {
  return in == collection::types || in == collection::counters || in == collection::positions;
}

void mask(const pii_masker& with, json::object& item, std::string_view name) {
  if (auto* x = item.if_contains(name))
    with.mask(*x);
}

/// Masks the tags of an item. They are then sorted and duplicates are removed.
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

/// The masked file of a scratchbook; nothing if it is no scratchbook.
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
    auto behind = std::min(end + 1, bytes.size()); // after a byte that is no character
    result += bytes.substr(end, behind - end);
    bytes.remove_prefix(behind);
  }
  return result;
}

} // namespace

caf::expected<std::string> masked_event(const pii_masker& with, std::string_view json) {
  return masked<page_event>(with, json);
}

caf::expected<std::string> masked_observation(const pii_masker& with, std::string_view json) {
  return masked<observation>(with, json);
}

caf::expected<std::string> masked_document(
  const pii_masker& with, std::string_view collection, std::string_view json) {
  if (collection == collection::goals)
    return masked<goal>(with, json);
  if (collection == collection::facts)
    return masked<fact>(with, json);
  if (collection == collection::stories || collection == collection::episodes)
    return masked<episode>(with, json);
  if (has_none(collection))
    return std::string{json};
  return masked<json::value>(with, json);
}

std::string masked_file(const pii_masker& with, std::string_view bytes) {
  auto book = masked_book(with, bytes);
  return book ? std::move(*book) : masked_text(with, bytes);
}

} // namespace scratchpage
