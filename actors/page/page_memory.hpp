#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>

namespace scratchpage {

/// The memory that all pages of a process may take together. While some of it is free, each page
/// takes as much as its own limits allow. When it is used up, each page may take an equal part: a
/// page that takes more reduces its memory with its next change. Pages that do not change keep what
/// they have, so in the worst case twice the limit is taken. May be used from any thread.
class page_memory {
public:
  /// The index of words gets what observations leave of the bytes that they may take, and in any
  /// case the part of these bytes that this number divides.
  static constexpr uint64_t text_share = 8;

  explicit page_memory(uint64_t max_bytes)
    : max_bytes_{max_bytes} {}

  /// The memory of one page, as long as the page lives. A share that is default-constructed has no
  /// limit.
  class share {
  public:
    share() = default;
    explicit share(std::shared_ptr<page_memory> of)
      : of_{std::move(of)} {
      if (of_)
        ++of_->pages_;
    }
    share(const share&) = delete;
    share& operator=(const share&) = delete;
    ~share() {
      if (!of_)
        return;
      of_->used_ -= bytes_;
      --of_->pages_;
    }

    /// Sets the bytes that the page takes now.
    void set(uint64_t bytes) {
      if (of_)
        of_->used_ += bytes - std::exchange(bytes_, bytes); // modulo 2^64: it may be less
    }

    /// The bytes that the page may take now.
    uint64_t limit() const {
      if (!of_ || of_->used_ <= of_->max_bytes_)
        return std::numeric_limits<uint64_t>::max();
      return of_->max_bytes_ / std::max<uint64_t>(of_->pages_, 1);
    }

  private:
    std::shared_ptr<page_memory> of_;
    uint64_t bytes_ = 0;
  };

private:
  const uint64_t max_bytes_;
  std::atomic<uint64_t> used_{0};
  std::atomic<uint64_t> pages_{0};
};

} // namespace scratchpage
