#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scratchpage/tests/support/chance.hpp"

namespace scratchpage::test {

/// A file behind a cache, as POSIX lets it be. Processes see every change at
/// once; the disk has what was synced, and of the changes since a power cut
/// leaves what chance wants, each by itself:
///
/// - a write is there, or is not, or is torn: some of its sectors are there,
///   some are not, and now and then one is noise, also where other bytes of the
///   same sector had been (no "powersafe overwrite");
/// - a file may have grown by a write whose bytes are not there; they are zero;
/// - a file may not have been cut short.
///
/// Later writes do not wait for earlier ones. Whether most is kept, or little,
/// is drawn for the file, so that all and nothing happen too.
class cached_file {
public:
  static constexpr uint64_t sector_size = 512; ///< bytes

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
  /// As on Linux: some of it has become durable; the rest is seen, but no later
  /// sync will write it.
  void fail_to_sync(chance& by);
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
  void spoil(uint64_t sector, uint64_t end, chance& by);

  std::string seen_;
  std::string durable_;
  std::vector<change> unsynced_; // in order
};

} // namespace scratchpage::test
