#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include <caf/error.hpp>
#include <caf/expected.hpp>

#include "scratchpage/persistence/trace/trace_sink.hpp"

namespace scratchpage {

/// Writes a trace to a file, one JSON object a line (`trace_entry::fields`), in
/// the order in which entries arrive. The file is complete or not there: lines go to
/// `<path>.<process id>.partial`, which `commit` renames to `path`; without a commit it
/// is removed. Memory is bounded by the file's buffer.
class trace_file : public trace_sink {
public:
  /// Begins a trace; `path` itself is not changed yet. Error:
  /// `storage_unavailable` with the file and the reason.
  static caf::expected<std::shared_ptr<trace_file>> create(std::filesystem::path path);

  trace_file(const trace_file&) = delete;
  trace_file& operator=(const trace_file&) = delete;

  /// Removes the partial file if the trace was not committed.
  ~trace_file() override;

  /// May be called from any thread. `commit` reports the first failure. After a failure or a
  /// commit, entries are dropped.
  void write(trace_entry entry) override;

  /// Makes the trace durable under its path. Further calls only repeat the first
  /// answer. Error: `storage_unavailable`.
  [[nodiscard]] caf::error commit();

  /// Number of entries written so far.
  uint64_t size() const;

private:
  struct closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  trace_file(std::filesystem::path path, std::filesystem::path partial, std::FILE* file);
  void give_up(const char* what);

  const std::filesystem::path path_;
  const std::filesystem::path partial_;
  mutable std::mutex mutex_;
  std::unique_ptr<std::FILE, closer> file_; ///< null after a commit or a failure
  caf::error error_;
  uint64_t size_ = 0;
};

/// Reads the text of a trace file. Errors: `invalid_request` with the line, the
/// field and what was expected.
caf::expected<std::vector<trace_entry>> read_trace(std::string_view text);

/// Reads a trace from a file. Also fails with `not_found` if the file cannot be read.
caf::expected<std::vector<trace_entry>> read_trace_file(const std::filesystem::path& path);

} // namespace scratchpage
