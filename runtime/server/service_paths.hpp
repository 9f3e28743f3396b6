#pragma once

#include "scratchpage/messages/json/json.hpp"

namespace scratchpage::serve {

/// What `service` answers beside the routes of REST, as OpenAPI's paths; without the
/// parameters that come from schemas (openapi.cpp).
json::object service_paths();

} // namespace scratchpage::serve
