#pragma once

#include <utility>

#include <caf/error.hpp>
#include <caf/expected.hpp>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/page_operations.hpp"

/// What operations answer, as JSON and back.

namespace scratchpage {

template <class T>
json::value to_result(const T& x) {
  return to_json(x);
}

/// The observation itself, and what was put right on the way.
json::value to_result(const receipt& x);
json::value to_result(const add_outcomes& x);

/// The reverse of `to_result`. An answer that cannot be read is `internal`.
template <class T>
caf::expected<T> read_answer(json::value x) {
  return from_json<T>(x);
}

/// Null where there is none.
template <>
caf::expected<observation_ptr> read_answer(json::value x);

template <>
caf::expected<receipt> read_answer(json::value x);

template <>
caf::expected<add_outcomes> read_answer(json::value x);

/// The reverse of `to_json` of an error; never no error.
caf::error read_error(const json::value& x);

} // namespace scratchpage
