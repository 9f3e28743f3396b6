#include "scratchpage/persistence/transfer/salvage.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include <SQLiteCpp/SQLiteCpp.h>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/persistence/store/checksum.hpp"
#include "scratchpage/persistence/store/documents.hpp"
#include "scratchpage/persistence/store/stored_numbers.hpp"
#include "scratchpage/persistence/transfer/damaged_store.hpp"
#include "scratchpage/persistence/transfer/history_writer.hpp"

namespace scratchpage {

namespace {

/// First and last sequences, both inclusive.
using ranges = std::vector<std::pair<uint64_t, uint64_t>>;

class salvager {
public:
  salvager(SQLite::Database& db, store& into, const progress& tell,
    const std::vector<committed_end>& marked)
    : from_{db, marked, report_.lost},
      into_{into},
      tell_{tell} {}

  caf::expected<salvage_report> run() {
    for (const auto& [agent, x] : from_.agents())
      if (auto err = save(agent, x))
        return err;
    return std::move(report_);
  }

private:
  caf::error save(uint64_t agent, const known_agent& x) {
    auto to = history_writer::begin(into_, x.agent_id);
    if (!to)
      return to.error();
    ++report_.agents;
    report_.versions.emplace(x.agent_id, x.versions);
    last_number_ = 0;
    turns_ = 0;
    auto missing = missing_in(x);
    if (missing.empty() && x.missing_commits > 0)
      report_.lost.push_back({x.agent_id, "commits", std::to_string(x.missing_commits),
        "goals, facts or other documents that were committed are missing"});
    auto err = missing.empty() ? save_history(x, *to) : save_page(x, missing, *to);
    if (!err)
      err = save_archive(agent, *to);
    if (!err)
      err = save_documents(agent, *to);
    if (!err)
      err = save_turns(x, *to);
    if (!err)
      err = save_reserved(x, *to);
    return err ? err : to->finish();
  }

  /// The sequence at which the journal begins, if it is known.
  std::optional<uint64_t> beginning(const known_agent& x) const {
    if (!x.oldest.head)
      return x.oldest.rows.empty() ? std::optional<uint64_t>{0} : std::nullopt;
    if (x.oldest.is_whole() && from_.snapshots_are_readable())
      return x.oldest.head->sequence;
    return std::nullopt;
  }

  /// Sequences whose changes are missing.
  ranges missing_in(const known_agent& x) const {
    ranges result;
    auto begin = beginning(x);
    auto last = begin.value_or(x.oldest.head ? x.oldest.head->sequence : 0);
    if (!begin && last > 0)
      result.emplace_back(1, last);
    for (const auto& [first, group] : x.journal) {
      if (first > last + 1)
        result.emplace_back(last + 1, first - 1);
      last = std::max(last, group.last);
    }
    if (x.last_sequence > last)
      result.emplace_back(last + 1, x.last_sequence);
    return result;
  }

  /// As `damaged_store::each_change`, and reports the progress.
  template <class F>
  caf::error each(const known_agent& x, uint64_t after, F f) {
    return from_.each_change(x, after, [&](const page_event& event, std::string_view json) {
      if (tell_)
        tell_(event.sequence, x.last_sequence);
      return f(event, json);
    });
  }

  caf::error save_history(const known_agent& x, history_writer& to) {
    uint64_t after = 0;
    if (x.oldest.head && x.oldest.head->sequence > 0) {
      after = x.oldest.head->sequence;
      last_number_ = x.oldest.head->last_number;
      if (auto err = to.set_snapshot(*x.oldest.head))
        return err;
      for (const auto& [number, row] : x.oldest.rows)
        if (auto err = to.add(snapshot_row{number, row.json, checksum_of(row.json)}))
          return err;
    }
    return each(x, after, [&](const page_event& event, std::string_view json) {
      ++report_.changes;
      last_number_ =
        std::max(last_number_, number_of(event.observation->observation_id).value_or(0));
      return to.add(event, json);
    });
  }

  /// Begins a new history with the page as far as it is known.
  caf::error save_page(const known_agent& x, const ranges& missing, history_writer& to) {
    auto head = x.latest.head.value_or(x.oldest.head.value_or(snapshot_head{}));
    auto is_whole = x.latest.is_whole() && from_.snapshots_are_readable();
    std::map<uint64_t, last_event> page = x.latest.rows;
    if (!is_whole)
      page.insert(x.oldest.rows.begin(), x.oldest.rows.end());
    // An intact snapshot is better than the changes before it.
    auto after = is_whole ? head.sequence : 0;
    auto err = each(x, after, [&](const page_event& event, std::string_view json) {
      take(event, json, x.latest.head ? x.latest.head->sequence : 0, page, head);
      return caf::error{};
    });
    if (err)
      return err;
    forget_archived(x, page, head);
    tell_missing(x, missing, is_whole ? head.sequence : 0);
    return write(x, missing, head, page, to);
  }

