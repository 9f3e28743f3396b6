#include "scratchpage/runtime/replay/window_play.hpp"

#include <algorithm>
#include <utility>

#include "scratchpage/actors/compaction/conversation_history.hpp"
#include "scratchpage/messages/messages.hpp"

namespace scratchpage {

namespace {

caller reader() {
  return as_daemon("player");
}

/// Whether a line of the text is about the item.
bool shows(const std::string& text, const std::string& id) {
  return text.starts_with(id + " ") || text.find("\n" + id + " ") != std::string::npos;
}

} // namespace

window_play::window_play(stage& on, const ensemble& team, uint32_t window, std::string thread_id)
  : stage_{on},
    team_{team},
    window_{window},
    thread_id_{std::move(thread_id)} {}

caf::error window_play::tell(const std::vector<chat_message>& messages) {
  for (const auto& x : messages)
    if (auto err = tell_one(x))
      return err;
  return {};
}

caf::error window_play::tell_one(const chat_message& x) {
  if (x.role == chat_role::assistant)
    if (auto made = next_prompt(); !made)
      return made.error();
  auto before = book();
  if (!before)
    return before.error();
  auto stats = stage_.request<conversation_stats>(
    team_.conversations(), append_messages{reader(), thread_id_, {x}});
  if (!stats)
    return stats.error();
  auto compacted = stats->compactions - last_.compactions;
  counters_.compactions += compacted;
  counters_.evicted_texts += stats->evicted - last_.evicted;
  counters_.offloaded_tokens += stats->offloaded_tokens - last_.offloaded_tokens;
  counters_.kept_tokens += stats->kept_tokens - last_.kept_tokens;
  last_ = std::move(*stats);
  if (compacted == 0)
    return {};
  auto made = next_prompt();
  return made ? look_for(*before, made->system) : made.error();
}

caf::expected<model_prompt> window_play::next_prompt() {
  auto made =
    stage_.request<model_prompt>(team_.conversations(), make_prompt{reader(), thread_id_});
  if (!made)
    return made;
  // Counted again here, whatever the actor says.
  uint64_t tokens = estimate_tokens(made->system);
  for (const auto& x : made->messages)
    tokens += tokens_of(x, estimate_tokens);
  ++counters_.prompts;
  counters_.prompt_tokens += tokens;
  counters_.over_window += tokens > window_ ? 1 : 0;
  return made;
}

caf::expected<scratchbook> window_play::book() {
  return stage_.request<scratchbook>(team_.scratchbooks(), scratch_list{reader(), thread_id_});
}

caf::expected<std::string> window_play::view() {
  auto found =
    stage_.request<scratch_view>(team_.scratchbooks(), scratch_read{reader(), thread_id_, {}});
  if (!found)
    return found.error();
  return std::move(found->view);
}

/// All parts of it.
caf::expected<std::string> window_play::whole_view() {
  std::string result;
  scratch_read request{reader(), thread_id_, {}};
  while (true) {
    auto part = stage_.request<scratch_view>(team_.scratchbooks(), request);
    if (!part)
      return part.error();
    result += "\n" + part->view;
    if (part->left == 0 || part->last.empty())
      return result;
    request.after = part->last;
  }
}

caf::error window_play::look_for(const scratchbook& before, const std::string& prompt) {
  auto all = whole_view();
  if (!all)
    return all.error();
  for (const auto& item : before.items) {
    auto is_pinned =
      std::find(before.pins.begin(), before.pins.end(), item.id) != before.pins.end();
    if ((is_pinned || is_open(item.status)) && !shows(prompt, item.id) && !shows(*all, item.id))
      ++counters_.forgotten;
  }
  return {};
}

} // namespace scratchpage
