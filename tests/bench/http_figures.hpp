#pragma once

namespace scratchpage::bench {

/// Figures of a server and 32 clients that add on keep-alive connections, with durability
/// `async` and without a stored trace: alone, beside a thousand event streams whose filter
/// matches nothing and one that is never read, and beside viewers. For these, traces are
/// exported, and ten viewers follow the page at the rate of the browser or without limit.
struct http_figures {
  double adds_per_s = 0;     ///< alone
  double beside_streams = 0; ///< share of `adds_per_s` that is left beside the streams
  double p99_ms = 0;         ///< of an add, alone, at half of `adds_per_s`
  double p99_beside_ms = 0;  ///< the same beside the streams
  double watched = 0;        ///< share left beside ten viewers at the browser's rate
  double followed = 0;       ///< share left beside ten viewers without a limit
};

http_figures adds_over_http();

} // namespace scratchpage::bench
