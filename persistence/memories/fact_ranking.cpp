#include "scratchpage/persistence/memories/fact_ranking.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <tuple>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/limits.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/query.hpp"
#include "scratchpage/messages/text/tokens.hpp"
#include "scratchpage/persistence/memories/semantic_store.hpp"

namespace scratchpage {

bool is_said_by_user(std::string_view said_by, std::string_view user_id) {
  auto name = std::string{"user "}.append(user_id);
  return said_by == name || said_by.starts_with(name + ", relayed by ");
}

fact_ranking::fact_ranking(const query_facts& what)
  : what_{what},
    words_{word_hashes_of(what.text)},
    said_{normalised_statement(what.text)} {}

void fact_ranking::look_at(uint64_t number, const fact& x, std::span<const uint64_t> words) {
  auto shared = count_shared(words, words_);
  if (!is_meant(x, shared))
    return;
  auto first =
    what_.latest ? static_cast<uint64_t>(x.last_seen.time_since_epoch().count()) : shared;
  found_.push_back({{first, x.confidence, x.support, number}, &x});
}

/// A text in a script without blanks is one word. For this reason a statement that contains the
/// text matches, too.
bool fact_ranking::is_meant(const fact& x, uint64_t shared) const {
  if (x.confidence < what_.min_confidence || !has_all_tags(x.tags, what_.tags))
    return false;
  if (what_.latest && x.valid_until)
    return false;
  auto is_theirs = [this](const std::string& one) { return is_said_by_user(one, what_.user_id); };
  if (!what_.user_id.empty() && std::ranges::none_of(x.sources, is_theirs))
    return false;
  return !what_.selects || said_.empty() || shared > 0
         || normalised_statement(x.statement).find(said_) != std::string::npos;
}

bool fact_ranking::comes_before(const place& a, const place& b) {
  return std::tie(a.first, a.confidence, a.support, b.number)
         > std::tie(b.first, b.confidence, b.support, a.number);
}

std::string fact_ranking::to_cursor(const place& x) {
  return std::to_string(x.first) + "." + std::to_string(std::bit_cast<uint64_t>(x.confidence)) + "."
         + std::to_string(x.support) + "." + std::to_string(x.number);
}

caf::expected<fact_ranking::place> fact_ranking::from_cursor(std::string_view cursor) {
  std::array<uint64_t, 4> parts{};
  const auto* at = cursor.data();
  const auto* end = at + cursor.size();
  for (auto& part : parts) {
    auto [next, problem] = std::from_chars(at, end, part);
    auto is_last = &part == &parts.back();
    if (problem != std::errc{} || (next == end) != is_last || (!is_last && *next != '.'))
      return fail(errc::invalid_request, "cursor", "expected the next_cursor of an earlier answer");
    at = is_last ? next : next + 1;
  }
  return place{parts[0], std::bit_cast<double>(parts[1]), parts[2], parts[3]};
}

caf::expected<fact_list> fact_ranking::result() {
  if (auto err = check_limit(what_.limit))
    return err;
  std::ranges::sort(found_, comes_before, &entry::at);
  fact_list result;
  result.total_count = found_.size();
  auto first = found_.begin();
  if (!what_.cursor.empty()) {
    auto last = from_cursor(what_.cursor);
    if (!last)
      return last.error();
    first = std::ranges::upper_bound(found_, *last, comes_before, &entry::at);
  }
  for (auto i = first; i != found_.end(); ++i) {
    if (result.facts.size() == what_.limit) {
      result.next_cursor = to_cursor((i - 1)->at);
      break;
    }
    result.facts.push_back(*i->known);
    auto& told = result.facts.back();
    if (told.valid_from == timestamp{}) // older versions did not keep it
      told.valid_from = told.first_seen;
  }
  return result;
}

} // namespace scratchpage
