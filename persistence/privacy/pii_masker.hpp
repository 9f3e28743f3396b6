#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scratchpage/messages/conversation.hpp"
#include "scratchpage/messages/enum_names.hpp"
#include "scratchpage/messages/goal.hpp"
#include "scratchpage/messages/memory.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/scratchbook.hpp"

namespace scratchpage {

/// Kinds of personal data that are recognised by their form (contract 12).
enum class pii_kind : uint8_t { email, phone, card, iban, ssn, ip };

template <>
inline constexpr std::array<std::string_view, 6> enum_names<pii_kind>{
  "email", "phone", "card", "iban", "ssn", "ip"};

/// The place of personal data in a text; offset and length count bytes.
struct pii_span {
  pii_kind kind = pii_kind::email;
  size_t offset = 0;
  size_t length = 0;

  bool operator==(const pii_span&) const = default;
};

/// All kinds.
std::vector<pii_kind> all_pii_kinds();

/// Finds personal data by its form; docs/privacy.md says what each kind matches and what it does
/// not. The time is linear in the length of the text. The memory is that of RE2's patterns, which
/// all detectors share. Several threads may use a detector.
class pii_detector {
public:
  /// Looks for `kinds` only. Data still counts as the most specific kind that it fits: if cards are
  /// not in `kinds`, a card is not found as a phone number.
  explicit pii_detector(const std::vector<pii_kind>& kinds = all_pii_kinds());

  /// The personal data in `text`, which is UTF-8: in order, without overlaps, cut at characters. If
  /// each piece is replaced by something in brackets without digits and "@", nothing more is found.
  /// The search takes at most eight rounds. If a text is made so that each round uncovers more, the
  /// rest counts as a phone number.
  std::vector<pii_span> find(std::string_view text) const;

  /// Whether `find` finds anything.
  bool finds_any(std::string_view text) const;

private:
  bool wants(pii_kind kind) const;

  std::vector<pii_kind> kinds_;
};

/// Replaces personal data by `[email]`, `[phone]`, `[card]`, `[iban]`, `[ssn]` or `[ip]`. A text
/// without personal data keeps every byte. Masking twice gives the same as masking once.
class pii_masker {
public:
  /// Objects and lists that are nested deeper become null, because they are not examined. It is
  /// twice the depth that the JSON reader allows.
  static constexpr size_t max_depth = 64;

  explicit pii_masker(pii_detector detector = pii_detector{})
    : detector_{std::move(detector)} {}

  std::string mask(std::string_view text) const;

  /// Masks texts and names of members at any depth; numbers stay. If the names of two members
  /// become the same, the later one is called `[email] (2)`.
  void mask(json::value& x) const;
  void mask(json::object& x) const;

  /// Masks content, tags, context and metadata, which a caller writes freely. Ids, type, source and
  /// owner stay. Tags that become the same are merged.
  void mask(observation& x) const;
  void mask(observation_draft& x) const;
  void mask(observation_changes& x) const;

  /// Masks title, description, evidence, context, and the descriptions of actions.
  void mask(goal& x) const;
  void mask(update_goal& x) const;
  /// Masks statement and tags.
  void mask(fact& x) const;
  /// Masks title, body, tags and phase.
  void mask(item_draft& x) const;
  void mask(item_changes& x) const;
  /// Masks the content and the arguments of calls.
  void mask(chat_message& x) const;

  /// Whether the observation has anything to mask.
  bool finds_any(const observation& x) const;

private:
  void mask(json::value& x, size_t depth) const;
  void mask(json::object& x, size_t depth) const;
  void mask(std::vector<std::string>& tags) const;
  void mask_names(json::object& x) const;
  bool finds_any(const std::vector<std::string>& tags) const;
  bool finds_any(const json::value& x, size_t depth) const;
  bool finds_any(const json::object& x, size_t depth) const;

  pii_detector detector_;
};

} // namespace scratchpage
