#include "scratchpage/tests/disk/kept_page.hpp"

#include <algorithm>

namespace scratchpage::test {

uint64_t kept_page::snapshot(snapshot_kind kind) const {
  auto i = snapshots.find(kind);
  return i == snapshots.end() ? 0 : i->second;
}

void follow(page_view& view, const kept_event_ptr& x) {
  view.last_number = std::max(view.last_number, x->number);
  view.expired += x->event.kind == event_kind::expired ? 1 : 0;
  view.evicted += x->event.kind == event_kind::evicted ? 1 : 0;
  view.at = x->event.at;
  if (is_end(x->event.kind))
    view.shown.erase(x->number);
  else
    view.shown[x->number] = x;
}

page_view kept_page::view_at(uint64_t sequence) const {
  page_view view;
  for (uint64_t i = 0; i < sequence; ++i)
    follow(view, events[i]);
  return view;
}

uint64_t kept_page::last_number() const {
  return std::max(numbers, view_at(last()).last_number);
}

void kept_page::append(const kept_events& xs) {
  groups.push_back({last() + 1, last() + xs.size()});
  events.insert(events.end(), xs.begin(), xs.end());
}

void kept_page::cut(uint64_t after) {
  std::erase_if(groups, [=](const group& x) { return x.first > after; });
  events.resize(std::min(events.size(), after));
}

void kept_page::forget(uint64_t until) {
  std::erase_if(groups, [=](const group& x) { return x.last <= until; });
}

void kept_page::fold(snapshot_kind kind, uint64_t until, uint64_t most) {
  auto from = snapshot(kind);
  auto to = from;
  for (const auto& x : groups)
    if (x.last > to && x.last <= until && (to == from || to - from < most))
      to = x.last;
  if (to > from)
    snapshots[kind] = to;
}

void kept_page::put(const std::vector<document>& xs) {
  for (const auto& x : xs) {
    if (x.body.empty())
      documents.erase({x.collection, x.key});
    else
      documents[{x.collection, x.key}] = x.body;
  }
}

void kept_page::recover() {
  epochs[by.epoch] = last();
  numbers = last_number();
  auto epoch = std::to_string(by.epoch);
  documents[{"epochs", epoch}] = "{\"epoch\":" + epoch + ",\"after\":" + std::to_string(last())
                                 + ",\"numbers\":" + std::to_string(numbers) + ",\"unkept\":0}";
}

void claim(kept_pages& in, const std::string& agent_id) {
  uint64_t highest = 0;
  for (const auto& [name, page] : in)
    highest = std::max(highest, page.by.agent);
  auto [i, is_new] = in.try_emplace(agent_id);
  if (is_new)
    i->second.by.agent = highest + 1;
  ++i->second.by.epoch;
}

} // namespace scratchpage::test
