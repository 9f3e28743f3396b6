#pragma once

#include <optional>

#include "scratchpage/runtime/net/http/message.hpp"

namespace scratchpage::serve {

/// Refuses a body that is not written in plain UTF-8: 415 about `content-encoding` if it is
/// compressed, about `content-type` if that names another charset, or is there twice. Nothing if
/// there is no body.
std::optional<http::response> refuse_content(const http::request& x);

} // namespace scratchpage::serve
