#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "scratchpage/actors/page/index/bm25.hpp"
#include "scratchpage/actors/page/index/slot_set.hpp"
#include "scratchpage/actors/page/index/text_index.hpp"

namespace scratchpage {

/// One search for a text: the observations that have any of its terms, the best by BM25 first. It
/// is asked chunk by chunk, and keeps the best `limit` observations of all chunks so far.
///
/// Most observations are not scored (MaxScore, with maxima for each window of slots). When `limit`
/// observations are known, there are terms that together cannot reach the score of the worst of
/// them. Only observations that have one of the other terms are looked at, and of these only those
/// are scored that can reach this score. The index must not change in the meantime.
class text_search {
public:
  struct match {
    uint32_t slot;
    double score; ///< above 0
  };

  /// A term of the query that some observation has.
  struct term {
    const term_postings* postings;
    double idf;    ///< times how often the term is in the query
    bool is_usual; ///< more than a quarter of all observations have it
  };

  /// `index` outlives the search.
  text_search(
    text_index& index, std::string_view query, size_t limit, text_index::stop out_of_time = {});
  text_search(text_search&&) noexcept;
  ~text_search();

  /// Turns to the chunk of the slots whose upper 16 bits are `key`. Returns whether any of its
  /// observations has a term.
  bool enter(uint16_t key);
  /// Looks at observations of this chunk. Returns those that have any of the terms.
  const slot_chunk& look_at(const slot_chunk& rows);

  /// How many observations had any of the terms so far.
  uint64_t found() const { return found_before_; }
  /// Whether the query has too many terms, or the time was over in the middle of a chunk.
  bool is_partial() const { return is_partial_; }
  /// The best observations so far, the best first, and the largest slot first among equals.
  std::vector<match> best() const;

  const std::vector<term>& terms() const { return terms_; }
  const bm25& weights() const { return weights_; }
  const text_index& index() const { return index_; }

private:
  static constexpr uint32_t window_slots = text_index::window_slots;

  /// A set of slots of a window.
  using window_bits = std::array<uint64_t, window_slots / 64>;

  /// A term that the current chunk has.
  struct part {
    const term* what;
    slot_set::chunk_view documents;
    std::vector<slot_set::chunk_view> digits; ///< of the frequencies, without empty ones at the end
    std::vector<window_bits> window_digits;   ///< those of the current window
    double most = 0;                          ///< in the current window it adds at most this
  };

  struct window;

  /// The weights of a term by the length of an observation, for one frequency. A longer one counts
  /// as one with the last of these lengths, so its weight is not less than it is.
  using weight_table = std::array<float, 256>;

  slot_set::chunk_view view_of(const slot_set& x, uint16_t key);
  bool are_few() const;
  void score_each();
  void score_windows();
  void begin(window& x, uint32_t first);
  void begin_parts(uint32_t first);
  size_t skipped_parts() const;
  void add_up(window& to, const part& x);
  void offer_candidates(window& from, uint32_t base, size_t skipped);
  bool can_reach(const window& in, uint32_t at, double sum, size_t skipped);
  double score(uint32_t slot, uint16_t offset) const;
  void offer(uint32_t slot, double score);
  double threshold() const { return best_.size() < limit_ ? 0 : best_.front().score; }
  bool is_out_of_time(size_t steps);
  const weight_table& table_for(uint32_t frequency);
  void keep_possible(window& x) const;
  static uint32_t largest_frequency(const part& x);
  static uint32_t frequency_in(const part& x, uint32_t at);
  static uint32_t frequency_of(const part& x, uint16_t offset);
  static bool is_better(const match& a, const match& b) {
    return a.score != b.score ? a.score > b.score : a.slot > b.slot;
  }

  text_index& index_;
  size_t limit_;
  text_index::stop out_of_time_;
  bool is_partial_ = false;
  bool has_ended_ = false; // the time is over
  size_t steps_ = 0;       // since the time was checked last
  std::vector<term> terms_;
  bm25 weights_;
  uint64_t found_before_ = 0;
  std::vector<match> best_;                           // a heap with the worst at the front
  std::vector<std::unique_ptr<weight_table>> tables_; // by frequency, those that were needed
  std::unique_ptr<window> window_;

  // Of the current chunk:
  uint32_t base_ = 0;                 // its first slot
  std::vector<part> parts_;           // in the order of the query
  std::vector<size_t> order_;         // of parts_ by `most`, the smallest first
  std::vector<double> most_of_first_; // what the first so many of order_ can add together
  uint64_t postings_ = 0;             // of all parts
  slot_chunk found_;
  std::vector<std::unique_ptr<slot_set::scratch>> rooms_; // that the views of the parts refer to
  size_t used_rooms_ = 0;
};

} // namespace scratchpage
