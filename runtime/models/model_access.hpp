#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include <caf/error.hpp>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/runtime/models/endpoint.hpp"
#include "scratchpage/runtime/models/model_config.hpp"
#include "scratchpage/runtime/models/model_metrics.hpp"
#include "scratchpage/runtime/models/prompts.hpp"
#include "scratchpage/runtime/models/reply_store.hpp"

namespace scratchpage::models {

/// What an agent needs beside the configuration to ask a model. Empty members are made by
/// `complete`.
struct model_access {
  /// Null: replies come from `replies` alone, and questions without one are `not_recorded`. Of one
  /// agent: the end of the agent stops it.
  std::shared_ptr<models::endpoint> endpoint = {};
  std::shared_ptr<reply_store> replies = {}; ///< null: replies are not kept
  bool replays = false;                      ///< nothing is asked that `replies` does not have
  std::shared_ptr<model_metrics> metrics = {};
  std::shared_ptr<const prompt_set> prompts = {};
  /// Makes the `traceparent` of a request, whose trace entry is the given one; empty: none.
  std::function<std::string(const std::string& turn_id, span_id cause)> traceparent = {};
};

/// Reads the prompts, and, unless replies are only replayed, the key, and makes the endpoint. Does
/// nothing if no daemon asks a model. Errors: `invalid_request` about a member of `models`.
caf::error complete(model_access& x, const model_config& with, const variable_reader& variables);

} // namespace scratchpage::models
