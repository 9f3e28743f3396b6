#include "scratchpage/actors/page/index/thread_index.hpp"

#include <utility>

#include "scratchpage/actors/language/words.hpp"

namespace scratchpage {

namespace {

// The first letter keeps names of different kinds apart.

std::string thread_name(std::string_view id) {
  return std::string{"t"}.append(id);
}

std::string turn_name(std::string_view id) {
  return std::string{"u"}.append(id);
}

} // namespace

std::string_view thread_index::named_by(const observation& x) {
  const auto* id = x.context.if_contains("thread_id");
  if (id == nullptr || !id->is_string() || id->get_string().size() > reading_limits::id_bytes)
    return {};
  return id->get_string();
}

void thread_index::add(uint32_t slot, const observation& x) {
  const auto& turn_id = x.source.turn_id;
  if (auto thread = named_by(x); !thread.empty() && !turn_id.empty())
    learn_thread(turn_id, thread);
  if (auto* known = turn_id.empty() ? nullptr : turns_.find(text_key{turn_id}))
    ++known->second.observations;
  auto name = name_of(x);
  if (name.empty())
    return;
  text_key key{name};
  auto* group = groups_.find(key);
  if (group == nullptr)
    group = groups_.insert(key, {name, slot_set{}});
  group->second.add(slot);
}

void thread_index::remove(uint32_t slot, const observation& x) {
  auto name = name_of(x);
  text_key key{name};
  if (auto* group = name.empty() ? nullptr : groups_.find(key)) {
    group->second.remove(slot);
    if (group->second.empty())
      groups_.erase(key);
  }
  const auto& turn_id = x.source.turn_id;
  if (auto* known = turn_id.empty() ? nullptr : turns_.find(text_key{turn_id}))
    if (--known->second.observations == 0)
      turns_.erase(text_key{turn_id});
}

void thread_index::clear() {
  groups_.clear();
  turns_.clear();
}

const slot_set* thread_index::thread_of(const observation& x) const {
  auto name = name_of(x);
  const auto* group = name.empty() ? nullptr : groups_.find(text_key{name});
  return group != nullptr ? &group->second : nullptr;
}

std::string thread_index::name_of(const observation& x) const {
  if (auto thread = named_by(x); !thread.empty())
    return thread_name(thread);
  const auto& turn_id = x.source.turn_id;
  if (turn_id.empty())
    return {};
  const auto* known = turns_.find(text_key{turn_id});
  return known != nullptr ? thread_name(known->second.thread) : turn_name(turn_id);
}

/// The first thread that is named in a turn is the thread of the turn. The observations of the turn
/// that came before move to it.
void thread_index::learn_thread(const std::string& turn_id, std::string_view thread) {
  text_key turn_key{turn_id};
  if (turns_.find(turn_key) != nullptr)
    return;
  turn learnt{std::string{thread}, 0};
  auto before = turn_name(turn_id);
  if (auto* group = groups_.find(text_key{before})) {
    auto slots = std::move(group->second);
    groups_.erase(text_key{before});
    learnt.observations = slots.size();
    auto name = thread_name(thread);
    text_key key{name};
    auto* to = groups_.find(key);
    if (to == nullptr)
      to = groups_.insert(key, {name, slot_set{}});
    slots.for_each([to](uint32_t slot) { return to->second.add(slot), true; });
  }
  turns_.insert(turn_key, {turn_id, std::move(learnt)});
}

} // namespace scratchpage
