#include "scratchpage/actors/page/index/contradiction_search.hpp"

#include <algorithm>

namespace scratchpage {

std::vector<uint32_t> contradiction_search::of(uint32_t slot) {
  const auto& x = at_(slot);
  std::vector<uint32_t> result;
  subjects_.for_each_mixed_group(x, [&](subject_kind kind, uint32_t key, const slot_set& group) {
    for (const auto& one : about(kind, key, group))
      if (!is_over() && same_subject(kind, *one.first, x))
        add_others(one, slot, result);
  });
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

/// More than one only if their keys are the same by chance.
std::vector<contradiction_search::subject>& contradiction_search::about(
  subject_kind kind, uint32_t key, const slot_set& group) {
  auto made = known_.try_emplace({kind, key});
  auto& subjects = made.first->second;
  if (made.second)
    group.for_each([&](uint32_t slot) {
      sort_in(subjects, kind, slot);
      return !is_over();
    });
  return subjects;
}

void contradiction_search::sort_in(std::vector<subject>& to, subject_kind kind, uint32_t slot) {
  const auto& x = at_(slot);
  if (x.expires_at <= now_ || !same_subject(kind, x, x))
    return;
  auto of_it = std::find_if(to.begin(), to.end(),
    [&](const subject& known) { return is_over() || same_subject(kind, *known.first, x); });
  if (of_it == to.end())
    of_it = to.insert(to.end(), {&x, {}});
  sort_in(*of_it, x, slot);
}

void contradiction_search::sort_in(subject& to, const observation& x, uint32_t slot) {
  auto hash = hash_of_saying(x.content);
  auto [begin, end] = to.sayings.equal_range(hash);
  auto same = std::find_if(begin, end, [&](const auto& known) {
    return is_over() || say_the_same(known.second.first->content, x.content);
  });
  if (same == end)
    same = to.sayings.emplace(hash, saying{&x, {}});
  same->second.slots.push_back(slot);
}

/// No text is compared: the slot stands where its own saying is.
void contradiction_search::add_others(
  const subject& about, uint32_t slot, std::vector<uint32_t>& to) {
  for (const auto& [hash, one] : about.sayings)
    if (!std::binary_search(one.slots.begin(), one.slots.end(), slot))
      to.insert(to.end(), one.slots.begin(), one.slots.end());
}

} // namespace scratchpage
