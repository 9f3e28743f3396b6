#include "scratchpage/runtime/simulation/stage.hpp"

#include <algorithm>
#include <utility>

#include <caf/actor_cast.hpp>

#include "scratchpage/actors/conversation/thread_conversation.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/messages.hpp"
#include "scratchpage/runtime/execution/wall_clock.hpp"

namespace scratchpage {

namespace {

caller reader() {
  return as_daemon("player");
}

/// Whether a line of the text begins with the item's id.
bool shows(const std::string& text, const std::string& id) {
  return text.starts_with(id + " ") || text.find("\n" + id + " ") != std::string::npos;
}

class page_recorder_state {
public:
  using handle = subscriber_actor;
  static constexpr const char* name = "witness";

  page_recorder_state(
    handle::pointer self, scratch_page_actor page, std::shared_ptr<page_recorder> whose)
    : self_{self},
      page_{std::move(page)},
      whose_{std::move(whose)} {}

  handle::behavior_type make_behavior() {
    subscribe order{as_daemon("witness"), handle{self_}, {}, {.sequence = 0}, false};
    ask(self_, page_, std::chrono::seconds{30}, std::move(order))
      .then([](uint64_t) {}, [this](const caf::error& err) { self_->quit(err); });
    return {[this](const event_batch& batch) {
      for (const auto& event : batch.events)
        whose_->see(event);
    }};
  }

private:
  handle::pointer self_;
  scratch_page_actor page_;
  std::shared_ptr<page_recorder> whose_;
};

} // namespace

stage::stage(const play_options& options, timestamp start)
  : system_{prepare(cfg_, !options.real_time)} {
  if (options.real_time) {
    clock_ = std::make_shared<wall_clock>();
    return;
  }
  driver_.emplace(system_, start);
  clock_ = driver_->clock();
  if (options.shuffle)
    driver_->shuffle(options.seed);
}

caf::actor_system_config& stage::prepare(caf::actor_system_config& cfg, bool virtual_time) {
  if (virtual_time)
    use_virtual_time(cfg);
  return cfg;
}

caf::error stage::wait_until(const std::function<bool()>& done) {
  if (driver_) {
    driver_->settle();
    while (!done())
      if (!driver_->advance_to_next_deadline())
        return fail(
          errc::internal, "", "expected an answer, but nothing is left to happen in virtual time");
    return {};
  }
  constexpr auto longest = std::chrono::hours{1};
  std::unique_lock guard{mutex_};
  if (!arrived_.wait_for(guard, longest, done))
    return fail(errc::deadline_exceeded, "", "expected an answer within an hour");
  return {};
}

void stage::pass(timespan duration) {
  if (driver_) {
    driver_->advance(duration);
    return;
  }
  std::unique_lock guard{mutex_};
  arrived_.wait_for(guard, duration, [] { return false; });
}

void stage::settle() {
  if (driver_)
    driver_->settle();
}

void stage::arrive(const std::function<void()>& note) {
  {
    std::lock_guard guard{mutex_};
    note();
  }
  arrived_.notify_all();
}

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

/// Makes a prompt, and notes its size and the view of the scratchbook in it.
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

/// Counts what has happened since the last call.
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
  // Counted independently of the actor.
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

/// The view with all its parts.
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
  auto now = book();
  if (!all || !now)
    return !all ? all.error() : now.error();
  auto is_closed = [&](const std::string& id) {
    return std::any_of(now->items.begin(), now->items.end(),
      [&](const scratchbook_item& x) { return x.id == id && !is_open(x.status); });
  };
  for (const auto& item : before.items) {
    auto is_pinned =
      std::find(before.pins.begin(), before.pins.end(), item.id) != before.pins.end();
    auto matters = is_pinned || (is_open(item.status) && !is_closed(item.id));
    if (matters && !shows(prompt, item.id) && !shows(*all, item.id))
      ++counters_.forgotten;
  }
  return {};
}

std::pair<uint64_t, uint64_t> window_play::todos() {
  std::pair<uint64_t, uint64_t> result;
  if (auto now = book())
    for (const auto& item : now->items)
      if (item.kind == item_kind::todo) {
        ++result.first;
        result.second += is_open(item.status) ? 1 : 0;
      }
  return result;
}

void page_recorder::see(const page_event& event) {
  std::lock_guard guard{mutex_};
  if (!event.observation || event.sequence <= account_.last_sequence)
    return; // a lag, or an event that came twice
  ++account_.seen;
  account_.last_sequence = event.sequence;
  ++account_.changes[event.kind];
  const auto& x = event.observation;
  auto [i, is_new] = index_.try_emplace(x->observation_id, account_.observations.size());
  if (is_new)
    account_.observations.push_back(x);
  else
    account_.observations[i->second] = x;
  if (event.kind == event_kind::added)
    ++account_.added_by_type[x->type];
}

page_recorder::account page_recorder::read() const {
  std::lock_guard guard{mutex_};
  return account_;
}

caf::actor spawn_page_recorder(
  caf::actor_system& system, scratch_page_actor page, std::shared_ptr<page_recorder> whose) {
  return caf::actor_cast<caf::actor>(
    spawn<page_recorder_state>(system, std::move(page), std::move(whose)));
}

} // namespace scratchpage
