#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <caf/expected.hpp>

/// Reads the path and the query of a request (RFC 3986). Invalid escapes, zero bytes and invalid
/// UTF-8 are errors that name the `field`.

namespace scratchpage::http {

/// "%41b" → "Ab".
caf::expected<std::string> percent_decode(std::string_view text, std::string_view field);

/// Escapes all characters but letters, digits and "-._~".
std::string percent_encode(std::string_view text);

/// "/a/b%2Fc" → {"a", "b/c"}; "/" → {}; "/a/" → {"a", ""}. Errors name `path`.
caf::expected<std::vector<std::string>> path_segments(std::string_view path);

/// Names and values in the order of the query; a name may occur more than once.
using query_parameters = std::vector<std::pair<std::string, std::string>>;

/// "a=1&b=x+y" → {{"a", "1"}, {"b", "x y"}}; a name without "=" has the value "".
/// At most 256. Errors name the parameter if its name can be read, else `query`.
caf::expected<query_parameters> parse_query(std::string_view query);

} // namespace scratchpage::http
