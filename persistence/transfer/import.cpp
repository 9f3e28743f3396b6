#include "scratchpage/persistence/transfer/import.hpp"

#include <algorithm>
#include <system_error>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/persistence/files/base64.hpp"
#include "scratchpage/persistence/files/file_name.hpp"
#include "scratchpage/persistence/store/documents.hpp"
#include "scratchpage/persistence/store/journal.hpp"
#include "scratchpage/persistence/stored_files/stored_file.hpp"
#include "scratchpage/persistence/transfer/export_lines.hpp"

namespace scratchpage {

namespace {

constexpr json_limits line_limits{
  importer::max_bytes, stored_json.max_depth + 2, any_number_of_values};

caf::error refuse_line(std::string_view field, const std::string& expected) {
  return fail(errc::invalid_request, field, "expected " + expected);
}

/// Reads the line as a T and calls `f` with it.
template <class T, class F>
caf::error read(const json::value& line, F f) {
  auto x = from_json<T>(line);
  return x ? f(*x) : x.error();
}

caf::expected<export_line> kind_of(const json::value& line) {
  auto kind = export_line::header;
  const auto* name = line.is_object() ? line.get_object().if_contains("line") : nullptr;
  if (name == nullptr || !name->is_string() || !from_string(name->get_string(), kind))
    return refuse_line("line", "one of " + all_names<export_line>());
  return kind;
}

/// The text of an error without its code.
std::string without_code(const caf::error& err) {
  auto text = describe(err);
  return text.substr(text.find(": ") + 2);
}

uint64_t number_in(const observation& x) {
  return number_of(x.observation_id).value_or(0);
}

snapshot_row row_of(uint64_t number, std::string_view event) {
  return {number, std::string{event}, checksum_of(event)};
}

} // namespace

caf::error importer::take(std::string_view line) {
  if (last_line_ == export_line::end)
    return refuse_line("line", "nothing after the end");
  auto value = parse_json(line, line_limits);
  if (!value)
    return refuse_line("", without_code(value.error()));
  if (auto err = dispatch(*value, line))
    return err;
  checksum_.add(line);
  checksum_.add("\n");
  return {};
}

caf::error importer::dispatch(const json::value& line, std::string_view text) {
  auto kind = kind_of(line);
  if (!kind)
    return kind.error();
  if (!has_plain_names(text, line.get_object().size()))
    return refuse_line("line", "names of members that are not escaped, each once");
  if (auto err = check_order(*kind))
    return err;
  if (file_ && *kind != export_line::file)
    return refuse_line("line", "the rest of the file '" + file_->path + "'");
  last_line_ = *kind;
  count(counts_, *kind, !file_);
  switch (*kind) {
  case export_line::header:
    return read<header_line>(line, [&](const auto& x) { return take(x); });
  case export_line::agent:
    return read<agent_line>(line, [&](const auto& x) { return take(x); });
  case export_line::snapshot:
    return read<snapshot_line>(line, [&](const auto& x) { return take(x); });
  case export_line::observation:
    return read<observation_line>(line, [&](const auto& x) { return take(x, text); });
  case export_line::event:
    return read<event_line>(line, [&](const auto& x) { return take(x, text); });
  case export_line::archived:
    return read<archived_line>(line, [&](const auto& x) { return take(x, text); });
  case export_line::document:
    return read<document_line>(line, [&](const auto& x) { return take(x, line, text); });
  case export_line::file:
    return read<file_line>(line, [&](const auto& x) { return take(x); });
  default:
    return read<end_line>(line, [&](const auto& x) { return take(x); });
  }
}

/// Checks that lines come in the order of their kinds, which begins again with each agent.
caf::error importer::check_order(export_line next) const {
  if (!last_line_ || next == export_line::header) {
    if (!last_line_ && next == export_line::header)
      return {};
    return refuse_line("line", last_line_ ? "one header, which is first" : "the header first");
  }
  if (next == export_line::agent || next == export_line::end)
    return {};
  auto follows = next >= *last_line_ && *last_line_ != export_line::header;
  if (next == export_line::snapshot)
    follows = *last_line_ == export_line::agent;
  if (next == export_line::observation)
    follows = *last_line_ == export_line::snapshot || *last_line_ == next;
  if (follows)
    return {};
  return refuse_line("line", "the order of an export, in which no '" + to_string(next)
                               + "' comes after '" + to_string(*last_line_) + "'");
}

caf::error importer::take(const header_line& x) {
  if (x.format != export_format)
    return refuse_line("format", "'" + std::string{export_format} + "'");
  if (x.version != export_version)
    return refuse_line("version", std::to_string(export_version) + ", which this program reads");
  return {};
}

caf::error importer::take(const agent_line& x) {
  constexpr size_t max_id_bytes = 1024;
  if (x.agent_id.empty() || x.agent_id.size() > max_id_bytes || !utf8::is_valid(x.agent_id))
    return refuse_line("agent_id", "an agent's id, in UTF-8, of 1 to 1024 bytes");
  if (auto err = finish_agent())
    return err;
  auto folder = files_.empty() ? files_ : files_ / file_name_for(x.agent_id);
  if (std::error_code ec; !folder.empty() && std::filesystem::exists(folder, ec))
    return fail(errc::conflict, "agent_id",
      "expected an agent that has no files yet, but there is " + folder.string());
  auto begun = history_writer::begin(to_, x.agent_id);
  if (!begun)
    return begun.error();
  agent_ = std::move(*begun);
  sequence_ = last_number_ = 0;
  on_page_.clear();
  archived_before_ = UINT64_MAX;
  last_name_ = {};
  paths_ = {};
  return {};
}

caf::error importer::finish_agent() {
  return agent_ ? agent_->finish() : caf::error{};
}

caf::error importer::take(const snapshot_line& x) {
  if (x.sequence == 0 || x.sequence > INT64_MAX)
    return refuse_line("sequence", "one from 1 to 2^63-1");
  if (x.last_number > INT64_MAX)
    return refuse_line("last_number", "one below 2^63");
  sequence_ = x.sequence;
  last_number_ = x.last_number;
  return agent_->set_snapshot({x.sequence, x.last_number, x.expired, x.evicted, x.at});
}

caf::error importer::take(const observation_line& x, std::string_view text) {
  if (!x.event.observation)
    return refuse_line("event.observation", "a value; it is required");
  if (is_end(x.event.kind) || x.event.kind >= event_kind::lagged)
    return refuse_line("event.kind", "a change that leaves the observation on the page");
  if (x.event.sequence > sequence_)
    return refuse_line(
      "event.sequence", "at most " + std::to_string(sequence_) + ", the snapshot's");
  if (x.number != number_in(*x.event.observation))
    return refuse_line("number", "the number of the observation's id");
  if (x.number > last_number_ || (!on_page_.empty() && x.number <= *on_page_.rbegin()))
    return refuse_line("number", "increasing numbers, up to the snapshot's last_number");
  on_page_.insert(x.number);
  return agent_->add(row_of(x.number, raw_member(text, "event")));
}

caf::error importer::take(const event_line& x, std::string_view text) {
  if (auto err = check_change(x.event))
    return err;
  auto number = number_in(*x.event.observation);
  sequence_ = x.event.sequence;
  last_number_ = std::max(last_number_, number);
  if (is_end(x.event.kind))
    on_page_.erase(number);
  else
    on_page_.insert(number);
  return agent_->add(x.event, raw_member(text, "event"));
}

caf::error importer::check_change(const page_event& x) const {
  if (x.sequence != sequence_ + 1)
    return refuse_line(
      "event.sequence", std::to_string(sequence_ + 1) + ", the one after the last");
  if (x.kind >= event_kind::lagged)
    return refuse_line("event.kind", "a change");
  if (!x.observation)
    return refuse_line("event.observation", "a value; it is required");
  auto number = number_in(*x.observation);
  if (number == 0 || number > INT64_MAX)
    return refuse_line("event.observation.observation_id", "an id that ends in a number");
  if (x.kind == event_kind::added && number <= last_number_)
    return refuse_line("event.observation.observation_id",
      "a number above " + std::to_string(last_number_) + "; none is used again");
  if (x.kind != event_kind::added && !on_page_.contains(number))
    return refuse_line("event.observation.observation_id", "an observation that is on the page");
  return {};
}

caf::error importer::take(const archived_line& x, std::string_view text) {
  auto before = std::min(archived_before_, sequence_ + 1);
  if (x.sequence == 0 || x.sequence >= before)
    return refuse_line(
      "sequence", "decreasing sequences, here one below " + std::to_string(before));
  archived_before_ = x.sequence;
  return agent_->add(to_archive_row(
    x.sequence, x.left_at, x.observation, std::string{raw_member(text, "observation")}));
}

caf::error importer::take(const document_line& x, const json::value& line, std::string_view text) {
  if (x.collection.empty() || x.collection == collection::epochs
      || x.collection == collection::versions || x.collection == collection::story_sizes
      || x.collection == collection::open_turns)
    return refuse_line("collection", "a collection that exports have");
  std::pair name{x.collection, x.key};
  if (name <= last_name_)
    return refuse_line("key", "collections and keys in the order of their bytes");
  if (auto err = check_document(line))
    return err;
  if (x.collection == collection::files) // older exports of servers have files as documents
    if (auto err = paths_.add(x.key))
      return with_field(err, "key");
  last_name_ = std::move(name);
  return agent_->add(make_document(x.collection, x.key, std::string{raw_member(text, "body")}));
}

caf::error importer::take(const file_line& x) {
  if (auto err = check_part(x))
    return err;
  if (!file_) {
    if (auto err = paths_.add(x.path))
      return err;
    file_ = partial_file{x.path, x.size, {}};
  }
  auto part = x.text ? x.text : from_base64(*x.base64);
  if (part->size() > x.size - x.offset || (part->empty() && x.size > 0))
    return refuse_line(x.text ? "text" : "base64",
      "1 to " + std::to_string(x.size - x.offset) + " bytes, the rest of the file");
  file_->bytes += *part;
  if (file_->bytes.size() < x.size)
    return {};
  auto whole = to_file_document(file_->path, file_->bytes);
  file_.reset();
  return whole ? agent_->add(std::move(*whole)) : whole.error();
}

/// Checks a part of a file, by itself and after the part before it.
caf::error importer::check_part(const file_line& x) const {
  if (file_ && x.path != file_->path)
    return refuse_line("path", "'" + file_->path + "', which is not complete yet");
  if (file_ && x.size != file_->size)
    return refuse_line("size", std::to_string(file_->size) + ", as its other parts have it");
  if (x.size > max_stored_file_bytes)
    return refuse_line("size", "at most " + std::to_string(max_stored_file_bytes));
  auto offset = file_ ? file_->bytes.size() : 0;
  if (x.offset != offset)
    return refuse_line("offset", std::to_string(offset) + ", where the part before ends");
  return check_stored_file({x.path, x.text, x.base64});
}

caf::error importer::take(const end_line& x) {
  auto check = [](std::string_view field, uint64_t said, uint64_t found) {
    return said == found ? caf::error{}
                         : refuse_line(field, std::to_string(found)
                                                + ", the number before this line; "
                                                  "the file is incomplete");
  };
  auto err = check("agents", x.agents, counts_.agents);
  if (!err)
    err = check("observations", x.observations, counts_.observations);
  if (!err)
    err = check("events", x.events, counts_.events);
  if (!err)
    err = check("archived", x.archived, counts_.archived);
  if (!err)
    err = check("documents", x.documents, counts_.documents);
  if (!err)
    err = check("files", x.files, counts_.files);
  if (!err && x.checksum != to_hex(checksum_.value()))
    err = refuse_line("checksum",
      to_hex(checksum_.value()) + ", that of the lines before it; one of them was changed");
  return err ? err : finish_agent();
}

caf::error importer::finish() {
  if (last_line_ == export_line::end)
    return {};
  return refuse_line("", "an end line as the last one; the file is incomplete");
}

} // namespace scratchpage
