#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "scratchpage/messages/time.hpp"
#include "scratchpage/runtime/net/http_client/exchange.hpp"
#include "scratchpage/runtime/telemetry/allowance.hpp"
#include "scratchpage/runtime/telemetry/metrics_text.hpp"
#include "scratchpage/runtime/telemetry/telemetry_config.hpp"
#include "scratchpage/runtime/telemetry/turn_spans.hpp"

namespace scratchpage::telemetry {

/// Sends the traces of all agents of a process to a collector, as OTLP over HTTP in JSON
/// (`POST ENDPOINT/v1/traces`), on a thread of its own. Nobody waits for it: what comes
/// faster than it goes is dropped and counted. A collector that is not there or says to
/// come again is tried again for some seconds, then that batch is dropped.
class otlp_exporter {
public:
  /// `with` is valid and has an endpoint.
  otlp_exporter(telemetry_config with, uint64_t salt);
  otlp_exporter(const otlp_exporter&) = delete;
  otlp_exporter& operator=(const otlp_exporter&) = delete;

  /// Sends what waits, as much as can be sent in a second and a half: each batch is tried
  /// once, and what a collector has not answered by then is cut off.
  ~otlp_exporter();

  /// Takes a copy, if there is room. From any thread; who floods it pays for a look at a
  /// clock, and for no lock.
  void offer(const trace_entry& entry);

  /// What goes with a call of a tool, so that what comes of it belongs to the turn's trace:
  /// below the span of `cause`. From any thread.
  std::string traceparent_of(
    const std::string& agent_id, const std::string& turn_id, span_id cause) const;

  void write_metrics(metrics_text& to) const;

private:
  using steady_time = std::chrono::steady_clock::time_point;

  /// Entries that share a rate.
  struct lane {
    allowance left;                       ///< under the mutex
    std::atomic<steady_time> shut_at{{}}; ///< the tick in which one was too many last
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
  turn_spans spans_; // on the sending thread only

  std::atomic<uint64_t> exported_{0};
  std::atomic<uint64_t> dropped_{0};

  std::mutex mutex_; // of all below
  std::condition_variable news_;
  std::deque<trace_entry> waiting_;
  steady_time ends_at_; // when it is ending: then no other batch is begun
  lane in_turns_;
  lane outside_turns_;
  bool is_ending_ = false;
  bool has_ended_ = false;
  http_client::exchange* on_its_way_ = nullptr;
  std::thread thread_; // last: it uses the others
};

} // namespace scratchpage::telemetry
