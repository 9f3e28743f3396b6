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
#include "scratchpage/messages/text/key_text.hpp"
#include "scratchpage/persistence/memories/memory_purge.hpp"
#include "scratchpage/persistence/privacy/pii_masker.hpp"

namespace scratchpage {

/// The content of a purged observation.
inline constexpr std::string_view purged_text = "[purged]";

/// Whether the observation was purged: its content is `purged_text`; tags, context and metadata are
/// empty.
bool is_purged(const observation& x);

/// Removes purged observations from observations, events, episodes, goals and facts. Purging twice
/// gives the same as purging once.
class purger : public memory_purge {
public:
  /// Unknown kinds of personal data are ignored.
  explicit purger(const purge_observations& what);

  /// Whether this revision of an observation has to be purged.
  bool concerns(const observation& x) const;

  /// Whether some revision of the observation with that id has to be purged.
  bool concerns(const std::string& observation_id) const;

  /// The purged form: ids, type, source, status, revision and times stay; the content becomes
  /// `purged_text`; tags, context and metadata become empty.
  static observation purged(observation x);

  /// All overloads return whether anything has changed.
  bool purge(observation_ptr& x) const;
  bool purge(page_event& x) const;
  bool purge(episode& x) const override;

  /// Changes a goal that lists one of the observations: quotations of them are removed, and other
  /// personal data in the goal is masked.
  bool purge(goal& x) const;

  /// Masks a fact that was drawn from one of the observations, or that has personal data of one of
  /// them. The rest of the fact stays known.
  bool purge(fact& x) const override;

private:
  using change = std::function<std::string(std::string_view)>;

  std::string without_quotes(std::string text) const;
  void purge_evidence(goal& x) const;
  bool holds_some(const fact& x) const;
  static void change_texts(json::value& x, const change& f);

  std::unordered_set<std::string, keyed_text_hash, std::equal_to<>> ids_;
  std::unordered_set<std::string, keyed_text_hash, std::equal_to<>> aged_;
  std::vector<std::string> quotes_; ///< lines of their contents, the longest first
  std::vector<std::string> held_;
  pii_masker masker_;
};

} // namespace scratchpage
