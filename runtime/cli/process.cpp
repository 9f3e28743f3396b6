#include "scratchpage/runtime/cli/process.hpp"

#include <chrono>
#include <ext/stdio_filebuf.h>
#include <iostream>
#include <memory>

#include <fcntl.h>

#include <CLI/CLI.hpp>

#include "scratchpage/messages/type_ids.hpp"
#include "scratchpage/runtime/cli/allocator.hpp"
#include "scratchpage/runtime/cli/command_tree.hpp"
#include "scratchpage/runtime/simulation/ensemble_player.hpp"

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

int run_command_line(int argc, const char* const* argv) {
  calm_allocator();
  init_messages();
  command_environment environment{
    std::cout, std::cerr, style_of(1), style_of(2), is_terminal(2), {}, {}};
  // How long the process takes is no matter of any component's time.
  environment.now_ms = [] {
    auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double, std::milli>{now}.count();
  };
  environment.out_fd = 1;
  environment.err_fd = 2;
  environment.make_player = [] { return std::make_unique<ensemble_player>(); };
  // Not std::cin, which does not tell whether more is there already.
  __gnu_cxx::stdio_filebuf<char> input{0, std::ios::in | std::ios::binary};
  std::istream in{&input};
  if (fcntl(0, F_GETFD) != -1) { // or else 0 is the next file that is opened
    environment.in = &in;
    environment.in_fd = 0;
  }
  return run_command_line(argc, argv, environment);
}

} // namespace scratchpage
