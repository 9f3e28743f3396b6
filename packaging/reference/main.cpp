// Writes what people and shells are told of the command line, as the program
// itself parses it: usage: scratchpage_reference man|bash|zsh|fish

#include <functional>
#include <iostream>
#include <map>
#include <string>

#include "scratchpage/packaging/reference/completions.hpp"
#include "scratchpage/packaging/reference/man_page.hpp"

int main(int argc, char** argv) {
  using namespace scratchpage;
  const std::map<std::string, std::function<std::string(const command_reference&)>> forms{
    {"man", man_page},
    {"bash", bash_completion},
    {"zsh", zsh_completion},
    {"fish", fish_completion},
  };
  auto form = forms.find(argc == 2 ? argv[1] : "");
  if (form == forms.end()) {
    std::cerr << "usage: scratchpage_reference man|bash|zsh|fish\n";
    return 2;
  }
  std::cout << form->second(describe_command_line());
  return std::cout.flush() ? 0 : 1;
}
