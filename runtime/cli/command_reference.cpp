#include "scratchpage/runtime/cli/command_reference.hpp"

#include <utility>

#include <CLI/CLI.hpp>

#include "scratchpage/runtime/cli/command_tree.hpp"
#include "scratchpage/runtime/cli/commands/option_choices.hpp"

namespace scratchpage {

namespace {

option_reference describe_option(const CLI::Option& x) {
  option_reference result;
  result.is_positional = x.nonpositional() ? false : x.get_positional();
  if (result.is_positional)
    result.names.push_back(x.get_name(true));
  for (const auto& name : x.get_snames())
    result.names.push_back("-" + name);
  for (const auto& name : x.get_lnames())
    result.names.push_back("--" + name);
  if (x.get_items_expected_max() > 0)
    result.value = result.is_positional ? result.names.front() : x.get_type_name();
  result.about = x.get_description();
  result.by_default = x.get_default_str();
  result.is_required = x.get_required();
  result.is_repeatable = x.get_items_expected_max() > 1;
  result.choices = choices_of(x);
  return result;
}

} // namespace

command_reference describe(const CLI::App& x) {
  command_reference result{x.get_name(), x.get_description(), {}, {}};
  for (const auto* option : x.get_options())
    result.options.push_back(describe_option(*option));
  for (const auto* command : x.get_subcommands([](const CLI::App*) { return true; }))
    result.commands.push_back(describe(*command));
  return result;
}

command_reference describe_command_line() {
  CLI::App app;
  command_tree commands{app};
  return describe(std::as_const(app));
}

value_kind kind_of(const option_reference& x) {
  if (x.value.empty())
    return value_kind::none;
  if (x.names.back() == "--agent")
    return value_kind::agent;
  if (x.value.starts_with("FILE") || x.value == "INPUT")
    return value_kind::file;
  return x.value.starts_with("DIR") ? value_kind::directory : value_kind::text;
}

} // namespace scratchpage
