#include "scratchpage/runtime/cli/io/did_you_mean.hpp"

#include <algorithm>
#include <iterator>

#include "scratchpage/messages/text/near_names.hpp"

namespace scratchpage {

std::string did_you_mean(std::string_view given, const std::vector<std::string>& names) {
  std::vector<std::string> forms; // in which dashes and capitals make no difference
  std::ranges::transform(names, std::back_inserter(forms), as_member_name);
  const std::vector<std::string_view> known(forms.begin(), forms.end());
  auto near = near_names(given, known, {}, 1);
  if (near.empty())
    return {};
  auto which = std::ranges::find(known, near.front()) - known.begin();
  return "; did you mean '" + names[static_cast<size_t>(which)] + "'?";
}

} // namespace scratchpage
