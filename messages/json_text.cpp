#include "scratchpage/messages/json_text.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace scratchpage {

namespace {

class writer {
public:
  explicit writer(bool pretty)
    : pretty_{pretty} {}

  void write(const json::value& value) {
    switch (value.kind()) {
    case json::kind::object:
      write(value.get_object());
      break;
    case json::kind::array:
      write(value.get_array());
      break;
    case json::kind::double_:
      write(value.get_double());
      break;
    default: // Boost.JSON prints all others as wanted
      out_ += json::serialize(value);
    }
  }

  std::string take() { return std::move(out_); }

private:
  void write(double x) {
    if (!std::isfinite(x)) { // JSON has no word for these
      out_ += "null";
      return;
    }
    // Fixed notation within what a person reads, else the shortest form.
    auto magnitude = std::fabs(x);
    auto plain = magnitude == 0 || (magnitude >= 1e-6 && magnitude < 1e17);
    std::array<char, 64> buffer;
    auto* end = buffer.data() + buffer.size();
    auto result = plain ? std::to_chars(buffer.data(), end, x, std::chars_format::fixed)
                        : std::to_chars(buffer.data(), end, x);
    std::string_view digits{buffer.data(), static_cast<size_t>(result.ptr - buffer.data())};
    out_ += digits;
    if (plain && digits.find('.') == std::string_view::npos)
      out_ += ".0"; // stays a number with a fraction when it is read again
  }

  void write(const json::array& list) {
    open('[');
    bool first = true;
    for (const auto& value : list) {
      next(first);
      write(value);
    }
    close(']', first);
  }

  void write(const json::object& object) {
    open('{');
    bool first = true;
    for (const auto& [key, value] : object) {
      next(first);
      out_ += json::serialize(key);
      out_ += pretty_ ? ": " : ":";
      write(value);
    }
    close('}', first);
  }

  void open(char bracket) {
    out_ += bracket;
    ++depth_;
  }

  void next(bool& first) {
    if (!first)
      out_ += ',';
    first = false;
    line();
  }

  void close(char bracket, bool empty) {
    --depth_;
    if (!empty)
      line();
    out_ += bracket;
  }

  void line() {
    if (pretty_)
      out_.append("\n").append(2 * depth_, ' ');
  }

  bool pretty_;
  size_t depth_ = 0;
  std::string out_;
};

std::string write(const json::value& value, bool pretty) {
  writer out{pretty};
  out.write(value);
  return out.take();
}

} // namespace

std::string to_text(const json::value& value) {
  return write(value, false);
}

std::string to_pretty_text(const json::value& value) {
  return write(value, true);
}

} // namespace scratchpage
