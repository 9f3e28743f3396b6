// Writes the manual page, or the completions of a shell, from the definitions by which the
// program parses its command line.
//
// usage: scratchpage_reference man|bash|zsh|fish

#include <functional>
#include <iostream>
#include <map>
#include <string>

#include "scratchpage/packaging/reference/reference_forms.hpp"

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
