#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <caf/error.hpp>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/persistence/files/file_name.hpp"
#include "scratchpage/persistence/store/checksum.hpp"
#include "scratchpage/persistence/store/store.hpp"
#include "scratchpage/persistence/transfer/export_lines.hpp"
#include "scratchpage/persistence/transfer/history_writer.hpp"

namespace scratchpage {

/// Reads the lines of an export into a store. It writes while it reads, so use the store of a
/// store_transaction and commit that only after `finish`. Only a small part of the export is in
/// memory at a time: the numbers of the observations on the page, the paths of files, a thousand
/// lines, and one file. Files become documents of the store; for a data directory, `unpack_files`
/// then writes them to their folders.
class importer {
public:
  /// The longest possible line, in bytes.
  static constexpr size_t max_bytes = (256u << 20) + (1u << 16);

  /// `to` must outlive this object. `files` is the folder of agents' files in a data directory, or
  /// empty; it must not have files of the imported agents yet.
  explicit importer(store& to, std::filesystem::path files = {})
    : to_{to},
      files_{std::move(files)} {}

  /// Takes the next line, without its end. Errors: `invalid_request`, which names the field and
  /// what was expected; `conflict` if the agent exists already; those of the store.
  caf::error take(std::string_view line);

  /// Call it after the last line. Error: `invalid_request` if lines are missing.
  caf::error finish();

  /// The number of lines so far, by kind.
  const end_line& counts() const { return counts_; }

private:
  caf::error dispatch(const json::value& line, std::string_view text);
  caf::error check_order(export_line next) const;
  caf::error take(const header_line& x);
  caf::error take(const agent_line& x);
  caf::error take(const snapshot_line& x);
  caf::error take(const observation_line& x, std::string_view text);
  caf::error take(const event_line& x, std::string_view text);
  caf::error take(const archived_line& x, std::string_view text);
  caf::error take(const document_line& x, const json::value& line, std::string_view text);
  caf::error take(const file_line& x);
  caf::error take(const end_line& x);
  caf::error check_part(const file_line& x) const;
  caf::error check_change(const page_event& x) const;
  caf::error finish_agent();

  /// A file whose parts have not all come yet.
  struct partial_file {
    std::string path;
    uint64_t size = 0;
    std::string bytes;
  };

  store& to_;
  std::filesystem::path files_;
  running_checksum checksum_;
  end_line counts_;
  std::optional<export_line> last_line_; // nothing before the first line
  std::optional<history_writer> agent_;

  // The state of the current agent.
  uint64_t sequence_ = 0; // of the last change
  uint64_t last_number_ = 0;
  std::set<uint64_t> on_page_;                    // numbers of observations
  uint64_t archived_before_ = 0;                  // the next archived sequence must be below it
  std::pair<std::string, std::string> last_name_; // collection and key of the last document
  file_paths paths_;
  std::optional<partial_file> file_; // nothing if all parts of the last file have come
};

} // namespace scratchpage
