#include "scratchpage/persistence/store/recovery.hpp"

#include <algorithm>
#include <deque>
#include <iterator>
#include <optional>
#include <utility>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/persistence/store/checksum.hpp"
#include "scratchpage/persistence/store/documents.hpp"
#include "scratchpage/persistence/store/journal.hpp"
#include "scratchpage/persistence/store/store_errors.hpp"
#include "scratchpage/persistence/store/stored_numbers.hpp"

namespace scratchpage {

namespace {

caf::expected<observation_ptr> observation_of(const snapshot_row& row) {
  auto damaged =
    needs_repair("the snapshot's observation " + std::to_string(row.number) + " is damaged");
  if (checksum_of(row.event) != row.checksum)
    return damaged;
  auto event = event_of(row.event);
  if (!event || !event->observation || number_of(event->observation->observation_id) != row.number)
    return damaged;
  return std::move(event->observation);
}

/// Bytes of the changes with request keys that are read; of more the latest are kept.
constexpr size_t max_request_bytes = size_t{64} << 20;

/// Beginnings of epochs that are kept.
constexpr size_t max_epochs = 64;

class rebuilder {
public:
  rebuilder(store& from, const ownership& by, uint64_t latest, uint64_t unkept,
    const std::optional<after_rest>& goes_on)
    : from_{from},
      by_{by},
      max_latest_{latest},
      unkept_{unkept},
      goes_on_{goes_on} {}

  caf::expected<recovered_page> rebuild() {
    auto err = read_end(); // first, because the journal only grows
    if (!err)
      err = read_snapshot();
    if (!err)
      err = read_journal();
    if (!err)
      err = check_end(from_, by_, seen_, acknowledged_);
    if (!err && !page_.damage.empty())
      err = from_.cut_journal(by_, state_.sequence);
    if (!err)
      err = read_types();
    if (!err)
      err = read_reserved();
    if (!err)
      err = read_positions();
    if (!err)
      err = note_epoch();
    if (err)
      return err;
    page_.sequence = state_.sequence;
    page_.last_number = state_.last_number;
    page_.expired = state_.expired;
    page_.evicted = state_.evicted;
    page_.last_change = state_.last_change;
    page_.observations.assign(std::make_move_iterator(state_.observations.begin()),
      std::make_move_iterator(state_.observations.end()));
    if (!latest_.empty() && latest_.back().sequence != state_.sequence)
      latest_.clear();
    for (auto& x : requests_)
      page_.requests.push_back(std::move(x.first));
    page_.latest.assign(
      std::make_move_iterator(latest_.begin()), std::make_move_iterator(latest_.end()));
    return std::move(page_);
  }

private:
  /// Reads the reserved numbers, which cover changes that were removed with a part of the history.
  caf::error read_reserved() {
    auto known = read_all<stored_number>(from_, by_.agent, collection::counters);
    if (known)
      state_.last_number = std::max(state_.last_number, reserved_in(*known));
    return known ? caf::error{} : known.error();
  }

  caf::error read_types() {
    auto sum = sum_check::of_documents(from_, by_.agent, std::string{collection::types});
    auto err = sum.begin();
    if (!err)
      err = from_.read_documents(by_.agent, std::string{collection::types}, [&](document&& x) {
        sum.add(x);
        page_.types.push_back(std::move(x.key));
        return true;
      });
    return err ? err : sum.end();
  }

  caf::error read_positions() {
    auto known = read_all<stored_position>(from_, by_.agent, collection::positions);
    if (!known)
      return known.error();
    page_.positions = std::move(*known);
    return {};
  }

  /// The number of changes at the damaged end.
  uint64_t cut_off() const { return seen_ - state_.sequence; }

  /// The error if a later epoch is stored: somebody else has claimed the agent meanwhile, or the
  /// agent's row is wrong.
  caf::error epoch_has_been(uint64_t later) {
    auto is_owner = from_.holds(by_);
    if (!is_owner)
      return is_owner.error();
    if (!*is_owner)
      return not_the_owner(by_.epoch);
    return needs_repair("the agent's row has epoch " + std::to_string(by_.epoch) + ", but epoch "
                        + std::to_string(later) + " has begun before");
  }

  /// Stores the beginning of this epoch, beside those of earlier epochs; after a rest it has begun
  /// before.
  caf::error note_epoch() {
    auto known = read_all<stored_epoch>(from_, by_.agent, collection::epochs);
    if (!known)
      return known.error();
    for (const auto& x : *known) {
      if (x.epoch > by_.epoch)
        return epoch_has_been(x.epoch);
      page_.epochs.emplace(x.epoch, x.after);
    }
    page_.epochs.emplace(by_.epoch, state_.sequence);
    state_.last_number = last_given(state_.last_number + cut_off(), *known);
    if (goes_on_)
      return {};
    stored_epoch now{by_.epoch, state_.sequence, state_.last_number, unkept_};
    std::vector<document> rows{to_document(collection::epochs, std::to_string(by_.epoch), now)};
    forget_early_epochs(rows);
    return from_.put(by_, rows);
  }

  /// Keeps the beginnings of the last epochs only, since every opening adds one.
  void forget_early_epochs(std::vector<document>& to) {
    while (page_.epochs.size() > max_epochs) {
      auto first = page_.epochs.begin();
      to.push_back({std::string{collection::epochs}, std::to_string(first->first), "", 0});
      page_.epochs.erase(first);
    }
  }

