#include "scratchpage/persistence/transfer/export_mask.hpp"

#include <utility>

#include "scratchpage/messages/event.hpp"
#include "scratchpage/messages/goal.hpp"
#include "scratchpage/messages/json_writer.hpp"
#include "scratchpage/messages/memory.hpp"
#include "scratchpage/persistence/store/documents.hpp"
#include "scratchpage/persistence/transfer/document_check.hpp"

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

/// Names and numbers only, which stay.
bool has_none(std::string_view in) {
  return in == collection::types || in == collection::counters || in == collection::positions;
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

} // namespace scratchpage
