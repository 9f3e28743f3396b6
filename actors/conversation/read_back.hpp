#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "scratchpage/actors/tools/tool_definition.hpp"
#include "scratchpage/messages/fields.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/messages/text/tokens.hpp"

namespace scratchpage {

/// The largest number up to `max` for which `fits` holds; 0 if it holds for none. If it holds for a
/// number, it has to hold for all smaller ones.
template <class F>
size_t largest_that_fits(size_t max, F fits) {
  size_t low = 0;
  while (low < max) {
    auto middle = low + (max - low + 1) / 2;
    if (fits(middle))
      low = middle;
    else
      max = middle - 1;
  }
  return low;
}

/// Replaces a text that is too long for a prompt and was moved to a file: the file's path and size,
/// and as much of the text's beginning and end as fits into `max_tokens`. If not even the path and
/// size fit, it is as much of the path as fits.
std::string preview_of(
  std::string_view text, std::string_view path, uint32_t max_tokens, const token_counter& count);

/// A part of a stored text, as a model reads it.
struct text_page {
  std::string text;
  uint64_t next = 0; ///< offset of the next part; 0 if this is the last
  uint64_t size = 0; ///< bytes of the whole text

  static constexpr auto fields(auto all) {
    using self = text_page;
    return all(
      required("text", &self::text), optional("next", &self::next), required("size", &self::size));
  }
};

/// The page at `offset` of a text of `size` bytes; `part` is the text from there on. The page has
/// whole characters, at least one, and as many as fit into `max_tokens` of JSON.
text_page page_of(std::string_view part, uint64_t offset, uint64_t size, uint32_t max_tokens,
  const token_counter& count = estimate_tokens);

/// What the tool `read_back {path, offset}` needs.
struct read_back_setup {
  file_keeper_actor files;
  uint32_t page_tokens; ///< limit of an answer, below the limit from which texts are evicted
  token_counter count = estimate_tokens;
};

/// The tool with which a model reads offloaded messages and texts in pages. It reads the files of
/// the caller's thread and no others.
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
