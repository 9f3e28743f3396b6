#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/messages/memory.hpp"
#include "scratchpage/messages/text/key_text.hpp"
#include "scratchpage/persistence/memories/memory_purge.hpp"

namespace scratchpage {

/// What an experience says about a statement.
enum class fact_outcome : uint8_t {
  success,       ///< the statement was true, or its advice worked
  failure,       ///< the statement did not help this time
  contradiction, ///< something says the opposite
};

template <>
inline constexpr std::array<std::string_view, 3> enum_names<fact_outcome>{
  "success", "failure", "contradiction"};

/// One experience to learn from. In JSON it is `metadata.fact` of a `learning`
/// observation. If the statement is absent, the content of the observation is the statement.
struct fact_lesson {
  std::string statement;
  std::vector<std::string> tags;
  fact_outcome outcome = fact_outcome::success;
  std::vector<std::string> observation_ids; ///< of the observations that it was drawn from
  std::vector<std::string> sources;         ///< who said so, in the form of `said_by`
  std::string attribute = {}; ///< a success ends other facts with the same one; "": none

  static constexpr auto fields(auto all) {
    using self = fact_lesson;
    return all(optional("statement", &self::statement), one_or_many("tags", &self::tags),
      optional("outcome", &self::outcome), one_or_many("observation_ids", &self::observation_ids),
      one_or_many("sources", &self::sources), optional("attribute", &self::attribute));
  }
};

/// Limits on a lesson and a fact.
struct fact_limits {
  static constexpr size_t statement_bytes = 2'048; ///< a longer statement is cut
  static constexpr size_t text_bytes = 256;        ///< of a tag, the id of an observation, a source
  static constexpr size_t values = 256;            ///< of each of these in one lesson
};

/// Makes the lesson keep its limits: cuts the statement, removes tags and ids that are too long,
/// and shortens sources. If there are too many values, the first tags and the last ids and sources
/// stay.
void keep_limits(fact_lesson& x);

/// The place where one agent's facts are kept (contract 9). It belongs to one actor and is not
/// shared between threads.
class semantic_store {
public:
  virtual ~semantic_store() = default;

  /// Learns from `x` and answers the resulting fact. Statements that differ only in (ASCII) case,
  /// white space and punctuation at the end are one fact, in the words in which it was first said;
  /// opposite statements are not detected. The sources of a fact come from successes and from its
  /// first lesson. `lesson` is the number of the observation that teaches it, 0 if there is none.
  /// Errors: `invalid_request` for a blank statement, `storage_unavailable`.
  virtual caf::expected<fact> learn(const fact_lesson& x, timestamp now, uint64_t lesson) = 0;

  /// The highest number of a lesson that was learnt; 0 if there was none. It is stored together
  /// with the facts, so that no lesson is learnt twice.
  virtual uint64_t last_lesson() const = 0;

  /// The number in the id of the latest fact; 0 if there was none. None is given again.
  virtual uint64_t last_number() const = 0;

  /// Goes on after that number, which was the last one before a rest.
  virtual void go_on_after(uint64_t number) = 0;

  /// Whether the store may have something else than is known here: it has refused a change, but may
  /// have made it before it failed. The next change corrects that.
  virtual bool is_in_doubt() const { return false; }

  /// The facts that have all `tags` and at least `min_confidence`. Those that share most words with
  /// `text` come first, then the most confident, the best supported, and the first learnt. The text
  /// only ranks facts and excludes none, unless the query says that it selects. Errors:
  /// `invalid_request` for a limit outside 1 to 1000 or a bad cursor.
  virtual caf::expected<fact_list> query(const query_facts& what) const = 0;

  /// The fact of that id, or null. The pointer is valid until the next change.
  virtual const fact* find_id(const std::string& fact_id) const = 0;

  /// The fact with this statement, if it is known.
  virtual std::optional<fact> find(std::string_view statement) const = 0;

  /// Replaces the fact with that id. Errors: `not_found` about `fact_id`, `conflict` about
  /// `statement` if another fact says the same, `storage_unavailable`.
  [[nodiscard]] virtual caf::error put(const fact& x) = 0;

  /// Removes a fact; an unknown id is ignored. Error: `storage_unavailable`.
  [[nodiscard]] virtual caf::error drop(const std::string& fact_id) = 0;

  /// Masks the personal data that facts have from these observations. Of facts that then say the
  /// same, the first stays. Error: `storage_unavailable`.
  virtual caf::error purge(const memory_purge& what) = 0;
};

struct semantic_config {
  /// The most facts. Beyond it the least supported are dropped first, of those the one that was not
  /// seen for the longest time.
  uint64_t max_facts = 10'000;
  /// About how many bytes of memory they may take; beyond it, the same.
  uint64_t max_bytes = uint64_t{16} << 20;
  /// The confidence in a new statement before its first lesson counts, in [0, 1].
  double initial_confidence = 0.5;
  /// The part of the distance to 1 that the confidence moves with each success, and of the distance
  /// to 0 with each failure or contradiction; in [0, 1].
  double success_rate = 0.2;
  double failure_rate = 0.2;
  double contradiction_rate = 0.3;
  uint64_t max_observation_ids = 16; ///< the latest observations that a fact names
  uint64_t max_tags = 32;
  uint64_t max_sources = 8; ///< the latest sources that a fact names

