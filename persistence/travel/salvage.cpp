#include "scratchpage/persistence/travel/salvage.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <SQLiteCpp/SQLiteCpp.h>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/json_writer.hpp"
#include "scratchpage/messages/observation_id.hpp"
#include "scratchpage/messages/utf8.hpp"
#include "scratchpage/persistence/kept_counter.hpp"
#include "scratchpage/persistence/store/checksum.hpp"
#include "scratchpage/persistence/store/documents.hpp"
#include "scratchpage/persistence/store/journal_text.hpp"
#include "scratchpage/persistence/store/kept_epoch.hpp"
#include "scratchpage/persistence/travel/damaged_table.hpp"
#include "scratchpage/persistence/travel/document_check.hpp"
#include "scratchpage/persistence/travel/export_lines.hpp"
#include "scratchpage/persistence/travel/history_writer.hpp"

namespace scratchpage {

namespace {

using statement = SQLite::Statement;

/// What is larger was never given by a store: a damaged cell.
constexpr uint64_t most = uint64_t{1} << 62;

constexpr auto not_as_written = "it is not as it was written";

uint64_t number_at(statement& row, int column) {
  return static_cast<uint64_t>(row.getColumn(column).getInt64());
}

std::string text_at(statement& row, int column) {
  auto cell = row.getColumn(column);
  const auto* bytes = cell.getText(); // first, since it may change the size
  return {bytes, static_cast<size_t>(cell.getBytes())};
}

timestamp time_at(statement& row, int column) {
  constexpr int64_t most_ms = 253'402'300'800'000; // the year 10000
  auto ms = row.getColumn(column).getInt64();
  return timestamp{std::chrono::milliseconds{std::clamp<int64_t>(ms, 0, most_ms)}};
}

/// The last event of an observation, as far as it is known.
struct last_event {
  uint64_t sequence = 0;
  std::string json; ///< "": the observation is not on the page
};

struct known_snapshot {
  std::optional<snapshot_head> head;
  std::map<uint64_t, last_event> rows; // by number
  std::vector<uint64_t> damaged;       // numbers
};

struct known_group {
  uint64_t last = 0; // sequence
  int64_t rowid = 0;
};

/// What was found of an agent.
struct known_agent {
  std::string agent_id;
  bool has_name = false;
  uint64_t last_sequence = 0;                     // that may have been given
  std::map<uint64_t, known_group> journal;        // by first sequence
  std::map<uint64_t, std::string> damaged_groups; // why, by first sequence
  known_snapshot latest;
  known_snapshot oldest;
  std::map<uint64_t, uint64_t> archived; // sequences, by number
  std::vector<kept_epoch> epochs;
  uint64_t reserved = 0; // numbers of observations
};

/// First and last sequences, both inclusive.
using ranges = std::vector<std::pair<uint64_t, uint64_t>>;

std::string text_of(uint64_t first, uint64_t last) {
  return first == last ? std::to_string(first)
                       : std::to_string(first) + " to " + std::to_string(last);
}

class salvager {
public:
  salvager(SQLite::Database& db, store& into, const progress& tell)
    : db_{db},
      into_{into},
      tell_{tell} {}

  caf::expected<salvage_report> run() {
    find_agents();
    find_journal();
    find_snapshots();
    find_archived();
    find_reserved();
    name_the_nameless();
    for (auto& [agent, x] : agents_)
      if (auto err = save(agent, x))
        return err;
    return std::move(report_);
  }

private:
  // -- finding ------------------------------------------------------------------------

  void lose(const std::string& agent_id, std::string what, std::string which, std::string why) {
    report_.lost.push_back({agent_id, std::move(what), std::move(which), std::move(why)});
  }

  /// The agent of a row. If all agents are known, a key of none is damaged.
  known_agent& of(statement& row, int column) {
    auto key = number_at(row, column);
    return agents_are_known_ && !agents_.contains(key) ? nobody_ : agents_[key];
  }

  void tell_unreadable(const damaged_table& table, const std::string& name) {
    for (const auto& [first, last] : table.unreadable())
      lose("", "rows of " + name,
        text_of(static_cast<uint64_t>(first), static_cast<uint64_t>(last)), table.why());
  }

