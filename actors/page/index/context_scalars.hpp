#pragma once

#include <string>
#include <string_view>

#include "scratchpage/messages/json/json.hpp"

namespace scratchpage {

/// The one spelling of a scalar by which it is indexed and compared: equal
/// numbers are spelled alike whatever their representation (1 and 1.0), values
/// of different kinds never are. Writes to `out`; false for lists and objects.
bool spell_scalar(const json::value& value, std::string& out);

/// Walks the scalars of an observation's `context` (contract 3, "Filter").
/// Objects are entered, lists are not: a list is not a scalar and its elements
/// have no dotted path.
class context_scalars {
public:
  /// Calls `f(path, spelling)` for each until it returns false, and then stops;
  /// both are valid during the call only.
  template <class F>
  bool for_each(const json::object& context, F&& f) {
    auto length = path_.size();
    for (const auto& [key, value] : context) {
      path_.append(length == 0 ? "" : ".").append(key.data(), key.size());
      auto go_on = true;
      if (value.is_object())
        go_on = for_each(value.get_object(), f);
      else if (spell_scalar(value, spelling_))
        go_on = f(std::string_view{path_}, std::string_view{spelling_});
      path_.resize(length);
      if (!go_on)
        return false;
    }
    return true;
  }

private:
  std::string path_;
  std::string spelling_;
};

} // namespace scratchpage
