#include "scratchpage/persistence/transfer/damaged_store.hpp"

#include <algorithm>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/json_writer.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/persistence/store/checksum.hpp"
#include "scratchpage/persistence/store/documents.hpp"
#include "scratchpage/persistence/store/journal.hpp"
#include "scratchpage/persistence/store/stored_numbers.hpp"
#include "scratchpage/persistence/stored_files/file_versions.hpp"
#include "scratchpage/persistence/transfer/export_lines.hpp"

namespace scratchpage {

namespace {

using statement = SQLite::Statement;

/// No store ever gives a larger number; a cell with one is damaged.
constexpr uint64_t most = uint64_t{1} << 62;

uint64_t number_at(statement& row, int column) {
  return static_cast<uint64_t>(row.getColumn(column).getInt64());
}

std::string text_at(statement& row, int column) {
  auto cell = row.getColumn(column);
  const auto* bytes = cell.getText(); // first, since it may change the size
  return {bytes, static_cast<size_t>(cell.getBytes())};
}

timestamp time_at(statement& row, int column) {
  constexpr int64_t max_ms = 253'402'300'800'000; // the year 10000
  auto ms = row.getColumn(column).getInt64();
  return timestamp{std::chrono::milliseconds{std::clamp<int64_t>(ms, 0, max_ms)}};
}

constexpr auto document_columns = "agent, collection, name, body, checksum";

constexpr auto changed_meanwhile = "the database changed while it was read";

journal_group group_of(statement& row) {
  return {
    number_at(row, 2), number_at(row, 3), time_at(row, 4), text_at(row, 5), number_at(row, 6)};
}

/// A row of the archive without its body.
archive_row found_by(statement& row) {
  archive_row x{number_at(row, 2), text_at(row, 7), text_at(row, 8), text_at(row, 9),
    text_at(row, 10), text_at(row, 11), text_at(row, 12), time_at(row, 13), time_at(row, 3), {}};
  x.checksum = number_at(row, 5);
  return x;
}

bool is_whole(const document& x) {
  if (x.collection.empty() || !utf8::is_valid(x.collection) || !utf8::is_valid(x.key))
    return false;
  auto body = parse_json(x.body, stored_json);
  return body
         && !check_document(
           to_json(document_line{export_line::document, x.collection, x.key, std::move(*body)}));
}

} // namespace

std::string range_text(uint64_t first, uint64_t last) {
  return first == last ? std::to_string(first)
                       : std::to_string(first) + " to " + std::to_string(last);
}

damaged_store::damaged_store(
  SQLite::Database& db, const std::vector<committed_end>& marked, std::vector<loss>& lost)
  : db_{db},
    lost_{lost} {
  find_agents(marked);
  find_journal();
  find_snapshots();
  find_packs();
  find_archived();
  find_reserved();
  find_sums();
  name_the_nameless();
}

void damaged_store::lose(
  const std::string& agent_id, std::string what, std::string which, std::string why) {
  lost_.push_back({agent_id, std::move(what), std::move(which), std::move(why)});
}

/// The agent of a row. If all agents are known, an unknown key is damaged and gives `nobody_`.
known_agent& damaged_store::of(statement& row, int column) {
  auto key = number_at(row, column);
  return agents_are_known_ && !agents_.contains(key) ? nobody_ : agents_[key];
}

/// Finds the packs, in which rows of observations that left long ago have their bodies.
void damaged_store::find_packs() {
  try {
    statement asked{db_, "SELECT pack FROM archive LIMIT 0"};
  } catch (const SQLite::Exception&) {
    archive_columns_ = "agent, sequence, left_ms, body, checksum, 0, observation_id, type, status, "
                       "source, owner, turn_id, created_ms"; // an older version
    return;
  }
  damaged_table table{db_, "archive_pack", "agent, pack"};
  table.read([&](statement& row) {
    packs_.try_emplace({number_at(row, 1), number_at(row, 2)}, row.getColumn(0).getInt64());
  });
}

/// The bodies in a pack; none if it is damaged. The last pack is kept.
const archive_bodies& damaged_store::bodies_of(uint64_t agent, uint64_t number) {
  std::pair name{agent, number};
  if (name == open_pack_)
    return bodies_;
  open_pack_ = name;
  bodies_.clear();
  auto known = packs_.find(name);
  if (known == packs_.end())
    return bodies_;
  try {
    statement read{db_, "SELECT bodies, checksum FROM archive_pack NOT INDEXED WHERE rowid = ?"};
    read.bind(1, known->second);
    if (!read.executeStep())
      return bodies_;
    auto cell = read.getColumn(0);
    const auto* bytes = static_cast<const char*>(cell.getBlob());
    std::string_view packed{bytes, static_cast<size_t>(cell.getBytes())};
    if (checksum_of(packed) == number_at(read, 1))
      bodies_ = unpack(packed).value_or(archive_bodies{});
  } catch (const SQLite::Exception&) { // its rows are then reported as lost
  }
  return bodies_;
}

std::optional<archive_row> damaged_store::archived_in(statement& row) {
  auto sequence = number_at(row, 2);
  auto body = text_at(row, 4);
  if (auto pack = number_at(row, 6); pack != 0) {
    const auto& bodies = bodies_of(number_at(row, 1), pack);
    auto found = bodies.find(sequence);
    body = found == bodies.end() ? "" : found->second;
  }
  if (checksum_of(body) != number_at(row, 5) || sequence == 0 || sequence >= most)
    return std::nullopt;
  auto x = from_json_text<observation>(body, stored_json);
  if (!x)
    return std::nullopt;
  return to_archive_row(sequence, time_at(row, 3), *x, std::move(body));
}

void damaged_store::tell_unreadable(const damaged_table& table, const std::string& name) {
  for (const auto& [first, last] : table.unreadable())
    lose("", "rows of " + name,
      range_text(static_cast<uint64_t>(first), static_cast<uint64_t>(last)), table.why());
}

/// Notes the commits that the mark records and the database does not have, if it is the same agent.
void damaged_store::miss(const committed_end& wanted, std::set<std::string>& names) {
  auto& x = agents_[wanted.agent];
  if (!x.has_name && names.insert(wanted.agent_id).second) {
    x.agent_id = wanted.agent_id;
    x.has_name = true;
  }
  if (!x.agent_id.starts_with(wanted.agent_id) || x.commits >= wanted.commits)
    return;
  x.missing_commits = wanted.commits - x.commits;
  x.last_sequence = std::max(x.last_sequence, wanted.last_sequence);
}

/// Whether the table has these columns.
bool damaged_store::has(const std::string& table, const std::string& columns) const {
  try {
    statement asked{db_, "SELECT " + columns + " FROM " + table + " LIMIT 0"};
    return true;
  } catch (const SQLite::Exception&) {
    return false;
  }
}

std::string damaged_store::agent_columns() const {
  std::string columns = "agent, agent_id, last_sequence, ";
  for (const auto* count : {"commit_count", "commits"}) // the second one in version 4
    if (has("agent", count))
      return columns + count;
  return columns + "0"; // in an older version
}

void damaged_store::find_agents(const std::vector<committed_end>& marked) {
  damaged_table table{db_, "agent", agent_columns()};
  std::set<std::string> names;
  table.read([&](statement& row) {
    auto name = text_at(row, 2);
    auto& x = of(row, 1);
    auto last = number_at(row, 3);
    x.last_sequence = last < most ? last : 0;
    x.has_name = !name.empty() && utf8::is_valid(name) && names.insert(name).second;
    if (x.has_name)
      x.agent_id = name;
    x.commits = number_at(row, 4);
  });
  for (const auto& x : marked)
    miss(x, names);
  agents_are_known_ =
    table.unreadable().empty() && !agents_.empty()
    && std::all_of(agents_.begin(), agents_.end(), [](const auto& x) { return x.second.has_name; });
  tell_unreadable(table, "agent");
}

void damaged_store::find_journal() {
  damaged_table table{
    db_, "journal", "agent, first_sequence, last_sequence, at_ms, events, checksum"};
  table.read([&](statement& row) {
    auto group = group_of(row);
    auto& x = of(row, 1);
    if (auto events = events_of(group)) {
      x.journal.try_emplace(group.first, known_group{group.last, row.getColumn(0).getInt64()});
      x.last_sequence = std::max(x.last_sequence, group.last);
    } else if (group.first < most) {
      x.damaged_groups.emplace(group.first, describe(events.error()));
    }
  });
  unreadable_journal_ = table.why();
}

known_snapshot* damaged_store::snapshot_of(statement& row) {
  auto& x = of(row, 1);
  auto kind = row.getColumn(2).getInt64();
  if (kind == static_cast<int64_t>(snapshot_kind::latest))
    return &x.latest;
  return kind == static_cast<int64_t>(snapshot_kind::oldest) ? &x.oldest : nullptr;
}

bool damaged_store::has_sums() const {
  return has("snapshot", "row_sum, checksum"); // not in an older version
}

void damaged_store::find_snapshots() {
  auto is_sealed = has_sums();
  std::string columns = "agent, kind, sequence, last_number, expired, evicted, at_ms";
  damaged_table heads{db_, "snapshot", columns + (is_sealed ? ", row_sum, checksum" : "")};
  heads.read([&](statement& row) { find_head(row, is_sealed); });
  damaged_table rows{db_, "snapshot_row", "agent, kind, number, event, checksum"};
  rows.read([&](statement& row) { find_row(row); });
  snapshots_are_readable_ = rows.unreadable().empty();
}

void damaged_store::find_head(statement& row, bool is_sealed) {
  snapshot_head head{
    number_at(row, 3), number_at(row, 4), number_at(row, 5), number_at(row, 6), time_at(row, 7)};
  auto* to = snapshot_of(row);
  if (to == nullptr || head.sequence >= most || head.last_number >= most)
    return;
  head.rows = is_sealed ? number_at(row, 8) : 0;
  auto kind = static_cast<snapshot_kind>(row.getColumn(2).getInt64());
  if (is_sealed && checksum_of(number_at(row, 1), kind, head) != number_at(row, 9))
    return;
  to->head = head;
  to->is_summed = is_sealed;
  auto& last = of(row, 1).last_sequence;
  last = std::max(last, head.sequence);
}

void damaged_store::find_row(statement& row) {
  auto* to = snapshot_of(row);
  if (to == nullptr)
    return;
  auto json = text_at(row, 4);
  auto event = event_of(json);
  auto number = number_at(row, 3);
  auto checksum = number_at(row, 5);
  if (checksum_of(json) != checksum || !event || !event->observation
      || number_of(event->observation->observation_id) != number)
    to->damaged.push_back(number);
  else if (to->rows.try_emplace(number, last_event{event->sequence, std::move(json)}).second)
    to->sum += sum_of(number, checksum);
}

void damaged_store::find_archived() {
  damaged_table table{db_, "archive", archive_columns_};
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

/// Finds the documents about numbers that were used and about files that were written.
void damaged_store::find_reserved() {
  damaged_table table{db_, "document", document_columns};
  table.read([&](statement& row) {
    auto in = text_at(row, 2);
    auto body = text_at(row, 4);
    auto& x = of(row, 1);
    if (checksum_of(body) != number_at(row, 5))
      return;
    if (auto epoch = from_json_text<stored_epoch>(body); in == collection::epochs && epoch)
      x.epochs.push_back(*epoch);
    if (auto number = from_json_text<stored_number>(body); in == collection::counters && number)
      x.reserved = std::max(x.reserved, reserved_in({*number}));
    if (auto kept = from_json_text<stored_version>(body); in == collection::versions && kept)
      x.versions.insert_or_assign(kept->path, kept->version);
  });
}

/// Finds the stored sums of archives and collections.
void damaged_store::find_sums() {
  if (!has_sums())
    return;
  damaged_table archives{db_, "agent", "agent, archive_sum"};
  archives.read([&](statement& row) {
    if (auto x = agents_.find(number_at(row, 1)); x != agents_.end())
      x->second.archive_sum = number_at(row, 2);
  });
  damaged_table documents{db_, "document_sum", "agent, collection, row_sum"};
  documents.read([&](statement& row) {
    if (auto x = agents_.find(number_at(row, 1)); x != agents_.end())
      x->second.document_sums.insert_or_assign(text_at(row, 2), number_at(row, 3));
  });
}

/// Gives names to agents whose rows exist but whose ids are lost.
void damaged_store::name_the_nameless() {
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

/// Calls `f` with each intact change after `after`, in order.
caf::error damaged_store::each_change(const known_agent& x, uint64_t after,
  const std::function<caf::error(const page_event&, std::string_view)>& f) {
  if (x.journal.empty()) // the table may not exist
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
      return fail(errc::storage_unavailable, "", changed_meanwhile);
    for (size_t i = 0; i < events->size(); ++i) {
      const auto& event = (*events)[i];
      if (event.sequence <= after) // a group may begin before `after`
        continue;
      after = event.sequence;
      if (auto err = f(event, (*lines)[i].json))
        return err;
    }
  }
  return {};
}

caf::error damaged_store::each_archived(
  uint64_t agent, const std::function<caf::error(archive_row&&)>& f) {
  const auto& agent_id = agents_.at(agent).agent_id;
  std::map<uint64_t, int64_t, std::greater<>> rows; // the last first
  uint64_t sum = 0;
  damaged_table table{db_, "archive", archive_columns_};
  table.read([&](statement& row) {
    if (number_at(row, 1) != agent)
      return lose_if_nobodys(agent, row, "archived", "sequence " + text_at(row, 2));
    sum ^= sum_of(found_by(row));
    if (archived_in(row))
      rows.try_emplace(number_at(row, 2), row.getColumn(0).getInt64());
    else
      lose(agent_id, "archived", "sequence " + std::to_string(number_at(row, 2)), not_as_written);
  });
  if (is_first(agent))
    tell_unreadable(table, "archive");
  if (agents_.at(agent).archive_sum.value_or(sum) != sum)
    lose(agent_id, "archived", "some", rows_are_missing);
  if (rows.empty())
    return {};
  statement read{db_,
    std::string{"SELECT rowid, "} + archive_columns_ + " FROM archive NOT INDEXED WHERE rowid = ?"};
  for (const auto& [sequence, rowid] : rows) {
    read.reset();
    read.bind(1, rowid);
    if (!read.executeStep())
      continue;
    auto row = archived_in(read);
    if (!row)
      return fail(errc::storage_unavailable, "", changed_meanwhile);
    if (auto err = f(std::move(*row)))
      return err;
  }
  return {};
}

caf::error damaged_store::each_document(
  uint64_t agent, const std::function<caf::error(document&&)>& f) {
  const auto& agent_id = agents_.at(agent).agent_id;
  damaged_table table{db_, "document", document_columns};
  std::set<std::pair<std::string, std::string>> names;
  std::map<std::string, uint64_t> sums;
  caf::error failed;
  table.read([&](statement& row) {
    auto in = text_at(row, 2);
    if (number_at(row, 1) != agent)
      return lose_if_nobodys(agent, row, "document", in + "/" + text_at(row, 3));
    sums[in] ^= sum_of(text_at(row, 3), number_at(row, 5));
    if (failed || in == collection::epochs || in == collection::versions)
      return;
    auto found = make_document(in, text_at(row, 3), text_at(row, 4));
    if (found.checksum != number_at(row, 5) || !is_whole(found)) {
      lose(agent_id, "document", found.collection + "/" + found.key, not_as_written);
    } else if (names.emplace(found.collection, found.key).second) {
      failed = f(std::move(found));
    }
  });
  if (is_first(agent))
    tell_unreadable(table, "document");
  tell_missing_documents(agents_.at(agent), sums);
  return failed;
}

void damaged_store::tell_missing_documents(
  const known_agent& x, const std::map<std::string, uint64_t>& found) {
  for (const auto& [collection, wanted] : x.document_sums) {
    auto i = found.find(collection);
    if ((i == found.end() ? 0 : i->second) != wanted)
      lose(x.agent_id, "document", "some of " + collection, rows_are_missing);
  }
}

/// Tables are read once for each agent; rows of no agent are reported with the first one.
bool damaged_store::is_first(uint64_t agent) const {
  return agent == agents_.begin()->first;
}

void damaged_store::lose_if_nobodys(
  uint64_t agent, statement& row, const std::string& what, const std::string& which) {
  if (is_first(agent) && !agents_.contains(number_at(row, 1)))
    lose("", what, which, "its agent is not known");
}

} // namespace scratchpage
