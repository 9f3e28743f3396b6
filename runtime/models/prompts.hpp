#pragma once

#include <string>

#include <caf/expected.hpp>

namespace scratchpage::models {

/// The system prompts of the daemons. They are the same for every question, so that the prompt
/// caches of providers hit, and no text of a person, a tool or the page is in them.
struct prompt_set {
  std::string router;
  std::string clarifier;
  std::string error_handler;
  std::string evaluator;
  std::string reflector;
};

/// The built-in prompts. A file `router.md`, `clarifier.md` and so on in `folder` replaces the one
/// of that daemon; "": no folder. Errors: `invalid_request` about `models.prompts` if the folder is
/// none, or a file is empty, larger than `model_limits::prompt_bytes` or not UTF-8.
caf::expected<prompt_set> read_prompts(const std::string& folder);

} // namespace scratchpage::models
