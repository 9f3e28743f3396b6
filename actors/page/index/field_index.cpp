#include "scratchpage/actors/page/index/field_index.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace scratchpage {

namespace {

template <class T>
void spell_number(T x, std::string& out) {
  std::array<char, 32> buffer;
  const auto* end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), x).ptr;
  out.push_back('n');
  out.append(buffer.data(), static_cast<size_t>(end - buffer.data()));
}

/// Spells whole numbers in the range of JSON's integers exactly, as integers.
void spell_double(double x, std::string& out) {
  if (x != std::trunc(x) || x < -0x1p63 || x >= 0x1p64)
    spell_number(x, out);
  else if (x < 0)
    spell_number(static_cast<int64_t>(x), out);
  else
    spell_number(static_cast<uint64_t>(x), out);
}

void add_term(field_index::dictionary& in, std::string_view text, uint32_t slot) {
  text_key key{text};
  auto* term = in.find(key);
  if (term == nullptr)
    term = in.insert(key, {std::string{text}, slot_set{}});
  term->second.add(slot);
}

void remove_term(field_index::dictionary& in, std::string_view text, uint32_t slot) {
  text_key key{text};
  auto* term = in.find(key);
  if (term == nullptr)
    return;
  term->second.remove(slot);
  if (term->second.empty())
    in.erase(key);
}

void move_term(
  field_index::dictionary& in, std::string_view before, std::string_view after, uint32_t slot) {
  if (before == after)
    return;
  remove_term(in, before, slot);
  add_term(in, after, slot);
}

const slot_set* find_term(const field_index::dictionary& in, std::string_view text) {
  const auto* term = in.find(text_key{text});
  return term != nullptr ? &term->second : nullptr;
}

/// Adds a clause for rows with any of the values; without values, all rows match. Returns false if
/// no row has one of them.
bool plan_any(
  const field_index::dictionary& in, const std::vector<std::string>& wanted, query_plan& plan) {
  if (wanted.empty())
    return true;
  std::vector<const slot_set*> sets;
  for (const auto& text : wanted)
    sets.push_back(find_term(in, text));
  std::sort(sets.begin(), sets.end()); // a value that is named twice counts once
  sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
  query_plan::clause one_of;
  for (const auto* set : sets)
    one_of.add(set);
  if (one_of.any_of.empty())
    return false;
  plan.all_of.push_back(std::move(one_of));
  return true;
}

bool plan_one(const slot_set* set, query_plan& plan) {
  query_plan::clause only;
  only.add(set);
  if (only.any_of.empty())
    return false;
  plan.all_of.push_back(std::move(only));
  return true;
}

/// Whether a context has at most `room` members in all, and no path longer than `max_path`.
bool is_small(const json::object& context, size_t prefix, size_t max_path, size_t& room) {
  for (const auto& [key, value] : context) {
    auto length = prefix + key.size();
    if (length > max_path || room-- == 0)
      return false;
    if (value.is_object() && !is_small(value.get_object(), length + 1, max_path, room))
      return false;
  }
  return true;
}

} // namespace

bool spell_scalar(const json::value& value, std::string& out) {
  out.clear();
  switch (value.kind()) {
  case json::kind::string:
    out.push_back('s');
    out.append(value.get_string().data(), value.get_string().size());
    return true;
  case json::kind::int64:
    spell_number(value.get_int64(), out);
    return true;
  case json::kind::uint64:
    spell_number(value.get_uint64(), out);
    return true;
  case json::kind::double_:
    spell_double(value.get_double(), out);
    return true;
  case json::kind::bool_:
    out.push_back(value.get_bool() ? 't' : 'f');
    return true;
  case json::kind::null:
    out.push_back('0');
    return true;
  default:
    return false;
  }
}

void field_index::add(uint32_t slot, const observation& x) {
  add_term(types_, x.type, slot);
  statuses_[static_cast<size_t>(x.status)].add(slot);
  add_term(sources_, x.source.name, slot);
  add_term(owners_, x.owner, slot);
  for (const auto& tag : x.tags)
    add_term(tags_, tag, slot);
  add_term(turns_, x.source.turn_id, slot);
  confidences_[bucket_of(x.confidence)].add(slot);
  if (!x.context.empty())
    add_context(slot, x.context);
}

void field_index::remove(uint32_t slot, const observation& x) {
  remove_term(types_, x.type, slot);
  statuses_[static_cast<size_t>(x.status)].remove(slot);
  remove_term(sources_, x.source.name, slot);
  remove_term(owners_, x.owner, slot);
  for (const auto& tag : x.tags)
    remove_term(tags_, tag, slot);
  remove_term(turns_, x.source.turn_id, slot);
  confidences_[bucket_of(x.confidence)].remove(slot);
  if (!x.context.empty())
    remove_context(slot, x.context);
}

void field_index::change(uint32_t slot, const observation& before, const observation& after) {
  move_term(types_, before.type, after.type, slot);
  move_term(sources_, before.source.name, after.source.name, slot);
  move_term(owners_, before.owner, after.owner, slot);
  move_term(turns_, before.source.turn_id, after.source.turn_id, slot);
  statuses_[static_cast<size_t>(before.status)].remove(slot);
  statuses_[static_cast<size_t>(after.status)].add(slot);
  confidences_[bucket_of(before.confidence)].remove(slot);
  confidences_[bucket_of(after.confidence)].add(slot);
  if (before.tags != after.tags) {
    for (const auto& tag : before.tags)
      remove_term(tags_, tag, slot);
    for (const auto& tag : after.tags)
      add_term(tags_, tag, slot);
  }
  if (before.context != after.context) {
    remove_context(slot, before.context);
    add_context(slot, after.context);
  }
}

