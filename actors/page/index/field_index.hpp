#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "scratchpage/actors/page/index/slot_set.hpp"
#include "scratchpage/actors/page/index/split_table.hpp"
#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/messages/query.hpp"
#include "scratchpage/messages/text/key_text.hpp"

namespace scratchpage {

/// Writes the spelling of a scalar to `out`, by which it is indexed and compared. Equal numbers
/// have the same spelling whatever their representation (1 and 1.0); values of different kinds
/// never have. Returns false for lists and objects.
bool spell_scalar(const json::value& value, std::string& out);

/// Visits the scalars of an observation's `context` (contract 3, "Filter"), also those in objects,
/// but not the elements of lists, which have no dotted path.
class context_scalars {
public:
  /// Calls `f(path, spelling)` for each scalar until it returns false. Both texts are valid during
  /// the call. Returns false if `f` did.
  template <class F>
  bool for_each(const json::object& context, F&& f) {
    auto length = path_.size();
    for (const auto& [key, value] : context) {
      path_.append(length == 0 ? "" : ".").append(key.data(), key.size());
      auto go_on = true;
      if (value.is_object())
        go_on = for_each(value.get_object(), f);
      else if (spell_scalar(value, spelling_))
        go_on = f(std::string_view{path_}, std::string_view{spelling_});
      path_.resize(length);
      if (!go_on)
        return false;
    }
    return true;
  }

private:
  std::string path_;
  std::string spelling_;
};

/// A filter as operations on the posting sets of the index.
struct query_plan {
  /// The rows that are in any of the sets.
  struct clause {
    std::vector<const slot_set*> any_of;
    uint64_t size = 0; ///< upper bound of the number of rows

    void add(const slot_set* set) {
      if (set == nullptr || set->empty())
        return;
      any_of.push_back(set);
      size += set->size();
    }
  };

  std::vector<clause> all_of; ///< at least one
  std::vector<const slot_set*> none_of;

  // Conditions that are checked row by row, because the sets are not exact.
  std::optional<double> min_confidence;
  std::vector<std::pair<std::string, std::string>> context; ///< path and spelling
  bool check_deadlines = false;

  bool has_checks() const { return min_confidence || !context.empty() || check_deadlines; }
};

/// The posting sets of all fields that filters use. A term exists only while a row has it.
class field_index {
public:
  using dictionary =
    split_table<boost::unordered_flat_map<std::string, slot_set, text_hash, text_equal>>;

  void add(uint32_t slot, const observation& x);
  void remove(uint32_t slot, const observation& x);
  /// The same as `remove` and `add`, but updates only the fields that differ.
  void change(uint32_t slot, const observation& before, const observation& after);
  void clear();

  /// Adds the conditions of the filter to the plan. Returns false if nothing can match.
  bool plan(const observation_filter& filter, query_plan& plan) const;

  const dictionary& types() const { return types_; }
  const slot_set& of(status x) const { return statuses_[static_cast<size_t>(x)]; }
  size_t live() const { return of(status::active).size() + of(status::pending_review).size(); }

private:
  /// Confidence is indexed in twentieths. Thresholds that people write are usually borders of these
  /// buckets, and then no row has to be checked.
  static constexpr size_t buckets = 21;
  /// A context with more scalars or longer paths is not indexed, and of a longer value only the
  /// beginning is. These are checked row by row.
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

  /// A dotted path that at least one row has. `uses` is the number of its terms.
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
