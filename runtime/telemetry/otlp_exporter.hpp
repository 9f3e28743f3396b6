#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "scratchpage/messages/time.hpp"
#include "scratchpage/persistence/trace/trace_sink.hpp"
#include "scratchpage/runtime/net/http_client/exchange.hpp"
#include "scratchpage/runtime/telemetry/metrics.hpp"
#include "scratchpage/runtime/telemetry/telemetry_config.hpp"
#include "scratchpage/runtime/telemetry/token_bucket.hpp"
#include "scratchpage/runtime/telemetry/turn_spans.hpp"

namespace scratchpage::telemetry {

/// An export request of OTLP in JSON (opentelemetry-proto 1.x, `ExportTraceServiceRequest`):
/// ids in hexadecimal, 64-bit numbers as texts.
std::string to_otlp_json(std::span<const span> spans, const std::string& service_name);

/// Sends the traces of all agents of a process to a collector, as OTLP over HTTP in JSON
/// (`POST ENDPOINT/v1/traces`), on a thread of its own. Callers never wait for it: entries that
/// come faster than they can be sent are dropped and counted. If a collector is not available, it
/// is tried again for some seconds; then the batch is dropped.
class otlp_exporter {
public:
  /// @pre `with` is valid and has an endpoint.
  otlp_exporter(telemetry_config with, uint64_t salt);
  otlp_exporter(const otlp_exporter&) = delete;
  otlp_exporter& operator=(const otlp_exporter&) = delete;

  /// Sends the entries that wait, for at most a second and a half. Each batch is tried once, and a
  /// request without an answer by then is cancelled.
  ~otlp_exporter();

  /// Takes a copy of the entry if there is room. Thread-safe. If entries come too fast, a call
  /// costs only the reading of a clock, without a lock.
  void offer(const trace_entry& entry);

  /// The `traceparent` for a call of a tool, so that the tool's spans belong to the turn's trace,
  /// below the span of `cause`. Thread-safe.
  std::string traceparent_of(
    const std::string& agent_id, const std::string& turn_id, span_id cause) const;

  void write_metrics(metrics_text& to) const;

private:
  using steady_time = std::chrono::steady_clock::time_point;

  /// Entries that share a rate.
  struct lane {
    token_bucket left;                    ///< under the mutex
    std::atomic<steady_time> shut_at{{}}; ///< the clock's tick in which an entry was refused last
  };

  lane& lane_of(const trace_entry& x);
  bool is_wanted(lane& from, steady_time now);
  void work();
  void send(const std::vector<trace_entry>& some);
  enum class outcome { taken, refused, to_be_tried_again };
  outcome post(const std::string& body);
  void on_its_way(http_client::exchange* x);
  bool may_try_again(timespan pause);

  telemetry_config config_;
  http_client::address to_;
  const std::shared_ptr<turn_traces> traces_;
  turn_spans spans_; // used by the sending thread only

  std::atomic<uint64_t> exported_{0};
  std::atomic<uint64_t> dropped_{0};

  std::mutex mutex_; // protects all members below
  std::condition_variable news_;
  std::deque<trace_entry> waiting_;
  steady_time ends_at_; // once it is ending: no batch is begun after that
  lane in_turns_;
  lane outside_turns_;
  bool is_ending_ = false;
  bool has_ended_ = false;
  http_client::exchange* on_its_way_ = nullptr;
  std::thread thread_; // last: it uses the others
};

/// A trace sink that offers entries to an exporter and passes them on to another sink.
class exporting_trace : public trace_sink {
public:
  /// `kept` may be null: then entries are only exported.
  exporting_trace(std::shared_ptr<trace_sink> kept, std::shared_ptr<otlp_exporter> to)
    : kept_{std::move(kept)},
      to_{std::move(to)} {}

  void write(trace_entry entry) override {
    to_->offer(entry);
    if (kept_)
      kept_->write(std::move(entry));
  }

  /// Spans have no data that would have to be masked.
  bool mask_with(const std::shared_ptr<const pii_masker>& masker) override {
    return !kept_ || kept_->mask_with(masker);
  }

private:
  std::shared_ptr<trace_sink> kept_;
  std::shared_ptr<otlp_exporter> to_;
};

} // namespace scratchpage::telemetry
