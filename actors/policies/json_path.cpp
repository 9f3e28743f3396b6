#include "scratchpage/actors/policies/json_path.hpp"

#include <algorithm>

namespace scratchpage {

const json::value* at_path(const json::object& in, std::string_view path) {
  const auto* object = &in;
  while (true) {
    auto dot = std::min(path.find('.'), path.size());
    const auto* value = object->if_contains(json::string_view{path.data(), dot});
    if (value == nullptr || dot == path.size())
      return value;
    object = value->if_object();
    if (object == nullptr)
      return nullptr;
    path.remove_prefix(dot + 1);
  }
}

std::string_view text_view_at(const json::object& in, std::string_view path) {
  const auto* value = at_path(in, path);
  const auto* text = value != nullptr ? value->if_string() : nullptr;
  return text != nullptr ? std::string_view{text->data(), text->size()} : std::string_view{};
}

std::string text_at(const json::object& in, std::string_view path) {
  return std::string{text_view_at(in, path)};
}

std::optional<double> number_at(const json::object& in, std::string_view path) {
  const auto* value = at_path(in, path);
  if (value == nullptr || !value->is_number())
    return std::nullopt;
  return value->to_number<double>();
}

} // namespace scratchpage
