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
#include "scratchpage/persistence/transfer/past_page.hpp"

namespace scratchpage {

/// Writes all that a store has of some agents, as the lines of an export. Nothing
/// is claimed, and little of it is in memory at a time. The bytes depend on what
/// has happened alone, and not on how it was grouped or who owned it.
class exporter {
public:
  /// Takes a line with its end. An error ends the export, and is given on.
  using sink = std::function<caf::error(std::string_view)>;

  /// Without a masker, which has to outlive it, personal data is written as it is.
  /// The agents' files are in folders of `files`, as a data directory has them; if
  /// it is empty they are documents of the store.
  explicit exporter(sink to, const pii_masker* masker = nullptr, std::filesystem::path files = {});

  /// All of an agent that is there. Errors: those of the store and the sink,
  /// `internal` if something is damaged; `invalid_request` on `size` if a file is too
  /// large to travel.
  caf::error add(store& from, const std::string& agent_id, const progress& tell = {});

  /// The last line, without which an export is not whole.
  caf::error finish();

  /// What there was so far.
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
