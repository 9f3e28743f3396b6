#pragma once

#include <string>
#include <string_view>

#include "scratchpage/messages/turn.hpp"

namespace scratchpage {

/// How urgent a text is by what it means.
struct urgency_meaning {
  double low = 1; ///< probabilities, which add up to 1
  double medium = 0;
  double high = 0;

  /// The most probable level.
  urgency level() const;

  /// Whether two levels are nearly as probable as each other.
  bool is_unsure() const;

  /// The second most probable level.
  urgency rival() const;

  /// Whether the text is about something that does not press, so that single words do not count.
  bool is_clearly_low() const;
};

/// Reads a text with the classifier `urgency`. What it quotes is left out, for it is only talked
/// about, unless hardly anything else is there. Of a text of several sentences, the most urgent
/// few in a row count.
urgency_meaning read_urgency(std::string_view text);

/// The text with an ellipsis in place of each passage in quotation marks; the text itself if it
/// says hardly anything else. Apostrophes are no quotation marks.
std::string without_quotations(std::string_view text);

} // namespace scratchpage
