#pragma once

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
#include "scratchpage/messages/text/keyed_hash.hpp"
#include "scratchpage/persistence/memories/memory_purge.hpp"

namespace scratchpage {

/// What an experience says about a statement.
enum class fact_outcome : uint8_t {
  success,       ///< it held, or what it advises worked
  failure,       ///< it did not help this time
  contradiction, ///< something says otherwise
};

template <>
inline constexpr std::array<std::string_view, 3> enum_names<fact_outcome>{
  "success", "failure", "contradiction"};

/// One experience to learn from. In JSON it is `metadata.fact` of a `learning`
/// observation, whose content stands for an absent statement.
struct fact_lesson {
  std::string statement;
  std::vector<std::string> tags;
  fact_outcome outcome = fact_outcome::success;
  std::vector<std::string> observation_ids; ///< that it was drawn from
  std::vector<std::string> sources;         ///< who said so, as `said_by` has it

  static constexpr auto fields(auto all) {
    using self = fact_lesson;
    return all(optional("statement", &self::statement), one_or_many("tags", &self::tags),
      optional("outcome", &self::outcome), one_or_many("observation_ids", &self::observation_ids),
      one_or_many("sources", &self::sources));
  }
};

/// What a lesson and a fact may hold, however much somebody says.
struct fact_limits {
  static constexpr size_t statement_bytes = 2'048; ///< what is longer is cut
  static constexpr size_t text_bytes = 256;        ///< of a tag, the id of an observation, a source
  static constexpr size_t values = 256;            ///< of each of these in one lesson
};

/// Cuts the statement. Tags and ids that are too long are left out, sources are shortened; of
/// the values the first tags stay, and the last ids and sources.
void keep_limits(fact_lesson& x);

/// Where one agent's facts are kept (contract 9). Belongs to one actor and is
/// not shared between threads.
class semantic_store {
public:
  virtual ~semantic_store() = default;

  /// Learns from `x` and answers the fact as it is then. Statements that differ
  /// only in case (ASCII), white space and punctuation at the end are one fact,
  /// in the words in which it was first said; opposite ones are not detected. Its
  /// sources are those of successes, and of the lesson by which it became known.
  /// `lesson` is the number of the observation that teaches it, 0 if none does.
  /// Errors: `invalid_request` for a blank statement, `storage_unavailable`.
  virtual caf::expected<fact> learn(const fact_lesson& x, timestamp now, uint64_t lesson) = 0;

  /// The highest lesson learnt from, kept together with what it taught, so that
  /// nobody learns from one twice; 0: none yet.
  virtual uint64_t last_lesson() const = 0;

  /// The facts that have all `tags` and at least `min_confidence`; those that
  /// share most words with `text` first, then the most confident, the best
  /// supported, the first learnt. Words rank and never select. Errors:
  /// `invalid_request` for a limit outside 1 to 1000.
  virtual caf::expected<fact_list> query(const query_facts& what) const = 0;

  /// Masks what facts hold of these observations. Facts that say the same then
  /// are one, the first. Error: `storage_unavailable`.
  virtual caf::error purge(const memory_purge& what) = 0;
};

struct semantic_config {
  /// Facts that are kept; the least supported leave first, of those the one that
  /// was not seen for longest.
  uint64_t max_facts = 10'000;
  /// About what they may take in memory; beyond it, the same.
  uint64_t max_bytes = uint64_t{16} << 20;
  /// Of a statement nothing is known but that somebody says so, in [0, 1].
  double initial_confidence = 0.5;
  /// Which part of the way to 1 each success goes, and to 0 each failure or
  /// contradiction; in [0, 1].
  double success_rate = 0.2;
  double failure_rate = 0.2;
  double contradiction_rate = 0.3;
  /// The latest observations that a fact names.
  uint64_t max_observation_ids = 16;
  uint64_t max_tags = 32;
  uint64_t max_sources = 8; ///< the latest that a fact names

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

/// `text` as facts compare it: lower case as far as ASCII goes, one space
/// between words, no punctuation at the end.
std::string normalised_statement(std::string_view text);

/// Keeps facts in memory, for as long as the process runs. A success adds to a
/// fact's support; a failure only takes from its confidence; a contradiction
/// takes too, and is counted.
class memory_semantic_store : public semantic_store {
public:
  /// `on_drop` hears the id of every fact that has to go for want of room.
  explicit memory_semantic_store(
    semantic_config config = {}, std::function<void(const std::string& fact_id)> on_drop = {})
    : config_{config},
      on_drop_{std::move(on_drop)} {}

  caf::expected<fact> learn(const fact_lesson& told, timestamp now, uint64_t lesson) override;
  uint64_t last_lesson() const override { return last_lesson_; }
  caf::expected<fact_list> query(const query_facts& what) const override;
  caf::error purge(const memory_purge& what) override;

  uint64_t size() const { return facts_.size(); }

  /// About what they take in memory.
  uint64_t bytes() const { return bytes_; }

  /// The fact that says so, if it is known.
  std::optional<fact> find(std::string_view statement) const;
  /// The fact of that id, or null.
  const fact* find_id(const std::string& fact_id) const;
  /// Knows a fact again under its id, unless one that says the same is known. The lightest go
  /// if there is no room.
  void restore(fact x);
  /// Unknown ids are ignored.
  void forget(const std::string& fact_id);
  /// As they are once they are purged, if they are others then; those that are
  /// one with an earlier fact then have no statement. Nothing has changed yet.
  std::vector<fact> purged(const memory_purge& what) const;
  /// Each takes the place of the fact of its id; without a statement it goes.
  void replace(const std::vector<fact>& facts);
  /// Knows again up to where it has learnt.
  void restore_last_lesson(uint64_t lesson) { last_lesson_ = lesson; }

  /// How many facts had to go for want of room.
  uint64_t dropped() const { return dropped_; }

private:
  struct entry {
    fact known;
    std::vector<uint64_t> words; ///< of the statement, as word_hashes_of gives them
  };

  /// Least supported, then longest unseen, then first learnt: who leaves first.
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

  semantic_config config_;
  std::function<void(const std::string& fact_id)> on_drop_;
  std::map<uint64_t, entry> facts_; ///< by the n of their ids
  std::unordered_map<std::string, uint64_t, keyed_text_hash, std::equal_to<>> by_statement_;
  std::set<weight> by_weight_;
  uint64_t last_number_ = 0;
  uint64_t last_lesson_ = 0;
  uint64_t dropped_ = 0;
  uint64_t bytes_ = 0;
};

} // namespace scratchpage
