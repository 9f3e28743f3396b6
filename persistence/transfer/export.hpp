#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include <caf/error.hpp>

#include "scratchpage/persistence/privacy/pii_masker.hpp"
#include "scratchpage/persistence/store/checksum.hpp"
#include "scratchpage/persistence/store/store.hpp"
#include "scratchpage/persistence/transfer/export_lines.hpp"
#include "scratchpage/persistence/transfer/page_at.hpp"

namespace scratchpage {

/// Writes all that a store has of some agents, as the lines of an export. It claims no agents, and
/// only a small part is in memory at a time. The bytes depend only on what has happened, not on how
/// events were grouped or who owned the agent.
class exporter {
public:
  /// Takes a line with its end. An error ends the export and is returned.
  using sink = std::function<caf::error(std::string_view)>;

  /// Without a masker personal data is not masked; a masker must outlive this object. The agents'
  /// files are in folders of `files`, as in a data directory. If `files` is empty, they are
  /// documents of the store.
  explicit exporter(sink to, const pii_masker* masker = nullptr, std::filesystem::path files = {});

  /// Exports everything of an agent that exists. Errors: those of the store and the sink;
  /// `internal` if something is damaged; `invalid_request` on `size` if a file is too large to
  /// export.
  caf::error add(store& from, const std::string& agent_id, const progress& tell = {});

  /// Writes the last line. Without it an export is incomplete.
  caf::error finish();

  /// The number of lines so far, by kind.
  const end_line& counts() const { return counts_; }

private:
  class agent_writer;

  caf::error write(export_line kind, std::string text, bool is_first = true);
  caf::error write_header();

  sink to_;
  const pii_masker* masker_;
  std::filesystem::path files_;
  running_checksum checksum_;
  end_line counts_;
  bool has_begun_ = false;
};

} // namespace scratchpage
