#pragma once

#include <deque>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "scratchpage/actors/policies/fact_reading.hpp"
#include "scratchpage/actors/policies/statement_frames.hpp"

namespace scratchpage {

struct told_facts_limits {
  static constexpr size_t facts = 256; ///< that are remembered; then the oldest is dropped
};

/// The facts that were told, to recognise what corrects, contradicts or repeats one: "dinner at
/// eight from now on", "aisle, as always". What takes the place of a fact has to be about the same:
/// `statement_frames.hpp` tells that. It knows those that were told since the program started.
class told_facts {
public:
  /// The facts of a text. One that corrects an earlier fact of that speaker has the attribute of
  /// the earlier one, so that it ends it; a text that repeats a fact has that one instead.
  std::vector<stated_fact> read(std::string_view text, const std::string& speaker);

  /// Gives what daemons and tools have noted down the attribute of what it contradicts, and
  /// remembers it.
  void settle(stated_fact& x, const std::string& speaker);

  /// The speaker of what daemons have noted down: nobody's own words.
  static constexpr const char* notes_of_others = "others";

  /// A fact as it was told.
  struct told_fact {
    std::string speaker;
    stated_fact fact;
  };

  /// All facts, the oldest first. They are forgotten here.
  std::vector<told_fact> take();
  void restore(std::vector<told_fact> facts);

  size_t size() const { return told_.size(); }
  size_t kept_bytes() const;

private:
  struct entry {
    std::string speaker;
    stated_fact fact;
    std::set<std::string> stems;
    statement_frame frame;
  };

  std::string with_subject(std::string_view text, const std::string& speaker) const;
  static bool may_correct(const entry& x, const std::string& speaker);
  entry* nearest(const std::set<std::string>& stems, const std::string& speaker);
  void name_as_before(stated_fact& x, const std::string& speaker) const;
  entry* contradicted(const statement_frame& x, const std::string& speaker);
  entry* replaced(const statement_frame& x, const std::string& speaker, bool is_strong);
  entry* mentioned(std::string_view text, const std::string& speaker);
  std::optional<stated_fact> exchanged(std::string_view text, const std::string& speaker);
  std::optional<stated_fact> with_other_value(
    std::string_view text, const std::string& speaker) const;
  void correct(std::string_view text, const std::string& speaker, std::vector<stated_fact>& facts);
  void leave_out_endings(const std::string& speaker, std::vector<stated_fact>& facts);
  void note(const std::string& speaker, const stated_fact& x);

  std::deque<entry> told_; // the latest last
};

} // namespace scratchpage
