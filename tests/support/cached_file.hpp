#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scratchpage/tests/support/chance.hpp"

namespace scratchpage::test {

/// Properties in which disks and systems differ.
struct disk_traits {
  /// A power cut harms only the bytes that were being written ("powersafe
  /// overwrite", which SQLite assumes on Unix).
  bool overwrites_safely = false;
  /// Changes that a failed sync has not written are visible, but no later sync writes
  /// them either, as on Linux. Otherwise the next sync writes them.
  bool failed_syncs_forget = false;
};

constexpr disk_traits bare;
constexpr disk_traits as_linux_has{.overwrites_safely = true, .failed_syncs_forget = true};

/// A file behind a cache, with the freedom that POSIX allows. Processes see every change at
/// once. The disk has what was synced. A power cut decides at random about each later change:
///
/// - A write is kept, lost or torn: some of its sectors are kept, some are lost, and sometimes
///   one becomes noise, including other bytes of the same sector, unless overwriting is safe.
/// - A file may have grown by a write whose bytes are lost; they are zero.
/// - Shortening a file may be lost.
///
/// A later write may be kept although an earlier one is lost. The share of changes that is kept
/// is drawn once for the file, so that "all" and "nothing" happen too.
class cached_file {
public:
  static constexpr uint64_t sector_size = 512; ///< bytes

  /// `traits`: what the disk guarantees beyond POSIX.
  explicit cached_file(disk_traits traits = {})
    : traits_{traits} {}

  // -- in the cache, which processes see --------------------------------------------------

  uint64_t size() const { return seen_.size(); }
  /// Up to `count` bytes from `offset` on; fewer at the end of the file.
  std::string_view read(uint64_t offset, size_t count) const;
  /// Bytes between the old end and `offset` become zero.
  void write(uint64_t offset, std::string_view bytes);
  /// Shortens the file, or appends zeros.
  void resize(uint64_t size);

  // -- on the disk ------------------------------------------------------------------------

  /// Makes every change durable.
  void sync();
  /// A sync that fails: some changes may become durable, depending on the traits.
  void fail_to_sync(chance& by);
  /// Processes no longer see changes that are not durable.
  void drop_cache() { seen_ = durable_; }
  /// Keeps what was synced, and a random part of the other changes.
  void lose_power(chance& by);
  /// Number of changes that are not durable.
  size_t unsynced() const { return unsynced_.size(); }

private:
  struct change {
    uint64_t offset = 0; ///< or the new size, if the change is no write
    std::string bytes;
    bool is_write = true;
  };

  static void apply(const change& x, std::string& to);
  void settle(chance& by);
  void tear(const change& x, chance& by);
  void spoil(uint64_t from, uint64_t to, chance& by);

  disk_traits traits_;
  std::string seen_;
  std::string durable_;
  std::vector<change> unsynced_; // oldest first
};

} // namespace scratchpage::test
