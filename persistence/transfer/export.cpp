#include "scratchpage/persistence/transfer/export.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/json_writer.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/persistence/files/base64.hpp"
#include "scratchpage/persistence/files/file_name.hpp"
#include "scratchpage/persistence/files/file_store.hpp"
#include "scratchpage/persistence/store/checksum.hpp"
#include "scratchpage/persistence/store/documents.hpp"
#include "scratchpage/persistence/store/journal.hpp"
#include "scratchpage/persistence/store/store_errors.hpp"
#include "scratchpage/persistence/store/stored_numbers.hpp"
#include "scratchpage/persistence/stored_files/stored_file.hpp"
#include "scratchpage/persistence/transfer/export_mask.hpp"

namespace scratchpage {

namespace {

/// Builds a line from its members, some of which are JSON already.
class line_text {
public:
  explicit line_text(export_line kind) { add("line", kind); }

  template <class T>
  line_text& add(std::string_view name, const T& x) {
    begin(name);
    append_json(text_, x);
    return *this;
  }

  line_text& add_json(std::string_view name, std::string_view json) {
    begin(name);
    text_ += json;
    return *this;
  }

  std::string take() { return std::move(text_ += '}'); }

private:
  void begin(std::string_view name) {
    text_ += text_.empty() ? '{' : ',';
    append_quoted(text_, name);
    text_ += ':';
  }

  std::string text_;
};

} // namespace

/// Writes the lines of one agent.
class exporter::agent_writer {
public:
  agent_writer(exporter& to, store& from, uint64_t agent, const progress& tell)
    : to_{to},
      from_{from},
      agent_{agent},
      tell_{tell} {}

  caf::error write_snapshot() {
    auto head = from_.find_snapshot(agent_, snapshot_kind::oldest);
    if (!head)
      return head.error();
    if (head->sequence == 0)
      return {};
    first_ = last_ = head->sequence;
    last_number_ = head->last_number;
    auto err = to_.write(
      export_line::snapshot, to_json_text(snapshot_line{export_line::snapshot, head->sequence,
                               head->last_number, head->expired, head->evicted, head->at}));
    if (err)
      return err;
    snapshot_rows_check rows;
    err = each<snapshot_row>(
      [&](const auto& f) { return from_.read_snapshot(agent_, snapshot_kind::oldest, f); },
      [&](const snapshot_row& x) {
        rows.add(x);
        return write(x);
      });
    return err ? err : rows.check(from_, agent_, snapshot_kind::oldest, *head);
  }

  caf::error write_journal() {
    if (auto head = from_.find_snapshot(agent_, snapshot_kind::latest))
      known_end_ = head->sequence;
    auto end = from_.end_of_journal(agent_);
    if (!end)
      return end.error();
    auto err =
      each<journal_group>([&](const auto& f) { return from_.read_journal(agent_, last_, f); },
        [&](const journal_group& x) { return write(x); });
    return err ? err : check_reach(from_, agent_, last_, *end);
  }

  caf::error write_archive() {
    return each_of<archive_row>(
      sum_check::of_archive(from_, agent_),
      [&](const auto& f) { return from_.read_archive(agent_, {}, f); },
      [&](const archive_row& x) { return write(x); });
  }

  /// Writes the documents except epochs, which belong to this store. Numbers of observations that
  /// the epochs know to be used are written as a counter, so that they are not used again.
  caf::error write_documents() {
    auto known = from_.collections(agent_);
    auto given = find_given();
    if (!known || !given)
      return known ? given.error() : known.error();
    std::set<std::string> collections{known->begin(), known->end()};
    collections.erase(std::string{collection::epochs});
    collections.erase(std::string{collection::files});
    collections.erase(std::string{collection::open_turns});  // they belong to this history alone
    collections.erase(std::string{collection::versions});    // masking may change the files
    collections.erase(std::string{collection::story_sizes}); // masking may change the episodes
    if (*given > last_number_)
      collections.emplace(collection::counters);
    for (const auto& name : collections)
      if (auto err = name == collection::counters ? write_counters(*given) : write_all(name))
        return err;
    return {};
  }

  caf::error write_files(const std::string& agent_id) {
    std::string files{collection::files};
    if (to_.files_.empty())
      return each_of<document>(
        sum_check::of_documents(from_, agent_, files),
        [&](const auto& f) { return from_.read_documents(agent_, files, f); },
        [&](const document& x) { return write_file(x); });
    directory_files in{to_.files_ / file_name_for(agent_id)};
    auto paths = in.list();
    if (!paths)
      return paths.error();
    for (const auto& path : *paths)
      if (auto err = write_file(in, path))
        return err;
    return {};
  }

private:
  /// Calls `f` with each row that `read` gives, until one of them fails.
  template <class T, class Read, class F>
  static caf::error each(Read read, F f) {
    caf::error stopped;
    auto err = read(store::visitor<T>{[&](T&& x) {
      stopped = f(x);
      return !stopped;
    }});
    return err ? err : stopped;
  }

