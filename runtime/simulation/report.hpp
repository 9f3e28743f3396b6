#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "scratchpage/runtime/simulation/conversation.hpp"
#include "scratchpage/runtime/simulation/player.hpp"

namespace scratchpage {

/// How large a report may become; what does not fit is counted on the page.
struct report_limits {
  size_t total_bytes = 3u << 20;          ///< of all conversations together
  size_t conversation_bytes = 256u << 10; ///< of one of them
  size_t conversations = 5000;            ///< listed at all
  size_t text_bytes = 320;                ///< of one content, input or response
  size_t detail_bytes = 160;              ///< of one trace entry's detail
};

/// Builds one self-contained HTML page of a run: its figures, and for each
/// conversation a timeline of its turns by daemon, its observations with their
/// lifetimes, its goals, and what the scratchbook showed in its prompts. The page loads nothing
/// from anywhere and draws a conversation when it is opened. Whatever was said in a conversation is
/// shown as text, never as markup.
class report {
public:
  /// `conversations`: how many will be added, by which the room is shared out.
  explicit report(size_t conversations, report_limits limits = {});

  /// Takes what the page shows of a conversation; keeps no reference.
  void add(const conversation& played, const play_result& result);

  /// The page. `title` names the run, `subtitle` says how it was made.
  std::string html(
    const std::string& title, const std::string& subtitle, const run_summary& summary) const;

private:
  report_limits limits_;
  size_t share_;                  ///< bytes for each conversation
  size_t left_out_ = 0;           ///< conversations that are not listed
  json::array index_;             ///< a row for each that is
  std::vector<std::string> data_; ///< JSON of each, safe within a script element
};

/// `text` with the characters escaped that mean something in HTML.
std::string escape_html(std::string_view text);

/// JSON text that can stand in a script element: nothing in it ends the element.
std::string escape_script(std::string_view text);

} // namespace scratchpage
