#include <algorithm>
#include <string>

#include "scratchpage/actors/conversation/rule_compactor.hpp"
#include "scratchpage/actors/conversation/thread_conversation.hpp"
#include "scratchpage/actors/scratchbook/scratchbook_rules.hpp"
#include "scratchpage/actors/scratchbook/scratchbook_view.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/conversation.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/tests/fuzz/targets.hpp"

namespace scratchpage::fuzz {

namespace {

constexpr scratchbook_limits limits;

void show(const scratchbook& x) {
  scratchbook_view_config view;
  auto shown = render_view(x, view, estimate_tokens);
  promise(utf8::is_valid(shown.view), "a view is UTF-8");
  promise(estimate_tokens(shown.view) <= view.token_limit, "a view is within its budget");
  promise(render_view(x, view, estimate_tokens).view == shown.view, "a view is always the same");
}

void read_stored(std::string_view bytes) {
  auto read = from_stored_text(bytes, limits);
  if (!read)
    return;
  auto text = to_stored_text(*read);
  auto again = from_stored_text(text, limits);
  promise(again && to_stored_text(*again) == text, "a scratchbook is the same after reading");
  show(*read);
}

void keep(scratchbook& in, const item_draft& draft) {
  auto added = add_item(in, draft, 1, limits);
  promise(added || code_of(added.error()) != errc::invalid_request, "a plan can be carried out");
}

void compact(const compact_messages& x) {
  auto plan = compact_by_rules(x);
  auto book = x.scratchbook;
  if (validate(book))
    return;
  keep(book, plan.summary);
  for (const auto& draft : plan.next_actions)
    keep(book, draft);
  for (auto i : plan.pins)
    promise(i < plan.next_actions.size(), "pins name planned actions");
  show(book);
}

/// Whether ids and paths are short, as those that the program makes.
bool has_our_ids(const compact_messages& x) {
  constexpr size_t longest = 64;
  auto fits = [](const std::string& id) { return id.size() <= longest; };
  return fits(x.path) && std::all_of(x.goals.begin(), x.goals.end(), [&](const goal& g) {
    return fits(g.goal_id);
  }) && std::all_of(x.pending.begin(), x.pending.end(), [&](const observation_ptr& o) {
    return o && fits(o->observation_id);
  });
}

void take_away(const compact_messages& x) {
  promise(utf8::is_valid(to_markdown(x.offloaded)), "a history is UTF-8");
  conversation_history history;
  for (const auto& message : x.offloaded)
    history.add(message);
  auto before = history.tokens();
  auto taken = history.take_oldest(before / 2);
  promise(history.tokens() <= before / 2, "the rest is within its budget");
  history.put_back(std::move(taken));
  promise(history.tokens() == before, "putting messages back restores the tokens");
}

} // namespace

void compaction(std::string_view bytes) {
  read_stored(bytes);
  auto read = from_json_text<compact_messages>(bytes);
  if (!read || !has_our_ids(*read))
    return;
  compact(*read);
  take_away(*read);
}

} // namespace scratchpage::fuzz
