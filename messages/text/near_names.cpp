#include "scratchpage/messages/text/near_names.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace scratchpage {

namespace {

constexpr std::array members{
  other_name{"action", "action_id action_type"},
  other_name{"actions", "pending_actions"},
  other_name{"after", "created_after after"},
  other_name{"answer", "response outputs"},
  other_name{"args", "inputs arguments"},
  other_name{"arguments", "inputs"},
  other_name{"before", "created_before before"},
  other_name{"body", "content body"},
  other_name{"category", "type kind tags"},
  other_name{"certainty", "confidence"},
  other_name{"content", "text statement body title input"},
  other_name{"count", "limit"},
  other_name{"data", "metadata context"},
  other_name{"description", "content body statement"},
  other_name{"details", "body description content"},
  other_name{"duration", "ttl_minutes duration_ms days"},
  other_name{"entry", "content text"},
  other_name{"expires_in", "ttl_minutes days"},
  other_name{"fact", "statement fact_id text"},
  other_name{"from", "created_after after valid_from"},
  other_name{"goal", "goal_id title"},
  other_name{"id", "observation_id fact_id goal_id turn_id id"},
  other_name{"importance", "priority confidence"},
  other_name{"input", "inputs prompt"},
  other_name{"item_id", "id"},
  other_name{"keyword", "query tags"},
  other_name{"keywords", "tags query"},
  other_name{"kind", "type kind goal_type"},
  other_name{"label", "tags"},
  other_name{"labels", "tags"},
  other_name{"max", "limit"},
  other_name{"max_results", "limit"},
  other_name{"max_tokens", "budget"},
  other_name{"memory", "text content statement"},
  other_name{"memory_id", "id fact_id observation_id"},
  other_name{"message", "content text input response"},
  other_name{"min_score", "min_confidence"},
  other_name{"n", "limit"},
  other_name{"name", "title tool_id statement"},
  other_name{"note", "content text body title"},
  other_name{"observation", "content observation_id"},
  other_name{"observations", "drafts observation_ids"},
  other_name{"output", "outputs"},
  other_name{"params", "inputs"},
  other_name{"prompt", "input query"},
  other_name{"q", "query"},
  other_name{"query", "prompt input"},
  other_name{"question", "query input"},
  other_name{"reply", "response"},
  other_name{"result", "outputs response"},
  other_name{"score", "confidence min_confidence"},
  other_name{"search", "query"},
  other_name{"since", "created_after after valid_from"},
  other_name{"source", "in"},
  other_name{"state", "status"},
  other_name{"statement", "content text"},
  other_name{"steps", "pending_actions"},
  other_name{"subject", "about title"},
  other_name{"summary", "title content"},
  other_name{"tag", "tags"},
  other_name{"task", "title"},
  other_name{"text", "content statement body input response query title"},
  other_name{"threshold", "min_confidence"},
  other_name{"title", "content text"},
  other_name{"tokens", "budget"},
  other_name{"tool", "tool_id"},
  other_name{"tool_name", "tool_id"},
  other_name{"top_k", "limit"},
  other_name{"topic", "about tags query"},
  other_name{"ttl", "ttl_minutes days"},
  other_name{"type", "kind goal_type"},
  other_name{"until", "created_before before valid_until"},
  other_name{"user", "user_id about"},
  other_name{"user_input", "input"},
  other_name{"user_message", "input"},
  other_name{"value", "content text"},
  other_name{"words", "query"},
};

constexpr std::array values{
  other_name{"canceled", "abandoned cancelled archived"},
  other_name{"cancelled", "abandoned archived"},
  other_name{"closed", "resolved completed done"},
  other_name{"complete", "completed done resolved"},
  other_name{"completed", "done resolved"},
  other_name{"critical", "high"},
  other_name{"deleted", "archived abandoned"},
  other_name{"doing", "in_progress active"},
  other_name{"done", "completed resolved done"},
  other_name{"dropped", "abandoned archived"},
  other_name{"failed", "error abandoned"},
  other_name{"failure", "error"},
  other_name{"finished", "completed resolved done"},
  other_name{"fixed", "resolved completed done"},
  other_name{"me", "agent"},
  other_name{"new", "active open pending"},
  other_name{"normal", "medium"},
  other_name{"open", "active pending"},
  other_name{"paused", "blocked"},
  other_name{"pending", "pending_review open"},
  other_name{"person", "user"},
  other_name{"removed", "archived"},
  other_name{"started", "in_progress active"},
  other_name{"success", "ok"},
  other_name{"succeeded", "ok"},
  other_name{"todo", "open pending"},
  other_name{"urgent", "high"},
  other_name{"waiting", "blocked pending_review"},
};

/// The number of letters to insert, remove, replace or exchange with their neighbour to make one
/// text of the other; more than `most` if that many are not enough.
size_t distance(std::string_view a, std::string_view b, size_t most) {
  if (a.size() > b.size() + most || b.size() > a.size() + most)
    return most + 1;
  std::vector<size_t> before, above(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    above[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = above;
    std::swap(above, row);
  }
  return above[b.size()];
}

/// Whether the given name is the beginning of a known one, or else one of them begins or ends with
/// the other.
bool begins_or_ends_alike(std::string_view given, std::string_view known) {
  constexpr size_t least_of_beginning = 2, least = 4;
  if (given.size() >= least_of_beginning && known.starts_with(given))
    return true;
  auto [part, whole] =
    given.size() < known.size() ? std::pair{given, known} : std::pair{known, given};
  return part.size() >= least && (whole.starts_with(part) || whole.ends_with(part));
}

class suggestions {
public:
  suggestions(std::span<const std::string_view> known, size_t most)
    : known_{known},
      most_{most} {}

  void add(std::string_view x) {
    auto found = std::ranges::find(known_, x);
    if (found != known_.end() && result.size() < most_
        && std::ranges::find(result, x) == result.end())
      result.push_back(*found);
  }

  std::vector<std::string_view> result;

private:
  std::span<const std::string_view> known_;
  size_t most_;
};

void add_words(suggestions& to, std::string_view words) {
  while (!words.empty()) {
    auto end = std::min(words.find(' '), words.size());
    to.add(words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
}

bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}

std::optional<std::string_view> first(const std::vector<std::string_view>& x) {
  return x.empty() ? std::nullopt : std::optional{x.front()};
}

} // namespace

std::string as_member_name(std::string_view given) {
  std::string result;
  auto was_lower = false;
  for (auto c : given.substr(0, near_name_bytes)) {
    if (is_upper(c) && was_lower)
      result += '_';
    was_lower = c >= 'a' && c <= 'z';
    if (c == '-' || c == ' ' || c == '.')
      c = '_';
    result += is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return result;
}

std::vector<std::string_view> near_names(std::string_view given,
  std::span<const std::string_view> known, std::span<const other_name> others, size_t most) {
  suggestions found{known, most};
  if (given.empty() || given.size() > near_name_bytes)
    return {};
  auto name = as_member_name(given);
  found.add(name);
  for (const auto& x : others)
    if (x.given == name)
      add_words(found, x.meant);
  if (!found.result.empty()) // more certain than the spelling
    return std::move(found.result);
  auto allowed = std::min<size_t>(2, name.size() / 3);
  for (size_t letters = 1; letters <= allowed; ++letters)
    for (auto x : known)
      if (distance(name, x, allowed) == letters)
        found.add(x);
  for (auto x : known)
    if (begins_or_ends_alike(name, x))
      found.add(x);
  return std::move(found.result);
}

std::optional<std::string_view> near_member(
  std::string_view given, std::span<const std::string_view> known) {
  return first(near_names(given, known, members, 1));
}

std::optional<std::string_view> near_value(
  std::string_view given, std::span<const std::string_view> known) {
  return first(near_names(given, known, values, 1));
}

} // namespace scratchpage
