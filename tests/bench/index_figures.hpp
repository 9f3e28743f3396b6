#pragma once

#include <cstddef>

/// The index's figures, each measured on its own. Times are processor times of
/// the measuring thread, so that what else the machine does is not counted.

namespace scratchpage::bench {

/// Two tags ANDed, limit 10, exact total, over live rows: the median over many
/// queries with all sorts of pairs of tags.
struct query_figures {
  double p50_us = 0;
  double p99_us = 0;
  double mean_total = 0; ///< matches per query
};

query_figures query_tags(size_t rows);

/// Nanoseconds per observation for an insert with all indexes. Observations are
/// made just before, as on a page.
double insert_ns(size_t rows);

/// Heap that an observation takes beyond its payload, text index included.
double overhead_bytes_per_observation(size_t rows);

/// All rows expire, each at a time of its own, 256 to a slice.
struct expiry_figures {
  double mean_ns = 0;      ///< per observation: told as due, and erased
  double max_slice_us = 0; ///< the longest slice
};

expiry_figures expire(size_t rows, bool with_text);

/// Text queries with four words and limit 10 over live rows, in milliseconds at
/// the median: of the commonest words, and of rare ones.
struct text_figures {
  double index_ns = 0; ///< per observation, for taking its text apart
  double common_ms = 0;
  double rare_ms = 0;
};

text_figures query_text(size_t rows);

} // namespace scratchpage::bench