  /// As `each`, and checks that no row is missing.
  template <class T, class Read, class F>
  static caf::error each_of(sum_check all, Read read, F f) {
    auto err = all.begin();
    if (!err)
      err = each<T>(read, [&](const T& x) {
        all.add(x);
        return f(x);
      });
    return err ? err : all.end();
  }

  /// The highest number that an observation may have.
  caf::expected<uint64_t> find_given() {
    auto epochs = read_all<stored_epoch>(from_, agent_, collection::epochs);
    auto counters = read_all<stored_number>(from_, agent_, collection::counters);
    if (!epochs || !counters)
      return epochs ? counters.error() : epochs.error();
    return last_given(std::max(last_number_, reserved_in(*counters)), *epochs);
  }

  caf::error write_all(const std::string& collection) {
    return each_of<document>(
      sum_check::of_documents(from_, agent_, collection),
      [&](const auto& f) { return from_.read_documents(agent_, collection, f); },
      [&](const document& x) { return write(x); });
  }

  caf::error write_counters(uint64_t given) {
    std::string in{collection::counters};
    std::string name{counter_name::observations};
    std::map<std::string, document> all; // by key
    auto err = from_.read_documents(agent_, in, [&](document&& x) {
      all.emplace(x.key, std::move(x));
      return true;
    });
    if (given > last_number_)
      all.insert_or_assign(name, to_document(in, name, stored_number{name, given}));
    for (const auto& [key, x] : all)
      if (!err)
        err = write(x);
    return err;
  }

  caf::error write(const snapshot_row& x) {
    auto what = "the oldest snapshot's observation " + std::to_string(x.number) + " is damaged";
    if (checksum_of(x.event) != x.checksum)
      return needs_repair(what);
    auto event = shown_event(x.event, what);
    if (!event)
      return event.error();
    return to_.write(export_line::observation,
      line_text{export_line::observation}.add("number", x.number).add_json("event", *event).take());
  }

  caf::error write(const journal_group& group) {
    if (group.first > last_ + 1)
      return needs_repair("the journal has no sequence " + std::to_string(last_ + 1));
    auto lines = lines_of(group);
    if (!lines)
      return needs_repair(describe(lines.error()));
    auto sequence = group.first;
    for (const auto& line : *lines)
      if (sequence++ > last_) // a group may begin before the snapshot
        if (auto err = write(line, sequence - 1))
          return err;
    last_ = group.last;
    if (tell_)
      tell_(last_ - first_, std::max(last_, known_end_) - first_);
    return {};
  }

  caf::error write(const journal_line& x, uint64_t sequence) {
    last_number_ = std::max(last_number_, x.number);
    auto event = shown_event(x.json, "sequence " + std::to_string(sequence) + " is damaged");
    if (!event)
      return event.error();
    return to_.write(
      export_line::event, line_text{export_line::event}.add_json("event", *event).take());
  }

  caf::error write(const archive_row& x) {
    auto what = x.observation_id + " is damaged in the archive";
    if (checksum_of(x.body) != x.checksum)
      return needs_repair(what);
    auto body = shown(x.body, masked_observation, what);
    if (!body)
      return body.error();
    return to_.write(export_line::archived, line_text{export_line::archived}
                                              .add("sequence", x.sequence)
                                              .add("left_at", x.left_at)
                                              .add_json("observation", *body)
                                              .take());
  }

  caf::error write(const document& x) {
    auto what = x.collection + "/" + x.key + " is damaged";
    if (checksum_of(x.body) != x.checksum)
      return needs_repair(what);
    auto mask = [&](const pii_masker& with, std::string_view json) {
      return masked_document(with, x.collection, json);
    };
    auto body = shown(x.body, mask, what);
    if (!body)
      return body.error();
    return to_.write(export_line::document, line_text{export_line::document}
                                              .add("collection", x.collection)
                                              .add("key", x.key)
                                              .add_json("body", *body)
                                              .take());
  }

  caf::error write_file(const document& x) {
    auto bytes = bytes_of_file(x);
    return bytes ? write_file(x.key, std::move(*bytes))
                 : needs_repair(x.collection + "/" + x.key + " is damaged");
  }

