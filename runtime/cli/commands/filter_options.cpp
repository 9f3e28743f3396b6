#include "scratchpage/runtime/cli/commands/filter_options.hpp"

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/query_limit.hpp"
#include "scratchpage/runtime/cli/commands/option_reader.hpp"

namespace scratchpage {

caf::expected<observation_filter> read_filter(const filter_options& x) {
  observation_filter result;
  option_reader read;
  constexpr auto confidence = "a number in [0, 1]";
  read.texts("--type", x.type, result.type)
    .names("--status", x.status, result.status)
    .texts("--tag", x.tag, result.tags)
    .texts("--source", x.source, result.source)
    .texts("--owner", x.owner, result.owner)
    .number("--min-confidence", x.min_confidence, result.min_confidence, confidence)
    .scalars("--where", x.where, result.context)
    .text("--turn", x.turn, result.turn_id)
    .time("--after", x.after, result.created_after)
    .time("--before", x.before, result.created_before);
  if (auto least = result.min_confidence; least && !(*least >= 0 && *least <= 1))
    read.refuse("--min-confidence", confidence, x.min_confidence);
  if (read.error())
    return read.error();
  return result;
}

caf::expected<paging> read_paging(const paging_options& x) {
  paging result;
  option_reader read;
  read.whole_number("--limit", x.limit, result.limit).text("--cursor", x.cursor, result.cursor);
  if (check_limit(result.limit))
    read.refuse("--limit", "1 to 1000", x.limit);
  if (read.error())
    return read.error();
  return result;
}

} // namespace scratchpage
