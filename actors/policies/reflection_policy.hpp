#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <caf/error.hpp>

#include "scratchpage/actors/policies/call_record.hpp"
#include "scratchpage/actors/policies/evaluation_policy.hpp"
#include "scratchpage/actors/policies/words.hpp"
#include "scratchpage/messages/text/keyed_hash.hpp"

namespace scratchpage {

struct reflection_config {
  uint32_t pattern_recurrences;    ///< turns with the same thing make a pattern
  uint32_t failure_recurrences;    ///< turns with the same failure make a lesson
  uint32_t preference_recurrences; ///< turns with the same preference make a fact
  uint32_t max_tracked;            ///< things that are counted; then the least recent is forgotten
  uint32_t max_lessons;            ///< of one turn
  uint32_t max_support;            ///< observation ids that are kept for one thing
  std::vector<std::string> ignored_types;      ///< of observations: the daemons' own bookkeeping
  std::vector<std::string> preference_tags;    ///< what has one says what the user likes
  std::vector<std::string> preference_phrases; ///< and so does what has one of these
  std::vector<std::string> negations;          ///< words that turn a statement round
  std::vector<std::string> stop_words;         ///< make no difference between statements
  double confidence;                           ///< of a lesson's first telling
  double confidence_step;                      ///< for each further turn
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

/// What a turn left behind.
struct turn_story {
  std::string turn_id;
  std::string input;
  std::vector<call_record> calls;
  std::vector<observation_ptr> observations; ///< of the turn, in their last form
  evaluation_outcome outcome = evaluation_outcome::complete;
};

/// How a lesson bears on the fact that it is about (contract 7: a fact's
/// confidence rises with success and falls with failure).
enum class lesson_effect : uint8_t { success, failure, contradiction };

template <>
inline constexpr std::array<std::string_view, 3> enum_names<lesson_effect>{
  "success", "failure", "contradiction"};

struct turn_lesson {
  std::string type;      ///< "learning" or "pattern_detected"
  std::string statement; ///< "User prefers Burgundy wines"
  std::vector<std::string> tags;
  std::vector<std::string> observation_ids; ///< that it rests on, the latest ones
  double confidence = 0;
  std::string fact_key; ///< the same for lessons about one fact
  lesson_effect effect = lesson_effect::success;
  uint64_t turns = 1; ///< in how many it was seen
  std::string fact;   ///< the fact in the words in which it was first said; "": the statement
  /// Who said so in these words, as `said_by` has it; of a pattern, everybody in whose observations
  /// it has come up, the latest last.
  std::vector<std::string> sources = {};

  static constexpr auto fields(auto all) {
    using self = turn_lesson;
    return all(required("type", &self::type), required("statement", &self::statement),
      required("tags", &self::tags), required("observation_ids", &self::observation_ids),
      required("confidence", &self::confidence), required("fact_key", &self::fact_key),
      required("effect", &self::effect), required("turns", &self::turns),
      optional("fact", &self::fact), optional("sources", &self::sources));
  }
};

/// The Reflector's decision (contract 7): what is worth knowing after a turn.
/// Counts across the turns of one agent, within bounds: things that are the same in the beginning
/// of their words or tags, `reading_limits::observation_bytes`, are one. What is preferred counts
/// for each speaker by themself, and another number makes another preference. Not thread-safe.
class reflection_policy {
public:
  explicit reflection_policy(reflection_config config);

  /// The lessons of a turn, most certain kinds first: recoveries, recurring
  /// failures, preferences, other patterns. A turn counts once for each thing.
  std::vector<turn_lesson> reflect(const turn_story& story);

  /// How many things are counted now.
  size_t tracked() const { return index_.size(); }

  /// How many bytes of texts are kept of them.
  size_t kept_bytes() const;

private:
  /// How often one thing was seen.
  struct trail {
    std::string key;
    uint64_t turns = 0;
    std::string last_turn;
    std::vector<std::string> observation_ids;
    /// Of a preference: of one speaker in their first words, of all in those that were told last.
    std::string statement;
    std::vector<std::string> speakers; ///< of the statement, or of all of a pattern; the latest
  };

  trail& trace(const std::string& key);
  trail* known(const std::string& key);
  bool step(trail& x, const std::string& turn_id, const std::vector<std::string>& ids);
  void learn_recovery(
    const call_record& call, const turn_story& story, std::vector<turn_lesson>& out);
  void learn_failure(
    const call_record& call, const turn_story& story, std::vector<turn_lesson>& out);
  void learn_preference(
    const observation& x, const turn_story& story, std::vector<turn_lesson>& out);
  void find_pattern(const observation& x, const turn_story& story, std::vector<turn_lesson>& out);
  bool is_preference(const observation& x) const;
  std::string pattern_key(const observation& x) const;
  double confidence(uint64_t times) const;

  reflection_config config_;
  phrase_list preference_phrases_;
  phrase_list negations_;
  content_words content_;
  std::list<trail> trails_; ///< most recently seen first
  /// By their keys, which stay where they are.
  std::unordered_map<std::string_view, std::list<trail>::iterator, keyed_text_hash, std::equal_to<>>
    index_;
};

} // namespace scratchpage
