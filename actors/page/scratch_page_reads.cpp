#include <algorithm>
#include <set>
#include <utility>

#include <caf/typed_event_based_actor.hpp>

#include "scratchpage/actors/page/index/deadline_poll.hpp"
#include "scratchpage/actors/page/index/window_ranking.hpp"
#include "scratchpage/actors/page/scratch_page.hpp"
#include "scratchpage/actors/page/write_rules.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/limits.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/query.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

/// Observations that are read for an answer before its deadline counts, so that each page of a
/// result has some of them.
constexpr size_t always_read = 128;

/// The members of a filter that are set.
json::object asked_for(const observation_filter& x) {
  json::object result;
  auto put = [&](const auto& m) {
    const auto& value = x.*(m.member);
    if constexpr (requires { value.empty(); }) {
      if (!value.empty())
        result[m.name] = to_json(value);
    } else if (value) {
      result[m.name] = to_json(*value);
    }
  };
  observation_filter::fields([&](const auto&... m) { (put(m), ...); });
  return result;
}

/// Matches as the index does: a filter without a status selects live observations.
bool still_matches(const observation_filter& filter, const observation& x) {
  return (!filter.status.empty() || is_live(x.status)) && matches(filter, x);
}

caf::error forgotten_cursor() {
  return fail(errc::invalid_request, "cursor",
    "expected a cursor that is still known; ask again from the start");
}

} // namespace

caf::expected<query_result> scratch_page_state::query(query_observations& request) {
  auto started = agent_.clock->steady();
  auto from = ranked_cursors::from_text(request.cursor);
  auto err = check_limit(request.limit);
  if (!err)
    err = check_filter(request.filter, "filter");
  if (!err)
    err = check_query_text(request.text, "text");
  if (!err && !from)
    err = from.error();
  else if (!err && !request.cursor.empty() && from->ranked == utf8::is_blank(request.text))
    err = fail(errc::invalid_request, "cursor", "expected a cursor of the same query");
  else if (!err && from->ranked && !cursors_.find(from->order))
    err = forgotten_cursor();
  if (err) {
    trace_.write_error("query_observations", request.by, err);
    return err;
  }
  query_result result;
  auto wanted = as_index_query(request, *from, started);
  auto numbers = match(request, wanted, *from, result);
  for (auto number : numbers)
    eviction_.touch(number);
  result.conflicts = contradictions(numbers, request.by, wanted, result.partial);
  result.query_time_ms = in_milliseconds(agent_.clock->steady() - started);
  if (trace_.enabled())
    trace_.write("query_observations", request.by,
      {{"text", request.text}, {"filter", asked_for(request.filter)},
        {"returned", result.observations.size()}, {"total_count", result.total_count},
        {"partial", result.partial}},
      result.partial ? "partial" : "success", started);
  return result;
}

/// The deadline of the result counts for all work that is done for the query.
index_query scratch_page_state::as_index_query(
  const query_observations& request, const ranked_cursors::position& from, timespan begun) const {
  index_query wanted;
  wanted.filter = &request.filter;
  wanted.text = utf8::is_blank(request.text) ? std::string_view{} : request.text;
  wanted.limit = request.limit;
  wanted.before = from.before;
  wanted.now = now();
  wanted.out_of_time = end_of_query(request, begun);
  return wanted;
}

/// A function that returns whether the deadline has passed, on the steady clock.
std::function<bool()> scratch_page_state::after(timespan deadline) const {
  const auto& clock = *agent_.clock;
  return [&clock, deadline] { return clock.steady() >= deadline; };
}

/// Adds one page of results to `result`, with the total and the next cursor. Returns their numbers.
std::vector<uint64_t> scratch_page_state::match(const query_observations& request,
  const index_query& wanted, const ranked_cursors::position& from, query_result& result) {
  if (!wanted.text.empty())
    return match_ranked(request, wanted, from, result);
  auto answer = index_.query(wanted);
  result.total_count = answer.total;
  result.partial = answer.partial;
  auto& numbers = answer.numbers;
  answer_room room{setup_.limits.answer_bytes};
  deadline_poll poll{wanted.out_of_time, always_read + 1};
  for (auto number : numbers) {
    auto x = index_.find(number);
    if (poll.step() || !room.takes(*x))
      break;
    result.observations.push_back(std::move(x));
  }
  result.partial = result.partial || poll.is_over();
  answer.more = answer.more || result.observations.size() < numbers.size();
  numbers.resize(result.observations.size());
  if (answer.more && !numbers.empty())
    result.next_cursor = ranked_cursors::to_text({.before = numbers.back()});
  return std::move(numbers);
}

