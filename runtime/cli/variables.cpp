#include "scratchpage/runtime/cli/variables.hpp"

#include <algorithm>
#include <string>

#include <CLI/CLI.hpp>

#include "scratchpage/messages/error.hpp"

namespace scratchpage {

namespace {

class variable_reader {
public:
  variable_reader(CLI::App& command, command_environment& environment)
    : command_{command},
      environment_{environment} {}

  caf::error read() {
    if (!is_given("--agent"))
      set("--agent", agent_variable);
    if (has("--server"))
      return read_place();
    if (has("--data") && !is_given("--data"))
      set("--data", data_variable);
    return {};
  }

private:
  /// A directory or a server.
  caf::error read_place() {
    auto server = value_of(server_variable);
    auto data = value_of(data_variable);
    auto is_directory = is_given("--data") || is_given("--config");
    if (is_given("--server") || is_directory) {
      if (!is_given("--data") && is_directory)
        set("--data", data_variable);
    } else if (!server.empty() && !data.empty()) {
      return fail(errc::invalid_request, server_variable,
        std::string{"expected only one of it and "} + data_variable
          + "; unset one of them, or give --server or --data");
    } else {
      set("--server", server_variable);
      set("--data", data_variable);
    }
    auto has_server = is_given("--server") || (!server.empty() && !is_directory);
    if (is_given("--ca") && !has_server)
      return fail(errc::invalid_request, "--ca",
        std::string{"expected --server or "} + server_variable + " beside it");
    return {};
  }

  bool has(const char* option) const { return command_.get_option_no_throw(option) != nullptr; }

  bool is_given(const char* option) const {
    const auto* found = command_.get_option_no_throw(option);
    return found != nullptr && found->count() > 0 && !comes_from_variable(option);
  }

  bool comes_from_variable(const char* option) const {
    const auto& all = environment_.from_variables;
    return std::any_of(all.begin(), all.end(), [&](const auto& x) { return x.first == option; });
  }

  std::string value_of(const char* variable) const {
    return environment_.variable ? environment_.variable(variable) : "";
  }

  void set(const char* option, const char* variable) {
    auto value = value_of(variable);
    auto* found = command_.get_option_no_throw(option);
    if (found == nullptr || value.empty())
      return;
    found->add_result(value);
    found->run_callback();
    environment_.from_variables.emplace_back(option, variable);
  }

  CLI::App& command_;
  command_environment& environment_;
};

} // namespace

caf::error take_variables(CLI::App& command, command_environment& environment) {
  return variable_reader{command, environment}.read();
}

} // namespace scratchpage
