#include "scratchpage/runtime/net/http/bearer.hpp"

#include <algorithm>

namespace scratchpage::access {

namespace {

constexpr std::string_view scheme = "bearer ";

} // namespace

std::optional<std::string_view> bearer_in(std::string_view authorization) {
  auto is_same_letter = [](char small, char given) {
    return given == small || (given >= 'A' && given <= 'Z' && given - 'A' + 'a' == small);
  };
  if (authorization.size() < scheme.size()
      || !std::equal(scheme.begin(), scheme.end(), authorization.begin(), is_same_letter))
    return std::nullopt;
  authorization.remove_prefix(scheme.size());
  authorization.remove_prefix(std::min(authorization.find_first_not_of(' '), authorization.size()));
  return authorization;
}

} // namespace scratchpage::access
