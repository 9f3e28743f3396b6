#pragma once

namespace scratchpage::bench {

/// A server and 32 clients that add on keep-alive connections, `async` and without a
/// kept trace; then the same beside a thousand event streams whose filter fits nothing
/// and one that is never read; and beside people: traces are exported, and ten viewers
/// follow all of that page, as the page in the browser does, or as fast as it goes.
struct http_figures {
  double adds_per_s = 0;     ///< with nobody beside them
  double beside_streams = 0; ///< adds a second beside the streams, as a share of that
  double p99_ms = 0;         ///< of an add, alone, at half of that
  double p99_beside_ms = 0;  ///< beside the streams, at the same rate
  double watched = 0;        ///< adds a second beside such viewers, as a share
  double followed = 0;       ///< beside those that want everything at once
};

http_figures adds_over_http();

} // namespace scratchpage::bench
