#include "scratchpage/messages/json_text.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace scratchpage {

namespace {

/// What stands after the backslash for characters that cannot stand for
/// themselves: 'u' for those that need their code, 0 for all others.
constexpr auto escapes = [] {
  std::array<char, 256> result{};
  for (size_t i = 0; i < 0x20; ++i)
    result[i] = 'u';
  result['\b'] = 'b';
  result['\f'] = 'f';
  result['\n'] = 'n';
  result['\r'] = 'r';
  result['\t'] = 't';
  result['"'] = '"';
  result['\\'] = '\\';
  return result;
}();

template <class Integer>
void append_integer(std::string& out, Integer x) {
  std::array<char, 24> buffer;
  auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), x);
  out.append(buffer.data(), result.ptr);
}

class writer {
public:
  writer(std::string& out, bool pretty)
    : pretty_{pretty},
      out_{out} {}

  void write(const json::value& value) {
    switch (value.kind()) {
    case json::kind::object:
      write(value.get_object());
      break;
    case json::kind::array:
      write(value.get_array());
      break;
    case json::kind::string:
      append_quoted(out_, std::string_view{value.get_string()});
      break;
    case json::kind::double_:
      append_text(out_, value.get_double());
      break;
    case json::kind::int64:
      append_integer(out_, value.get_int64());
      break;
    case json::kind::uint64:
      append_integer(out_, value.get_uint64());
      break;
    case json::kind::bool_:
      out_ += value.get_bool() ? "true" : "false";
      break;
    case json::kind::null:
      out_ += "null";
      break;
    }
  }

  void write(const json::object& object) {
    open('{');
    bool first = true;
    for (const auto& [key, value] : object) {
      next(first);
      append_quoted(out_, std::string_view{key});
      out_ += pretty_ ? ": " : ":";
      write(value);
    }
    close('}', first);
  }

private:
  void write(const json::array& list) {
    open('[');
    bool first = true;
    for (const auto& value : list) {
      next(first);
      write(value);
    }
    close(']', first);
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
  std::string& out_;
};

} // namespace

std::string to_text(const json::object& object) {
  std::string result;
  append_text(result, object);
  return result;
}

std::string to_text(const json::value& value) {
  std::string result;
  writer{result, false}.write(value);
  return result;
}

std::string to_pretty_text(const json::value& value) {
  std::string result;
  writer{result, true}.write(value);
  return result;
}

void append_text(std::string& out, const json::value& value) {
  writer{out, false}.write(value);
}

void append_text(std::string& out, const json::object& object) {
  writer{out, false}.write(object);
}

void append_text(std::string& out, double number) {
  if (!std::isfinite(number)) { // JSON has no word for these
    out += "null";
    return;
  }
  // Fixed notation within what a person reads, else the shortest form.
  auto magnitude = std::fabs(number);
  auto plain = magnitude == 0 || (magnitude >= 1e-6 && magnitude < 1e17);
  std::array<char, 64> buffer;
  auto* end = buffer.data() + buffer.size();
  auto result = plain ? std::to_chars(buffer.data(), end, number, std::chars_format::fixed)
                      : std::to_chars(buffer.data(), end, number);
  std::string_view digits{buffer.data(), static_cast<size_t>(result.ptr - buffer.data())};
  out += digits;
  if (plain && digits.find('.') == std::string_view::npos)
    out += ".0"; // stays a number with a fraction when it is read again
}

void append_quoted(std::string& out, std::string_view text) {
  constexpr std::string_view hex{"0123456789abcdef"};
  out += '"';
  size_t copied = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    auto code = static_cast<uint8_t>(text[i]);
    auto escape = escapes[code];
    if (escape == 0)
      continue;
    out.append(text, copied, i - copied);
    copied = i + 1;
    out += '\\';
    out += escape;
    if (escape == 'u') {
      out += "00";
      out += hex[code >> 4u];
      out += hex[code & 15u];
    }
  }
  out.append(text, copied, text.size() - copied);
  out += '"';
}

} // namespace scratchpage
