#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scratchpage/runtime/simulation/conversation.hpp"
#include "scratchpage/runtime/simulation/player.hpp"

namespace scratchpage {

/// The greatest size of a report. What has no room is only counted on the page.
struct report_limits {
  size_t total_bytes = 3u << 20;          ///< of all conversations together
  size_t conversation_bytes = 256u << 10; ///< of one of them
  size_t conversations = 5000;            ///< listed at all
  size_t text_bytes = 320;                ///< of one content
  size_t detail_bytes = 160;              ///< of one trace entry's detail
  size_t said_bytes = 1600;               ///< of one input or response
  size_t entries = 40;                    ///< of each list of a turn
};

/// Makes one self-contained HTML page of a run: its figures, and for each conversation what was
/// said on both sides, what was asked and how it was answered, a timeline of its turns by daemon,
/// its observations with their lifetimes, its goals, and the scratchbook in its prompts. The page
/// loads nothing, and draws a conversation when a reader opens it. Text of a conversation is never
/// used as markup.
class report {
public:
  /// `conversations` is how many will be added; each gets an equal share of the room.
  explicit report(size_t conversations, report_limits limits = {});

  /// Adds a conversation. Keeps no reference to it.
  void add(const conversation& played, const play_result& result);

  /// Sets a section of markup that stands before the conversations; its texts are escaped already.
  void set_section(std::string markup) { section_ = std::move(markup); }

  /// The page. `title` names the run, `subtitle` says how it was made.
  std::string html(
    const std::string& title, const std::string& subtitle, const run_summary& summary) const;

private:
  report_limits limits_;
  std::string section_;
  size_t share_;                  ///< bytes for each conversation
  size_t left_out_ = 0;           ///< conversations that are not listed
  json::array index_;             ///< a row for each listed conversation
  std::vector<std::string> data_; ///< its JSON, safe within a script element
};

/// Escapes the characters of `text` that have a meaning in HTML.
std::string escape_html(std::string_view text);

/// Escapes JSON text for a script element, so that nothing in it ends the element.
std::string escape_script(std::string_view text);

} // namespace scratchpage
