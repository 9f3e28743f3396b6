#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include <boost/unordered/unordered_flat_map.hpp>

#include "scratchpage/actors/page/index/context_scalars.hpp"
#include "scratchpage/actors/page/index/query_plan.hpp"
#include "scratchpage/actors/page/index/slot_set.hpp"
#include "scratchpage/actors/page/index/split_table.hpp"
#include "scratchpage/actors/page/index/text_key.hpp"
#include "scratchpage/messages/query.hpp"

namespace scratchpage {

/// The posting sets of every field that filters use. A term exists only while a
/// row has it.
class field_index {
public:
  using dictionary =
    split_table<boost::unordered_flat_map<std::string, slot_set, text_hash, text_equal>>;

  void add(uint32_t slot, const observation& x);
  void remove(uint32_t slot, const observation& x);
  /// As remove and add, at the price of what differs.
  void change(uint32_t slot, const observation& before, const observation& after);
  void clear();

  /// Adds what the filter asks for to the plan; false if nothing can match.
  bool plan(const observation_filter& filter, query_plan& plan) const;

  const dictionary& types() const { return types_; }
  const slot_set& of(status x) const { return statuses_[static_cast<size_t>(x)]; }
  size_t live() const { return of(status::active).size() + of(status::pending_review).size(); }

private:
  /// Confidence is indexed in twentieths: the thresholds that people write are
  /// the borders of buckets, and then no row needs to be looked at.
  static constexpr size_t buckets = 21;
  /// A context with more scalars, or with a path or value longer than this, is
  /// looked at row by row beyond these bounds.
  static constexpr size_t max_scalars = 64;
  static constexpr size_t max_path = 256;
  static constexpr size_t max_value = 128;

  struct path_key {
    uint64_t path;
    text_key value;
  };

  struct path_value {
    uint64_t path;
    std::string value;
  };

  struct path_hash {
    using is_transparent = void;
    using is_avalanching = void;

    size_t operator()(const path_key& x) const { return mix(x.value.hash, x.path); }
    size_t operator()(const path_value& x) const { return mix(text_hash{}(x.value), x.path); }
  };

  struct path_equal {
    using is_transparent = void;

    bool operator()(const path_key& a, const path_value& b) const {
      return a.path == b.path && a.value.text == b.value;
    }
    bool operator()(const path_value& a, const path_key& b) const { return (*this)(b, a); }
    bool operator()(const path_value& a, const path_value& b) const {
      return a.path == b.path && a.value == b.value;
    }
  };

  /// A dotted path that some row has; `uses` counts its terms.
  struct path {
    uint64_t id = 0;
    uint64_t uses = 0;
  };

  static size_t bucket_of(double confidence);

  void add_context(uint32_t slot, const json::object& context);
  void remove_context(uint32_t slot, const json::object& context);
  bool plan_context(const observation_filter& filter, query_plan& plan) const;
  void plan_confidence(double at_least, query_plan& plan) const;

  dictionary types_;
  dictionary sources_;
  dictionary owners_;
  dictionary tags_;
  dictionary turns_;
  std::array<slot_set, enum_names<status>.size()> statuses_;
  std::array<slot_set, buckets> confidences_;

  split_table<boost::unordered_flat_map<std::string, path, text_hash, text_equal>> paths_;
  split_table<boost::unordered_flat_map<path_value, slot_set, path_hash, path_equal>> context_;
  slot_set unindexed_contexts_;
  uint64_t last_path_ = 0;
  context_scalars scalars_;
};

} // namespace scratchpage
