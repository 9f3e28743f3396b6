#pragma once

#include <cstdint>
#include <string>

#include "scratchpage/actors/tools/tool_definition.hpp"
#include "scratchpage/messages/fields.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/messages/text/token_estimate.hpp"

namespace scratchpage {

/// A part of a stored text, as a model reads it.
struct text_page {
  std::string text;
  uint64_t next = 0; ///< where the next part begins; 0: this was the last
  uint64_t size = 0; ///< bytes of the whole

  static constexpr auto fields(auto all) {
    using self = text_page;
    return all(
      required("text", &self::text), optional("next", &self::next), required("size", &self::size));
  }
};

/// The page that begins at `offset` of a text, of which `part` is what follows
/// there: whole characters, so many that the page as JSON costs at most `most`
/// tokens; one at least, so that reading gets on.
text_page page_of(std::string_view part, uint64_t offset, uint64_t size, uint32_t most,
  const token_counter& count = estimate_tokens);

/// What the tool `read_back {path, offset}` needs.
struct read_back_setup {
  file_keeper_actor files;
  uint32_t page_tokens; ///< what an answer may cost: less than what is evicted again
  token_counter count = estimate_tokens;
};

/// The tool by which a model reads what has left its conversation, in pages: the
/// history and the long texts of the caller's thread, and no other file.
tool_definition read_back_tool(read_back_setup setup);

/// The READ BACK tool.
class read_back_state {
public:
  using handle = tool_actor;
  static constexpr const char* name = "read_back";

  read_back_state(handle::pointer self, read_back_setup setup)
    : self_{self},
      setup_{std::move(setup)} {}

  handle::behavior_type make_behavior();

private:
  caf::result<tool_response> read(const tool_request& request);

  handle::pointer self_;
  read_back_setup setup_;
};

} // namespace scratchpage