  void find_agents() {
    damaged_table table{db_, "agent", "agent, agent_id, last_sequence"};
    std::set<std::string> names;
    table.read([&](statement& row) {
      auto name = text_at(row, 2);
      auto& x = of(row, 1);
      auto last = number_at(row, 3);
      x.last_sequence = last < most ? last : 0;
      x.has_name = !name.empty() && utf8::is_valid(name) && names.insert(name).second;
      if (x.has_name)
        x.agent_id = name;
    });
    agents_are_known_ = table.unreadable().empty() && !agents_.empty()
                        && std::all_of(agents_.begin(), agents_.end(),
                          [](const auto& x) { return x.second.has_name; });
    tell_unreadable(table, "agent");
  }

  void find_journal() {
    damaged_table table{
      db_, "journal", "agent, first_sequence, last_sequence, at_ms, events, checksum"};
    table.read([&](statement& row) {
      auto group = group_of(row);
      auto& x = of(row, 1);
      if (auto events = events_of(group)) {
        x.journal.try_emplace(group.first, group.last, row.getColumn(0).getInt64());
        x.last_sequence = std::max(x.last_sequence, group.last);
      } else if (group.first < most) {
        x.damaged_groups.emplace(group.first, describe(events.error()));
      }
    });
    unreadable_journal_ = table.why();
  }

  static journal_group group_of(statement& row) {
    return {
      number_at(row, 2), number_at(row, 3), time_at(row, 4), text_at(row, 5), number_at(row, 6)};
  }

  known_snapshot* snapshot_of(statement& row) {
    auto& x = of(row, 1);
    auto kind = row.getColumn(2).getInt64();
    if (kind == static_cast<int64_t>(snapshot_kind::latest))
      return &x.latest;
    return kind == static_cast<int64_t>(snapshot_kind::oldest) ? &x.oldest : nullptr;
  }

  void find_snapshots() {
    damaged_table heads{
      db_, "snapshot", "agent, kind, sequence, last_number, expired, evicted, at_ms"};
    heads.read([&](statement& row) {
      snapshot_head head{number_at(row, 3), number_at(row, 4), number_at(row, 5), number_at(row, 6),
        time_at(row, 7)};
      auto* to = snapshot_of(row);
      if (to == nullptr || head.sequence >= most || head.last_number >= most)
        return;
      to->head = head;
      auto& last = of(row, 1).last_sequence;
      last = std::max(last, head.sequence);
    });
    damaged_table rows{db_, "snapshot_row", "agent, kind, number, event, checksum"};
    rows.read([&](statement& row) {
      auto* to = snapshot_of(row);
      if (to == nullptr)
        return;
      auto json = text_at(row, 4);
      auto event = event_of(json);
      auto number = number_at(row, 3);
      if (checksum_of(json) != number_at(row, 5) || !event || !event->observation
          || number_of(event->observation->observation_id) != number)
        to->damaged.push_back(number);
      else
        to->rows.try_emplace(number, event->sequence, std::move(json));
    });
    snapshots_are_readable_ = rows.unreadable().empty();
  }

  void find_archived() {
    damaged_table table{db_, "archive", archive_columns};
    table.read([&](statement& row) {
      auto sequence = number_at(row, 2);
      auto found = archived_in(row);
      if (!found)
        return;
      auto& x = of(row, 1);
      x.archived[number_of(found->observation_id).value_or(0)] = sequence;
      x.last_sequence = std::max(x.last_sequence, sequence);
    });
  }

  static constexpr auto archive_columns = "agent, sequence, left_ms, body, checksum";

  static std::optional<archive_row> archived_in(statement& row) {
    auto sequence = number_at(row, 2);
    auto body = text_at(row, 4);
    if (checksum_of(body) != number_at(row, 5) || sequence == 0 || sequence >= most)
      return std::nullopt;
    auto x = from_json_text<observation>(body, stored_json);
    if (!x)
      return std::nullopt;
    return to_archive_row(sequence, time_at(row, 3), *x, std::move(body));
  }

  /// What tells of numbers that were given.
  void find_reserved() {
    damaged_table table{db_, "document", document_columns};
    table.read([&](statement& row) {
      auto in = text_at(row, 2);
      auto body = text_at(row, 4);
      auto& x = of(row, 1);
      if (checksum_of(body) != number_at(row, 5))
        return;
      if (auto epoch = from_json_text<kept_epoch>(body); in == collection::epochs && epoch)
        x.epochs.push_back(*epoch);
      if (auto number = from_json_text<kept_number>(body); in == collection::counters && number)
        x.reserved = std::max(x.reserved, reserved_in({*number}));
    });
  }

  static constexpr auto document_columns = "agent, collection, name, body, checksum";