  caf::error read_end() {
    auto end = from_.end_of_journal(by_.agent);
    if (!end)
      return end.error();
    acknowledged_ = *end;
    return {};
  }

  caf::error read_snapshot() {
    auto page = read_page(from_, by_.agent, snapshot_kind::latest);
    if (!page)
      return page.error();
    state_ = std::move(*page);
    seen_ = state_.sequence;
    return {};
  }

  /// Reads the journal. Damage is accepted only at the end: no intact group may follow it.
  caf::error read_journal() {
    caf::error middle;
    auto snapshot = state_.sequence;
    latest_after_ = goes_on_ ? goes_on_->log_after : snapshot;
    auto begin = std::min(latest_after_, snapshot);
    begin = std::min(begin, snapshot - std::min(snapshot, max_latest_)); // for request keys
    auto err = from_.read_journal(by_.agent, begin, [&](journal_group&& group) {
      seen_ = std::max(seen_, group.last);
      if (group.first <= latest_after_)
        keep_requests(group);
      if (group.last <= snapshot) {
        if (group.last > latest_after_)
          keep(group);
        return true;
      }
      if (page_.damage.empty())
        take(group);
      if (!page_.damage.empty() && lines_of(group)) {
        middle = needs_repair("the journal is damaged in the middle: " + page_.damage);
        return false;
      }
      return true;
    });
    return err ? err : middle;
  }

  void take(const journal_group& group) {
    if (group.first > state_.sequence + 1) {
      page_.damage = "sequence " + std::to_string(state_.sequence + 1)
                     + ": expected this change, but " + std::to_string(group.first) + " follows";
      return;
    }
    auto events = events_of(group);
    if (!events) {
      page_.damage = describe(events.error());
      return;
    }
    for (auto& event : *events) {
      if (event.sequence > state_.sequence) // a group may begin before the snapshot
        state_.take(event);
      keep(std::move(event));
    }
  }

  /// Keeps the changes of a group that the snapshot includes. The page does not need them, so
  /// damage only shortens the latest changes.
  void keep(const journal_group& group) {
    auto events = events_of(group);
    if (!events)
      return latest_.clear();
    for (auto& event : *events)
      keep(std::move(event));
  }

  /// Keeps the changes of a group before the latest ones whose requests have keys. Most changes
  /// have none, so that only those that may have one are read.
  void keep_requests(const journal_group& group) {
    if (!may_have_request(group.events))
      return;
    auto lines = lines_of(group);
    if (!lines)
      return; // as for the latest changes
    for (const auto& line : *lines)
      if (may_have_request(line.json))
        if (auto event = event_of(line.json);
            event && event->request && event->sequence <= latest_after_)
          keep_request(std::move(*event), line.json.size());
  }

  void keep_request(page_event event, size_t bytes) {
    requests_.emplace_back(std::move(event), bytes);
    request_bytes_ += bytes;
    for (; request_bytes_ > max_request_bytes && requests_.size() > 1; requests_.pop_front())
      request_bytes_ -= requests_.front().second;
  }

  /// Keeps a change among the latest ones, which have no gap.
  void keep(page_event event) {
    if (event.sequence <= (latest_.empty() ? latest_after_ : latest_.back().sequence))
      return;
    if (!latest_.empty() && latest_.back().sequence + 1 != event.sequence)
      latest_.clear();
    latest_.push_back(std::move(event));
    if (!goes_on_ && latest_.size() > max_latest_)
      latest_.pop_front();
  }

  store& from_;
  ownership by_;
  uint64_t max_latest_;
  uint64_t unkept_;
  std::optional<after_rest> goes_on_;
  uint64_t latest_after_ = 0; // the latest changes come after this sequence
  uint64_t acknowledged_ = 0; // the last sequence, as the agent's row has it
  uint64_t seen_ = 0;         // the last sequence that is there, damaged or not
  std::deque<std::pair<page_event, size_t>> requests_; // with the bytes of their JSON
  size_t request_bytes_ = 0;
  page_state state_;
  recovered_page page_;
  std::deque<page_event> latest_;
};

} // namespace

void page_state::take(const page_event& x) {
  auto number = number_of(x.observation->observation_id).value_or(0);
  sequence = x.sequence;
  last_change = x.at;
  last_number = std::max(last_number, number);
  expired += x.kind == event_kind::expired ? 1 : 0;
  evicted += x.kind == event_kind::evicted ? 1 : 0;
  if (is_end(x.kind))
    observations.erase(number);
  else
    observations.insert_or_assign(number, x.observation);
}

caf::expected<page_state> read_page(store& from, uint64_t agent, snapshot_kind kind) {
  auto head = from.find_snapshot(agent, kind);
  if (!head)
    return head.error();
  page_state page{head->sequence, head->last_number, head->expired, head->evicted, head->at};
  caf::error damage;
  snapshot_rows_check rows;
  auto err = from.read_snapshot(agent, kind, [&](snapshot_row&& row) {
    rows.add(row);
    auto x = observation_of(row);
    if (x)
      page.observations.emplace_hint(page.observations.end(), row.number, std::move(*x));
    else
      damage = x.error();
    return !damage;
  });
  if (!err)
    err = damage;
  if (!err)
    err = rows.check(from, agent, kind, *head);
  if (err)
    return err;
  return page;
}

caf::expected<recovered_page> recover(store& from, const ownership& by, uint64_t latest,
  uint64_t unkept, const std::optional<after_rest>& goes_on) {
  return rebuilder{from, by, latest, unkept, goes_on}.rebuild();
}

} // namespace scratchpage
