#include "scratchpage/messages/json/json_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace scratchpage {

namespace {

/// The character after the backslash of each byte that needs an escape: 'u' if the escape has the
/// code of the byte. 0 for bytes that need none.
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

/// Whether none of eight bytes needs an escape: neither a control, nor a quotation mark, nor
/// a backslash. As in "Bit Twiddling Hacks" (S. E. Anderson), "Determine if a word has a byte
/// less than n".
bool is_plain(uint64_t bytes) {
  constexpr uint64_t ones = 0x0101010101010101;
  constexpr uint64_t high = 0x8080808080808080;
  auto any_below = [](uint64_t x, uint64_t limit) { return (x - ones * limit) & ~x & high; };
  auto any_is = [&](uint64_t byte) { return any_below(bytes ^ (ones * byte), 1); };
  return (any_below(bytes, 0x20) | any_is('"') | any_is('\\')) == 0;
}

/// Copies the bytes before the first one that needs an escape and returns their number.
size_t copy_plain(char* to, std::string_view text) {
  size_t i = 0;
  for (uint64_t word = 0; text.size() - i >= sizeof word; i += sizeof word) {
    std::memcpy(&word, text.data() + i, sizeof word);
    if (!is_plain(word))
      break;
    std::memcpy(to + i, &word, sizeof word);
  }
  for (; i < text.size() && escapes[static_cast<uint8_t>(text[i])] == 0; ++i)
    to[i] = text[i];
  return i;
}

char* write_escape(char* to, char x) {
  constexpr std::string_view hex{"0123456789abcdef"};
  auto code = static_cast<uint8_t>(x);
  *to++ = '\\';
  *to++ = escapes[code];
  if (escapes[code] == 'u')
    for (auto digit : {'0', '0', hex[code >> 4u], hex[code & 15u]})
      *to++ = digit;
  return to;
}

/// Writes a number with at most three decimals, as confidences and lifetimes have. Returns null for
/// any other number. A text of so few digits that reads back as the same number is the one that
/// std::to_chars gives.
char* write_thousandths(char* to, double number) {
  constexpr double limit = 1e9;
  if (std::signbit(number) || number >= limit)
    return nullptr;
  auto thousandths = static_cast<uint64_t>(std::llrint(number * 1000));
  if (static_cast<double>(thousandths) / 1000 != number)
    return nullptr;
  to = std::to_chars(to, to + 20, thousandths / 1000).ptr;
  auto fraction = static_cast<unsigned>(thousandths % 1000);
  *to++ = '.';
  do {
    *to++ = static_cast<char>('0' + fraction / 100);
    fraction = fraction % 100 * 10;
  } while (fraction != 0);
  return to;
}

template <class Integer>
void append_integer(text_appender& out, Integer x) {
  constexpr size_t most = 24;
  auto* to = out.room(most);
  out.move_to(std::to_chars(to, to + most, x).ptr);
}

class writer {
public:
  writer(text_appender& out, bool pretty)
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
      out_.add(std::string_view{value.get_bool() ? "true" : "false"});
      break;
    case json::kind::null:
      out_.add("null");
      break;
    }
  }

  void write(const json::object& object) {
    open('{');
    bool first = true;
    for (const auto& [key, value] : object) {
      next(first);
      append_quoted(out_, std::string_view{key});
      out_.add(std::string_view{pretty_ ? ": " : ":"});
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
    out_.add(bracket);
    ++depth_;
  }

  void next(bool& first) {
    if (!first)
      out_.add(',');
    first = false;
    line();
  }

  void close(char bracket, bool empty) {
    --depth_;
    if (!empty)
      line();
    out_.add(bracket);
  }

  void line() {
    if (!pretty_)
      return;
    auto indent = 2 * depth_;
    auto* to = out_.room(indent + 1);
    *to = '\n';
    out_.move_to(std::fill_n(to + 1, indent, ' '));
  }

  bool pretty_;
  size_t depth_ = 0;
  text_appender& out_;
};

} // namespace

std::string to_text(const json::object& object) {
  std::string result;
  text_appender end{result};
  append_text(end, object);
  return result;
}

std::string to_text(const json::value& value) {
  std::string result;
  append_text(result, value);
  return result;
}

std::string to_pretty_text(const json::value& value) {
  std::string result;
  text_appender end{result};
  writer{end, true}.write(value);
  return result;
}

void append_text(text_appender& out, const json::value& value) {
  writer{out, false}.write(value);
}

void append_text(text_appender& out, const json::object& object) {
  writer{out, false}.write(object);
}

void append_text(text_appender& out, double number) {
  if (!std::isfinite(number)) { // JSON has neither infinity nor NaN
    out.add("null");
    return;
  }
  constexpr size_t most = 64;
  auto* to = out.room(most);
  if (auto* end = write_thousandths(to, number); end != nullptr) {
    out.move_to(end);
    return;
  }
  // Fixed notation for numbers of a size that people can read, else the shortest form.
  auto magnitude = std::fabs(number);
  auto plain = magnitude == 0 || (magnitude >= 1e-6 && magnitude < 1e17);
  auto* end = (plain ? std::to_chars(to, to + most, number, std::chars_format::fixed)
                     : std::to_chars(to, to + most, number))
                .ptr;
  out.move_to(end);
  if (plain && std::find(to, end, '.') == end)
    out.add(".0"); // it is read again as a number with a fraction
}

void append_quoted(text_appender& out, std::string_view text) {
  constexpr size_t longest_escape = 6;
  auto room_for = [&](size_t bytes) { return out.room(bytes + longest_escape + 2); };
  auto* to = room_for(text.size());
  *to++ = '"';
  while (!text.empty()) {
    auto bytes = copy_plain(to, text);
    to += bytes;
    text.remove_prefix(bytes);
    if (text.empty())
      break;
    out.move_to(write_escape(to, text.front()));
    text.remove_prefix(1);
    to = room_for(text.size());
  }
  *to++ = '"';
  out.move_to(to);
}

void append_text(std::string& out, const json::value& value) {
  text_appender end{out};
  append_text(end, value);
}

void append_quoted(std::string& out, std::string_view text) {
  text_appender end{out};
  append_quoted(end, text);
}

} // namespace scratchpage
