#include "scratchpage/actors/memory/fact_lesson_of.hpp"

#include "scratchpage/messages/codec.hpp"

namespace scratchpage {

caf::expected<fact_lesson> fact_lesson_of(const observation& x) {
  fact_lesson result;
  if (const auto* told = x.metadata.if_contains("fact"); told != nullptr && !told->is_null()) {
    auto read = from_json<fact_lesson>(*told);
    if (!read)
      return fail(code_of(read.error()), "metadata.fact", describe(read.error()));
    result = std::move(*read);
  }
  // The Reflector says whose words a lesson is drawn from; anybody else speaks for themself.
  if (x.source.kind != source_kind::daemon || x.source.name != "reflector")
    result.sources = {said_by(x.source)};
  if (result.statement.empty())
    result.statement = x.content;
  if (result.tags.empty())
    result.tags = x.tags;
  if (result.observation_ids.empty())
    result.observation_ids = {x.observation_id};
  keep_limits(result);
  return result;
}

} // namespace scratchpage
