#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "scratchpage/messages/event.hpp"
#include "scratchpage/messages/query.hpp"
#include "scratchpage/messages/text/key_text.hpp"

namespace scratchpage {

/// Marks on the last sequences: one bit for each, in a ring buffer that is allocated with the first
/// mark. Sequences that are more than the capacity before the highest marked one are forgotten.
/// They must be neither marked nor asked for.
class sequence_marks {
public:
  explicit sequence_marks(size_t capacity)
    : size_{capacity / 64 + 2} {}

  void mark(uint64_t sequence) {
    auto at = sequence / 64;
    if (at >= end_)
      reach(at);
    words_[at % size_] |= uint64_t{1} << (sequence % 64);
  }

  /// The first marked sequence in [from, to), or `to`.
  uint64_t next(uint64_t from, uint64_t to) const {
    const auto end = std::min(to, end_ * 64);
    while (from < end) {
      auto rest = words_[from / 64 % size_] >> (from % 64);
      if (rest != 0)
        return std::min(from + static_cast<uint64_t>(std::countr_zero(rest)), to);
      from = (from / 64 + 1) * 64;
    }
    return to;
  }

private:
  /// Clears the words after the last one, up to `at`.
  void reach(uint64_t at) {
    words_.resize(size_);
    for (auto i = std::max(end_, at + 1 - std::min<uint64_t>(at + 1, size_)); i <= at; ++i)
      words_[i % size_] = 0;
    end_ = at + 1;
  }

  uint64_t size_;
  uint64_t end_ = 0; ///< the word after the last that has a mark
  std::vector<uint64_t> words_;
};

/// The subscriptions with equal filters. A change is compared with their filters once.
struct filter_group {
  /// A change matches if one of these filters matches; there is at least one.
  std::vector<observation_filter> filters;
  sequence_marks wanted;         ///< the changes in the log that match
  uint64_t since;                ///< the first sequence that `wanted` covers
  size_t shared_by = 0;          ///< number of subscriptions
  std::vector<uint64_t> waiting; ///< ids of subscribers to be woken by the next change that matches

  bool wants(const page_event& x) const;
};

/// The bytes of memory, about, that the filters take.
size_t memory_of(const std::vector<observation_filter>& filters);

/// The filters of a page's subscribers, with an index so that a change is compared only with
/// filters that may match. For each of its filters, a group lies in the bucket of one value that
/// the filter asks for: a turn, a goal, a tag, a source or a type. A change is looked up in the
/// buckets of the values that its observation has.
class filter_groups {
public:
  /// `log_capacity` is the number of changes that the marks of a group cover.
  explicit filter_groups(size_t log_capacity)
    : log_capacity_{log_capacity} {}

  /// Joins the group with these filters, and creates it if there is none; @pre there is at least
  /// one filter. A new group covers changes from the sequence `next` on. The reference is valid
  /// until as many subscriptions have left as have joined.
  filter_group& join(std::vector<observation_filter> filters, uint64_t next);
  void leave(filter_group& x);

  /// The groups that the change matches, each once. Valid until the next call of any function.
  std::span<filter_group* const> matching(const page_event& x);

  size_t size() const { return size_; }

private:
  /// The kinds of values that groups lie under, the most selective first: the turn, four members of
  /// the context, tags, sources and types. Filters that ask for none of these are of the last kind.
  static constexpr size_t turn = 0, context = 1, tag = 5, source = 6, type = 7, rest = 8;
  static constexpr std::array<std::string_view, 4> context_members{
    "goal_id", "task_id", "pending_action_id", "user_id"};

  using list = std::vector<std::shared_ptr<filter_group>>;
  using buckets = std::unordered_map<std::string, list, text_hash, text_equal>; // by value

  /// Where a filter lies: in the buckets of these values of one kind.
  struct place {
    size_t kind;
    std::vector<std::string> values;
  };

  static place place_of(const observation_filter& x);
  static const list* find(const buckets& in, std::string_view value);
  static void remove(const filter_group& x, buckets& from, const std::string& value);
  void look_up(size_t kind, std::string_view value, const page_event& x);

  size_t log_capacity_;
  size_t size_ = 0;
  std::array<buckets, rest + 1> buckets_; // by kind
  std::vector<filter_group*> found_;
};

} // namespace scratchpage
