#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace scratchpage {

/// The end of a text to which many small pieces are added. It keeps room in the text, so
/// that a piece costs a copy of its bytes and no call; the room left goes with it. Until
/// then nobody else reads or changes the text.
class text_end {
public:
  explicit text_end(std::string& text)
    : text_{text},
      next_{text.data() + text.size()},
      limit_{next_} {}
  text_end(const text_end&) = delete;
  text_end& operator=(const text_end&) = delete;
  ~text_end() { text_.resize(size()); }

  /// Where `bytes` may be written; `move_to` says how many were.
  char* room(size_t bytes) {
    if (static_cast<size_t>(limit_ - next_) < bytes)
      grow(bytes);
    return next_;
  }

  void move_to(char* end) { next_ = end; }

  void add(char x) {
    *room(1) = x;
    ++next_;
  }

  void add(std::string_view x) {
    auto* to = room(x.size());
    std::copy(x.begin(), x.end(), to);
    next_ = to + x.size();
  }

private:
  size_t size() const { return static_cast<size_t>(next_ - text_.data()); }

  /// Twice what has been added so far: what is filled with zeros only to be written over
  /// stays in proportion to what is added. No more than the text has room for, if that will
  /// do: whoever reserved some meant to spare the copy.
  void grow(size_t bytes) {
    constexpr size_t least = 256;
    auto written = size();
    auto added = written - begin_;
    auto end = written + std::max({bytes, least, added});
    auto free = text_.capacity() - written;
    text_.resize(bytes <= free ? std::min(end, text_.capacity()) : end);
    next_ = text_.data() + written;
    limit_ = text_.data() + text_.size();
  }

  std::string& text_;
  char* next_;
  char* limit_;
  size_t begin_ = text_.size();
};

} // namespace scratchpage
