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
#include "scratchpage/persistence/files/file_paths.hpp"
#include "scratchpage/persistence/store/checksum.hpp"
#include "scratchpage/persistence/store/store.hpp"
#include "scratchpage/persistence/transfer/export_lines.hpp"
#include "scratchpage/persistence/transfer/history_writer.hpp"

namespace scratchpage {

/// Reads the lines of an export into a store. It writes as it reads, so let the
/// store be a store_transaction's, and commit it only after `finish`. Little of
/// the export is in memory at a time: numbers of what is on the page, paths of
/// files, a thousand lines, one file. Files become documents of the store; in a data
/// directory `unpack_files` then writes them to where they belong.
class importer {
public:
  /// The longest line that can be one, in bytes.
  static constexpr size_t most_bytes = (256u << 20) + (1u << 16);

  /// `to` has to outlive it. `files`, unless it is empty, is where a data directory
  /// has its agents' files: there may be none yet of those who come.
  explicit importer(store& to, std::filesystem::path files = {})
    : to_{to},
      files_{std::move(files)} {}

  /// The next line, without its end. Errors: `invalid_request`, which names the
  /// field and what was expected; `conflict`, if the agent is there already; those
  /// of the store.
  caf::error take(std::string_view line);

  /// After the last line. Error: `invalid_request`, if some are missing.
  caf::error finish();

  /// What there was.
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

  /// A file of which not all parts have come.
  struct partial_file {
    std::string path;
    uint64_t size = 0;
    std::string bytes;
  };

  store& to_;
  std::filesystem::path files_;
  running_checksum checksum_;
  end_line counts_;
  std::optional<export_line> last_line_; // none: nothing has come
  std::optional<history_writer> agent_;

  // Of the agent whose lines these are.
  uint64_t sequence_ = 0; // of the last change
  uint64_t last_number_ = 0;
  std::set<uint64_t> on_page_;                    // numbers
  uint64_t archived_before_ = 0;                  // sequences that may follow are below it
  std::pair<std::string, std::string> last_name_; // of a document
  file_paths paths_;
  std::optional<partial_file> file_; // of which more is to come
};

} // namespace scratchpage
