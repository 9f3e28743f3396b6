#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "scratchpage/messages/enum_names.hpp"
#include "scratchpage/messages/fields.hpp"

/// What waits for a person (contract 14).

namespace scratchpage {

/// What a question asks for.
enum class waiting_kind : uint8_t {
  confirm, ///< the agent says what it is about to do, and asks whether it may
  inputs,  ///< it needs something to go on
  choice,  ///< it offers something, and asks whether that is it
};

template <>
inline constexpr std::array<std::string_view, 3> enum_names<waiting_kind>{
  "confirm", "inputs", "choice"};

/// How a person's next input answered a question.
enum class answer_kind : uint8_t {
  affirmed, ///< yes
  declined, ///< no, without another wish about it
  answered, ///< it has what was asked for
  changed,  ///< something about what was asked is to be different
};

template <>
inline constexpr std::array<std::string_view, 4> enum_names<answer_kind>{
  "affirmed", "declined", "answered", "changed"};

/// A question that waits for a person.
struct waiting_question {
  std::string observation_id; ///< of the `pending_confirmation`
  waiting_kind kind = waiting_kind::inputs;
  std::string question;

  static constexpr auto fields(auto all) {
    using self = waiting_question;
    return all(required("observation_id", &self::observation_id), required("kind", &self::kind),
      required("question", &self::question));
  }
};

} // namespace scratchpage
