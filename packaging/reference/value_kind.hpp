#pragma once

#include "scratchpage/runtime/cli/command_reference.hpp"

namespace scratchpage {

/// What stands in the place of an option's value.
enum class value_kind { none, text, file, directory };

inline value_kind kind_of(const option_reference& x) {
  if (x.value.empty())
    return value_kind::none;
  if (x.value.starts_with("FILE") || x.value == "INPUT")
    return value_kind::file;
  return x.value.starts_with("DIR") ? value_kind::directory : value_kind::text;
}

} // namespace scratchpage
