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

/// Relevance of observations to a text: BM25 over content and tags. Lazy: a new
/// observation is only noted, and taken apart by the next search. What is
/// erased stops counting at once, in all statistics; its postings are swept out
/// little by little.
class text_index {
public:
  struct match {
    uint64_t number;
    double score; ///< above 0
  };

  /// The observation with this number; asked for those that were inserted.
  using lookup = std::function<const observation*(uint64_t number)>;
  /// Whether to stop; may be empty. Polled every 1024 steps.
  using stop = std::function<bool()>;

  explicit text_index(const text_config& config = {})
    : k1_{config.k1},
      b_{config.b},
      analyzer_{config} {}
  text_index(const text_index&) = delete;
  text_index& operator=(const text_index&) = delete;

  /// Notes an observation, or that its text has changed.
  void insert(uint64_t number);
  void erase(uint64_t number);

  /// No more is taken apart while it has more bytes than that.
  void keep_within(uint64_t most_bytes) { most_bytes_ = most_bytes; }

  /// Takes up to `at_most` waiting observations apart. False if any are left.
  bool catch_up(const lookup& find, const stop& out_of_time, size_t at_most = SIZE_MAX);

  /// What holds any of the words, by ascending number. Observations that still
  /// wait are not found. Sets `partial` if it had to stop early, or if there are more
  /// different words in the text than are looked for (`filter_limits::query_terms`).
  std::vector<match> search(std::string_view text, const stop& out_of_time, bool& partial);

  size_t size() const { return states_.size(); }
  size_t indexed() const { return documents_.size(); }
  size_t terms() const { return terms_.size(); }
  /// About what its words and lists take; what they are made of comes to little beside it.
  uint64_t bytes() const { return posting_bytes_ + terms_.size() * term_bytes; }
  /// In terms; of what is indexed.
  double average_length() const;

private:
  struct document {
    uint32_t number = 0; ///< low bits, see block_table::widen
    uint16_t length = 0; ///< in terms
  };

  /// Documents that hold a term: for each the distance from the one before,
  /// doubled, plus 1 if a frequency other than 1 follows. In segments, the last
  /// of which grows; each begins anew from document 0, so that what was erased
  /// can be swept out of one at a time.
  struct term {
    std::string text;
    std::string postings;                           ///< the last segment
    std::unique_ptr<std::vector<std::string>> full; ///< the segments before, if any
    uint64_t last = 0;                              ///< document; 0 if the last segment is empty
    uint32_t frequency = 0;                         ///< in the document that is being indexed
    size_t position = 0;                            ///< among all terms
  };

  struct posting {
    uint64_t document;
    uint32_t frequency;
  };

  /// A word of a query, and how often it stands there.
  struct wanted_term {
    const term* what;
    uint32_t times;
  };

  /// The documents that hold a word, and how much that word counts.
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

  static constexpr uint32_t waiting = 0; // among states_
  /// With its places in the lists of all, and two blocks of the heap.
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
  uint64_t waiting_from_ = 0;           // numbers from here on wait
  std::vector<uint64_t> waiting_again_; // and these, whose text changed

  std::vector<std::unique_ptr<term>> all_terms_; // in any order; what sweeping walks over
  split_table<boost::unordered_flat_set<term*, term_hash, term_equal>> terms_;
  std::vector<term*> touched_; // of the document that is being indexed
  uint64_t most_bytes_ = UINT64_MAX;
  uint64_t posting_bytes_ = 0;
  uint64_t sweep_credit_ = 0;
  size_t swept_ = 0;          // position of the term where sweeping goes on
  size_t swept_segments_ = 0; // of its full segments
};

} // namespace scratchpage
