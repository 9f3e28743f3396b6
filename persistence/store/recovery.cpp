#include "scratchpage/persistence/store/recovery.hpp"

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/observation_id.hpp"
#include "scratchpage/persistence/store/checksum.hpp"
#include "scratchpage/persistence/store/documents.hpp"
#include "scratchpage/persistence/store/journal_text.hpp"

namespace scratchpage {

namespace {

caf::error needs_repair(const std::string& what) {
  return fail(
    errc::internal, "", what + "; `scratchpage repair` saves what is whole into a new store");
}

/// How the beginning of an epoch is written down.
struct kept_epoch {
  uint64_t epoch = 0;
  uint64_t after = 0;   ///< the last sequence that was there
  uint64_t numbers = 0; ///< the last number of an observation that anybody may have seen
  uint64_t unkept = 0;  ///< changes of it that may be seen before they are kept

  static constexpr auto fields(auto all) {
    using self = kept_epoch;
    return all(required("epoch", &self::epoch), required("after", &self::after),
      optional("numbers", &self::numbers), optional("unkept", &self::unkept));
  }
};

class rebuilder {
public:
  rebuilder(store& from, const ownership& by, uint64_t latest, uint64_t unkept)
    : from_{from},
      by_{by},
      most_latest_{latest},
      unkept_{unkept} {}

  caf::expected<recovered_page> rebuild() {
    auto err = read_snapshot();
    if (!err)
      err = read_journal();
    if (!err && !page_.damage.empty())
      err = from_.cut_journal(by_, page_.sequence);
    if (!err)
      err = from_.read_documents(by_.agent, std::string{collection::types}, [&](document&& x) {
        page_.types.push_back(std::move(x.key));
        return true;
      });
    if (!err)
      err = read_positions();
    if (!err)
      err = note_epoch();
    if (err)
      return err;
    page_.observations.assign(
      std::make_move_iterator(observations_.begin()), std::make_move_iterator(observations_.end()));
    page_.latest.assign(
      std::make_move_iterator(latest_.begin()), std::make_move_iterator(latest_.end()));
    return std::move(page_);
  }

private:
  caf::error read_positions() {
    auto known = read_all<kept_position>(from_, by_.agent, collection::positions);
    if (!known)
      return known.error();
    page_.positions = std::move(*known);
    return {};
  }

  /// Keeps where this epoch begins, beside those before it.
  caf::error note_epoch() {
    auto known = read_all<kept_epoch>(from_, by_.agent, collection::epochs);
    if (!known)
      return known.error();
    for (const auto& x : *known)
      page_.epochs.emplace(x.epoch, x.after);
    page_.epochs.emplace(by_.epoch, page_.sequence);
    pass_over_lost_numbers(*known);
    kept_epoch now{by_.epoch, page_.sequence, page_.last_number, unkept_};
    auto row = to_document(collection::epochs, std::to_string(by_.epoch), now);
    return from_.put(by_, {&row, 1});
  }

  /// Each change adds one observation at most.
  void pass_over_lost_numbers(const std::vector<kept_epoch>& known) {
    page_.last_number += cut_off_;
    auto is_earlier = [](const kept_epoch& a, const kept_epoch& b) { return a.epoch < b.epoch; };
    auto last = std::max_element(known.begin(), known.end(), is_earlier);
    if (last != known.end())
      page_.last_number = std::max(page_.last_number + last->unkept, last->numbers);
  }

  caf::error read_snapshot() {
    auto head = from_.find_snapshot(by_.agent, snapshot_kind::latest);
    if (!head)
      return head.error();
    page_.sequence = head->sequence;
    page_.last_number = head->last_number;
    page_.expired = head->expired;
    page_.evicted = head->evicted;
    page_.last_change = head->at;
    caf::error damage;
    auto err = from_.read_snapshot(by_.agent, snapshot_kind::latest, [&](snapshot_row&& row) {
      damage = take(row);
      return !damage;
    });
    return err ? err : damage;
  }

  caf::error take(const snapshot_row& row) {
    auto where = "the snapshot's observation " + std::to_string(row.number) + " is damaged";
    if (checksum_of(row.event) != row.checksum)
      return needs_repair(where);
    auto event = event_of(row.event);
    if (!event || !event->observation)
      return needs_repair(where);
    observations_.emplace_hint(observations_.end(), row.number, std::move(event->observation));
    return {};
  }

  /// What is damaged must be the end: nothing whole may follow.
  caf::error read_journal() {
    caf::error middle;
    auto err = from_.read_journal(by_.agent, page_.sequence, [&](journal_group&& group) {
      if (page_.damage.empty())
        take(group);
      if (!page_.damage.empty())
        cut_off_ = group.last - page_.sequence;
      if (!page_.damage.empty() && lines_of(group)) {
        middle = needs_repair("the journal is damaged in the middle: " + page_.damage);
        return false;
      }
      return true;
    });
    return err ? err : middle;
  }

  void take(const journal_group& group) {
    if (group.first > page_.sequence + 1) {
      page_.damage = "sequence " + std::to_string(page_.sequence + 1)
                     + ": expected this change, but " + std::to_string(group.first) + " follows";
      return;
    }
    auto events = events_of(group);
    if (!events) {
      page_.damage = describe(events.error());
      return;
    }
    for (auto& event : *events)
      if (event.sequence > page_.sequence) // a group may reach back
        take(std::move(event));
  }

  void take(page_event event) {
    auto number = number_of(event.observation->observation_id).value_or(0);
    page_.sequence = event.sequence;
    page_.last_change = event.at;
    page_.last_number = std::max(page_.last_number, number);
    page_.expired += event.kind == event_kind::expired ? 1 : 0;
    page_.evicted += event.kind == event_kind::evicted ? 1 : 0;
    if (is_end(event.kind))
      observations_.erase(number);
    else
      observations_.insert_or_assign(number, event.observation);
    latest_.push_back(std::move(event));
    if (latest_.size() > most_latest_)
      latest_.pop_front();
  }

  store& from_;
  ownership by_;
  uint64_t most_latest_;
  uint64_t unkept_;
  uint64_t cut_off_ = 0; // changes at the damaged end
  recovered_page page_;
  std::map<uint64_t, observation_ptr> observations_; // by number
  std::deque<page_event> latest_;
};

} // namespace

caf::expected<recovered_page> recover(
  store& from, const ownership& by, uint64_t latest, uint64_t unkept) {
  return rebuilder{from, by, latest, unkept}.rebuild();
}

} // namespace scratchpage
