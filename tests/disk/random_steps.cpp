#include "scratchpage/tests/disk/random_steps.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "scratchpage/messages/json_writer.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/persistence/store/documents.hpp"
#include "scratchpage/persistence/store/journal.hpp"
#include "scratchpage/tests/support/observations.hpp"

namespace scratchpage::test {

namespace {

event_list list_of(const kept_events& xs) {
  std::vector<page_event> events;
  for (const auto& x : xs)
    events.push_back(x->event);
  return event_list{std::move(events)};
}

journal_append to_append(const ownership& by, uint64_t after, const kept_events& xs) {
  auto events = list_of(xs);
  return {by, after, to_group(events), to_archive(events)};
}

kept_event_ptr keep(page_event event, uint64_t number) {
  auto json = to_json_text(event);
  auto observation = to_json_text(*event.observation);
  return std::make_shared<const kept_event>(
    kept_event{std::move(event), number, std::move(json), std::move(observation)});
}

caf::error error_of(const caf::expected<snapshot_head>& x) {
  return x ? caf::error{} : x.error();
}

caf::error first_error(const std::vector<caf::error>& verdicts) {
  auto i = std::find_if(verdicts.begin(), verdicts.end(), [](const auto& x) { return bool{x}; });
  return i == verdicts.end() ? caf::error{} : *i;
}

status status_after(event_kind end) {
  switch (end) {
  case event_kind::expired:
    return status::expired;
  case event_kind::evicted:
    return status::evicted;
  default:
    return status::archived;
  }
}

} // namespace

step random_steps::draw(const kept_pages& now) {
  const auto& one = *std::next(now.begin(), static_cast<ptrdiff_t>(by_.below(now.size())));
  auto n = by_.below(40);
  if (n == 0)
    return draw_stale_append(one);
  if (n == 1)
    return draw_cut(one);
  if (n < 5)
    return draw_forget(one);
  if (n < 10)
    return draw_documents(one);
  if (n < 16)
    return draw_fold(one);
  return draw_append(now);
}

// -- calls ----------------------------------------------------------------------------------

/// An append for one agent, or for all agents in one commit.
step random_steps::draw_append(const kept_pages& now) {
  auto all = by_.one_in(4);
  auto only = by_.below(now.size());
  std::vector<journal_append> appends;
  std::map<std::string, kept_events> added;
  for (const auto& [name, page] : now) {
    if (!all && only-- != 0)
      continue;
    auto events = draw_events(page);
    appends.push_back(to_append(page.by, page.last(), events));
    added[name] = std::move(events);
  }
  return {"append", [appends](store& to) { return first_error(to.append(appends)); },
    [added](kept_pages& to) {
      for (const auto& [name, events] : added)
        to[name].append(events);
    }};
}

/// An append by the owner before the last claim.
step random_steps::draw_stale_append(const named_page& of) {
  const auto& page = of.second;
  ownership stale{page.by.agent, page.by.epoch - 1};
  auto append = to_append(stale, page.last(), draw_events(page));
  return {"stale append", [append](store& to) { return to.append_one(append); }, nullptr};
}

step random_steps::draw_documents(const named_page& of) {
  std::vector<document> xs;
  for (auto n = 1 + by_.below(3); n > 0; --n) {
    auto collection = by_.any_of({collection::facts, collection::goals, collection::types});
    auto key = by_.any_of<std::string>({"a", "b", "c", "it's \u00fc"});
    auto body = by_.one_in(4) ? "" : "\"" + draw_content() + "\"";
    xs.push_back(make_document(collection, std::move(key), std::move(body)));
  }
  return {"put", [by = of.second.by, xs](store& to) { return to.put(by, xs); },
    [name = of.first, xs](kept_pages& to) { to[name].put(xs); }};
}

step random_steps::draw_fold(const named_page& of) {
  const auto& page = of.second;
  auto kind = by_.one_in(3) ? snapshot_kind::oldest : snapshot_kind::latest;
  auto until = kind == snapshot_kind::latest ? page.last() : page.snapshot(snapshot_kind::latest);
  auto most = by_.any_of<uint64_t>({1, 8, 1'024});
  return {"fold " + std::string{name_of(kind)},
    [by = page.by, kind, until, most](
      store& to) { return error_of(scratchpage::advance_snapshot(to, by, kind, until, most)); },
    [name = of.first, kind, until, most](kept_pages& to) { to[name].fold(kind, until, most); }};
}

/// Forgets the groups up to the oldest snapshot.
step random_steps::draw_forget(const named_page& of) {
  auto until = of.second.snapshot(snapshot_kind::oldest);
  return {"forget", [by = of.second.by, until](store& to) { return to.forget_journal(by, until); },
    [name = of.first, until](kept_pages& to) { to[name].forget(until); }};
}

/// Cuts off the last groups, but none that a snapshot has.
step random_steps::draw_cut(const named_page& of) {
  const auto& page = of.second;
  auto after = page.last();
  for (auto i = page.groups.rbegin(); i != page.groups.rend() && by_.one_in(2); ++i)
    if (i->first > page.snapshot(snapshot_kind::latest))
      after = i->first - 1;
  return {"cut", [by = page.by, after](store& to) { return to.cut_journal(by, after); },
    [name = of.first, after](kept_pages& to) { to[name].cut(after); }};
}

// -- events ---------------------------------------------------------------------------------

kept_events random_steps::draw_events(const kept_page& after) {
  auto view = after.view_at(after.last());
  auto sequence = after.last();
  kept_events result;
  for (auto n = by_.one_in(10) ? 20 : 1 + by_.below(5); n > 0; --n) {
    result.push_back(draw_event(view, ++sequence));
    follow(view, result.back());
  }
  return result;
}

kept_event_ptr random_steps::draw_event(const page_view& after, uint64_t sequence) {
  now_ms_ += static_cast<int64_t>(by_.below(1'000));
  page_event event;
  event.sequence = sequence;
  event.at = at_ms(now_ms_);
  event.turn_id = "turn_" + std::to_string(by_.below(9));
  if (after.shown.empty() || by_.one_in(2)) {
    // The numbers in between were used by changes that failed.
    auto number = after.last_number + 1 + (by_.one_in(6) ? by_.below(3) : 0);
    event.observation = observation_ptr{draw_observation(number)};
    return keep(std::move(event), number);
  }
  auto any = static_cast<ptrdiff_t>(by_.below(after.shown.size()));
  const auto& [number, last] = *std::next(after.shown.begin(), any);
  draw_change(event, *last->event.observation);
  return keep(std::move(event), number);
}

void random_steps::draw_change(page_event& event, observation x) {
  event.kind = by_.any_of({event_kind::updated, event_kind::updated, event_kind::linked,
    event_kind::archived, event_kind::expired, event_kind::evicted});
  ++x.revision;
  x.updated_at = event.at;
  if (event.kind == event_kind::updated)
    x.content = draw_content();
  else if (event.kind == event_kind::linked)
    x.linked_goal_ids.push_back("goal_" + std::to_string(by_.below(9)));
  else
    x.status = status_after(event.kind);
  event.observation = observation_ptr{std::move(x)};
}

observation random_steps::draw_observation(uint64_t number) {
  auto x = plain_observation(number, draw_content());
  x.type = by_.any_of<std::string>({"observation", "risk_alert"});
  x.owner = by_.any_of<std::string>({"agent", "user"});
  x.created_at = x.updated_at = at_ms(now_ms_);
  return x;
}

/// A random content; sometimes it is larger than a page of the database.
std::string random_steps::draw_content() {
  auto size = by_.one_in(60) ? by_.below(12'000) : by_.below(100);
  return std::string(size, static_cast<char>('a' + by_.below(26))) + ".";
}

} // namespace scratchpage::test
