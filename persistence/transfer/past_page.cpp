#include "scratchpage/persistence/transfer/past_page.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/input_text.hpp"
#include "scratchpage/persistence/store/journal.hpp"
#include "scratchpage/persistence/store/store_errors.hpp"

namespace scratchpage {

namespace {

/// Where the next part begins: observations of the page after `sequence` with lower numbers. As a
/// text it is "SEQUENCE-NUMBER".
struct page_place {
  uint64_t sequence = 0;
  uint64_t before = UINT64_MAX;

  std::string to_cursor() const { return std::to_string(sequence) + "-" + std::to_string(before); }
};

std::optional<page_place> read_place(std::string_view text) {
  page_place result;
  const auto* end = text.data() + text.size();
  auto first = std::from_chars(text.data(), end, result.sequence);
  if (first.ec != std::errc{} || first.ptr == end || *first.ptr != '-')
    return std::nullopt;
  auto second = std::from_chars(first.ptr + 1, end, result.before);
  return second.ec == std::errc{} && second.ptr == end ? std::optional{result} : std::nullopt;
}

caf::error check(const past_page_query& x) {
  if (x.sequence && x.at)
    return fail(errc::invalid_request, "at", "expected either this member or `sequence`");
  if (x.limit)
    if (auto err = check_limit(*x.limit))
      return err;
  if (!x.cursor.empty() && !read_place(x.cursor))
    return fail(errc::invalid_request, "cursor", "expected the `next_cursor` of an earlier answer");
  return {};
}

/// Finds the first and the last change that a history has.
caf::expected<past_page> read_range(store& from, uint64_t agent) {
  past_page result;
  auto oldest = from.find_snapshot(agent, snapshot_kind::oldest);
  auto last = from.end_of_journal(agent);
  if (!oldest || !last)
    return oldest ? last.error() : oldest.error();
  result.last_sequence = *last;
  if (*last == 0)
    return result;
  result.first_sequence = std::max<uint64_t>(oldest->sequence, 1);
  if (oldest->sequence > 0)
    result.first_at = result.last_at = oldest->at;
  caf::error damaged;
  auto find_first = [&](journal_group&& group) {
    auto events = events_of(group);
    if (!events)
      damaged = needs_repair(describe(events.error()));
    else
      result.first_at = events->front().at;
    return false;
  };
  caf::error err;
  if (oldest->sequence == 0)
    err = from.read_journal(agent, 0, find_first);
  if (!err)
    err = from.read_journal(agent, *last - 1, [&](journal_group&& group) {
      result.last_at = group.at;
      return true;
    });
  if (err || damaged)
    return err ? err : damaged;
  return result;
}

moment moment_of(const past_page_query& x, uint64_t last) {
  if (x.at)
    return *x.at;
  if (x.sequence)
    return *x.sequence;
  return x.cursor.empty() ? last : read_place(x.cursor)->sequence;
}

/// Names the argument instead of the moment.
caf::error in_words_of(const past_page_query& x, const caf::error& why) {
  if (code_of(why) != errc::invalid_request)
    return why;
  const auto* name = x.at ? "at" : x.sequence || x.cursor.empty() ? "sequence" : "cursor";
  return fail(errc::invalid_request, name, expectation_of(why));
}

/// Adds the part of the page that is asked for.
caf::error add_part(const past_page_query& which, const page_state& page, past_page& to) {
  page_place from{page.sequence};
  if (!which.cursor.empty())
    from = *read_place(which.cursor);
  if (from.sequence != page.sequence)
    return fail(errc::invalid_request, "cursor",
      "expected the `next_cursor` of an answer about the same page; that one is about the page "
      "after sequence "
        + std::to_string(from.sequence));
  const auto most = which.limit.value_or(past_page_query::usual);
  answer_room room{answer_limits::bytes};
  auto next = page.observations.lower_bound(from.before);
  while (next != page.observations.begin()) {
    const auto& [number, x] = *std::prev(next);
    if (to.observations.size() == most || !room.takes(*x)) {
      from.before = number + 1;
      to.next_cursor = from.to_cursor();
      return {};
    }
    to.observations.push_back(x);
    --next;
  }
  return {};
}

} // namespace

caf::expected<past_page> read_past_page(
  store& from, uint64_t agent, const past_page_query& which, const may_go_on& go_on) {
  if (auto err = check(which))
    return err;
  auto result = read_range(from, agent);
  if (!result)
    return result;
  if (result->last_sequence == 0 && !which.sequence && !which.at)
    return result; // an empty page, which is no error for those who only look
  auto then = page_at(from, agent, moment_of(which, result->last_sequence), {}, go_on);
  if (!then)
    return in_words_of(which, then.error());
  result->sequence = then->page.sequence;
  result->at = then->at;
  result->total_count = then->page.observations.size();
  if (auto err = add_part(which, then->page, *result))
    return err;
  return result;
}

} // namespace scratchpage
