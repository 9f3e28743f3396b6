#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "scratchpage/actors/page/index/text_key.hpp"
#include "scratchpage/actors/page/sequence_marks.hpp"
#include "scratchpage/messages/event.hpp"
#include "scratchpage/messages/query.hpp"

namespace scratchpage {

/// What all who gave the same filters want of a page's changes.
struct interest {
  /// What one of these selects is wanted; there is one at least.
  std::vector<observation_filter> filters;
  sequence_marks wanted; ///< of what is in the log
  uint64_t since;        ///< the first sequence of which `wanted` tells
  size_t shared_by = 0;
  std::vector<uint64_t> waiting; ///< who is to be woken by the next change that is wanted

  bool wants(const page_event& x) const;
};

/// About how many bytes of memory filters take.
size_t memory_of(const std::vector<observation_filter>& filters);

/// The interests of a page's subscribers, by filter: those with equal filters share
/// one, and only those are asked about a change that it may concern. Each lies in the
/// drawer of something that its filter asks for (a turn, a goal, a tag, a source, a
/// type), for each of its filters, and a change is looked up in the drawers by what its
/// observation has.
class interests {
public:
  /// `log_capacity` is how many changes their marks reach back.
  explicit interests(size_t log_capacity)
    : log_capacity_{log_capacity} {}

  /// Joins the interest with those filters, of which there must be one; an interest
  /// that is made knows of changes from `next` on. It stays where it is until as many
  /// have left as have joined.
  interest& join(std::vector<observation_filter> filters, uint64_t next);
  void leave(interest& x);

  /// Those that want the change, each once, until the next call of anything here.
  std::span<interest* const> wanting(const page_event& x);

  size_t size() const { return size_; }

private:
  /// What observations are told apart by, the rarest first: the turn, the indexed
  /// members of the context (contract 1), tags, sources and types. The last drawer is
  /// of those who ask for none of it.
  static constexpr size_t turn = 0, context = 1, tag = 5, source = 6, type = 7, rest = 8;
  static constexpr std::array<std::string_view, 4> context_members{
    "goal_id", "task_id", "pending_action_id", "user_id"};

  using list = std::vector<std::shared_ptr<interest>>;
  using drawer = std::unordered_map<std::string, list, text_hash, text_equal>;

  /// Where an interest lies: in one drawer, under each of the names.
  struct place {
    size_t in;
    std::vector<std::string> names;
  };

  static place place_of(const observation_filter& x);
  static void take_out(const interest& x, drawer& from, const std::string& name);
  void look_up(size_t in, std::string_view name, const page_event& x);

  size_t log_capacity_;
  size_t size_ = 0;
  std::array<drawer, rest + 1> drawers_;
  std::vector<interest*> found_;
};

} // namespace scratchpage
