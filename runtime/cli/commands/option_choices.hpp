#pragma once

#include <string>
#include <vector>

#include "scratchpage/messages/enum_names.hpp"

namespace CLI {
class Option;
} // namespace CLI

namespace scratchpage {

/// Notes which values an option may have, for the completions of shells. The command checks its
/// values itself.
CLI::Option* offer_choices(CLI::Option* option, const std::vector<std::string>& names);

/// As above, with the names of an enumeration.
template <named_enum E>
CLI::Option* offer_names(CLI::Option* option) {
  return offer_choices(
    option, std::vector<std::string>(enum_names<E>.begin(), enum_names<E>.end()));
}

/// The values that were noted; empty: any.
std::vector<std::string> choices_of(const CLI::Option& option);

} // namespace scratchpage
