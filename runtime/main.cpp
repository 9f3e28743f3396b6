#include "scratchpage/runtime/cli/command_line.hpp"

int main(int argc, char** argv) {
  return scratchpage::run_command_line(argc, argv);
}
