#pragma once

#include "scratchpage/messages/json/json.hpp"

namespace scratchpage::serve {

/// What REST offers, as OpenAPI 3.1 (https://spec.openapis.org/oas/v3.1.0).
json::object openapi_document();

} // namespace scratchpage::serve
