#include "scratchpage/runtime/cli/login_name.hpp"

#include <array>

#include <pwd.h>
#include <unistd.h>

#include "scratchpage/messages/utf8.hpp"

namespace scratchpage {

std::string login_name() {
  passwd entry{};
  passwd* found = nullptr;
  std::array<char, 4096> texts{};
  std::string name;
  if (::getpwuid_r(::geteuid(), &entry, texts.data(), texts.size(), &found) == 0
      && found != nullptr)
    name = found->pw_name;
  return name.empty() || !utf8::is_valid(name) ? "user" : name;
}

} // namespace scratchpage
