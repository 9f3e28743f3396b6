#include "scratchpage/persistence/transfer/history_writer.hpp"

#include <utility>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/memories/stored_memories.hpp"
#include "scratchpage/persistence/store/checksum.hpp"
#include "scratchpage/persistence/store/documents.hpp"
#include "scratchpage/persistence/store/journal.hpp"
#include "scratchpage/persistence/transfer/export_lines.hpp"

namespace scratchpage {

namespace {

constexpr size_t rows_at_once = 256;
constexpr size_t changes_at_once = 256;
constexpr size_t bytes_at_once = 1u << 20;

} // namespace

caf::expected<history_writer> history_writer::begin(store& to, const std::string& agent_id) {
  auto known = to.find_agent(agent_id);
  if (!known)
    return known.error();
  if (*known)
    return fail(errc::conflict, "agent_id",
      "expected an agent that is not there yet, but there is '" + agent_id + "' already");
  auto owner = to.claim(agent_id);
  if (!owner)
    return owner.error();
  return history_writer{to, *owner};
}

caf::error history_writer::set_snapshot(const snapshot_head& head) {
  head_ = head;
  last_ = head.sequence;
  if (auto err = to_->begin_journal(by_, head.sequence))
    return err;
  return write_rows();
}

caf::error history_writer::add(snapshot_row x) {
  rows_.push_back(std::move(x));
  return rows_.size() < rows_at_once ? caf::error{} : write_rows();
}

caf::error history_writer::add(const page_event& x, std::string_view json) {
  if (group_.events.empty())
    group_.first = x.sequence;
  group_.last = x.sequence;
  group_.at = to_milliseconds(x.at);
  append_line(group_.events, x, json);
  if (group_.last - group_.first + 1 < changes_at_once && group_.events.size() < bytes_at_once)
    return {};
  return write_group();
}

caf::error history_writer::add(archive_row x) {
  archived_.push_back(std::move(x));
  return archived_.size() < rows_at_once ? caf::error{} : write_archived();
}

caf::error history_writer::add(document x) {
  if (x.collection == collection::stories)
    if (auto story = from_json_text<episode>(x.body, stored_json))
      x.index = to_story(*story).index; // exports have no index
  if (x.collection == collection::files)
    x.index = document_index{};
  auto is_large = x.body.size() > bytes_at_once;
  documents_.push_back(std::move(x));
  return documents_.size() < rows_at_once && !is_large ? caf::error{} : write_documents();
}

caf::error history_writer::finish() {
  auto err = rows_.empty() ? caf::error{} : write_rows();
  if (!err)
    err = write_group();
  if (!err)
    err = write_archived();
  return err ? err : write_documents();
}

/// Writes the rows to both snapshots: recovery reads the latest one, exports read the oldest one.
caf::error history_writer::write_rows() {
  auto rows = std::exchange(rows_, {});
  auto err = to_->move_snapshot(by_, snapshot_kind::oldest, head_, rows);
  return err ? err : to_->move_snapshot(by_, snapshot_kind::latest, head_, rows);
}

caf::error history_writer::write_group() {
  if (group_.events.empty())
    return {};
  journal_append x{by_, last_, std::exchange(group_, {}), {}};
  x.group.checksum = checksum_of(x.group.events);
  last_ = x.group.last;
  return to_->append_one(x);
}

caf::error history_writer::write_archived() {
  auto rows = std::exchange(archived_, {});
  return rows.empty() ? caf::error{} : to_->add_archived(by_, rows);
}

caf::error history_writer::write_documents() {
  auto rows = std::exchange(documents_, {});
  return rows.empty() ? caf::error{} : to_->put(by_, rows);
}

} // namespace scratchpage
