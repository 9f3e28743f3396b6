#include "scratchpage/tests/support/file_locks.hpp"

#include <algorithm>

namespace scratchpage::test {

// -- of a file ------------------------------------------------------------------------------

int level_locks::highest_of_others(const void* holder) const {
  int highest = SQLITE_LOCK_NONE;
  for (const auto& [who, level] : levels_)
    if (who != holder)
      highest = std::max(highest, level);
  return highest;
}

int level_locks::raise(const void* holder, int level) {
  auto i = levels_.find(holder);
  auto now = i == levels_.end() ? SQLITE_LOCK_NONE : i->second;
  if (now >= level)
    return SQLITE_OK;
  auto others = highest_of_others(holder);
  if (level == SQLITE_LOCK_SHARED) {
    if (others >= SQLITE_LOCK_PENDING)
      return SQLITE_BUSY;
  } else if (others >= SQLITE_LOCK_RESERVED) {
    return SQLITE_BUSY;
  } else if (level == SQLITE_LOCK_EXCLUSIVE && others >= SQLITE_LOCK_SHARED) {
    levels_[holder] = SQLITE_LOCK_PENDING; // no new readers until the last one has left
    return SQLITE_BUSY;
  }
  levels_[holder] = level;
  return SQLITE_OK;
}

void level_locks::lower(const void* holder, int level) {
  if (level == SQLITE_LOCK_NONE)
    levels_.erase(holder);
  else if (auto i = levels_.find(holder); i != levels_.end())
    i->second = std::min(i->second, level);
}

bool level_locks::is_reserved() const {
  return highest_of_others(nullptr) >= SQLITE_LOCK_RESERVED;
}

// -- of a log's index -----------------------------------------------------------------------

void* shared_memory::map(size_t region, size_t size, bool make) {
  if (region >= regions_.size() && !make)
    return nullptr;
  while (region >= regions_.size())
    regions_.push_back(std::make_unique<char[]>(size)); // zeros
  return regions_[region].get();
}

bool shared_memory::is_free(const slot& x, const void* holder, bool exclusive) {
  if (x.exclusive != nullptr && x.exclusive != holder)
    return false;
  auto others = x.shared.size() - x.shared.count(holder);
  return !exclusive || others == 0;
}

void shared_memory::unlock(slot& of, const void* holder) {
  of.shared.erase(holder);
  if (of.exclusive == holder)
    of.exclusive = nullptr;
}

int shared_memory::lock(const void* holder, int first, int count, int flags) {
  auto* from = slots_.begin() + first;
  auto* to = from + count;
  auto exclusive = (flags & SQLITE_SHM_EXCLUSIVE) != 0;
  if ((flags & SQLITE_SHM_UNLOCK) != 0) {
    std::for_each(from, to, [=](slot& x) { unlock(x, holder); });
    return SQLITE_OK;
  }
  if (!std::all_of(from, to, [=](const slot& x) { return is_free(x, holder, exclusive); }))
    return SQLITE_BUSY;
  for (auto* x = from; x != to; ++x) {
    if (exclusive)
      x->exclusive = holder;
    else
      x->shared.insert(holder);
  }
  return SQLITE_OK;
}

void shared_memory::release(const void* holder) {
  for (auto& x : slots_)
    unlock(x, holder);
}

} // namespace scratchpage::test
