#include "scratchpage/runtime/cli/terminal/trace_tree.hpp"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>

namespace scratchpage {

namespace {

class planter {
public:
  explicit planter(std::span<const trace_entry> entries)
    : entries_{entries},
      children_(entries.size()),
      is_shown_(entries.size(), false) {
    for (size_t i = 0; i < entries.size(); ++i)
      by_id_[entries[i].id].push_back(i);
  }

  std::vector<trace_node> grow() {
    std::vector<size_t> roots;
    for (size_t i = 0; i < entries_.size(); ++i) {
      if (auto cause = cause_of(i))
        children_[*cause].push_back(i);
      else
        roots.push_back(i);
    }
    for (auto root : roots)
      show(root);
    for (size_t i = 0; i < entries_.size(); ++i)
      show(i); // whose causes go in a circle
    return std::move(nodes_);
  }

private:
  /// Ids count anew in each process, so there may be several of one.
  std::optional<size_t> cause_of(size_t i) const {
    auto known = by_id_.find(entries_[i].parent);
    if (entries_[i].parent == 0 || known == by_id_.end())
      return std::nullopt;
    std::optional<size_t> nearest;
    auto distance = [i](size_t other) { return other < i ? i - other : other - i; };
    for (auto other : known->second)
      if (other != i && (!nearest || distance(other) < distance(*nearest)))
        nearest = other;
    return nearest;
  }

  /// It and what it caused; not by recursion, for causes may go deep.
  void show(size_t root) {
    std::vector<std::pair<size_t, size_t>> open{{root, 0}};
    while (!open.empty()) {
      auto [i, depth] = open.back();
      open.pop_back();
      if (is_shown_[i])
        continue;
      is_shown_[i] = true;
      nodes_.push_back({&entries_[i], depth});
      for (auto child = children_[i].rbegin(); child != children_[i].rend(); ++child)
        open.emplace_back(*child, depth + 1);
    }
  }

  std::span<const trace_entry> entries_;
  std::unordered_map<span_id, std::vector<size_t>> by_id_;
  std::vector<std::vector<size_t>> children_;
  std::vector<bool> is_shown_;
  std::vector<trace_node> nodes_;
};

} // namespace

std::vector<trace_node> tree_of(std::span<const trace_entry> entries) {
  return planter{entries}.grow();
}

} // namespace scratchpage
