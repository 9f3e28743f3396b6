#include "scratchpage/messages/json/json_size.hpp"

#include <array>
#include <charconv>
#include <cstdint>
#include <string_view>

namespace scratchpage {

namespace {

constexpr uint8_t longest_escape = 5; // bytes that \u0001 has beyond the one that it stands for

/// How many bytes each byte has in the text beyond one.
constexpr auto extra_bytes = [] {
  std::array<uint8_t, 256> result{};
  for (size_t c = 0; c < 0x20; ++c)
    result[c] = longest_escape;
  for (unsigned char c : {'\b', '\f', '\n', '\r', '\t', '"', '\\'})
    result[c] = 1;
  return result;
}();

/// Whether each byte of a text is examined, or every byte counts as if it had the longest escape.
enum class texts { as_they_are, at_their_longest };

/// Counts the bytes of a JSON text until there are more than `most`.
class text_counter {
public:
  explicit text_counter(size_t most, texts counted = texts::as_they_are)
    : most_{most},
      counted_{counted} {}

  size_t bytes() const { return bytes_; }

  void count(const json::value& x) {
    switch (x.kind()) {
    case json::kind::object:
      return count(x.get_object());
    case json::kind::array:
      return count(x.get_array());
    case json::kind::string:
      return count(std::string_view{x.get_string()});
    case json::kind::int64:
      return count_digits(x.get_int64());
    case json::kind::uint64:
      return count_digits(x.get_uint64());
    case json::kind::double_:
      bytes_ += longest_fraction;
      return;
    case json::kind::bool_:
      bytes_ += x.get_bool() ? 4 : 5;
      return;
    case json::kind::null:
      bytes_ += 4;
    }
  }

  void count(const json::object& x) {
    count_brackets(x.size());
    for (const auto& [key, value] : x) {
      if (bytes_ > most_)
        return;
      count(std::string_view{key});
      ++bytes_; // the colon
      count(value);
    }
  }

private:
  static constexpr size_t longest_fraction = 24;

  void count(const json::array& x) {
    count_brackets(x.size());
    for (const auto& value : x) {
      if (bytes_ > most_)
        return;
      count(value);
    }
  }

  /// Counts the brackets and the commas between the elements.
  void count_brackets(size_t elements) { bytes_ += elements > 0 ? elements + 1 : 2; }

  void count(std::string_view x) {
    bytes_ += x.size() + 2;
    if (counted_ == texts::at_their_longest) {
      bytes_ += x.size() * longest_escape;
      return;
    }
    if (bytes_ > most_)
      return;
    for (auto c : x)
      bytes_ += extra_bytes[static_cast<unsigned char>(c)];
  }

  template <class Integer>
  void count_digits(Integer x) {
    std::array<char, 24> digits;
    auto* end = std::to_chars(digits.data(), digits.data() + digits.size(), x).ptr;
    bytes_ += static_cast<size_t>(end - digits.data());
  }

  size_t most_;
  texts counted_;
  size_t bytes_ = 0;
};

// What a container takes beside its elements, with the overhead of the heap.
constexpr size_t block = 32;

size_t memory_of_text(size_t bytes) {
  return bytes < 15 ? 0 : bytes + block; // short texts are stored in the value itself
}

size_t memory_of(const json::value& x) {
  if (const auto* text = x.if_string())
    return memory_of_text(text->size());
  if (const auto* object = x.if_object())
    return scratchpage::memory_of(*object);
  size_t result = 0;
  if (const auto* list = x.if_array(); list != nullptr && !list->empty()) {
    result = block + list->size() * sizeof(json::value);
    for (const auto& one : *list)
      result += memory_of(one);
  }
  return result;
}

} // namespace

size_t json_size(const json::object& x, size_t most) {
  text_counter counter{most};
  counter.count(x);
  return counter.bytes();
}

size_t json_size(const json::value& x, size_t most) {
  text_counter counter{most};
  counter.count(x);
  return counter.bytes();
}

bool is_within(const json::object& x, size_t most) {
  text_counter longest{most, texts::at_their_longest};
  longest.count(x);
  return longest.bytes() <= most || json_size(x, most) <= most;
}

size_t memory_of(const json::object& x) {
  if (x.empty())
    return 0;
  auto result = block + x.size() * sizeof(json::key_value_pair);
  for (const auto& [key, value] : x)
    result += key.size() + block + memory_of(value);
  return result;
}

size_t memory_of(const std::string& x) {
  constexpr size_t inline_capacity = 15;
  constexpr size_t heap_overhead = 16;
  return x.size() > inline_capacity ? x.size() + heap_overhead : 0;
}

} // namespace scratchpage
