#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_set.hpp>

#include "scratchpage/actors/page/index/block_table.hpp"
#include "scratchpage/actors/page/index/split_table.hpp"
#include "scratchpage/actors/page/index/text_analyzer.hpp"
#include "scratchpage/messages/observation.hpp"

namespace scratchpage {

/// Ranks observations by their relevance to a text: BM25 over content and tags. A new observation
/// is only noted, and is indexed before the next search. An erased observation does not count any
/// more in any statistics; its postings are removed step by step.
class text_index {
public:
  struct match {
    uint64_t number;
    double score; ///< above 0
  };

  /// Returns the observation with this number, which was inserted.
  using lookup = std::function<const observation*(uint64_t number)>;
  /// Returns whether to stop; may be empty. Called every 1024 steps.
  using stop = std::function<bool()>;

  explicit text_index(const text_config& config = {})
    : k1_{config.k1},
      b_{config.b},
      analyzer_{config} {}
  text_index(const text_index&) = delete;
  text_index& operator=(const text_index&) = delete;

  /// Notes a new observation, or one whose text has changed.
  void insert(uint64_t number);
  void erase(uint64_t number);

  /// Sets the bytes at which no further observations are indexed.
  void keep_within(uint64_t max_bytes) { max_bytes_ = max_bytes; }

  /// Indexes up to `limit` waiting observations. Returns false if any are left.
  bool catch_up(const lookup& find, const stop& out_of_time, size_t limit = SIZE_MAX);

  /// The observations that have any of the words, by ascending number. Waiting observations are not
  /// found. Sets `partial` if the search stops early, or if the text has more different words than
  /// `filter_limits::query_terms`.
  std::vector<match> search(std::string_view text, const stop& out_of_time, bool& partial);

  size_t size() const { return states_.size(); }
  size_t indexed() const { return documents_.size(); }
  size_t terms() const { return terms_.size(); }
  /// The bytes, about, that terms and postings take. The rest of the index is small.
  uint64_t bytes() const { return posting_bytes_ + terms_.size() * term_bytes; }
  /// Mean number of terms per indexed observation.
  double average_length() const;

private:
  struct document {
    uint32_t number = 0; ///< low bits, see block_table::widen
    uint16_t length = 0; ///< in terms
  };

  /// A term and its postings: the documents that have it. A posting is the distance from the
  /// document before, doubled, plus 1 if a frequency other than 1 follows. The postings are in
  /// segments, of which the last one grows. The distances of each segment begin at document 0, so
  /// that erased documents can be removed from one segment at a time.
  struct term {
    std::string text;
    std::string postings;                           ///< the last segment
    std::unique_ptr<std::vector<std::string>> full; ///< the segments before, if any
    uint64_t last = 0;                              ///< last document of the last segment, or 0
    uint32_t frequency = 0;                         ///< in the document that is being indexed
    size_t position = 0;                            ///< among all terms
  };

  struct posting {
    uint64_t document;
    uint32_t frequency;
  };

  /// A term of a query, and how often it is in the query.
  struct wanted_term {
    const term* what;
    uint32_t times;
  };

  /// The documents that have a term of a query, and how often the term is in the query.
  struct wanted_list {
    std::vector<posting> postings;
    uint32_t times;
  };

  struct term_hash {
    using is_transparent = void;
    using is_avalanching = void;

    size_t operator()(const term* x) const { return text_hash{}(x->text); }
    size_t operator()(const text_key& x) const { return x.hash; }
  };

  struct term_equal {
    using is_transparent = void;

    bool operator()(const term* a, const term* b) const { return a == b; }
    bool operator()(const text_key& a, const term* b) const { return a.text == b->text; }
    bool operator()(const term* a, const text_key& b) const { return a->text == b.text; }
  };

  static constexpr uint32_t waiting = 0; // a value in states_
  /// Includes its entries in the tables, and the overhead of two allocations.
  static constexpr size_t term_bytes = sizeof(term) + 48;

  void index(uint64_t number, const observation& x);
  void add_terms(std::string_view text);
  term& term_of(std::string_view text);
  static void append(std::string& to, uint64_t& last, posting x);
  template <class F>
  static bool decode(const std::string& segment, F&& f);
  template <class F>
  static void decode(const term& x, F&& f);
  void compact(std::string& segment, uint64_t& last);
  void remove(term& x);
  void sweep();
  std::vector<wanted_term> known_terms_of(std::string_view text, bool& partial);
  std::vector<match> sum_up(
    const std::vector<wanted_list>& lists, const stop& out_of_time, bool& partial) const;

  double k1_;
  double b_;
  text_analyzer analyzer_;
  block_table<uint32_t> states_;    // by number: the document's low bits, or `waiting`
  block_table<document> documents_; // in the order in which they were indexed
  uint64_t last_document_ = 0;
  uint64_t total_length_ = 0;
  uint64_t waiting_from_ = 0;           // numbers from this one on wait
  std::vector<uint64_t> waiting_again_; // these wait too, because their text has changed

  std::vector<std::unique_ptr<term>> all_terms_; // in the order in which they are swept
  split_table<boost::unordered_flat_set<term*, term_hash, term_equal>> terms_;
  std::vector<term*> touched_; // of the document that is being indexed
  uint64_t max_bytes_ = UINT64_MAX;
  uint64_t posting_bytes_ = 0;
  uint64_t sweep_credit_ = 0; // bytes that may be swept
  size_t swept_ = 0;          // position of the term at which sweeping continues
  size_t swept_segments_ = 0; // number of its full segments that were swept
};

} // namespace scratchpage
