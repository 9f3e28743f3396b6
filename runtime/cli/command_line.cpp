#include "scratchpage/runtime/cli/command_line.hpp"

#include <ostream>

#include <CLI/CLI.hpp>

#include "scratchpage/runtime/cli/command_tree.hpp"

namespace scratchpage {

namespace {

int report_usage(const CLI::App& app, const CLI::ParseError& e, const command_environment& env) {
  auto code = app.exit(e, env.out, env.err);
  return code == 0 ? 0 : static_cast<int>(exit_code::bad_input);
}

} // namespace

int run_command_line(int argc, const char* const* argv, const command_environment& environment) {
  CLI::App app;
  command_tree commands{app};
  app.failure_message([](const CLI::App*, const CLI::Error& e) {
    return "scratchpage: " + std::string{e.what()} + "\nscratchpage: --help tells more\n";
  });
  if (argc < 2) {
    environment.err << app.help();
    return static_cast<int>(exit_code::bad_input);
  }
  try {
    app.parse(argc, argv);
    return static_cast<int>(commands.run(environment));
  } catch (const CLI::ParseError& e) {
    return report_usage(app, e, environment);
  } catch (const std::exception& e) {
    environment.err << "scratchpage: " << e.what() << '\n';
    return static_cast<int>(exit_code::unmet);
  }
}

} // namespace scratchpage
