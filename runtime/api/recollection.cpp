#include "scratchpage/runtime/api/recollection.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "scratchpage/actors/policies/statement_signs.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/text/display_text.hpp"
#include "scratchpage/messages/text/key_text.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/persistence/memories/semantic_store.hpp"

namespace scratchpage {

namespace {

constexpr double minutes_of_day = 24 * 60;

caf::error wrong(std::string_view field, std::string_view expected) {
  return fail(errc::invalid_request, field, "expected " + std::string{expected});
}

/// Whether a date such as 2025-11-05 begins there.
bool has_date_at(std::string_view text, size_t at) {
  constexpr std::string_view form = "dddd-dd-dd";
  if (text.size() - at < form.size())
    return false;
  for (size_t i = 0; i < form.size(); ++i) {
    auto c = text[at + i];
    if (form[i] == 'd' ? c < '0' || c > '9' : c != form[i])
      return false;
  }
  return true;
}

/// The text without dates, whose digits would look like the number of a card.
std::string without_dates(std::string_view text) {
  constexpr size_t date_bytes = 10;
  std::string result;
  for (size_t i = 0; i < text.size(); ++i)
    if (has_date_at(text, i))
      i += date_bytes - 1;
    else
      result += text[i];
  return result;
}

caf::error check_memory(const remember_arguments& x) {
  if (utf8::is_blank(x.text) || x.text.size() > recall_limits::text_bytes)
    return wrong("text", "what to remember, in words, in at most 60000 bytes");
  if (!utf8::is_valid(x.text) || !is_key_text(x.about)
      || x.about.size() > recall_limits::about_bytes)
    return wrong(utf8::is_valid(x.text) ? "about" : "text", "UTF-8, for about at most 128 bytes");
  if (x.days && !(*x.days >= recall_limits::least_days && *x.days <= recall_limits::days))
    return wrong("days", "a number from 1 to 365");
  if (tells_secret(without_dates(x.text)))
    return wrong("text", "no secret, such as a password, a PIN or the number of a card: all that "
                         "works for this agent can read what is remembered");
  return {};
}

/// The text with whom it is about, if it does not say so itself.
std::string with_subject(const remember_arguments& x) {
  auto blank = utf8::is_blank(x.about);
  if (blank || skeleton_of(x.text).find(skeleton_of(x.about)) != std::string::npos)
    return x.text;
  return x.about + ": " + x.text;
}

bool may_be_fact(const std::string& text) {
  return text.size() <= fact_limits::statement_bytes && is_key_text(text)
         && text.find('\n') == std::string::npos && !is_passing(text) && !is_question(text);
}

recalled_memory as_memory(const observation& x) {
  return {x.observation_id, x.content, x.created_at, said_by(x.source)};
}

recalled_memory as_memory(const fact& x) {
  return {x.fact_id, x.statement, x.last_seen, x.sources.empty() ? "" : x.sources.back()};
}

recalled_memory as_memory(const memory_hit& x) {
  const auto& id = !x.fact_id.empty()          ? x.fact_id
                   : !x.observation_id.empty() ? x.observation_id
                                               : x.turn_id;
  return {id, x.text, x.at, x.source};
}

} // namespace

caf::expected<kept_text> read_memory(const remember_arguments& given, double default_ttl_minutes) {
  if (auto err = check_memory(given))
    return err;
  kept_text result{with_subject(given)};
  result.is_fact = !given.days && may_be_fact(result.text);
  if (given.days)
    result.ttl_minutes = *given.days * minutes_of_day;
  else if (is_passing(result.text))
    result.ttl_minutes = default_ttl_minutes;
  else
    result.ttl_minutes = recall_limits::days * minutes_of_day;
  return result;
}

recollection told(const memory_hits& found) {
  recollection result;
  std::ranges::transform(
    found.hits, std::back_inserter(result.memories), [](const auto& x) { return as_memory(x); });
  result.total_count = found.total_count;
  if (result.memories.empty())
    result.said = "Nothing that is remembered has these words. Try other or fewer words, or call "
                  "recall without a query for the latest";
  else if (found.partial)
    result.said = "Not everything was searched";
  return result;
}

recollection told(const query_result& page, const fact_list& facts, uint32_t limit) {
  recollection result;
  for (const auto& x : page.observations)
    result.memories.push_back(as_memory(*x));
  for (const auto& x : facts.facts)
    result.memories.push_back(as_memory(x));
  result.total_count = page.total_count + facts.total_count;
  std::ranges::stable_sort(result.memories, std::ranges::greater{}, &recalled_memory::when);
  if (result.memories.size() > limit)
    result.memories.resize(limit);
  if (result.memories.empty())
    result.said = "Nothing is remembered yet";
  return result;
}

const std::vector<std::string>& telling_types() {
  static const std::vector<std::string> all{"observation", "contextual_insight",
    "action_suggestion", "pattern_detected", "dependency", "reminder", "alert", "risk_alert",
    "security_alert", "learning"};
  return all;
}

} // namespace scratchpage
