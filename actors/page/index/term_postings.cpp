#include "scratchpage/actors/page/index/term_postings.hpp"

#include <algorithm>
#include <bit>

namespace scratchpage {

void term_postings::add(uint32_t slot, uint32_t frequency) {
  documents_.add(slot);
  auto rest = std::min(frequency, max_frequency) - 1;
  auto wanted = static_cast<size_t>(std::bit_width(rest));
  if (digits_.size() < wanted)
    digits_.resize(wanted);
  for (size_t i = 0; i < wanted; ++i)
    if (((rest >> i) & 1) != 0)
      digits_[i].add(slot);
}

void term_postings::remove(uint32_t slot) {
  documents_.remove(slot);
  for (auto& digit : digits_)
    digit.remove(slot);
}

void term_postings::keep_shared(const slot_set& others) {
  documents_.keep_shared(others);
  for (auto& digit : digits_)
    digit.keep_shared(others);
  while (!digits_.empty() && digits_.back().empty())
    digits_.pop_back();
}

uint32_t term_postings::frequency(uint32_t slot) const {
  return documents_.contains(slot) ? frequency_of_member(slot) : 0;
}

uint32_t term_postings::frequency_of_member(uint32_t slot) const {
  uint32_t rest = 0;
  for (size_t i = 0; i < digits_.size(); ++i)
    rest |= digits_[i].contains(slot) ? uint32_t{1} << i : 0;
  return rest + 1;
}

uint64_t term_postings::bytes() const {
  auto result = documents_.bytes() + digits_.capacity() * sizeof(slot_set);
  for (const auto& digit : digits_)
    result += digit.bytes();
  return result;
}

} // namespace scratchpage