std::vector<uint64_t> scratch_page_state::match_ranked(const query_observations& request,
  const index_query& wanted, const ranked_cursors::position& from, query_result& result) {
  kept_order first{{}, false, index_.end()};
  auto& kept = from.ranked ? *cursors_.find(from.order) : first;
  auto is_meant = [&](const observation& x) { return still_matches(request.filter, x); };
  lengthen(kept, from.offset, wanted, result, is_meant);
  auto next = from;
  auto numbers = take_kept(kept.numbers, next.offset, wanted, result, is_meant);
  if (next.offset == kept.numbers.size() && kept.is_complete)
    return numbers;
  if (!std::exchange(next.ranked, true))
    next.order = cursors_.keep(std::move(first));
  result.next_cursor = ranked_cursors::to_text(next);
  return numbers;
}

/// Makes an order so long that there is a whole page of it from `offset` on, and counts all
/// matches.
void scratch_page_state::lengthen(kept_order& order, size_t offset, const index_query& wanted,
  query_result& to, const std::function<bool(const observation&)>& is_meant) {
  auto is_there = [&](uint64_t number) {
    auto x = index_.find(number);
    return x && x->expires_at > wanted.now && is_meant(*x);
  };
  auto lacks_some = [&] {
    uint64_t there = 0;
    for (auto i = offset; i < order.numbers.size() && there < wanted.limit; ++i)
      there += is_there(order.numbers[i]) ? 1 : 0;
    return !order.is_complete && there < wanted.limit;
  };
  auto is_short = lacks_some();
  auto longer = wanted;
  // Twice as much as was read, so that reading on costs little for each page. The first of them
  // are ranked in any case.
  if (is_short)
    longer.limit = std::max<uint64_t>(
      offset == 0 ? wanted.limit : 2 * (offset + wanted.limit), window_ranking::hits);
  else
    longer.limit = 1;
  while (true) {
    auto answer = index_.query(longer);
    to.total_count = answer.total;
    to.partial = to.partial || answer.partial;
    if (!is_short)
      return;
    order.append(answer.numbers);
    order.is_complete = !answer.more;
    is_short = lacks_some();
    if (!is_short || to.partial)
      return;
    longer.limit *= 2;
  }
}

/// Takes observations of a kept order from `offset` on, until the limit, the bytes of an answer or
/// the time is used up. Skips those that have left the page, have expired or do not match any more.
std::vector<uint64_t> scratch_page_state::take_kept(const std::vector<uint64_t>& kept,
  size_t& offset, const index_query& wanted, query_result& to,
  const std::function<bool(const observation&)>& is_meant) const {
  std::vector<uint64_t> numbers;
  answer_room room{setup_.limits.answer_bytes};
  deadline_poll poll{wanted.out_of_time, always_read + 1};
  for (; offset < kept.size() && numbers.size() < wanted.limit && !poll.step(); ++offset) {
    auto x = index_.find(kept[offset]);
    if (!x || x->expires_at <= wanted.now || !is_meant(*x))
      continue;
    if (!room.takes(*x))
      break;
    numbers.push_back(kept[offset]);
    to.observations.push_back(std::move(x));
  }
  to.partial = to.partial || poll.is_over();
  return numbers;
}

std::vector<contradiction> scratch_page_state::contradictions(
  std::span<const uint64_t> numbers, const caller& by, const index_query& wanted, bool& partial) {
  std::vector<contradiction> result;
  std::set<uint64_t> told;
  deadline_poll poll{wanted.out_of_time, 16}; // often, because texts may be long
  auto search = index_.search_contradictions(wanted.now, &poll);
  size_t ids = 0;
  for (auto number : numbers) {
    if (told.contains(number))
      continue;
    auto group = index_.contradicting(number, wanted.now, search);
    ids += group.size();
    partial = partial || poll.is_over() || ids > answer_limits::conflict_ids;
    if (poll.is_over() || ids > answer_limits::conflict_ids)
      break;
    if (group.empty())
      continue;
    group.push_back(number);
    std::sort(group.begin(), group.end());
    told.insert(group.begin(), group.end());
    contradiction x{index_.subject_of(number), {}};
    for (auto one : group)
      x.observation_ids.push_back(index_.find(one)->observation_id);
    trace_.write("conflict", by,
      {{"subject", x.subject}, {"observation_ids", to_json(x.observation_ids)}}, "conflict");
    result.push_back(std::move(x));
  }
  return result;
}