  static constexpr auto fields(auto all) {
    using self = semantic_config;
    return all(optional("max_facts", &self::max_facts), optional("max_bytes", &self::max_bytes),
      optional("initial_confidence", &self::initial_confidence),
      optional("success_rate", &self::success_rate), optional("failure_rate", &self::failure_rate),
      optional("contradiction_rate", &self::contradiction_rate),
      optional("max_observation_ids", &self::max_observation_ids),
      optional("max_tags", &self::max_tags), optional("max_sources", &self::max_sources));
  }
};

/// No error if every share and rate is in [0, 1].
caf::error validate(const semantic_config& config);

/// The form in which statements are compared: ASCII letters in lower case, one space between words,
/// no punctuation at the end.
std::string normalised_statement(std::string_view text);

/// Keeps facts in memory, for as long as this object exists. A success raises the confidence and
/// the support of a fact, a failure lowers its confidence, and a contradiction lowers its
/// confidence and is counted.
class memory_semantic_store : public semantic_store {
public:
  /// `on_drop` is called with the id of every fact that is dropped because there is no room.
  explicit memory_semantic_store(
    semantic_config config = {}, std::function<void(const std::string& fact_id)> on_drop = {})
    : config_{config},
      on_drop_{std::move(on_drop)} {}

  caf::expected<fact> learn(const fact_lesson& told, timestamp now, uint64_t lesson) override;
  uint64_t last_lesson() const override { return last_lesson_; }
  uint64_t last_number() const override { return last_number_; }
  void go_on_after(uint64_t number) override { last_number_ = std::max(last_number_, number); }
  caf::expected<fact_list> query(const query_facts& what) const override;
  caf::error purge(const memory_purge& what) override;

  uint64_t size() const { return facts_.size(); }

  /// About how many bytes of memory the facts take.
  uint64_t bytes() const { return bytes_; }

  std::optional<fact> find(std::string_view statement) const override;
  const fact* find_id(const std::string& fact_id) const override;
  caf::error put(const fact& x) override;
  caf::error drop(const std::string& fact_id) override;
  /// The error with which `put` refuses a fact.
  caf::error check_put(const fact& x) const;
  /// Adds a fact that was stored, under its id, unless a fact with the same statement is known. If
  /// there is no room, the facts of least weight are dropped.
  void restore(fact x);
  /// Removes a fact; an unknown id is ignored.
  void forget(const std::string& fact_id);
  /// The facts that a purge would change, in their new form; nothing is changed yet. A fact that
  /// then says the same as an earlier one has no statement in it.
  std::vector<fact> purged(const memory_purge& what) const;
  /// Replaces the facts with the same ids. A fact without a statement is removed.
  void replace(const std::vector<fact>& facts);
  /// Sets the number of the last lesson, as it was stored.
  void restore_last_lesson(uint64_t lesson) { last_lesson_ = lesson; }

  /// The facts that the last lesson has ended, as they were before.
  const std::vector<fact>& ended() const { return ended_; }

  /// How many facts were dropped because there was no room.
  uint64_t dropped() const { return dropped_; }

private:
  struct entry {
    fact known;
    std::vector<uint64_t> words; ///< of the statement, as word_hashes_of gives them
  };

  /// The order in which facts are dropped: least supported, then longest unseen, then first learnt.
  using weight = std::tuple<uint64_t, timestamp, uint64_t>;

  static weight weight_of(uint64_t number, const entry& x) {
    return {x.known.support, x.known.last_seen, number};
  }
  static uint64_t bytes_of(const entry& x);

  uint64_t find_or_add(const fact_lesson& x, timestamp now);
  void insert(uint64_t number, std::string key, fact x);
  void erase(uint64_t number);
  void make_room_for(const entry& x);
  void drop_lightest();
  void apply(const fact_lesson& x, timestamp now, fact& known) const;
  void end_others(uint64_t number, const std::string& attribute, timestamp now);

  semantic_config config_;
  std::function<void(const std::string& fact_id)> on_drop_;
  std::map<uint64_t, entry> facts_; ///< by the n of their ids
  std::unordered_map<std::string, uint64_t, keyed_text_hash, std::equal_to<>> by_statement_;
  std::set<weight> by_weight_;
  std::vector<fact> ended_;
  uint64_t last_number_ = 0;
  uint64_t last_lesson_ = 0;
  uint64_t dropped_ = 0;
  uint64_t bytes_ = 0;
};

} // namespace scratchpage
