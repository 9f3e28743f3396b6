#include "scratchpage/runtime/cli/io/login_name.hpp"

#include <array>

#include <pwd.h>
#include <unistd.h>

#include "scratchpage/messages/principal_name.hpp"

namespace scratchpage {

std::string login_name() {
  passwd entry{};
  passwd* found = nullptr;
  std::array<char, 4096> texts{};
  std::string name;
  if (::getpwuid_r(::geteuid(), &entry, texts.data(), texts.size(), &found) == 0
      && found != nullptr)
    name = found->pw_name;
  return !is_plain_name(name) || looks_like_component(name) ? "user" : name;
}

} // namespace scratchpage
