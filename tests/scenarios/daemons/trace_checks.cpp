#include "scratchpage/tests/scenarios/daemons/trace_checks.hpp"

#include <algorithm>

#include "scratchpage/messages/codec.hpp"

namespace scratchpage::test {

std::vector<trace_entry> entries_of(
  const memory_trace& trace, std::string_view operation, std::string_view source) {
  auto result = trace.entries();
  std::erase_if(result, [&](const trace_entry& x) {
    return x.operation != operation || (!source.empty() && x.source != source);
  });
  return result;
}

std::string detail_of(const trace_entry& x, std::string_view key) {
  const auto* value = x.detail.if_contains(json::string_view{key.data(), key.size()});
  if (value == nullptr)
    return {};
  return value->is_string() ? std::string{value->get_string()} : to_text(*value);
}

std::vector<trace_entry> entries_about(
  const memory_trace& trace, std::string_view operation, std::string_view observation_id) {
  auto result = entries_of(trace, operation);
  std::erase_if(
    result, [&](const trace_entry& x) { return detail_of(x, "observation_id") != observation_id; });
  return result;
}

bool is_caused_by(const memory_trace& trace, const trace_entry& x, span_id cause) {
  auto entries = trace.entries();
  auto parent = x.parent;
  for (size_t steps = 0; parent != 0 && steps < entries.size(); ++steps) {
    if (parent == cause)
      return true;
    auto next = std::find_if(
      entries.begin(), entries.end(), [&](const trace_entry& one) { return one.id == parent; });
    parent = next == entries.end() ? 0 : next->parent;
  }
  return false;
}

std::string text(const observation_ptr& x) {
  return x ? to_text(to_json(x)) : "(none)";
}

std::string text(const std::vector<observation_ptr>& xs) {
  std::string result;
  for (const auto& x : xs)
    result += text(x) + "\n";
  return result;
}

std::string contents(const std::vector<observation_ptr>& xs) {
  std::string result;
  for (const auto& x : xs)
    result.append(result.empty() ? "" : ", ").append(x->content);
  return result;
}

bool has_tag(const observation_ptr& x, std::string_view tag) {
  return std::find(x->tags.begin(), x->tags.end(), tag) != x->tags.end();
}

std::string metadata(const observation_ptr& x, std::string_view key) {
  const auto* value = x->metadata.if_contains(json::string_view{key.data(), key.size()});
  if (value == nullptr)
    return {};
  return value->is_string() ? std::string{value->get_string()} : to_text(*value);
}

observation_filter tagged(std::vector<std::string> tags) {
  observation_filter filter;
  filter.tags = std::move(tags);
  return filter;
}

observation_filter typed(std::string type) {
  observation_filter filter;
  filter.type = {std::move(type)};
  return filter;
}

query_observations query_by(
  caller by, observation_filter filter, std::string text, uint32_t limit) {
  query_observations request;
  request.by = std::move(by);
  request.text = std::move(text);
  request.filter = std::move(filter);
  request.limit = limit;
  return request;
}

} // namespace scratchpage::test
