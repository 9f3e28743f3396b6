#pragma once

#include <string_view>

#include <caf/error.hpp>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/messages/page_operations.hpp"
#include "scratchpage/runtime/api/fact_notes.hpp"
#include "scratchpage/runtime/api/goal_notes.hpp"
#include "scratchpage/runtime/api/json_schema.hpp"
#include "scratchpage/runtime/api/memory_notes.hpp"
#include "scratchpage/runtime/api/operation_list.hpp"
#include "scratchpage/runtime/api/page_notes.hpp"
#include "scratchpage/runtime/api/remember_notes.hpp"
#include "scratchpage/runtime/api/turn_notes.hpp"

/// The schemas of the arguments and answers of operations. Code that makes such a schema includes
/// this header, so that every schema has all notes.

namespace scratchpage {

/// The schema of an error.
json::object schema_of_error();

/// The schema of `{"error": …}`, the answer to a refused request. A reference if `names` is not
/// null.
json::object schema_of_refusal(named_schemas* names);

namespace detail {

/// The observation, and the warnings.
template <>
struct schema_of<receipt> {
  static json::object make(const schema_form& form);
};

/// For each draft the stored observation, or the error.
template <>
struct schema_of<add_outcomes> {
  static json::object make(const schema_form& form);
};

} // namespace detail

template <class T>
argument_type argument_type_of() {
  return {notes<T>::name,
    [](named_schemas* names) {
      return detail::schema_of<T>::whole({members::closed, names});
    },
    [] { return detail::schema_for_models<T>({}); }, [] { return detail::example_object<T>(); },
    [](const json::value& x) {
      auto read = from_json<T>(x);
      return read ? caf::error{} : read.error();
    },
    has_member<T>(argument_type::traceparent)};
}

template <class T>
answer_type answer_type_of() {
  return [](named_schemas* names) { return detail::schema_for<T>({members::open, names}); };
}

template <>
answer_type answer_type_of<void>();

/// The observation, or null.
template <>
answer_type answer_type_of<observation_ptr>();

} // namespace scratchpage
