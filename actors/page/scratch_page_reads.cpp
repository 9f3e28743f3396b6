#include <algorithm>
#include <set>
#include <utility>

#include <caf/typed_event_based_actor.hpp>

#include "scratchpage/actors/page/scratch_page.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/observation_id.hpp"
#include "scratchpage/messages/utf8.hpp"
#include "scratchpage/persistence/filter_match.hpp"
#include "scratchpage/persistence/query_limit.hpp"

namespace scratchpage {

namespace {

/// What a filter asks for, without what it leaves open.
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

/// As the index sees it: no status asked for means live ones.
bool still_matches(const observation_filter& filter, const observation& x) {
  return (!filter.status.empty() || is_live(x.status)) && matches(filter, x);
}

} // namespace

caf::expected<query_result> scratch_page_state::query(const query_observations& request) {
  auto started = now();
  auto from = ranked_cursors::from_text(request.cursor);
  auto err = check_limit(request.limit);
  if (!err && !from)
    err = from.error();
  else if (!err && !request.cursor.empty() && from->ranked == utf8::is_blank(request.text))
    err = fail(errc::invalid_request, "cursor", "expected a cursor of the same query");
  else if (!err && from->ranked && !cursors_.find(from->order))
    err = fail(errc::invalid_request, "cursor",
      "expected a cursor that is still known; ask again from the start");
  if (err) {
    trace_.write_error("query_observations", request.by, err);
    return err;
  }
  query_result result;
  auto numbers = match(request, *from, result);
  for (auto number : numbers) {
    eviction_.touch(number);
    result.observations.push_back(index_.find(number));
  }
  result.conflicts = contradictions(numbers, request.by);
  result.query_time_ms = in_milliseconds(now() - started);
  if (trace_.enabled())
    trace_.write("query_observations", request.by,
      {{"text", request.text}, {"filter", asked_for(request.filter)},
        {"returned", result.observations.size()}, {"total_count", result.total_count},
        {"partial", result.partial}},
      result.partial ? "partial" : "success", started);
  return result;
}

/// One page of the answer; notes the total and where to go on.
std::vector<uint64_t> scratch_page_state::match(
  const query_observations& request, const ranked_cursors::position& from, query_result& result) {
  index_query wanted;
  wanted.filter = &request.filter;
  wanted.text = request.text;
  wanted.limit = request.limit;
  wanted.before = from.before;
  wanted.now = now();
  auto deadline =
    wanted.now + request.deadline.value_or(from_milliseconds(setup_.limits.query_deadline_ms));
  wanted.out_of_time = [this, deadline] { return now() >= deadline; };
  if (utf8::is_blank(request.text)) {
    wanted.text = {};
    auto answer = index_.query(wanted);
    result.total_count = answer.total;
    result.partial = answer.partial;
    if (answer.more && !answer.numbers.empty())
      result.next_cursor = ranked_cursors::to_text({.before = answer.numbers.back()});
    return std::move(answer.numbers);
  }
  auto order = index_.ranked(wanted, result.partial, result.total_count);
  auto next = from;
  const auto* kept = &order;
  if (from.ranked) {
    kept = cursors_.find(from.order);
  } else if (order.size() > request.limit) {
    next = {.ranked = true, .order = cursors_.keep(order)};
  }
  // What has left the page, ended or changed since the order was kept is passed over.
  std::vector<uint64_t> numbers;
  auto i = next.offset;
  for (; i < kept->size() && numbers.size() < request.limit; ++i)
    if (auto x = index_.find((*kept)[i]);
        x && x->expires_at > wanted.now && still_matches(request.filter, *x))
      numbers.push_back((*kept)[i]);
  next.offset = i;
  if (i < kept->size())
    result.next_cursor = ranked_cursors::to_text(next);
  return numbers;
}

std::vector<contradiction> scratch_page_state::contradictions(
  std::span<const uint64_t> numbers, const caller& by) {
  std::vector<contradiction> result;
  std::set<uint64_t> told;
  auto at = now();
  for (auto number : numbers) {
    if (told.contains(number))
      continue;
    auto group = index_.contradicting(number, at);
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

observation_list scratch_page_state::active(const get_active_observations& request) {
  observation_list result{index_.by_priority(now(), setup_.weights)};
  trace_.write("get_active_observations", request.by, {{"returned", result.observations.size()}});
  return result;
}

caf::result<query_result> scratch_page_state::archived(list_archive& request) {
  if (setup_.archive) {
    trace_.write("list_archive", request.by);
    return pass_on<query_result>(self_, setup_.archive, std::move(request));
  }
  auto started = now();
  auto result = archive_.list(request.filter, request.limit, request.cursor);
  if (!result) {
    trace_.write_error("list_archive", request.by, result.error());
    return result.error();
  }
  result->query_time_ms = in_milliseconds(now() - started);
  trace_.write("list_archive", request.by, {{"returned", result->observations.size()}});
  return std::move(*result);
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
  result.expired = expired_;
  result.evicted = evicted_;
  result.epoch = setup_.owner.epoch;
  result.in_turns = delivery_.in_turns();
  return result;
}

} // namespace scratchpage
