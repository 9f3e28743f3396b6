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
#include "scratchpage/persistence/transfer/past_page.hpp"

namespace scratchpage {

/// Something that could not be saved.
struct loss {
  std::string agent_id; ///< "": nobody knows whose it was
  std::string
    what; ///< "changes", "commits", "observation", "archived", "document", "file", "rows", "name"
  std::string which; ///< sequences, an id, a collection and key, a path
  std::string why;

  static constexpr auto fields(auto all) {
    return all(optional("agent_id", &loss::agent_id), required("what", &loss::what),
      required("which", &loss::which), required("why", &loss::why));
  }
};

/// What became of a damaged database.
struct salvage_report {
  uint64_t agents = 0;
  uint64_t changes = 0;      ///< in journals
  uint64_t observations = 0; ///< on pages whose history begins anew
  uint64_t archived = 0;
  uint64_t documents = 0;
  uint64_t files = 0; ///< of a data directory
  std::vector<loss> lost;
  /// Of the files that should be there, by agent and path. They begin anew in the new store.
  std::map<std::string, std::map<std::string, file_version>> versions;

  static constexpr auto fields(auto all) {
    using self = salvage_report;
    return all(required("agents", &self::agents), required("changes", &self::changes),
      required("observations", &self::observations), required("archived", &self::archived),
      required("documents", &self::documents), required("files", &self::files),
      required("lost", &self::lost));
  }
};

/// Reads what is whole of an SQLite database, wherever it is damaged, into a store
/// that has none of its agents. Where a journal is whole it stays as it is. Where
/// changes are missing the history begins anew, after the last sequence that may
/// have been given, with the page as far as it is known: neither sequences nor
/// ids are used again. `marked`: what its mark claims, so that what SQLite does not find is
/// told, too. SQLite may write to `damaged`, so give it a copy. Errors: those of the store;
/// `storage_unavailable` if nothing at all can be read.
caf::expected<salvage_report> salvage(const std::filesystem::path& damaged, store& into,
  const progress& tell = {}, const std::vector<committed_end>& marked = {});

} // namespace scratchpage
