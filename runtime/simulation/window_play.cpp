#include "scratchpage/runtime/simulation/window_play.hpp"

#include <algorithm>
#include <utility>

#include "scratchpage/actors/conversation/conversation_history.hpp"
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

caf::expected<std::vector<model_moment>> window_play::tell(
  const std::vector<chat_message>& messages) {
  std::vector<model_moment> result;
  for (const auto& x : messages)
    if (auto err = tell_one(x, result))
      return err;
  return result;
}

caf::error window_play::tell_one(const chat_message& x, std::vector<model_moment>& moments) {
  if (x.role == chat_role::assistant)
    if (auto err = note_prompt(moments))
      return err;
  auto before = book();
  if (!before)
    return before.error();
  auto stats = stage_.request<conversation_stats>(
    team_.conversations(), append_messages{reader(), thread_id_, {x}});
  if (!stats)
    return stats.error();
  auto happened = note(*stats);
  if (happened.compactions == 0)
    return {};
  moments.push_back(std::move(happened));
  uint64_t tokens = 0;
  auto made = next_prompt(tokens);
  return made ? look_for(*before, made->system) : made.error();
}

/// The prompt, and what the scratchbook shows in it.
caf::error window_play::note_prompt(std::vector<model_moment>& moments) {
  auto& x = moments.emplace_back();
  if (auto made = next_prompt(x.tokens); !made)
    return made.error();
  auto seen = view();
  if (!seen)
    return seen.error();
  x.view = std::move(*seen);
  return {};
}

/// What has happened since the last time.
model_moment window_play::note(const conversation_stats& next) {
  model_moment result;
  result.what = model_moment::kind::compaction;
  result.compactions = next.compactions - last_.compactions;
  result.offloaded_tokens = next.offloaded_tokens - last_.offloaded_tokens;
  result.kept_tokens = next.kept_tokens - last_.kept_tokens;
  counters_.compactions += result.compactions;
  counters_.evicted_texts += next.evicted - last_.evicted;
  counters_.offloaded_tokens += result.offloaded_tokens;
  counters_.kept_tokens += result.kept_tokens;
  last_ = next;
  return result;
}

caf::expected<model_prompt> window_play::next_prompt(uint64_t& tokens) {
  auto made =
    stage_.request<model_prompt>(team_.conversations(), make_prompt{reader(), thread_id_});
  if (!made)
    return made;
  // Counted again here, whatever the actor says.
  tokens = estimate_tokens(made->system);
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
