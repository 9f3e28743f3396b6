#pragma once

#include <string_view>

#include <caf/error.hpp>
#include <caf/expected.hpp>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/json/json.hpp"

/// Errors about arguments say all that a caller needs to call again rightly, because a model that
/// calls a tool has often seen nothing else.

namespace scratchpage {

/// The error of the reader of `arguments`, and where the value belongs, an example of the member,
/// and the value that was probably meant. Of the arguments only names of members are repeated.
caf::error with_help(
  const caf::error& why, std::string_view operation, const json::value& arguments);

/// The error for tags in one text with commas, which would be one tag; none if that is not so.
/// `code` is that of malformed arguments.
caf::error check_tags_in_text(errc code, const json::value& arguments);

/// Reads the arguments of an operation. Unknown members are errors.
template <class T>
caf::expected<T> read_arguments(std::string_view operation, const json::value& arguments) {
  auto result = from_json<T>(arguments);
  if (!result)
    return with_help(result.error(), operation, arguments);
  if (auto err = check_tags_in_text(refusal<T>::malformed, arguments))
    return err;
  return result;
}

} // namespace scratchpage
