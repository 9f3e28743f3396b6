#include "scratchpage/runtime/cli/commands/until_option.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/cli/commands/option_reader.hpp"
#include "scratchpage/runtime/execution/wall_clock.hpp"

namespace scratchpage {

caf::expected<moment> read_until(const std::string& given) {
  constexpr auto option = "--until";
  option_reader read;
  uint64_t sequence = 0;
  const auto* end = given.data() + given.size();
  auto [stop, ec] = std::from_chars(given.data(), end, sequence);
  if (ec == std::errc{} && stop == end)
    return moment{sequence};
  std::optional<timestamp> time;
  if (std::all_of(given.begin(), given.end(), [](char c) { return c >= '0' && c <= '9'; }))
    read.refuse(option, "a sequence or a time", given);
  else
    read.time(option, given, time);
  if (time && *time > wall_clock{}.now())
    read.refuse(option, "a time that is past", given);
  if (read.error())
    return read.error();
  return moment{*time};
}

} // namespace scratchpage
