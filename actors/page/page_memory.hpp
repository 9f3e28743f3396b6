#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>

namespace scratchpage {

/// How much memory the pages of a process may take together. As long as something is left, each
/// takes what its own limits allow; then it makes do with its part, and whoever has more gives it
/// back with the next change. Pages that do not change keep what they have, so that at the worst
/// twice as much is taken. May be used from any thread.
class page_memory {
public:
  explicit page_memory(uint64_t most)
    : most_{most} {}

  /// One page's, as long as it lives; by default of a page without such a bound.
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

    /// The page takes so many bytes now.
    void is(uint64_t bytes) {
      if (of_)
        of_->used_ += bytes - std::exchange(bytes_, bytes); // modulo 2^64, as it may be less
    }

    /// How many it may take now.
    uint64_t most() const {
      if (!of_ || of_->used_ <= of_->most_)
        return std::numeric_limits<uint64_t>::max();
      return of_->most_ / std::max<uint64_t>(of_->pages_, 1);
    }

  private:
    std::shared_ptr<page_memory> of_;
    uint64_t bytes_ = 0;
  };

private:
  const uint64_t most_;
  std::atomic<uint64_t> used_{0};
  std::atomic<uint64_t> pages_{0};
};

} // namespace scratchpage
