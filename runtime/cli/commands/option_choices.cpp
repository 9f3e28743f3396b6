#include "scratchpage/runtime/cli/commands/option_choices.hpp"

#include <sstream>

#include <CLI/CLI.hpp>

namespace scratchpage {

namespace {

/// CLI11 has no place for further data of an option, but names for its validators. This one accepts
/// every value, and its name, which is never shown, lists the choices.
constexpr std::string_view beginning = "choices:";

} // namespace

CLI::Option* offer_choices(CLI::Option* option, const std::vector<std::string>& names) {
  std::string list{beginning};
  for (const auto& name : names)
    list += name + "|";
  auto accept = [](std::string&) { return std::string{}; };
  return option->check(CLI::Validator{accept, "", list});
}

std::vector<std::string> choices_of(const CLI::Option& option) {
  std::vector<std::string> result;
  auto& all = const_cast<CLI::Option&>(option); // CLI11 gives validators of options to change only
  try {
    for (int i = 0;; ++i) { // until there is no such validator
      auto name = all.get_validator(i)->get_name();
      if (!name.starts_with(beginning))
        continue;
      std::istringstream names{name.substr(beginning.size())};
      for (std::string one; std::getline(names, one, '|');)
        result.push_back(one);
    }
  } catch (const CLI::OptionNotFound&) {
    return result;
  }
}

} // namespace scratchpage
