#pragma once

#include <cstdint>
#include <cstdlib>
#include <tuple>

#ifdef __GLIBC__
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace scratchpage {

/// Gets memory from the system for a page that grows, in pieces and before it is needed. Without
/// it, glibc extends the heap of a thread by a few KiB at a time, and the system fills in each page
/// of memory when it is touched: both together took a fifth of the time of an addition.
///
/// A piece is allocated, filled in by one call, and freed, so that the heap has it. Only a page
/// that takes more than ever before gets one, so the memory that is got ahead is at most one piece
/// beyond what the page has taken at some time.
class heap_ahead {
public:
  /// Smaller than the blocks that glibc maps one by one, and than what it returns to the system at
  /// once (128 KiB each), so that it stays in the heap when it is freed.
  static constexpr uint64_t piece = uint64_t{96} * 1024;
  /// Smaller pages get nothing ahead, because a process has many of them.
  static constexpr uint64_t smallest_page = uint64_t{1} << 20;

  /// The page takes `bytes` now, about. Returns whether it has got a piece.
  bool note(uint64_t bytes) {
    if (bytes < enough_for_) [[likely]]
      return false;
    enough_for_ = bytes + piece;
    get_piece();
    return true;
  }

private:
  static void get_piece() {
#if defined(__GLIBC__) && defined(MADV_POPULATE_WRITE)
    auto* block = std::malloc(piece); // NOLINT: only malloc extends the heap
    if (block == nullptr)
      return;
    static const auto page_bytes = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
    auto from = (reinterpret_cast<uintptr_t>(block) + page_bytes - 1) & ~(page_bytes - 1);
    auto to = (reinterpret_cast<uintptr_t>(block) + piece) & ~(page_bytes - 1);
    // Linux before 5.14 refuses this, and then each page is filled in when it is touched.
    std::ignore = madvise(reinterpret_cast<void*>(from), to - from, MADV_POPULATE_WRITE); // NOLINT
    std::free(block);                                                                     // NOLINT
#endif
  }

  uint64_t enough_for_ = smallest_page;
};

} // namespace scratchpage
