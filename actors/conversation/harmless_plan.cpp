#include "scratchpage/actors/conversation/harmless_plan.hpp"

#include <algorithm>
#include <string>

#include "scratchpage/actors/conversation/rule_compactor.hpp"

namespace scratchpage {

namespace {

bool is_summary(const scratchbook& in, const std::string& id) {
  auto is_it = [&](const scratchbook_item& x) {
    return x.id == id && is_open(x.status)
           && std::find(x.tags.begin(), x.tags.end(), summary_tag) != x.tags.end();
  };
  return std::any_of(in.items.begin(), in.items.end(), is_it);
}

} // namespace

compaction_plan harmless_plan(compaction_plan x, const scratchbook& in, uint32_t max_actions) {
  if (!is_summary(in, x.summary_id))
    x.summary_id.clear();
  x.summary.kind = item_kind::note;
  x.summary.status.reset();
  x.summary.tags.emplace_back(summary_tag);
  if (x.next_actions.size() > max_actions)
    x.next_actions.resize(max_actions);
  std::erase_if(x.pins, [&](uint32_t i) { return i >= x.next_actions.size(); });
  return x;
}

} // namespace scratchpage
