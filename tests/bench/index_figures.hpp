#pragma once

#include <cstddef>

/// Figures of the index alone. Times are processor times of
/// the measuring thread, so that other load on the machine does not count.

namespace scratchpage::bench {

/// Queries for two tags (AND) with limit 10 and an exact total, over live rows. The queries use
/// many different pairs of tags.
struct query_figures {
  double p50_us = 0;
  double p99_us = 0;
  double mean_total = 0; ///< matches per query
};

query_figures query_tags(size_t rows);

/// Nanoseconds per observation for an insert into all indexes. Observations are
/// created just before, as on a page.
double insert_ns(size_t rows);

/// Bytes of heap per observation beyond its payload, including the text index.
double overhead_bytes_per_observation(size_t rows);

/// Expiry of all rows, each at a different time, in slices of 256.
struct expiry_figures {
  double mean_ns = 0;      ///< per observation, for finding it due and erasing it
  double max_slice_us = 0; ///< the longest slice
};

expiry_figures expire(size_t rows, bool with_text);

/// Text queries with four words and limit 10 over live rows: the median in milliseconds, for
/// the most frequent words and for rare ones.
struct text_figures {
  double index_ns = 0; ///< nanoseconds per observation for indexing its text
  double common_ms = 0;
  double rare_ms = 0;
};

text_figures query_text(size_t rows);

} // namespace scratchpage::bench
