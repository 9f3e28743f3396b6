#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <caf/error.hpp>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/event.hpp"
#include "scratchpage/messages/json/json.hpp"

/// The lines of an export. Each is a JSON object whose member `line` names its kind. They
/// come in this order:
///
///     {"line":"header","format":"scratchpage export","version":1,"masked":false}
///     {"line":"agent","agent_id":"ada"}
///     {"line":"snapshot","sequence":40,…}                if the journal begins later
///     {"line":"observation","number":7,"event":{…}}      what was on the page then
///     {"line":"event","event":{…}}                       by sequence, without gaps
///     {"line":"archived","sequence":44,"left_at":…,"observation":{…}}  the last first
///     {"line":"document","collection":"goals","key":"goal_1","body":{…}}  by both
///     {"line":"file","path":"scratchbook/trip.json","size":812,"offset":0,"text":"…"}  by path
///     {"line":"end","agents":1,…,"checksum":"00f3…"}
///
/// The lines from `agent` on repeat for each agent. Events, observations and bodies
/// are written as the store has them, byte for byte. A file has one line for each part
/// of `max_part_bytes`, which begins at `offset`. A part that is not UTF-8 is in `base64`
/// instead of `text`.

namespace scratchpage {

enum class export_line : uint8_t {
  header,
  agent,
  snapshot,
  observation,
  event,
  archived,
  document,
  file,
  end,
};

template <>
inline constexpr std::array<std::string_view, 9> enum_names<export_line>{
  "header", "agent", "snapshot", "observation", "event", "archived", "document", "file", "end"};

inline constexpr std::string_view export_format = "scratchpage export";
inline constexpr uint32_t export_version = 1;

struct header_line {
  export_line line = export_line::header;
  std::string format{export_format};
  uint32_t version = export_version;
  bool masked = false; ///< personal data is masked

  static constexpr auto fields(auto all) {
    using self = header_line;
    return all(required("line", &self::line), required("format", &self::format),
      required("version", &self::version), required("masked", &self::masked));
  }
};

struct agent_line {
  export_line line = export_line::agent;
  std::string agent_id;

  static constexpr auto fields(auto all) {
    return all(required("line", &agent_line::line), required("agent_id", &agent_line::agent_id));
  }
};

struct snapshot_line {
  export_line line = export_line::snapshot;
  uint64_t sequence = 0;
  uint64_t last_number = 0;
  uint64_t expired = 0;
  uint64_t evicted = 0;
  timestamp at;

  static constexpr auto fields(auto all) {
    using self = snapshot_line;
    return all(required("line", &self::line), required("sequence", &self::sequence),
      required("last_number", &self::last_number), required("expired", &self::expired),
      required("evicted", &self::evicted), required("at", &self::at));
  }
};

struct observation_line {
  export_line line = export_line::observation;
  uint64_t number = 0;
  page_event event;

  static constexpr auto fields(auto all) {
    using self = observation_line;
    return all(required("line", &self::line), required("number", &self::number),
      required("event", &self::event));
  }
};

struct event_line {
  export_line line = export_line::event;
  page_event event;

  static constexpr auto fields(auto all) {
    return all(required("line", &event_line::line), required("event", &event_line::event));
  }
};

struct archived_line {
  export_line line = export_line::archived;
  uint64_t sequence = 0;
  timestamp left_at;
  scratchpage::observation observation;

  static constexpr auto fields(auto all) {
    using self = archived_line;
    return all(required("line", &self::line), required("sequence", &self::sequence),
      required("left_at", &self::left_at), required("observation", &self::observation));
  }
};

struct document_line {
  export_line line = export_line::document;
  std::string collection;
  std::string key;
  json::value body;

  static constexpr auto fields(auto all) {
    using self = document_line;
    return all(required("line", &self::line), required("collection", &self::collection),
      required("key", &self::key), required("body", &self::body));
  }
};

/// The largest part of a file in one line, in bytes.
inline constexpr size_t max_part_bytes = 256u << 10;

struct file_line {
  export_line line = export_line::file;
  std::string path;
  uint64_t size = 0;   ///< of the whole file
  uint64_t offset = 0; ///< of this part
  std::optional<std::string> text;
  std::optional<std::string> base64;

  static constexpr auto fields(auto all) {
    using self = file_line;
    return all(required("line", &self::line), required("path", &self::path),
      required("size", &self::size), required("offset", &self::offset),
      optional("text", &self::text), optional("base64", &self::base64));
  }
};

/// The last line: the number of lines of each kind, and a checksum of all lines.
struct end_line {
  export_line line = export_line::end;
  uint64_t agents = 0;
  uint64_t observations = 0;
  uint64_t events = 0;
  uint64_t archived = 0;
  uint64_t documents = 0;
  uint64_t files = 0;   ///< absent in exports of older versions
  std::string checksum; ///< XXH3 of all lines before it with their ends; 16 hex digits

  static constexpr auto fields(auto all) {
    using self = end_line;
    return all(required("line", &self::line), required("agents", &self::agents),
      required("observations", &self::observations), required("events", &self::events),
      required("archived", &self::archived), required("documents", &self::documents),
      optional("files", &self::files), required("checksum", &self::checksum));
  }
};

/// Counts a line. Of the lines of a file only the first one counts (`is_first`).
void count(end_line& in, export_line x, bool is_first = true);

/// A checksum in the form of `end_line`.
std::string to_hex(uint64_t checksum);

/// The text of a member in a valid JSON object, byte for byte; "" if there is none. If there are
/// several members of that name, it is the last one.
std::string_view raw_member(std::string_view object, std::string_view name);

/// Whether no name in the text of a valid JSON object is escaped or repeated. `members` is the
/// number of members after parsing. Only then `raw_member` gives the members that were parsed.
bool has_plain_names(std::string_view object, size_t members);

/// Bounds on the JSON in a store; an episode is the largest value.
inline constexpr json_limits stored_json{256u << 20, 64, any_number_of_values};

/// Checks the line of a document: its body must have the form of its collection, and the key of the
/// document. Errors: `invalid_request`, which names the field.
caf::error check_document(const json::value& line);

/// The same error with another field.
caf::error with_field(const caf::error& err, std::string_view field);

} // namespace scratchpage
