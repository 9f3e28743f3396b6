#pragma once

#include <string_view>
#include <vector>

#include "scratchpage/persistence/privacy/pii_span.hpp"

namespace scratchpage {

/// Every kind there is.
std::vector<pii_kind> all_pii_kinds();

/// Finds personal data by its form; docs/privacy.md says what each kind matches
/// and what it does not. Time is linear in the text's length, and the memory is
/// that of RE2's patterns, which all detectors share. Safe to use from several
/// threads.
class pii_detector {
public:
  /// Looks for `kinds` only. A text still counts as the most specific kind it
  /// fits: with cards left out, a card does not become a phone number.
  explicit pii_detector(const std::vector<pii_kind>& kinds = all_pii_kinds());

  /// What `text`, which is UTF-8, holds: in order, without overlaps, between
  /// characters. With every one of them replaced by something in brackets that
  /// holds no digit and no "@", the text holds no more. Of a text that is made to
  /// hide more behind each than eight looks find, the rest is one, as a phone number.
  std::vector<pii_span> find(std::string_view text) const;

  /// Whether `find` finds anything.
  bool finds_any(std::string_view text) const;

private:
  bool wants(pii_kind kind) const;

  std::vector<pii_kind> kinds_;
};

} // namespace scratchpage
