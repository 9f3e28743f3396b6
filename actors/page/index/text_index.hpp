#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_set.hpp>

#include "scratchpage/actors/page/index/block_table.hpp"
#include "scratchpage/actors/page/index/slot_set.hpp"
#include "scratchpage/actors/page/index/split_table.hpp"
#include "scratchpage/actors/page/index/term_postings.hpp"
#include "scratchpage/actors/page/index/text_analyzer.hpp"
#include "scratchpage/actors/page/index/thread_index.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/shared_settings.hpp"

namespace scratchpage {

/// The terms of observations: of their content, their tags, and the day on which they were created;
/// and the threads to which they belong. `text_search` and `window_ranking` search in it. A new
/// observation is only noted, and is indexed later. An erased observation does not count any more
/// in any statistics; its postings are removed step by step.
class text_index {
public:
  /// Returns the observation in this slot, which was inserted.
  using lookup = std::function<const observation*(uint32_t slot)>;
  /// Returns whether to stop; may be empty.
  using stop = std::function<bool()>;

  /// A term of a query that the index has.
  struct wanted_term {
    const term_postings* postings;
    uint32_t times;     ///< how often it is in the query
    uint32_t documents; ///< how many observations have it
  };

  explicit text_index(shared_settings<text_config> config = {})
    : k1_{config->k1},
      b_{config->b},
      analyzer_{std::move(config)} {}
  text_index(const text_index&) = delete;
  text_index& operator=(const text_index&) = delete;

  /// Notes a new observation; @pre the slot is larger than all earlier ones.
  void insert(uint32_t slot);
  /// Notes a new revision of an observation.
  void change(uint32_t slot, const observation& before, const observation& after);
  void erase(uint32_t slot, const observation& x);
  void clear();

  /// Sets the bytes at which no further observations are indexed.
  void keep_within(uint64_t max_bytes) { max_bytes_ = max_bytes; }

  /// Indexes up to `limit` waiting observations. Returns false if any are left.
  bool catch_up(const lookup& find, const stop& out_of_time, size_t limit = SIZE_MAX);
  /// Whether `catch_up` can index any more observations now.
  bool can_catch_up() const { return waiting() > 0 && bytes() <= max_bytes_; }
  /// The observations that are not indexed.
  size_t waiting() const { return lengths_.size() - indexed_.size(); }

  /// The terms of a query, each once, without those that no observation has. Sets `partial` if the
  /// query has more different ones than `filter_limits::query_terms`.
  std::vector<wanted_term> terms_of(std::string_view query, bool& partial);

  /// The threads of the indexed observations.
  const thread_index& threads() const { return threads_; }

  size_t size() const { return lengths_.size(); }
  /// The observations that are indexed.
  const slot_set& indexed() const { return indexed_; }
  size_t terms() const { return terms_.size(); }
  /// The bytes, about, that terms and postings take. The rest of the index is small.
  uint64_t bytes() const { return posting_bytes_ + terms_.size() * term_bytes; }

  /// Mean number of terms per indexed observation.
  double average_length() const;
  /// The number of terms of an indexed observation.
  uint32_t length(uint32_t slot) const { return *lengths_.find(slot); }
  /// The lengths of observations by their slots; those that wait have a meaningless one.
  const block_table<uint16_t>& lengths() const { return lengths_; }

  /// The slots of which `shortest_in` tells something together.
  static constexpr uint32_t window_slots = 8'192;
  /// No indexed observation in the window of this slot has fewer terms.
  uint32_t shortest_in(uint32_t slot) const {
    const auto* known = shortest_.find(slot / window_slots);
    return known != nullptr ? *known : 0;
  }

  double k1() const { return k1_; }
  double b() const { return b_; }

private:
  struct term {
    std::string text;
    term_postings postings;
    uint32_t frequency = 0; // in the observation that is being indexed
    uint32_t position = 0;  // in all_terms_
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

  static constexpr uint16_t is_waiting = UINT16_MAX; // a value in lengths_
  /// Includes its entries in the tables, and the overhead of two allocations.
  static constexpr size_t term_bytes = sizeof(term) + 48;

  template <class F>
  void for_each_term(const observation& x, F&& f);
  void index(uint32_t slot, const observation& x);
  void remove_terms(uint32_t slot, const observation& x);
  term& term_of(std::string_view text);
  void remove(const term& x);
  void forget(uint32_t slot, const observation& x);
  void sweep();

  double k1_;
  double b_;
  text_analyzer analyzer_;
  block_table<uint16_t> lengths_;  // in terms, by slot; or `is_waiting`
  block_table<uint16_t> shortest_; // by window
  slot_set indexed_;
  uint64_t total_length_ = 0;
  uint64_t waiting_from_ = 0;           // slots from this one on wait
  std::vector<uint32_t> waiting_again_; // these wait too, because their text has changed

  thread_index threads_;
  std::vector<std::unique_ptr<term>> all_terms_; // in the order in which they are swept
  split_table<boost::unordered_flat_set<term*, term_hash, term_equal>> terms_;
  std::vector<term*> touched_; // of the observation that is being indexed
  uint64_t max_bytes_ = UINT64_MAX;
  uint64_t posting_bytes_ = 0;
  uint64_t sweep_credit_ = 0; // bytes that may be swept
  size_t swept_ = 0;          // position of the term at which sweeping continues
  size_t unswept_ = 0;        // terms that may have postings of erased observations
};

} // namespace scratchpage
