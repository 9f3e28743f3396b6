#pragma once

#include <optional>
#include <string_view>

#include "scratchpage/actors/policies/decisions.hpp"

/// What the text of an error says by itself, as tools, shells, databases, services, languages and
/// devices print it. Certain signs come first, the classifier `failure` decides about the rest.

namespace scratchpage {

/// The class that a code in the text names: an HTTP status, an errno name, a gRPC code, an
/// SQLSTATE, the name of an exception, a code of a cloud's service. A number that only looks like a
/// status ("expected 400 rows but got 503") is none.
std::optional<error_class> class_by_code(std::string_view error);

/// The class that a phrase of the text names, in any of the supported languages.
std::optional<error_class> class_by_phrase(std::string_view error);

/// The class that a word names which is said of many things: "missing", "must be".
std::optional<error_class> class_by_hint(std::string_view error);

/// The class of an error: by its codes, by its phrases, by the classifier if it is certain, and
/// else by its hints. `other` if the text tells nothing.
error_class read_error(std::string_view error);

/// Whether the text leaves open whether the call was done: the connection was lost or nobody
/// answered while the call was at work. A call that was turned away was not done.
bool leaves_outcome_open(std::string_view error, error_class kind);

} // namespace scratchpage
