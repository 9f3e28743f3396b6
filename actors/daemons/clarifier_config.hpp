#pragma once

#include <cstdint>

#include "scratchpage/messages/fields.hpp"

namespace scratchpage {

struct clarifier_config {
  /// A question that an agent asked in a response is given up after so many inputs of its person
  /// that do not speak to it.
  uint32_t give_up_after_turns = 5;

  static constexpr auto fields(auto all) {
    return all(optional("give_up_after_turns", &clarifier_config::give_up_after_turns));
  }
};

} // namespace scratchpage
