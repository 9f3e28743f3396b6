#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "scratchpage/messages/event.hpp"
#include "scratchpage/messages/goal.hpp"
#include "scratchpage/messages/memory.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/purge.hpp"
#include "scratchpage/messages/text/keyed_hash.hpp"
#include "scratchpage/persistence/memories/memory_purge.hpp"
#include "scratchpage/persistence/privacy/pii_masker.hpp"

namespace scratchpage {

/// What stands in the place of what was said.
inline constexpr std::string_view purged_text = "[purged]";

/// Whether nothing is left of it but that it was there.
bool is_purged(const observation& x);

/// What is left of an observation, an event, an episode, a goal, a fact once
/// observations are purged for good. To purge twice is to purge once.
class purger : public memory_purge {
public:
  /// Kinds that nobody knows are passed over.
  explicit purger(const purge_observations& what);

  /// Whether this form of it has to go.
  bool concerns(const observation& x) const;

  /// Whether the id is of an observation of which some form has to go.
  bool concerns(const std::string& observation_id) const;

  /// Ids, type, source, status, revision and times stay; content becomes
  /// `purged_text`, tags, context and metadata empty.
  static observation purged(observation x);

  /// These give whether anything has changed.
  bool purge(observation_ptr& x) const;
  bool purge(page_event& x) const;
  bool purge(episode& x) const override;

  /// A goal that lists one of them: what it quotes of them goes, and what else
  /// is personal data in it is masked.
  bool purge(goal& x) const;

  /// A fact that was drawn from one of them, or holds what one of them held, is
  /// masked: what was learnt stays known.
  bool purge(fact& x) const override;

private:
  using change = std::function<std::string(std::string_view)>;

  std::string without_quotes(std::string text) const;
  void purge_evidence(goal& x) const;
  bool holds_some(const fact& x) const;
  static void change_texts(json::value& x, const change& f);

  std::unordered_set<std::string, keyed_text_hash, std::equal_to<>> ids_;
  std::unordered_set<std::string, keyed_text_hash, std::equal_to<>> aged_;
  std::vector<std::string> quotes_; ///< lines of what they said, the longest first
  std::vector<std::string> held_;
  pii_masker masker_;
};

} // namespace scratchpage