  /// Their rows are there, but not who they are.
  void name_the_nameless() {
    std::set<std::string> names;
    for (const auto& [agent, x] : agents_)
      names.insert(x.agent_id);
    for (auto& [agent, x] : agents_) {
      if (x.has_name)
        continue;
      x.agent_id = "recovered-" + std::to_string(agent);
      while (!names.insert(x.agent_id).second)
        x.agent_id += "-again";
      lose(x.agent_id, "name", std::to_string(agent), "the agent's row cannot be read");
    }
  }

  // -- saving -------------------------------------------------------------------------

  caf::error save(uint64_t agent, const known_agent& x) {
    auto to = history_writer::begin(into_, x.agent_id);
    if (!to)
      return to.error();
    ++report_.agents;
    last_number_ = 0;
    auto missing = missing_in(x);
    auto err = missing.empty() ? save_history(x, *to) : save_page(x, missing, *to);
    if (!err)
      err = save_archive(agent, x, *to);
    if (!err)
      err = save_documents(agent, x, *to);
    if (!err)
      err = save_reserved(x, *to);
    return err ? err : to->finish();
  }

  /// Where the journal begins, if that is known.
  std::optional<uint64_t> beginning(const known_agent& x) const {
    if (!x.oldest.head)
      return x.oldest.rows.empty() ? std::optional<uint64_t>{0} : std::nullopt;
    if (x.oldest.damaged.empty() && snapshots_are_readable_)
      return x.oldest.head->sequence;
    return std::nullopt;
  }

  /// Sequences of which there is no change.
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

  /// Calls `f` with each change that is there and comes after, in order.
  caf::error each_change(const known_agent& x, uint64_t after,
    const std::function<caf::error(const page_event&, std::string_view)>& f) {
    if (x.journal.empty()) // perhaps there is no such table
      return {};
    statement read{db_,
      "SELECT rowid, agent, first_sequence, last_sequence, at_ms, events, checksum FROM journal "
      "NOT INDEXED WHERE rowid = ?"};
    for (const auto& [first, group] : x.journal) {
      if (group.last <= after)
        continue;
      read.reset();
      read.bind(1, group.rowid);
      if (!read.executeStep())
        continue;
      auto found = group_of(read);
      auto events = events_of(found);
      auto lines = lines_of(found);
      if (!events || !lines)
        return fail(errc::storage_unavailable, "", "expected to read the same twice");
      for (size_t i = 0; i < events->size(); ++i) {
        const auto& event = (*events)[i];
        if (event.sequence <= after) // a group may reach back
          continue;
        after = event.sequence;
        if (auto err = f(event, (*lines)[i].json))
          return err;
      }
      if (tell_)
        tell_(after, x.last_sequence);
    }
    return {};
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
    return each_change(x, after, [&](const page_event& event, std::string_view json) {
      ++report_.changes;
      last_number_ =
        std::max(last_number_, number_of(event.observation->observation_id).value_or(0));
      return to.add(event, json);
    });
  }

