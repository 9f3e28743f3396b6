#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scratchpage/tests/support/chance.hpp"

namespace scratchpage::test {

/// In what ways a disk may be worse, or better, than others.
struct disk_traits {
  /// A power cut harms no bytes but those that were being written ("powersafe
  /// overwrite", which SQLite takes for granted on Unix).
  bool overwrites_safely = false;
  /// What a failed sync has not written no later one will, although it is seen:
  /// so it is on Linux. Otherwise the next sync writes it.
  bool failed_syncs_forget = false;
};

constexpr disk_traits bare;
constexpr disk_traits as_linux_has{.overwrites_safely = true, .failed_syncs_forget = true};

/// A file behind a cache, as POSIX lets it be. Processes see every change at
/// once; the disk has what was synced, and of the changes since a power cut
/// leaves what chance wants, each by itself:
///
/// - a write is there, or is not, or is torn: some of its sectors are there,
///   some are not, and now and then one is noise, also where other bytes of the
///   same sector had been, unless overwriting is safe;
/// - a file may have grown by a write whose bytes are not there; they are zero;
/// - a file may not have been cut short.
///
/// Later writes do not wait for earlier ones. Whether most is kept, or little,
/// is drawn for the file, so that all and nothing happen too.
class cached_file {
public:
  static constexpr uint64_t sector_size = 512; ///< bytes

  /// What the disk below promises beyond POSIX.
  explicit cached_file(disk_traits traits = {})
    : traits_{traits} {}

  // -- as processes see it ----------------------------------------------------------------

  uint64_t size() const { return seen_.size(); }
  /// Up to `count` bytes from `offset` on, as far as there are any.
  std::string_view read(uint64_t offset, size_t count) const;
  /// What lies between the end and `offset` becomes zero.
  void write(uint64_t offset, std::string_view bytes);
  /// Cuts it short, or adds zeros.
  void resize(uint64_t size);

  // -- as the disk has it -----------------------------------------------------------------

  /// Everything is durable now.
  void sync();
  /// Some of it may be durable now, as the traits say.
  void fail_to_sync(chance& by);
  /// What is not durable is no longer seen.
  void drop_cache() { seen_ = durable_; }
  /// What was synced is left, and of the rest what chance wants.
  void lose_power(chance& by);
  /// How many changes are not durable.
  size_t unsynced() const { return unsynced_.size(); }

private:
  struct change {
    uint64_t offset = 0; ///< the size, if it is no write
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
  std::vector<change> unsynced_; // in order
};

} // namespace scratchpage::test
