#include "scratchpage/runtime/models/model_access.hpp"

#include <utility>

#include "scratchpage/messages/error.hpp"

namespace scratchpage::models {

namespace {

caf::error make_endpoint(
  model_access& x, const model_config& with, const variable_reader& variables) {
  if (with.address.empty())
    return fail(errc::invalid_request, "models.address",
      "expected the address of an endpoint, since a daemon asks a model");
  auto key = read_key(with, variables);
  if (!key)
    return key.error();
  x.endpoint = std::make_shared<http_endpoint>(with, std::move(*key));
  return {};
}

} // namespace

caf::error complete(model_access& x, const model_config& with, const variable_reader& variables) {
  if (!with.is_used())
    return {};
  if (!x.prompts) {
    auto prompts = read_prompts(with.prompts);
    if (!prompts)
      return prompts.error();
    x.prompts = std::make_shared<const prompt_set>(std::move(*prompts));
  }
  return x.endpoint || x.replays ? caf::error{} : make_endpoint(x, with, variables);
}

} // namespace scratchpage::models
