#include "scratchpage/tests/support/memory_store.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "scratchpage/persistence/store/checksum.hpp"
#include "scratchpage/persistence/store/store_errors.hpp"

namespace scratchpage {

namespace {

bool has(const std::vector<std::string>& any_of, const std::string& x) {
  return any_of.empty() || std::find(any_of.begin(), any_of.end(), x) != any_of.end();
}

bool is_in(const archive_range& range, const archive_row& x) {
  return has(range.type, x.type) && has(range.status, x.status) && has(range.source, x.source)
         && has(range.owner, x.owner) && (range.turn_id.empty() || range.turn_id == x.turn_id)
         && (range.observation_id.empty() || range.observation_id == x.observation_id)
         && (!range.created_after || x.created_at > *range.created_after)
         && (!range.created_before || x.created_at < *range.created_before)
         && (!range.left_before || x.left_at < *range.left_before) && x.sequence > range.after
         && x.sequence < range.before;
}

bool is_in(const document_range& range, const std::string& key, const document_index& x) {
  auto has_term = [&](const std::string& term) {
    return std::find(x.terms.begin(), x.terms.end(), term) != x.terms.end();
  };
  return (range.key.empty() || range.key == key) && (!range.after || x.at > *range.after)
         && (!range.before || x.at < *range.before)
         && std::all_of(range.terms.begin(), range.terms.end(), has_term);
}

} // namespace

memory_store::agent_history* memory_store::find(uint64_t agent) {
  auto i = agents_.find(agent);
  return i == agents_.end() ? nullptr : &i->second;
}

caf::expected<memory_store::agent_history*> memory_store::owned(const ownership& by) {
  auto* x = find(by.agent);
  if (x == nullptr || x->epoch != by.epoch || x->claim != by.claim)
    return not_the_owner(by.epoch);
  return x;
}

caf::expected<ownership> memory_store::claim(const std::string& agent_id) {
  std::lock_guard lock{mutex_};
  for (auto& [agent, x] : agents_)
    if (x.agent_id == agent_id)
      return begin_epoch(agent, x);
  auto agent = agents_.size() + 1;
  while (agents_.contains(agent)) // as a key that was adopted
    ++agent;
  agents_[agent].agent_id = agent_id;
  return begin_epoch(agent, agents_[agent]);
}

/// A counter is enough for the key of a claim, because no other store claims what is in this one.
ownership memory_store::begin_epoch(uint64_t agent, agent_history& x) {
  x.claim = {0, ++claims_};
  return {agent, ++x.epoch, x.claim};
}

void memory_store::adopt(const std::string& agent_id, const ownership& by) {
  std::lock_guard lock{mutex_};
  auto i = std::find_if(
    agents_.begin(), agents_.end(), [&](const auto& x) { return x.second.agent_id == agent_id; });
  if (i == agents_.end())
    return;
  i->second.claim = by.claim;
  auto agent = agents_.extract(i);
  agent.key() = by.agent;
  agents_.insert(std::move(agent));
}

caf::expected<bool> memory_store::holds(const ownership& by) {
  std::lock_guard lock{mutex_};
  return static_cast<bool>(owned(by));
}

caf::expected<std::optional<uint64_t>> memory_store::find_agent(const std::string& agent_id) {
  std::lock_guard lock{mutex_};
  for (auto& [agent, x] : agents_)
    if (x.agent_id == agent_id)
      return std::optional{agent};
  return std::optional<uint64_t>{};
}

caf::expected<std::vector<std::string>> memory_store::agents() {
  std::lock_guard lock{mutex_};
  std::vector<std::string> result;
  for (auto& [agent, x] : agents_)
    result.push_back(x.agent_id);
  std::sort(result.begin(), result.end());
  return result;
}

caf::expected<std::vector<std::string>> memory_store::agents_after(
  const std::string& after, uint64_t most) {
  auto result = *agents();
  result.erase(result.begin(), std::upper_bound(result.begin(), result.end(), after));
  result.resize(std::min<uint64_t>(result.size(), most));
  return result;
}

/// The end of the journal if it were cut after `after`.
uint64_t memory_store::end_of_cut(const agent_history& x, uint64_t after) {
  auto next = x.groups.upper_bound(after);
  auto kept = next == x.groups.begin() ? 0 : std::prev(next)->second.last;
  return std::max(kept, std::min(x.last, after));
}

void memory_store::cut(agent_history& x, uint64_t after) {
  x.last = end_of_cut(x, after);
  x.groups.erase(x.groups.upper_bound(after), x.groups.end());
  x.archive.erase(x.archive.upper_bound(x.last), x.archive.end());
}

std::vector<caf::error> memory_store::append(std::span<const journal_append> xs) {
  std::lock_guard lock{mutex_};
  std::vector<caf::error> verdicts;
  for (const auto& x : xs)
    verdicts.push_back(append_to(x));
  return verdicts;
}

caf::error memory_store::append_to(const journal_append& x) {
  auto found = owned(x.by);
  if (!found)
    return found.error();
  auto& agent = **found;
  auto last = end_of_cut(agent, x.after);
  if (last != x.after || x.group.first != x.after + 1)
    return not_the_next(x.group.first, last);
  cut(agent, x.after);
  agent.groups.emplace(x.group.first, x.group);
  agent.last = x.group.last;
  for (const auto& row : x.archived)
    agent.archive.insert_or_assign(row.sequence, archived{row});
  return {};
}

caf::error memory_store::read_journal(
  uint64_t agent, uint64_t after, const visitor<journal_group>& f) {
  std::vector<journal_group> groups;
  {
    std::lock_guard lock{mutex_};
    if (auto* x = find(agent))
      for (const auto& [first, group] : x->groups)
        if (group.last > after)
          groups.push_back(group);
  }
  for (auto& group : groups)
    if (!f(std::move(group)))
      break;
  return {};
}

caf::expected<uint64_t> memory_store::end_of_journal(uint64_t agent) {
  std::lock_guard lock{mutex_};
  auto* x = find(agent);
  return x == nullptr ? 0 : x->last;
}

caf::expected<uint64_t> memory_store::sum_of_documents(
  uint64_t agent, const std::string& collection) {
  std::lock_guard lock{mutex_};
  uint64_t sum = 0;
  if (auto* x = find(agent))
    for (const auto& [name, one] : x->documents)
      if (name.first == collection)
        sum ^= sum_of(name.second, one.value.checksum);
  return sum;
}

caf::expected<uint64_t> memory_store::sum_of_archive(uint64_t agent) {
  std::lock_guard lock{mutex_};
  uint64_t sum = 0;
  if (auto* x = find(agent))
    for (const auto& [sequence, one] : x->archive)
      sum ^= sum_of(one.row);
  return sum;
}

caf::error memory_store::cut_journal(const ownership& by, uint64_t after) {
  std::lock_guard lock{mutex_};
  auto agent = owned(by);
  if (!agent)
    return agent.error();
  cut(**agent, after);
  return {};
}

caf::error memory_store::forget_journal(const ownership& by, uint64_t until) {
  std::lock_guard lock{mutex_};
  auto agent = owned(by);
  if (!agent)
    return agent.error();
  std::erase_if((*agent)->groups, [&](const auto& x) { return x.second.last <= until; });
  return {};
}

caf::error memory_store::rewrite_journal(const ownership& by, std::span<const journal_group> xs) {
  std::lock_guard lock{mutex_};
  auto agent = owned(by);
  if (!agent)
    return agent.error();
  for (const auto& x : xs)
    if (auto i = (*agent)->groups.find(x.first);
        i != (*agent)->groups.end() && i->second.last == x.last)
      i->second = x;
  return {};
}

caf::expected<snapshot_head> memory_store::find_snapshot(uint64_t agent, snapshot_kind kind) {
  std::lock_guard lock{mutex_};
  auto* x = find(agent);
  return x == nullptr ? snapshot_head{} : x->snapshots[kind].head;
}

caf::error memory_store::read_snapshot(
  uint64_t agent, snapshot_kind kind, const visitor<snapshot_row>& f) {
  std::map<uint64_t, snapshot_row> rows;
  {
    std::lock_guard lock{mutex_};
    if (auto* x = find(agent))
      rows = x->snapshots[kind].rows;
  }
  for (auto& [number, row] : rows)
    if (!f(std::move(row)))
      break;
  return {};
}

caf::error memory_store::move_snapshot(const ownership& by, snapshot_kind kind,
  const snapshot_head& head, std::span<const snapshot_row> changed) {
  std::lock_guard lock{mutex_};
  auto agent = owned(by);
  if (!agent)
    return agent.error();
  auto& x = (*agent)->snapshots[kind];
  auto sum = x.head.rows;
  x.head = head;
  for (const auto& row : changed) {
    if (auto known = x.rows.extract(row.number))
      sum -= sum_of(row.number, known.mapped().checksum);
    if (row.event.empty())
      continue;
    sum += sum_of(row.number, row.checksum);
    x.rows.emplace(row.number, row);
  }
  x.head.rows = sum;
  return {};
}

memory_store::kept_document memory_store::keep(agent_history& of, document x) {
  kept_document result;
  result.index = std::exchange(x.index, std::nullopt);
  result.place = result.index ? ++of.last_place : 0;
  result.value = std::move(x);
  return result;
}

caf::error memory_store::put(const ownership& by, std::span<const document> xs) {
  std::lock_guard lock{mutex_};
  auto agent = owned(by);
  if (!agent)
    return agent.error();
  for (const auto& x : xs) {
    auto name = std::pair{x.collection, x.key};
    if (x.body.empty())
      (*agent)->documents.erase(name);
    else
      (*agent)->documents.insert_or_assign(name, keep(**agent, x));
  }
  return {};
}

caf::error memory_store::read_documents(
  uint64_t agent, const std::string& collection, const visitor<document>& f) {
  std::vector<document> found;
  {
    std::lock_guard lock{mutex_};
    if (auto* x = find(agent))
      for (const auto& [name, one] : x->documents)
        if (name.first == collection)
          found.push_back(one.value);
  }
  for (auto& one : found)
    if (!f(std::move(one)))
      break;
  return {};
}

caf::error memory_store::find_documents(uint64_t agent, const std::string& collection,
  const document_range& range, const visitor<document>& f) {
  std::vector<kept_document> found;
  {
    std::lock_guard lock{mutex_};
    if (auto* x = find(agent))
      for (const auto& [name, one] : x->documents)
        if (name.first == collection && one.index && is_in(range, one.value.key, *one.index))
          found.push_back(one);
    if (range.without_bodies)
      for (auto& one : found) {
        one.value.body.clear();
        one.value.checksum = 0;
      }
  }
  std::sort(found.begin(), found.end(), [](const kept_document& a, const kept_document& b) {
    return std::tie(a.index->at, a.place) > std::tie(b.index->at, b.place);
  });
  for (auto& one : found)
    if (!f(std::move(one.value)))
      break;
  return {};
}

caf::error memory_store::read_archive(
  uint64_t agent, const archive_range& range, const visitor<archive_row>& f) {
  std::vector<archive_row> found;
  {
    std::lock_guard lock{mutex_};
    if (auto* x = find(agent))
      for (const auto& [sequence, one] : x->archive)
        if (is_in(range, one.row))
          found.push_back(one.row);
    if (range.without_bodies)
      for (auto& row : found)
        row.body.clear();
  }
  if (!range.oldest_first)
    std::reverse(found.begin(), found.end());
  for (auto& row : found)
    if (!f(std::move(row)))
      break;
  return {};
}

caf::expected<uint64_t> memory_store::pack_archive(
  const ownership& by, timestamp left_before, uint64_t most) {
  std::lock_guard lock{mutex_};
  auto agent = owned(by);
  if (!agent)
    return agent.error();
  std::vector<archived*> due;
  for (auto& [sequence, x] : (*agent)->archive)
    if (!x.is_packed && x.row.left_at < left_before)
      due.push_back(&x);
  std::stable_sort(due.begin(), due.end(),
    [](const archived* a, const archived* b) { return a->row.left_at < b->row.left_at; });
  due.resize(std::min<uint64_t>(due.size(), most));
  for (auto* x : due)
    x->is_packed = true;
  return due.size();
}

caf::error memory_store::remove_archived(const ownership& by, std::span<const uint64_t> sequences) {
  std::lock_guard lock{mutex_};
  auto agent = owned(by);
  if (!agent)
    return agent.error();
  for (auto sequence : sequences)
    (*agent)->archive.erase(sequence);
  return {};
}

caf::error memory_store::scrub() {
  return {}; // there are no files
}

caf::expected<std::vector<std::string>> memory_store::collections(uint64_t agent) {
  std::lock_guard lock{mutex_};
  std::vector<std::string> result;
  if (auto* x = find(agent))
    for (const auto& [name, one] : x->documents)
      if (result.empty() || result.back() != name.first)
        result.push_back(name.first);
  return result;
}

caf::error memory_store::begin_journal(const ownership& by, uint64_t after) {
  std::lock_guard lock{mutex_};
  auto agent = owned(by);
  if (!agent)
    return agent.error();
  if ((*agent)->last != 0)
    return has_begun((*agent)->last);
  (*agent)->last = after;
  return {};
}

caf::error memory_store::add_archived(const ownership& by, std::span<const archive_row> xs) {
  std::lock_guard lock{mutex_};
  auto agent = owned(by);
  if (!agent)
    return agent.error();
  for (const auto& row : xs)
    (*agent)->archive.emplace(row.sequence, archived{row});
  return {};
}

} // namespace scratchpage
