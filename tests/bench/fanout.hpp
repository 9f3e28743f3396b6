#pragma once

#include <cstddef>

namespace scratchpage::bench {

/// Deliveries a second to six subscribers, from the first message sent to the last one
/// received. Every message reaches all six.
struct fanout_figures {
  double page = 0;        ///< through a page: validated, indexed, logged, filtered six times
  double page_traced = 0; ///< as above, with a trace entry for each message
  double share_seen = 0;  ///< share left while the trace is exported and ten viewers read
  double caf = 0;         ///< a bare actor that sends the same observation to six actors
};

fanout_figures fanout(size_t messages);

} // namespace scratchpage::bench