observation_ptr scratch_page_state::get(const get_observation& request) {
  auto found = find_current(request.observation_id);
  if (found)
    eviction_.touch(*number_of(request.observation_id));
  trace_.write("get_observation", request.by,
    {{"observation_id", request.observation_id}, {"found", static_cast<bool>(found)}});
  return found;
}

caf::expected<query_result> scratch_page_state::active(get_active_observations& request) {
  auto started = agent_.clock->steady();
  query_result result;
  auto err = request.limit == get_active_observations::all_of_them
               ? take_all_active(request, result)
               : take_active(request, result);
  if (err) {
    trace_.write_error("get_active_observations", request.by, err);
    return err;
  }
  result.query_time_ms = in_milliseconds(agent_.clock->steady() - started);
  trace_.write("get_active_observations", request.by, {{"returned", result.observations.size()}});
  return result;
}

/// All at once, for the agent's own daemons, which share the observations in memory.
caf::error scratch_page_state::take_all_active(
  const get_active_observations& request, query_result& to) {
  if (auto err = daemons_only(request.by, "read all active observations at once"))
    return err;
  auto numbers = request.any_of.empty()
                   ? index_.by_priority(now(), *setup_.weights)
                   : index_.by_priority(now(), *setup_.weights, request.any_of);
  to.observations.reserve(numbers.size());
  for (auto number : numbers)
    to.observations.push_back(index_.find(number));
  to.total_count = to.observations.size();
  return {};
}

/// A part of the active observations. The order of the first part is kept for the others, so that
/// changes in between neither repeat nor skip observations.
caf::error scratch_page_state::take_active(
  const get_active_observations& request, query_result& to) {
  if (auto err = check_limit(request.limit))
    return err;
  auto next = ranked_cursors::from_priority_text(request.cursor);
  if (!next)
    return next.error();
  auto is_late = after(agent_.clock->steady() + from_milliseconds(setup_.limits.query_deadline_ms));
  kept_order order;
  if (!next->ranked)
    order.numbers = index_.by_priority(
      now(), *setup_.weights, [&] { return to.partial = to.partial || is_late(); });
  to.total_count = next->ranked ? index_.count_active(now()) : order.numbers.size();
  const auto* kept = next->ranked ? cursors_.find(next->order) : &order;
  if (kept == nullptr)
    return forgotten_cursor();
  auto is_meant = [](const observation& x) { return is_live(x.status); };
  index_query wanted;
  wanted.limit = request.limit;
  wanted.now = now();
  wanted.out_of_time = is_late;
  take_kept(kept->numbers, next->offset, wanted, to, is_meant);
  if (next->offset == kept->numbers.size())
    return {};
  if (!std::exchange(next->ranked, true))
    next->order = cursors_.keep(std::move(order));
  to.next_cursor = ranked_cursors::to_priority_text(*next);
  return {};
}

caf::result<query_result> scratch_page_state::ask_archive(list_archive& request) {
  if (auto err = check_filter(request.filter, "filter"))
    return refuse("list_archive", request.by, err);
  trace_.write("list_archive", request.by);
  return pass_on<query_result>(self_, setup_.archive, std::move(request));
}

/// Lists an archive that is in memory.
caf::expected<query_result> scratch_page_state::list_archived(list_archive& request) {
  if (auto err = check_filter(request.filter, "filter"))
    return refuse("list_archive", request.by, err);
  auto started = agent_.clock->steady();
  auto result = archive_.list(request.filter, request.limit, request.cursor);
  if (!result) {
    trace_.write_error("list_archive", request.by, result.error());
    return result.error();
  }
  result->query_time_ms = in_milliseconds(agent_.clock->steady() - started);
  trace_.write("list_archive", request.by, {{"returned", result->observations.size()}});
  return result;
}

page_stats scratch_page_state::stats() const {
  page_stats result;
  result.sequence = log_.next() - 1;
  result.oldest_sequence = log_.oldest();
  result.observations = index_.size();
  result.live = index_.live();
  result.archived = archive_.size();
  result.subscribers = delivery_.size();
  result.open_turns = turns_.size();
  result.expired = counts_.expired;
  result.evicted = counts_.evicted;
  result.epoch = setup_.owner.epoch;
  result.in_turns = delivery_.in_turns();
  result.text_bytes = index_.text_bytes();
  result.waiting_texts = index_.waiting_texts();
  return result;
}

} // namespace scratchpage