  static void take(const page_event& event, std::string_view json, uint64_t counted,
    std::map<uint64_t, last_event>& page, snapshot_head& head) {
    auto number = number_of(event.observation->observation_id).value_or(0);
    auto& known = page[number];
    if (known.sequence <= event.sequence)
      known = {event.sequence, is_end(event.kind) ? std::string{} : std::string{json}};
    head.last_number = std::max(head.last_number, number);
    head.at = std::max(head.at, to_milliseconds(event.at));
    if (event.sequence <= counted)
      return;
    head.expired += event.kind == event_kind::expired ? 1 : 0;
    head.evicted += event.kind == event_kind::evicted ? 1 : 0;
  }

  static void forget_archived(
    const known_agent& x, std::map<uint64_t, last_event>& page, snapshot_head& head) {
    for (const auto& [number, sequence] : x.archived) {
      head.last_number = std::max(head.last_number, number);
      if (auto i = page.find(number); i != page.end() && i->second.sequence <= sequence)
        i->second.json.clear();
    }
    for (const auto& [number, row] : page)
      head.last_number = std::max(head.last_number, number);
  }

  /// Reports the missing changes. An intact snapshot, up to the sequence `whole`, covers those
  /// before it.
  void tell_missing(const known_agent& x, const ranges& missing, uint64_t whole) {
    for (const auto& [first, last] : missing) {
      auto damaged = x.damaged_groups.lower_bound(first);
      auto why = damaged != x.damaged_groups.end() && damaged->first <= last ? damaged->second
                 : !from_.unreadable_journal().empty() ? from_.unreadable_journal()
                                                       : std::string{"they are missing"};
      if (last <= whole)
        why += "; the page is complete, from a snapshot";
      report_.lost.push_back({x.agent_id, "changes", range_text(first, last), why});
    }
    if (whole > 0)
      return;
    for (const auto* snapshot : {&x.latest, &x.oldest})
      for (auto number : snapshot->damaged)
        report_.lost.push_back({x.agent_id, "observation", std::to_string(number), not_as_written});
    for (const auto* snapshot : {&x.latest, &x.oldest})
      if (snapshot->head && snapshot->damaged.empty() && !snapshot->is_whole())
        report_.lost.push_back({x.agent_id, "observation", "of a snapshot", rows_are_missing});
  }

  caf::error write(const known_agent& x, const ranges& missing, snapshot_head head,
    const std::map<uint64_t, last_event>& page, history_writer& to) {
    // Each missing change may have used a number.
    for (const auto& [first, last] : missing)
      head.last_number += last - first + 1;
    head.sequence = std::max<uint64_t>(x.last_sequence, 1);
    last_number_ = head.last_number;
    if (auto err = to.set_snapshot(head))
      return err;
    for (const auto& [number, row] : page) {
      if (row.json.empty())
        continue;
      ++report_.observations;
      if (auto err = to.add(snapshot_row{number, row.json, checksum_of(row.json)}))
        return err;
    }
    return {};
  }

  caf::error save_archive(uint64_t agent, history_writer& to) {
    return from_.each_archived(agent, [&](archive_row&& row) {
      ++report_.archived;
      return to.add(std::move(row));
    });
  }

  static std::optional<uint64_t> turns_in(const document& x) {
    if (x.collection != collection::counters || x.key != counter_name::turns)
      return std::nullopt;
    auto known = from_json_text<stored_number>(x.body);
    return known ? std::optional{known->reserved} : std::nullopt;
  }

  caf::error save_documents(uint64_t agent, history_writer& to) {
    return from_.each_document(agent, [&](document&& x) {
      if (x.collection == collection::counters && x.key == counter_name::observations)
        return caf::error{}; // this counter is written last
      if (auto turns = turns_in(x)) {
        turns_ = *turns;
        return caf::error{};
      }
      ++report_.documents;
      return to.add(std::move(x));
    });
  }

  /// Writes the counter of turns. Each missing commit may have reserved numbers of turns.
  caf::error save_turns(const known_agent& x, history_writer& to) {
    auto given = turns_ + x.missing_commits * id_allocator::at_once;
    if (given == 0)
      return {};
    ++report_.documents;
    std::string name{counter_name::turns};
    return to.add(to_document(collection::counters, name, stored_number{name, given}));
  }

  caf::error save_reserved(const known_agent& x, history_writer& to) {
    auto given = last_given(std::max(last_number_, x.reserved), x.epochs);
    if (given <= last_number_)
      return {};
    ++report_.documents;
    std::string name{counter_name::observations};
    return to.add(to_document(collection::counters, name, stored_number{name, given}));
  }

  salvage_report report_; // first, because `from_` adds to it
  damaged_store from_;
  store& into_;
  const progress& tell_;
  uint64_t last_number_ = 0; // the last number of an observation in the saved history
  uint64_t turns_ = 0;       // the last reserved number of a turn
};

} // namespace

caf::expected<salvage_report> salvage(const std::filesystem::path& damaged, store& into,
  const progress& tell, const std::vector<committed_end>& marked) {
  try {
    SQLite::Database db{damaged.string(), SQLite::OPEN_READWRITE};
    db.exec("PRAGMA cell_size_check = ON");
    std::ignore = db.execAndGet("SELECT count(*) FROM sqlite_master");
    return salvager{db, into, tell, marked}.run();
  } catch (const SQLite::Exception& x) {
    return fail(
      errc::storage_unavailable, "", damaged.filename().string() + " cannot be read: " + x.what());
  }
}

} // namespace scratchpage
