#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "scratchpage/messages/event.hpp"
#include "scratchpage/messages/json/json.hpp"

/// The lines of an export, each a JSON object whose member `line` says what it
/// is, in this order:
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
/// From `agent` on it begins anew for each agent. Events, observations and bodies
/// stand there as the store has them, byte for byte. A file has as many lines as
/// it has parts of `most_part_bytes`, from `offset` on; a part that is no UTF-8 is
/// in `base64`.

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

/// The bytes of a file that a line has, at most.
inline constexpr size_t most_part_bytes = 256u << 10;

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

/// How many there were of each kind, and what the lines sum up to.
struct end_line {
  export_line line = export_line::end;
  uint64_t agents = 0;
  uint64_t observations = 0;
  uint64_t events = 0;
  uint64_t archived = 0;
  uint64_t documents = 0;
  uint64_t files = 0;   ///< exports of before there were files have none
  std::string checksum; ///< XXH3 of all lines before it, their ends included; 16 hex digits

  static constexpr auto fields(auto all) {
    using self = end_line;
    return all(required("line", &self::line), required("agents", &self::agents),
      required("observations", &self::observations), required("events", &self::events),
      required("archived", &self::archived), required("documents", &self::documents),
      optional("files", &self::files), required("checksum", &self::checksum));
  }
};

/// Counts one line more; of a file the first.
void count(end_line& in, export_line x, bool is_first = true);

/// A checksum as an end has it.
std::string to_hex(uint64_t checksum);

/// The text of a member of a JSON object that is valid, as it stands there; ""
/// if there is none. Of two of that name it is the last.
std::string_view raw_member(std::string_view object, std::string_view name);

/// Whether no name in the text of a valid JSON object is escaped, and none repeated: it has
/// `members` members once it is read, of two of one name the last. Only then is `raw_member` what
/// was read.
bool has_plain_names(std::string_view object, size_t members);

} // namespace scratchpage
