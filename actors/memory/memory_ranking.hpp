#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "scratchpage/messages/memory_operations.hpp"

namespace scratchpage {

/// Limits on a search of several memories.
struct search_limits {
  static constexpr uint32_t archived = 1'000;  ///< the latest archived observations, which it reads
  static constexpr uint32_t candidates = 100;  ///< of the page, and of facts
  static constexpr uint32_t episodes = 20;     ///< that have one of the words
  static constexpr size_t words = 4;           ///< of a query, by which episodes are looked for
  static constexpr size_t read_bytes = 8'192;  ///< of a text that are compared with the query
  static constexpr size_t shown_bytes = 1'024; ///< of a text that the answer has
  static constexpr uint32_t in_flight = 64;    ///< searches at the same time
  static constexpr uint32_t of_one = 8;        ///< the same of one principal from outside
};

/// One ranking for what different memories found. A candidate is as close to the query as the words
/// that it shares with it are many and rare among all candidates. English words are compared by
/// their stems, and the day of a candidate is one of its words (docs/search.md). Among equals the
/// newest comes first. The same candidates give the same order.
class memory_ranking {
public:
  explicit memory_ranking(std::string_view query);

  /// The words of the query that find most: the longest ones first.
  std::vector<std::string> key_words() const;

  /// Takes in a candidate, which is also found by the words of its tags. One that has nothing of
  /// the query is left out; of candidates with the same observation, the first one stays.
  void add(memory_hit x, const std::vector<std::string>& tags = {});

  /// All candidates of an episode. Its best one stands for the episode.
  void add(const episode& x);

  memory_hits result(uint32_t limit);

private:
  struct candidate {
    memory_hit hit;
    std::set<std::string> shared; ///< stems of the query
    bool has_phrase;              ///< the text contains the whole query
  };

  candidate look_at(memory_hit x, const std::vector<std::string>& tags) const;
  void keep(candidate x);

  std::vector<std::string> words_;
  std::set<std::string> stems_;
  std::string phrase_;
  std::set<std::string> known_; ///< observations
  std::vector<candidate> found_;
};

/// An observation as a candidate.
memory_hit to_hit(memory_part in, const observation& x);
memory_hit to_hit(const fact& x);

} // namespace scratchpage
