#pragma once

#include <string_view>
#include <vector>

/// Requests in Chinese and Japanese that point at one thing that was listed.

namespace scratchpage {

/// Whether a text asks to do something with "that one" and names nothing.
bool is_unspaced_pointing(std::string_view input);

/// The things that `said` lists and that it may mean; none if it tells which, or if `asked`, the
/// text before, wanted something written, which it may mean instead.
std::vector<std::string_view> unspaced_things(
  std::string_view input, std::string_view asked, std::string_view said);

} // namespace scratchpage
