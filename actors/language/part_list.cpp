#include "scratchpage/actors/language/part_list.hpp"

#include <algorithm>

namespace scratchpage {

namespace {

unsigned char first_byte(std::string_view x) {
  return static_cast<unsigned char>(x[0]);
}

/// Whether `part` is what a text has at `i`, where its first byte is there already.
bool goes_on(std::string_view text, size_t i, std::string_view part) {
  if (part.size() < 2)
    return true;
  return i + 1 < text.size() && text[i + 1] == part[1] && text.compare(i, part.size(), part) == 0;
}

} // namespace

part_list::part_list(std::initializer_list<std::string_view> parts)
  : parts_{parts} {
  std::sort(parts_.begin(), parts_.end(),
    [](std::string_view a, std::string_view b) { return first_byte(a) < first_byte(b); });
  for (auto one : parts_)
    ++begins_[first_byte(one) + 1u];
  for (size_t i = 1; i < begins_.size(); ++i)
    begins_[i] = static_cast<uint16_t>(begins_[i] + begins_[i - 1]);
}

bool part_list::occurs_in(std::string_view text) const {
  for (size_t i = 0; i < text.size(); ++i) {
    auto byte = first_byte(text.substr(i));
    for (size_t n = begins_[byte]; n < begins_[byte + 1u]; ++n)
      if (goes_on(text, i, parts_[n]))
        return true;
  }
  return false;
}

} // namespace scratchpage
