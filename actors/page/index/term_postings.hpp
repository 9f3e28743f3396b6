#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scratchpage/actors/page/index/slot_set.hpp"

namespace scratchpage {

/// The documents that have a term, as a set of slots, and how often each has it. Most documents
/// have a term once. For the others, the frequency minus 1 is stored in binary: one set for each
/// digit, with the documents for which that digit is 1.
class term_postings {
public:
  /// A larger frequency counts as this one.
  static constexpr uint32_t max_frequency = 256;

  /// Adds a document; @pre it is not among them, and the frequency is at least 1.
  void add(uint32_t slot, uint32_t frequency);
  void remove(uint32_t slot);
  /// Removes all documents that `others` does not have.
  void keep_shared(const slot_set& others);

  const slot_set& documents() const { return documents_; }
  /// For each binary digit of the frequency minus 1, beginning with the lowest: the documents for
  /// which it is 1.
  std::span<const slot_set> digits() const { return digits_; }

  /// How often the document has the term; 0 if it does not have it.
  uint32_t frequency(uint32_t slot) const;
  /// The same of a document that has it.
  uint32_t frequency_of_member(uint32_t slot) const;

  bool empty() const { return documents_.empty(); }
  /// The bytes of the heap, about, that the postings take.
  uint64_t bytes() const;

private:
  slot_set documents_;
  std::vector<slot_set> digits_;
};

} // namespace scratchpage
