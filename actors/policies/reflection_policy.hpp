#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <caf/error.hpp>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/actors/policies/decisions.hpp"
#include "scratchpage/actors/policies/recurring_events.hpp"
#include "scratchpage/actors/policies/told_facts.hpp"
#include "scratchpage/messages/text/key_text.hpp"

namespace scratchpage {

struct reflection_config {
  uint32_t pattern_recurrences;           ///< so many turns with the same topic make a pattern
  uint32_t failure_recurrences;           ///< so many turns with the same failure make a lesson
  uint32_t preference_recurrences;        ///< so many turns with the same preference make a lesson
  uint32_t max_tracked;                   ///< topics that are counted; then the oldest is dropped
  uint32_t max_lessons;                   ///< of one turn
  uint32_t max_support;                   ///< observation ids that are kept for one topic
  std::vector<std::string> ignored_types; ///< observations that daemons add about their work
  std::vector<std::string> preference_tags;    ///< an observation with one states a preference
  std::vector<std::string> preference_phrases; ///< so does one with one of these phrases
  std::vector<std::string> negations;          ///< words that make a statement its opposite
  std::vector<std::string> stop_words;         ///< ignored when statements are compared
  double confidence;                           ///< of a lesson from a single turn
  double confidence_step;                      ///< added for each further turn
  double max_confidence;

  static constexpr auto fields(auto all) {
    using self = reflection_config;
    return all(required("pattern_recurrences", &self::pattern_recurrences),
      required("failure_recurrences", &self::failure_recurrences),
      required("preference_recurrences", &self::preference_recurrences),
      required("max_tracked", &self::max_tracked), required("max_lessons", &self::max_lessons),
      required("max_support", &self::max_support), required("ignored_types", &self::ignored_types),
      required("preference_tags", &self::preference_tags),
      required("preference_phrases", &self::preference_phrases),
      required("negations", &self::negations), required("stop_words", &self::stop_words),
      required("confidence", &self::confidence),
      required("confidence_step", &self::confidence_step),
      required("max_confidence", &self::max_confidence));
  }
};

caf::error validate(const reflection_config& x, std::string_view path);

/// The Reflector's rules (contract 7): what can be learned from a turn. They count topics (a
/// recovery, a failure, a preference or a pattern) across the turns of one agent. Observations with
/// the same words or tags are one topic; the first `reading_limits::observation_bytes` of these are
/// compared. Preferences are counted for each speaker separately, and two that differ in a number
/// are different. Facts that users tell, and reports that are alike, are remembered apart from
/// these topics (`told_facts`, `recurring_events`). Not thread-safe.
class reflection_policy {
public:
  explicit reflection_policy(reflection_config config);

  /// The lessons of a turn, the most certain kinds first: recoveries, recurring failures,
  /// preferences, other patterns. A turn counts once for each topic.
  std::vector<turn_lesson> reflect(const turn_story& story);

  /// How often one topic was seen.
  struct topic {
    std::string key;
    uint64_t turns = 0;
    std::string last_turn;
    std::vector<std::string> observation_ids;
    /// Of a preference. For one speaker: their first words; for all speakers: those told last.
    std::string statement;
    /// Of a preference: who said the statement. Of a pattern: its latest sources, oldest first.
    std::vector<std::string> speakers;
  };

  /// All that the rules remember, in less memory: without what can be read out of texts again.
  struct memory {
    std::list<topic> topics; ///< the most recently seen first
    std::vector<told_facts::told_fact> told;
    std::vector<recurring_events::event> events;

    uint64_t bytes() const; ///< about
  };

  /// Takes what is remembered; these rules have forgotten it then.
  memory take_memory();
  /// Remembers what others have. Texts are read again with the first turn.
  void remember(memory x);

  /// The number of topics that are counted now.
  size_t tracked() const { return index_.size(); }

  /// The number of bytes of their texts.
  size_t kept_bytes() const;

private:
  void read_again();
  topic& track(const std::string& key);
  topic* known(const std::string& key);
  bool step(topic& x, const std::string& turn_id, const std::vector<std::string>& ids);
  void learn_recovery(
    const call_record& call, const turn_story& story, std::vector<turn_lesson>& out);
  void learn_failure(
    const call_record& call, const turn_story& story, std::vector<turn_lesson>& out);
  void learn_preference(
    const observation& x, const turn_story& story, std::vector<turn_lesson>& out);
  void find_pattern(const observation& x, const turn_story& story, std::vector<turn_lesson>& out);
  void learn_stated(const observation& x, const turn_story& story, std::vector<turn_lesson>& out);
  void learn_recurring(const observation& x, const turn_story& story, std::string_view stated,
    std::vector<turn_lesson>& out);
  turn_lesson lesson_of(const stated_fact& stated, const observation& x,
    std::vector<std::string> observation_ids, uint64_t turns) const;
  bool is_preference(const observation& x) const;
  std::string pattern_key(const observation& x) const;
  double confidence(uint64_t times) const;

  reflection_config config_;
  phrase_list preference_phrases_;
  phrase_list negations_;
  content_words content_;
  std::optional<memory> not_read_; ///< what was remembered and is to be read again
  told_facts told_;
  recurring_events recurring_;
  std::list<topic> topics_; ///< the most recently seen first
  /// By key. The views refer to the keys in the list, whose nodes do not move.
  std::unordered_map<std::string_view, std::list<topic>::iterator, keyed_text_hash, std::equal_to<>>
    index_;
};

} // namespace scratchpage
