#include "scratchpage/runtime/cli/login_name.hpp"

#include <pwd.h>
#include <unistd.h>

#include "scratchpage/messages/utf8.hpp"

namespace scratchpage {

std::string login_name() {
  const auto* entry = ::getpwuid(::geteuid());
  std::string name = entry != nullptr && entry->pw_name != nullptr ? entry->pw_name : "";
  return name.empty() || !utf8::is_valid(name) ? "user" : name;
}

} // namespace scratchpage
