#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/messages/fields.hpp"
#include "scratchpage/messages/files.hpp"
#include "scratchpage/persistence/store/commit_mark.hpp"
#include "scratchpage/persistence/store/store.hpp"
#include "scratchpage/persistence/transfer/page_at.hpp"

namespace scratchpage {

/// Something that could not be saved.
struct loss {
  std::string agent_id; ///< "" if it is not known
  std::string
    what; ///< "changes", "commits", "observation", "archived", "document", "file", "rows", "name"
  std::string which; ///< sequences, an id, a collection and key, a path
  std::string why;

  static constexpr auto fields(auto all) {
    return all(optional("agent_id", &loss::agent_id), required("what", &loss::what),
      required("which", &loss::which), required("why", &loss::why));
  }
};

/// What was saved of a damaged database, and what was lost.
struct salvage_report {
  uint64_t agents = 0;
  uint64_t changes = 0;      ///< in journals
  uint64_t observations = 0; ///< on pages whose history begins again
  uint64_t archived = 0;
  uint64_t documents = 0;
  uint64_t files = 0; ///< of a data directory
  std::vector<loss> lost;
  /// Versions of the files that should exist, by agent and path. The new store has no versions.
  std::map<std::string, std::map<std::string, file_version>> versions;

  static constexpr auto fields(auto all) {
    using self = salvage_report;
    return all(required("agents", &self::agents), required("changes", &self::changes),
      required("observations", &self::observations), required("archived", &self::archived),
      required("documents", &self::documents), required("files", &self::files),
      required("lost", &self::lost));
  }
};

/// Copies the intact data of a damaged SQLite database into a store that has none of its agents. A
/// journal without missing changes is copied as it is. If changes are missing, the history begins
/// again after the last sequence that may have been used, with the page as far as it is known;
/// neither sequences nor ids are used again. `marked` is what the mark of the database records, so
/// that lost commits are reported. SQLite may write to `damaged`, so give it a copy. Errors: those
/// of the store; `storage_unavailable` if nothing can be read.
caf::expected<salvage_report> salvage(const std::filesystem::path& damaged, store& into,
  const progress& tell = {}, const std::vector<committed_end>& marked = {});

/// Adds to `lost` the files of an agent that are missing in its folder or older than what was
/// acknowledged. `versions` has the stored versions by path.
void tell_lost_files(const std::filesystem::path& folder, const std::string& agent_id,
  const std::map<std::string, file_version>& versions, std::vector<loss>& lost);

/// Salvages the database of a data directory into another directory, which must have none, and
/// copies the files of the agents that were found. Either everything that can be saved is there
/// afterwards, or nothing. The damaged directory is only read; the other one needs room for twice
/// its size. Errors: `invalid_request` on `--into` if there is a database; `storage_unavailable`,
/// also if another process uses one of the directories.
caf::expected<salvage_report> repair(const std::filesystem::path& damaged,
  const std::filesystem::path& into, const progress& tell = {});

} // namespace scratchpage
