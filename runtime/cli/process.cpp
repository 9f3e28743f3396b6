#include "scratchpage/runtime/cli/process.hpp"

#include <chrono>
#include <cstdlib> // defines __GLIBC__ with glibc
#include <ext/stdio_filebuf.h>
#include <iostream>
#include <memory>

#include <fcntl.h>

#include <CLI/CLI.hpp>

#include "scratchpage/messages/type_ids.hpp"
#include "scratchpage/runtime/cli/command_tree.hpp"
#include "scratchpage/runtime/cli/usage_advice.hpp"
#include "scratchpage/runtime/simulation/player.hpp"

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace scratchpage {

namespace {

/// The variable of the environment of this process.
std::string own_variable(const char* name) {
  const auto* value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): nothing sets any
  return value == nullptr ? "" : value;
}

} // namespace

void calm_allocator() {
#ifdef __GLIBC__
  constexpr int half_a_gib = 1 << 29;
  // NOLINTBEGIN(concurrency-mt-unsafe): before there are threads
  mallopt(M_MXFAST, 0); // the per-thread cache still serves small blocks
  mallopt(M_TRIM_THRESHOLD, half_a_gib);
  // NOLINTEND(concurrency-mt-unsafe)
#endif
}

int run_command_line(int argc, const char* const* argv, const command_environment& environment) {
  CLI::App app;
  command_tree commands{app};
  if (argc < 2) {
    environment.err << app.help();
    return static_cast<int>(exit_code::bad_input);
  }
  try {
    app.parse(argc, argv);
    return static_cast<int>(commands.run(environment));
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) // it asks for help, or for the version
      return app.exit(e, environment.out, environment.err);
    environment.err << usage_advice(app, argc, argv, e);
    return static_cast<int>(exit_code::bad_input);
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
  // Measures the process itself, so it is independent of the components' clocks.
  environment.now_ms = [] {
    auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double, std::milli>{now}.count();
  };
  environment.out_fd = 1;
  environment.err_fd = 2;
  environment.variable = own_variable;
  environment.make_player = [] { return std::make_unique<ensemble_player>(); };
  // std::cin cannot tell whether more input is available.
  __gnu_cxx::stdio_filebuf<char> input{0, std::ios::in | std::ios::binary};
  std::istream in{&input};
  if (fcntl(0, F_GETFD) != -1) { // otherwise the next file that is opened gets descriptor 0
    environment.in = &in;
    environment.in_fd = 0;
  }
  return run_command_line(argc, argv, environment);
}

} // namespace scratchpage
