#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/messages/memory.hpp"

namespace scratchpage {

/// Whether that user said something, as themself or over a relay. `said_by` is a source in the form
/// of `said_by`.
bool is_said_by_user(std::string_view said_by, std::string_view user_id);

/// Chooses the facts that a query asks for, and puts them in order. Those that share most words
/// with the text come first (of a query for the latest: those that were seen last), then the most
/// confident, the best supported, and the first learnt.
class fact_ranking {
public:
  /// `what` has to outlive this object.
  explicit fact_ranking(const query_facts& what);

  /// Takes in a fact, which has to outlive this object. `words` are those of its statement, as
  /// `word_hashes_of` gives them.
  void look_at(uint64_t number, const fact& x, std::span<const uint64_t> words);

  /// The facts after the cursor, up to the limit. The cursor names a place in the order, so that
  /// paging repeats no fact while others are learnt. Errors: `invalid_request` for a limit outside
  /// 1 to 1000 or a cursor that no answer gave.
  caf::expected<fact_list> result();

private:
  struct place {
    uint64_t first = 0; ///< the number of shared words, or when the fact was last seen
    double confidence = 0;
    uint64_t support = 0;
    uint64_t number = 0;
  };

  struct entry {
    place at;
    const fact* known;
  };

  static bool comes_before(const place& a, const place& b);
  static std::string to_cursor(const place& x);
  static caf::expected<place> from_cursor(std::string_view cursor);
  bool is_meant(const fact& x, uint64_t shared) const;

  const query_facts& what_;
  std::vector<uint64_t> words_;
  std::string said_; ///< the text in the form in which statements are compared
  std::vector<entry> found_;
};

} // namespace scratchpage
