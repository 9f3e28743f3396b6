#include "scratchpage/runtime/cli/io/did_you_mean.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "scratchpage/messages/text/near_names.hpp"

namespace scratchpage {

namespace {

constexpr std::string_view removing = "forget revoke";

/// What commands are called elsewhere.
constexpr std::array commands{
  other_name{"backup", "checkpoint"},
  other_name{"delete", removing},
  other_name{"dump", "export"},
  other_name{"find", "query"},
  other_name{"follow", "tail"},
  other_name{"list", "query read"},
  other_name{"load", "import"},
  other_name{"ls", "query list read"},
  other_name{"memory", "facts"},
  other_name{"new", "add"},
  other_name{"note", "scratch add"},
  other_name{"put", "add"},
  other_name{"remember", "facts add"},
  other_name{"remove", removing},
  other_name{"rm", removing},
  other_name{"save", "checkpoint"},
  other_name{"search", "query"},
  other_name{"server", "serve"},
  other_name{"show", "get read"},
  other_name{"start", "serve"},
  other_name{"stats", "top"},
  other_name{"status", "top"},
  other_name{"threads", "scratch"},
  other_name{"todo", "scratch add"},
  other_name{"tokens", "token"},
  other_name{"watch", "tail"},
};

} // namespace

std::string did_you_mean(std::string_view given, const std::vector<std::string>& names) {
  std::vector<std::string> forms; // in which dashes and capitals make no difference
  std::ranges::transform(names, std::back_inserter(forms), as_member_name);
  const std::vector<std::string_view> known(forms.begin(), forms.end());
  auto near = near_names(given, known, commands, 1);
  if (near.empty())
    return {};
  auto which = std::ranges::find(known, near.front()) - known.begin();
  return "; did you mean '" + names[static_cast<size_t>(which)] + "'?";
}

} // namespace scratchpage
