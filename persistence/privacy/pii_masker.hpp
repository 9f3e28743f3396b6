#pragma once

#include <string>
#include <string_view>

#include "scratchpage/messages/chat.hpp"
#include "scratchpage/messages/goal.hpp"
#include "scratchpage/messages/memory.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/scratchbook.hpp"
#include "scratchpage/persistence/privacy/pii_detector.hpp"

namespace scratchpage {

/// Puts `[email]`, `[phone]`, `[card]`, `[iban]`, `[ssn]` or `[ip]` in the place
/// of personal data. What holds none stays as it is, byte for byte; to mask twice
/// is to mask once.
class pii_masker {
public:
  /// Objects and lists deeper than this within each other become null: what is
  /// not looked at is not passed on. Twice what the JSON reader lets in.
  static constexpr size_t max_depth = 64;

  explicit pii_masker(pii_detector detector = pii_detector{})
    : detector_{std::move(detector)} {}

  std::string mask(std::string_view text) const;

  /// Texts and names of members at any depth; numbers stay. Of two members whose
  /// names become the same, the later is called `[email] (2)`.
  void mask(json::value& x) const;
  void mask(json::object& x) const;

  /// Content, tags, context and metadata: what a caller writes freely. Ids, type,
  /// source and owner stay. Tags that become the same are one.
  void mask(observation& x) const;
  void mask(observation_draft& x) const;
  void mask(observation_changes& x) const;

  /// Title, description, evidence, context, and what its actions say.
  void mask(goal& x) const;
  void mask(update_goal& x) const;
  /// Statement and tags.
  void mask(fact& x) const;
  /// Title, body, tags and phase.
  void mask(item_draft& x) const;
  void mask(item_changes& x) const;
  /// What was said, and the arguments of calls.
  void mask(chat_message& x) const;

  /// Whether there is anything to mask in it.
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
