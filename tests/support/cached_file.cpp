#include "scratchpage/tests/support/cached_file.hpp"

#include <algorithm>

namespace scratchpage::test {

namespace {

void put(std::string& to, uint64_t offset, std::string_view bytes) {
  to.resize(std::max<uint64_t>(to.size(), offset + bytes.size()), '\0');
  to.replace(offset, bytes.size(), bytes);
}

void grow(std::string& to, uint64_t size) {
  to.resize(std::max<uint64_t>(to.size(), size), '\0');
}

} // namespace

std::string_view cached_file::read(uint64_t offset, size_t count) const {
  std::string_view all{seen_};
  return all.substr(std::min<uint64_t>(offset, all.size()), count);
}

void cached_file::write(uint64_t offset, std::string_view bytes) {
  unsynced_.push_back({offset, std::string{bytes}});
  apply(unsynced_.back(), seen_);
}

void cached_file::resize(uint64_t size) {
  unsynced_.push_back({size, {}, false});
  apply(unsynced_.back(), seen_);
}

void cached_file::apply(const change& x, std::string& to) {
  if (x.is_write)
    put(to, x.offset, x.bytes);
  else
    to.resize(x.offset, '\0');
}

void cached_file::sync() {
  for (const auto& x : unsynced_)
    apply(x, durable_);
  unsynced_.clear();
}

void cached_file::fail_to_sync(chance& by) {
  if (traits_.failed_syncs_forget)
    settle(by);
}

void cached_file::lose_power(chance& by) {
  settle(by);
  seen_ = durable_;
}

/// Decides at random which changes that are not durable survive.
void cached_file::settle(chance& by) {
  auto kept = by.any_of<uint64_t>({0, 20, 50, 90, 100}); // percent
  auto torn = kept == 0 || kept == 100 ? 0 : by.any_of<uint64_t>({0, 10, 50});
  for (const auto& x : unsynced_) {
    if (x.is_write && by.percent(torn))
      tear(x, by);
    else if (by.percent(kept))
      apply(x, durable_);
    else if (x.is_write && by.percent(torn))
      grow(durable_, x.offset + x.bytes.size());
  }
  unsynced_.clear();
}

void cached_file::tear(const change& x, chance& by) {
  auto end = x.offset + x.bytes.size();
  for (auto from = x.offset; from < end;) {
    auto to = std::min(end, (from / sector_size + 1) * sector_size);
    if (by.one_in(8))
      spoil(from, to, by);
    else if (by.one_in(2))
      put(durable_, from, std::string_view{x.bytes}.substr(from - x.offset, to - from));
    from = to;
  }
}

/// Fills the bytes from `from` to `to`, or the whole sector, with noise, up to the file's end.
void cached_file::spoil(uint64_t from, uint64_t to, chance& by) {
  if (!traits_.overwrites_safely) {
    from -= from % sector_size;
    to = std::max(to, std::min<uint64_t>(from + sector_size, durable_.size()));
  }
  grow(durable_, to);
  for (auto i = from; i < to; ++i)
    durable_[i] = static_cast<char>(by.below(256));
}

} // namespace scratchpage::test
