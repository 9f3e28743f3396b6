#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <caf/error.hpp>
#include <caf/is_error_code_enum.hpp>

#include "scratchpage/messages/enum_names.hpp"
#include "scratchpage/messages/type_ids.hpp"

namespace scratchpage {

/// Why an operation was refused (contract 4). The values are frozen: nodes
/// exchange them, and edges map them to JSON-RPC codes.
enum class errc : uint8_t {
  none = 0,                ///< no error; never sent as one
  invalid_observation = 1, ///< a draft breaks a rule of contract 1
  unknown_type = 2,        ///< the type is not in the page's registry
  immutable_field = 3,     ///< a change names a field that callers may not change
  invalid_transition = 4,  ///< the lifecycle has no such step (contract 2)
  not_found = 5,           ///< no such observation, goal, action, turn or tool
  conflict = 6,            ///< `expected_revision` is not the current one
  forbidden = 7,           ///< the caller's role does not allow it
  unauthenticated = 8,     ///< the caller has not proved who it is
  storage_unavailable = 9, ///< the journal could not take the change; nothing changed
  deadline_exceeded = 10,  ///< time ran out before there was an answer
  overloaded = 11,         ///< a bound was reached; nothing changed
  invalid_request = 12,    ///< the request itself is malformed
  internal = 13,           ///< a defect of this program
};

template <>
inline constexpr std::array<std::string_view, 14> enum_names<errc>{"none", "invalid_observation",
  "unknown_type", "immutable_field", "invalid_transition", "not_found", "conflict", "forbidden",
  "unauthenticated", "storage_unavailable", "deadline_exceeded", "overloaded", "invalid_request",
  "internal"};

/// Makes an error that names the offending `field` ("" if none) and says what
/// was `expected` instead.
caf::error fail(errc code, std::string_view field, std::string_view expected);

/// The field that `err` names, or "".
std::string field_of(const caf::error& err);

/// The error in one sentence for people: code, field and what was expected. It also describes CAF's
/// own errors, such as a timeout or a lost connection.
std::string describe(const caf::error& err);

/// The errc that best names `err`: its own, `none` if there is no error, `deadline_exceeded` for a
/// CAF timeout, `internal` for everything else.
errc code_of(const caf::error& err);

} // namespace scratchpage

CAF_ERROR_CODE_ENUM(scratchpage::errc)
