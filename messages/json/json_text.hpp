#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "scratchpage/messages/json/json.hpp"

namespace scratchpage {

/// Appends many small pieces to a text. It keeps spare room at the end of the text, so that a piece
/// costs a copy of its bytes and no call. The destructor removes the spare room; until then nobody
/// else may read or change the text.
class text_appender {
public:
  explicit text_appender(std::string& text)
    : text_{text},
      next_{text.data() + text.size()},
      limit_{next_} {}
  text_appender(const text_appender&) = delete;
  text_appender& operator=(const text_appender&) = delete;
  ~text_appender() { text_.resize(size()); }

  /// Gives a place for at least `bytes` bytes. After writing, `move_to` says where they end.
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

  /// Doubles what was added so far, so that the cost of filling with zeros stays proportional to
  /// what is added. If the capacity of the text suffices, it is not exceeded: a caller who has
  /// reserved memory wants to avoid the copy.
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

/// JSON as text, for people and for files: numbers are in plain notation (0.99, not 9.9E-1),
/// members are in their order, and the same value gives the same bytes.
std::string to_text(const json::value& value);
std::string to_text(const json::object& object);

/// As `to_text`, over several lines and indented by two spaces.
std::string to_pretty_text(const json::value& value);

/// Appends what `to_text` gives.
void append_text(text_appender& out, const json::value& value);
void append_text(text_appender& out, const json::object& object);
/// Appends a number, always with a fraction (".0" if it has none); null if it is not finite.
void append_text(text_appender& out, double number);
/// Appends a text in quotation marks, with escapes. `text` must be valid UTF-8.
void append_quoted(text_appender& out, std::string_view text);

void append_text(std::string& out, const json::value& value);
void append_quoted(std::string& out, std::string_view text);

} // namespace scratchpage
