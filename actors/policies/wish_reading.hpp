#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace scratchpage {

/// Something that a person wants and that takes more than the answer at hand.
struct wish {
  std::string title; ///< as a person would write it on a list: "Table for 2 at Sino, 11:30"
  std::string topic; ///< the stems of what is wanted, without its details; equal for equal wishes
};

/// What an input says about wishes.
struct wish_reading {
  std::vector<wish> wishes; ///< new ones, in the order of the input
  bool drops = false;       ///< it gives up what was wanted
  bool says_done = false;   ///< it says that what was wanted is done
  bool is_question = false; ///< it asks for something that an answer satisfies
  bool drops_all = false;   ///< it gives up all of it: "I won't make any changes for now"
};

/// Reads an input. `asked` is whether a question to this person is open, and `before` is the
/// agent's last response in the thread, "" if there is none.
wish_reading read_wishes(std::string_view input, std::string_view before, bool asked);

} // namespace scratchpage
