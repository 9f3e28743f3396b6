#pragma once

#include <vector>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/messages/page_operations.hpp"

namespace scratchpage {

/// Drafts of which each is judged by itself (contract 3), also whether it can be read.
struct draft_batch {
  std::vector<observation_draft> readable;
  std::vector<add_outcome> outcomes; ///< of all; without an error where one is readable
};

draft_batch read_drafts(const std::vector<json::value>& drafts);

/// What became of all of them, in their order; `stored` are those of the readable.
add_outcomes outcomes_of(draft_batch all, const add_outcomes& stored);

} // namespace scratchpage
