#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include <caf/expected.hpp>

#include "scratchpage/messages/time.hpp"
#include "scratchpage/persistence/trace/trace_sink.hpp"
#include "scratchpage/persistence/trace/trace_store.hpp"
#include "scratchpage/persistence/trace/trace_writer.hpp"

namespace scratchpage {

/// The trace of one agent in a store, which a writer fills in the background.
class stored_trace : public trace_sink {
public:
  /// `epoch` must be unique for this run of the agent.
  stored_trace(std::shared_ptr<trace_writer> by, std::string agent_id, uint64_t epoch,
    std::shared_ptr<const clock> clock, trace_config config);

  /// With a writer of its own, which writes the entries that wait when the trace ends, until the
  /// store fails once. Throws std::system_error if there is no thread.
  stored_trace(std::shared_ptr<trace_store> in, std::string agent_id, uint64_t epoch,
    std::shared_ptr<const clock> clock, trace_config config);

  void write(trace_entry entry) override;
  bool mask_with(const std::shared_ptr<const pii_masker>& masker) override;

  /// Waits until all entries so far are in the store or dropped, but no longer than `within`.
  void flush(timespan within = std::chrono::minutes{1});

  /// Reads a part of the trace of a turn, with the entries so far unless the store is slow. Errors:
  /// as `trace_store::turn`.
  caf::expected<turn_trace> read_turn(const trace_query& which);

  /// The same for the turns that ended last, and for the last entries, of which about `most_bytes`
  /// are given, or one. Errors: `invalid_request` on `limit`; as `trace_store`.
  caf::expected<traced_turn_list> read_turns(const traced_turns_query& which);
  caf::expected<latest_entries> read_latest(const latest_entries_query& which);
  static constexpr size_t most_bytes = size_t{4} << 20;

private:
  std::shared_ptr<trace_writer> writer_;
  std::string agent_id_;
  std::shared_ptr<trace_writer::line> line_;
};

} // namespace scratchpage
