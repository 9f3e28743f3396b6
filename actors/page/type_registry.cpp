#include "scratchpage/actors/page/type_registry.hpp"

#include <algorithm>

#include "scratchpage/messages/error.hpp"

namespace scratchpage {

namespace {

constexpr size_t max_length = 64;
constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz";
constexpr std::string_view others = "abcdefghijklmnopqrstuvwxyz0123456789_";

} // namespace

type_registry::type_registry(const std::vector<std::string>& types) {
  for (const auto& type : types)
    if (is_well_formed(type))
      types_.push_back(type);
  std::sort(types_.begin(), types_.end());
  types_.erase(std::unique(types_.begin(), types_.end()), types_.end());
}

bool type_registry::knows(std::string_view type) const {
  return std::binary_search(types_.begin(), types_.end(), type);
}

caf::error type_registry::check(std::string_view type) {
  if (is_well_formed(type))
    return {};
  return fail(errc::invalid_request, "type",
    "expected a lower-case letter, then at most 63 letters, digits or underscores");
}

caf::error type_registry::add(std::string_view type) {
  if (auto err = check(type))
    return err;
  auto i = std::lower_bound(types_.begin(), types_.end(), type);
  if (i == types_.end() || *i != type)
    types_.insert(i, std::string{type});
  return {};
}

caf::error type_registry::unknown(std::string_view type) const {
  std::string expected =
    "'" + std::string{type.substr(0, max_length)} + "' is not registered; known are";
  for (const auto& known : types_)
    expected.append(&known == &types_.front() ? " " : ", ").append(known);
  return fail(errc::unknown_type, "type", expected);
}

bool type_registry::is_well_formed(std::string_view type) {
  return !type.empty() && type.size() <= max_length
         && letters.find(type.front()) != std::string_view::npos
         && type.find_first_not_of(others) == std::string_view::npos;
}

} // namespace scratchpage