  caf::error write_file(directory_files& in, const std::string& path) {
    auto found = in.read(path, 0, UINT64_MAX);
    if (!found)
      return found.error();
    return *found ? write_file(path, std::move((*found)->bytes)) : caf::error{};
  }

  caf::error write_file(const std::string& path, std::string bytes) {
    if (auto err = paths_.add(path))
      return err;
    if (to_.masker_ != nullptr)
      bytes = masked_file(*to_.masker_, bytes);
    if (auto err = check_fits(path, bytes))
      return err;
    uint64_t offset = 0;
    do { // an empty file has one line
      auto part = part_of(bytes, offset);
      if (auto err = write_part(path, bytes.size(), offset, part))
        return err;
      offset += part.size();
    } while (offset < bytes.size());
    return {};
  }

  /// Checks that the file can be a document of a store after an import.
  static caf::error check_fits(const std::string& path, const std::string& bytes) {
    constexpr size_t json_bytes_per_byte = 6; // at most, for an escaped byte
    if (bytes.size() < max_stored_file_bytes / json_bytes_per_byte / 2)
      return {};
    auto row = to_file_document(path, bytes);
    return row ? caf::error{} : row.error();
  }

  caf::error write_part(
    const std::string& path, uint64_t size, uint64_t offset, std::string_view part) {
    file_line x;
    x.path = path;
    x.size = size;
    x.offset = offset;
    if (utf8::is_valid(part))
      x.text = part;
    else
      x.base64 = to_base64(part);
    return to_.write(export_line::file, to_json_text(x), offset == 0);
  }

  /// The part of a file for one line. A text is cut between characters.
  static std::string_view part_of(std::string_view bytes, uint64_t offset) {
    constexpr size_t max_character_bytes = 4;
    auto part = bytes.substr(offset, max_part_bytes);
    auto begin = part.size() - std::min(part.size(), max_character_bytes);
    for (auto end = part.size(); offset + part.size() < bytes.size() && end > begin; --end)
      if ((static_cast<unsigned char>(part[end - 1]) & 0xC0) != 0x80)
        return utf8::is_valid(part.substr(end - 1)) ? part : part.substr(0, end - 1);
    return part;
  }

  /// A text of the store as it is exported: masked if there is a masker.
  template <class Mask>
  caf::expected<std::string> shown(std::string_view json, Mask mask, const std::string& damaged) {
    if (to_.masker_ == nullptr)
      return std::string{json};
    auto masked = mask(*to_.masker_, json);
    if (!masked)
      return needs_repair(damaged);
    return masked;
  }

  /// A change as it is exported. Request keys are of use only beside the store that they are in.
  caf::expected<std::string> shown_event(std::string_view json, const std::string& damaged) {
    auto event = without_request(json);
    return event ? shown(*event, masked_event, damaged) : needs_repair(damaged);
  }

  exporter& to_;
  store& from_;
  uint64_t agent_;
  const progress& tell_;
  uint64_t first_ = 0;     // the sequence before the first one that is written
  uint64_t last_ = 0;      // the last sequence that was written
  uint64_t known_end_ = 0; // the journal has at least this sequence
  uint64_t last_number_ = 0;
  file_paths paths_;
};

exporter::exporter(sink to, const pii_masker* masker, std::filesystem::path files)
  : to_{std::move(to)},
    masker_{masker},
    files_{std::move(files)} {}

caf::error exporter::write(export_line kind, std::string text, bool is_first) {
  text += '\n';
  checksum_.add(text);
  count(counts_, kind, is_first);
  return to_(text);
}

caf::error exporter::write_header() {
  if (std::exchange(has_begun_, true))
    return {};
  header_line header;
  header.masked = masker_ != nullptr;
  return write(export_line::header, to_json_text(header));
}

caf::error exporter::add(store& from, const std::string& agent_id, const progress& tell) {
  auto agent = from.find_agent(agent_id);
  if (!agent)
    return agent.error();
  if (!*agent)
    return fail(errc::not_found, "agent_id", "expected an agent that is there, got " + agent_id);
  auto err = write_header();
  if (!err)
    err = write(export_line::agent, to_json_text(agent_line{export_line::agent, agent_id}));
  agent_writer one{*this, from, **agent, tell};
  if (!err)
    err = one.write_snapshot();
  if (!err)
    err = one.write_journal();
  if (!err)
    err = one.write_archive();
  if (!err)
    err = one.write_documents();
  if (!err)
    err = one.write_files(agent_id);
  return err;
}

caf::error exporter::finish() {
  if (auto err = write_header())
    return err;
  counts_.checksum = to_hex(checksum_.value());
  return write(export_line::end, to_json_text(counts_));
}

} // namespace scratchpage
