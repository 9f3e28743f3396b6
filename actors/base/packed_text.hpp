#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace scratchpage {

/// Writes numbers and texts one after the other into few bytes, for an `unpacker` of the same
/// process: small numbers take one byte, and so do numbers near the last one that was written as
/// such. Of a text that begins as the last one does, only the rest is written.
class packer {
public:
  void put(uint64_t x) {
    for (; x >= 0x80; x >>= 7)
      text_.push_back(static_cast<char>(x | 0x80));
    text_.push_back(static_cast<char>(x));
  }

  /// A number that is near the last one.
  void put_near(uint64_t x) {
    auto step = x - std::exchange(last_number_, x); // modulo 2^64
    auto is_down = (step >> 63) != 0;
    put((is_down ? ~step : step) << 1 | (is_down ? 1 : 0));
  }

  void put(std::string_view x) {
    auto [differs, end] = std::mismatch(x.begin(), x.end(), last_text_.begin(), last_text_.end());
    auto same = static_cast<size_t>(differs - x.begin());
    put(uint64_t{same});
    put(uint64_t{x.size() - same});
    text_.append(x.substr(same));
    last_text_ = x;
  }

  std::string text() && {
    text_.shrink_to_fit();
    return std::move(text_);
  }

private:
  std::string text_;
  uint64_t last_number_ = 0;
  std::string last_text_;
};

/// Reads what a `packer` has written, in the same order; @pre for all that read: not `is_done()`.
class unpacker {
public:
  explicit unpacker(std::string_view text)
    : rest_{text} {}

  bool is_done() const { return rest_.empty(); }

  uint64_t number() {
    uint64_t result = 0;
    for (unsigned shift = 0;; shift += 7) {
      auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      result |= uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80)
        return result;
    }
  }

  uint64_t near_number() {
    auto step = number();
    last_number_ += (step & 1) != 0 ? ~(step >> 1) : step >> 1;
    return last_number_;
  }

  std::string text() {
    auto same = number();
    auto size = number();
    last_text_.resize(same);
    last_text_.append(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return last_text_;
  }

private:
  std::string_view rest_;
  uint64_t last_number_ = 0;
  std::string last_text_;
};

} // namespace scratchpage
