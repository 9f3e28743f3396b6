#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <caf/expected.hpp>

/// What a request's path and query say (RFC 3986). Strict: an escape that is none, one
/// for a zero byte and bytes that are no UTF-8 are errors that name the `field`.

namespace scratchpage::http {

/// "%41b" → "Ab".
caf::expected<std::string> percent_decode(std::string_view text, std::string_view field);

/// What is not unreserved (letters, digits, "-._~") becomes an escape.
std::string percent_encode(std::string_view text);

/// "/a/b%2Fc" → {"a", "b/c"}; "/" → {}; "/a/" → {"a", ""}. Errors name `path`.
caf::expected<std::vector<std::string>> path_segments(std::string_view path);

/// Parameters in their order, once for each time they are there.
using query_parameters = std::vector<std::pair<std::string, std::string>>;

/// "a=1&b=x+y" → {{"a", "1"}, {"b", "x y"}}; a name without "=" has the value "".
/// At most 256. Errors name the parameter if its name can be read, else `query`.
caf::expected<query_parameters> parse_query(std::string_view query);

} // namespace scratchpage::http
