#include <chrono>
#include <ext/stdio_filebuf.h>
#include <iostream>
#include <memory>

#include <fcntl.h>

#include "scratchpage/messages/type_ids.hpp"
#include "scratchpage/runtime/allocator.hpp"
#include "scratchpage/runtime/cli/command_line.hpp"
#include "scratchpage/runtime/replay/ensemble_player.hpp"

namespace scratchpage {

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
