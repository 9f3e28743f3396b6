#include "scratchpage/runtime/api/draft_batch.hpp"

#include <utility>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"

namespace scratchpage {

draft_batch read_drafts(const std::vector<json::value>& drafts) {
  draft_batch result;
  result.outcomes.resize(drafts.size());
  for (size_t i = 0; i < drafts.size(); ++i) {
    if (!drafts[i].is_object()) {
      result.outcomes[i].error = fail(errc::invalid_observation, "draft", "expected an object");
      continue;
    }
    auto draft = from_json<observation_draft>(drafts[i]);
    if (draft)
      result.readable.push_back(std::move(*draft));
    else
      result.outcomes[i].error = draft.error();
  }
  return result;
}

add_outcomes outcomes_of(draft_batch all, const add_outcomes& stored) {
  auto next = stored.outcomes.begin();
  for (auto& x : all.outcomes)
    if (!x.error && next != stored.outcomes.end())
      x = *next++;
  return {std::move(all.outcomes)};
}

} // namespace scratchpage
