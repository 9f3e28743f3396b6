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
/// the order in which entries arrive. Complete or nothing: lines go to
/// `<path>.<process id>.partial`, which takes the place of `path` on `commit`
/// and is removed if there is none. Memory is bounded by the file's buffer.
class trace_file : public trace_sink {
public:
  /// Begins a trace; `path` itself is not touched yet. Error:
  /// `storage_unavailable`, which names the file and says why.
  static caf::expected<std::shared_ptr<trace_file>> create(std::filesystem::path path);

  trace_file(const trace_file&) = delete;
  trace_file& operator=(const trace_file&) = delete;

  /// Gives up what was not committed.
  ~trace_file() override;

  /// From any thread. What goes wrong is told by `commit`; after it, and after
  /// a commit, entries are dropped.
  void write(trace_entry entry) override;

  /// Makes the trace durable under its path. Once it has succeeded or failed it
  /// does nothing more but repeat its answer. Error: `storage_unavailable`.
  [[nodiscard]] caf::error commit();

  /// How many entries were written so far.
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
  std::unique_ptr<std::FILE, closer> file_; ///< null once committed or given up
  caf::error error_;
  uint64_t size_ = 0;
};

/// Reads what a trace file holds. Errors: `invalid_request` naming the line, the
/// field and what was expected.
caf::expected<std::vector<trace_entry>> read_trace(std::string_view text);

/// The same from a file; `not_found` if it cannot be read.
caf::expected<std::vector<trace_entry>> read_trace_file(const std::filesystem::path& path);

} // namespace scratchpage
