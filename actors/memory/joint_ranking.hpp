#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scratchpage/actors/page/index/index_config.hpp"
#include "scratchpage/messages/goal.hpp"
#include "scratchpage/messages/memory.hpp"
#include "scratchpage/messages/shared_settings.hpp"

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

/// Texts of several memories, which are ranked together and by the rules of the page: BM25, and the
/// window of neighbours in their threads (docs/search.md). An observation that several memories
/// have counts once, and has its neighbours from all of them.
class joint_ranking {
public:
  explicit joint_ranking(shared_settings<text_config> config = {})
    : config_{std::move(config)} {}

  /// Add a text and return its number, which is the same for an observation with the same id. Only
  /// the beginning of a long text is compared (`search_limits::read_bytes`).
  size_t add(const observation_ptr& x);
  size_t add(const fact& x);
  size_t add(const goal& x);

  /// How close each text is to the query, by its number: in [0, 1), and 0 if neither it nor a
  /// neighbour has a word of the query. A thread has its observations in the order of their
  /// numbers, whichever memory they come from.
  std::vector<double> rank(std::string_view query) const;

private:
  size_t add(std::string text, const std::vector<std::string>& tags, timestamp at);

  shared_settings<text_config> config_;
  std::vector<observation_ptr> texts_;
  std::map<std::string, size_t, std::less<>> numbers_; // by the id of an observation
};

/// Raises ranks so that each is above those that follow it: for texts whose order is known better
/// than from their ranks. A page knows more neighbours than it answers.
void keep_order(std::vector<double>& ranks);

} // namespace scratchpage
