#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scratchpage/actors/memory/joint_ranking.hpp"
#include "scratchpage/messages/memory_operations.hpp"
#include "scratchpage/messages/shared_settings.hpp"

namespace scratchpage {

/// One ranking for what different memories found. A candidate is as close to the query as a
/// `joint_ranking` says, and closer if it has the whole query. A page keeps the order in which it
/// answered. Among equals the newest comes first. The same candidates give the same order,
/// whichever memory answers first.
class memory_ranking {
public:
  explicit memory_ranking(std::string_view query, shared_settings<text_config> text = {});

  /// The words of the query that find most: the longest ones first.
  std::vector<std::string> key_words() const;

  /// Take in candidates. One that has nothing of the query is left out, unless it has a neighbour
  /// that does. Of candidates with the same observation, that of the page stays, else that of the
  /// archive.
  void add(memory_part in, const observation_ptr& x);
  void add(const fact& x);
  /// All candidates of an episode. Its best one stands for the episode.
  void add(const episode& x);

  memory_hits result(uint32_t limit);

private:
  struct candidate {
    memory_part in;
    size_t text;           ///< its number in texts_
    observation_ptr what;  ///< null: it is a fact
    memory_hit known = {}; ///< of a fact
    std::string turn = {}; ///< of an episode
    double score = 0;      ///< 0: it is not found
  };

  void score_all();
  double score_of(const candidate& x, double closeness) const;
  void keep_order_of_page();
  void leave_out_repeated();
  static memory_hit hit_of(const candidate& x);

  std::string query_;
  std::vector<std::string> words_;
  std::string phrase_;
  joint_ranking texts_;
  std::vector<candidate> found_;
  std::set<std::string> turns_; // of the episodes
};

} // namespace scratchpage