void field_index::clear() {
  for (auto* each : {&types_, &sources_, &owners_, &tags_, &turns_})
    each->clear();
  for (auto& set : statuses_)
    set.clear();
  for (auto& set : confidences_)
    set.clear();
  paths_.clear();
  context_.clear();
  unindexed_contexts_.clear();
}

// -- context ------------------------------------------------------------------------

void field_index::add_context(uint32_t slot, const json::object& context) {
  size_t room = max_scalars;
  if (!is_small(context, 0, max_path, room)) {
    unindexed_contexts_.add(slot);
    return;
  }
  scalars_.for_each(context, [&](std::string_view name, std::string_view value) {
    text_key path_name{name};
    auto* known = paths_.find(path_name);
    if (known == nullptr)
      known = paths_.insert(path_name, {std::string{name}, path{++last_path_, 0}});
    path_key key{known->second.id, text_key{value.substr(0, max_value)}};
    auto* term = context_.find(key);
    if (term == nullptr) {
      ++known->second.uses;
      term = context_.insert(key, {path_value{key.path, std::string{key.value.text}}, slot_set{}});
    }
    term->second.add(slot);
    return true;
  });
}

void field_index::remove_context(uint32_t slot, const json::object& context) {
  if (unindexed_contexts_.remove(slot))
    return;
  // The term may be gone already, because "a.b" and "a": {"b"} are the same path.
  scalars_.for_each(context, [&](std::string_view name, std::string_view value) {
    text_key path_name{name};
    auto* known = paths_.find(path_name);
    if (known == nullptr)
      return true;
    path_key key{known->second.id, text_key{value.substr(0, max_value)}};
    auto* term = context_.find(key);
    if (term == nullptr)
      return true;
    term->second.remove(slot);
    if (!term->second.empty())
      return true;
    context_.erase(key);
    if (--known->second.uses == 0)
      paths_.erase(path_name);
    return true;
  });
}

// -- planning -----------------------------------------------------------------------

bool field_index::plan(const observation_filter& filter, query_plan& plan) const {
  for (const auto& tag : filter.tags)
    if (!plan_one(find_term(tags_, tag), plan))
      return false;
  if (filter.turn_id && !plan_one(find_term(turns_, *filter.turn_id), plan))
    return false;
  if (!plan_any(types_, filter.type, plan) || !plan_any(sources_, filter.source, plan)
      || !plan_any(owners_, filter.owner, plan) || !plan_context(filter, plan))
    return false;
  if (filter.min_confidence)
    plan_confidence(*filter.min_confidence, plan);
  // The wanted statuses become a clause, or, if fewer rows have the others, those are left out.
  std::array<bool, enum_names<status>.size()> wanted{};
  for (size_t i = 0; i < wanted.size(); ++i)
    wanted[i] = filter.status.empty() && is_live(static_cast<status>(i));
  for (auto x : filter.status)
    wanted[static_cast<size_t>(x)] = true;
  query_plan::clause in;
  query_plan::clause out;
  for (size_t i = 0; i < wanted.size(); ++i)
    (wanted[i] ? in : out).add(&statuses_[i]);
  if (in.any_of.empty())
    return false;
  if (!plan.all_of.empty() && out.size <= in.size)
    plan.none_of = std::move(out.any_of);
  else
    plan.all_of.push_back(std::move(in));
  std::stable_sort(plan.all_of.begin(), plan.all_of.end(),
    [](const auto& a, const auto& b) { return a.size < b.size; });
  return plan.all_of.front().size > 0;
}

bool field_index::plan_context(const observation_filter& filter, query_plan& plan) const {
  std::string spelling;
  for (const auto& [name, value] : filter.context) {
    if (!spell_scalar(value, spelling))
      return false; // filters can ask for scalars only
    query_plan::clause rows;
    rows.add(&unindexed_contexts_);
    auto is_exact = rows.any_of.empty() && spelling.size() <= max_value;
    if (const auto* known = paths_.find(text_key{name})) {
      auto prefix = std::string_view{spelling}.substr(0, max_value);
      const auto* term = context_.find(path_key{known->second.id, text_key{prefix}});
      rows.add(term != nullptr ? &term->second : nullptr);
    }
    if (rows.any_of.empty())
      return false;
    plan.all_of.push_back(std::move(rows));
    if (!is_exact || spelling.size() == max_value) // a longer value may have the same beginning
      plan.context.emplace_back(name, spelling);
  }
  return true;
}

size_t field_index::bucket_of(double confidence) {
  auto guess = static_cast<int>(std::clamp(confidence, 0.0, 1.0) * 20);
  // The guess may be off by one. k / 20.0 is exactly the number that "0.05" and so on are read as.
  if (guess < 20 && confidence >= (guess + 1) / 20.0)
    ++guess;
  else if (guess > 0 && confidence < guess / 20.0)
    --guess;
  return static_cast<size_t>(guess);
}

void field_index::plan_confidence(double at_least, query_plan& plan) const {
  if (at_least <= 0)
    return;
  auto first = at_least <= 1 ? bucket_of(at_least) : buckets; // NaN: no bucket
  query_plan::clause rows;
  for (auto i = first; i < buckets; ++i)
    rows.add(&confidences_[i]);
  if (first < buckets && at_least != static_cast<double>(first) / 20.0
      && !confidences_[first].empty())
    plan.min_confidence = at_least;
  plan.all_of.push_back(std::move(rows));
}

} // namespace scratchpage