  /// Begins anew with the page as far as it is known.
  caf::error save_page(const known_agent& x, const ranges& missing, history_writer& to) {
    auto head = x.latest.head.value_or(x.oldest.head.value_or(snapshot_head{}));
    auto is_whole = x.latest.head && x.latest.damaged.empty() && snapshots_are_readable_;
    std::map<uint64_t, last_event> page = x.latest.rows;
    if (!is_whole)
      page.insert(x.oldest.rows.begin(), x.oldest.rows.end());
    // A whole snapshot knows better than what came before it.
    auto after = is_whole ? head.sequence : 0;
    auto err = each_change(x, after, [&](const page_event& event, std::string_view json) {
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

  /// A snapshot that is whole makes up for what came before it.
  void tell_missing(const known_agent& x, const ranges& missing, uint64_t whole) {
    for (const auto& [first, last] : missing) {
      auto damaged = x.damaged_groups.lower_bound(first);
      auto why = damaged != x.damaged_groups.end() && damaged->first <= last ? damaged->second
                 : !unreadable_journal_.empty()                              ? unreadable_journal_
                                                : std::string{"they are not there"};
      if (last <= whole)
        why += "; the page is whole, from a snapshot";
      lose(x.agent_id, "changes", text_of(first, last), why);
    }
    if (whole > 0)
      return;
    for (const auto* snapshot : {&x.latest, &x.oldest})
      for (auto number : snapshot->damaged)
        lose(x.agent_id, "observation", std::to_string(number), not_as_written);
  }

  caf::error write(const known_agent& x, const ranges& missing, snapshot_head head,
    const std::map<uint64_t, last_event>& page, history_writer& to) {
    // Each change that is missing may have given a number.
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

  caf::error save_archive(uint64_t agent, const known_agent& x, history_writer& to) {
    std::map<uint64_t, int64_t, std::greater<>> rows; // the last first
    damaged_table table{db_, "archive", archive_columns};
    table.read([&](statement& row) {
      if (number_at(row, 1) != agent)
        return lose_if_nobodys(agent, row, "archived", "sequence " + text_at(row, 2));
      if (archived_in(row))
        rows.try_emplace(number_at(row, 2), row.getColumn(0).getInt64());
      else
        lose(
          x.agent_id, "archived", "sequence " + std::to_string(number_at(row, 2)), not_as_written);
    });
    if (is_first(agent))
      tell_unreadable(table, "archive");
    if (rows.empty())
      return {};
    statement read{db_, std::string{"SELECT rowid, "} + archive_columns
                          + " FROM archive NOT INDEXED WHERE rowid = ?"};
    for (const auto& [sequence, rowid] : rows) {
      read.reset();
      read.bind(1, rowid);
      if (!read.executeStep())
        continue;
      auto row = archived_in(read);
      if (!row)
        return fail(errc::storage_unavailable, "", "expected to read the same twice");
      ++report_.archived;
      if (auto err = to.add(std::move(*row)))
        return err;
    }
    return {};
  }

  caf::error save_documents(uint64_t agent, const known_agent& x, history_writer& to) {
    damaged_table table{db_, "document", document_columns};
    std::set<std::pair<std::string, std::string>> names;
    caf::error failed;
    table.read([&](statement& row) {
      auto in = text_at(row, 2);
      if (number_at(row, 1) != agent)
        return lose_if_nobodys(agent, row, "document", in + "/" + text_at(row, 3));
      if (failed || in == collection::epochs)
        return;
      auto found = make_document(in, text_at(row, 3), text_at(row, 4));
      if (found.checksum != number_at(row, 5) || !is_whole(found)) {
        lose(x.agent_id, "document", found.collection + "/" + found.key, not_as_written);
      } else if (in == collection::counters && found.key == counter_name::observations) {
        return; // which is written last
      } else if (names.emplace(found.collection, found.key).second) {
        ++report_.documents;
        failed = to.add(std::move(found));
      }
    });
    if (is_first(agent))
      tell_unreadable(table, "document");
    return failed;
  }

  caf::error save_reserved(const known_agent& x, history_writer& to) {
    auto given = last_given(std::max(last_number_, x.reserved), x.epochs);
    if (given <= last_number_)
      return {};
    ++report_.documents;
    std::string name{counter_name::observations};
    return to.add(to_document(collection::counters, name, kept_number{name, given}));
  }

  /// Tables are read once for each agent; what is no agent's is told with the first.
  bool is_first(uint64_t agent) const { return agent == agents_.begin()->first; }

  void lose_if_nobodys(
    uint64_t agent, statement& row, const std::string& what, const std::string& which) {
    if (is_first(agent) && !agents_.contains(number_at(row, 1)))
      lose("", what, which, "nobody knows whose it is");
  }

  static bool is_whole(const document& x) {
    if (x.collection.empty() || !utf8::is_valid(x.collection) || !utf8::is_valid(x.key))
      return false;
    auto body = parse_json(x.body, stored_json);
    return body
           && !check_document(
             to_json(document_line{export_line::document, x.collection, x.key, std::move(*body)}));
  }

  SQLite::Database& db_;
  store& into_;
  const progress& tell_;
  std::map<uint64_t, known_agent> agents_; // by key
  known_agent nobody_;
  bool agents_are_known_ = false;
  uint64_t last_number_ = 0; // that the agent's saved history tells of
  bool snapshots_are_readable_ = true;
  std::string unreadable_journal_; // why, if some of it is
  salvage_report report_;
};

} // namespace

caf::expected<salvage_report> salvage(
  const std::filesystem::path& damaged, store& into, const progress& tell) {
  try {
    SQLite::Database db{damaged.string(), SQLite::OPEN_READWRITE};
    db.exec("PRAGMA cell_size_check = ON");
    std::ignore = db.execAndGet("SELECT count(*) FROM sqlite_master");
    return salvager{db, into, tell}.run();
  } catch (const SQLite::Exception& x) {
    return fail(errc::storage_unavailable, "",
      "nothing can be read of " + damaged.filename().string() + ": " + x.what());
  }
}

} // namespace scratchpage
