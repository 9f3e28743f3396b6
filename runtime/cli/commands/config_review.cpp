#include "scratchpage/runtime/cli/commands/config_review.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <string_view>
#include <utility>
#include <variant>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/input_text.hpp"

namespace scratchpage {

namespace {

using config_step = std::variant<std::string, size_t>; // a member, or an element

/// The steps of a path such as page.types[2].
std::vector<config_step> steps_of(std::string_view path) {
  std::vector<config_step> result;
  while (!path.empty()) {
    auto end = std::min(path.find_first_of(".[", 1), path.size());
    auto part = path.substr(0, end);
    path.remove_prefix(end);
    if (path.starts_with('.'))
      path.remove_prefix(1);
    size_t index = 0;
    if (part.starts_with('[')
        && std::from_chars(part.data() + 1, part.data() + part.size(), index).ec == std::errc{})
      result.emplace_back(index);
    else
      result.emplace_back(std::string{part});
  }
  return result;
}

std::string path_of(const std::vector<config_step>& steps) {
  std::string result;
  for (const auto& step : steps) {
    if (const auto* index = std::get_if<size_t>(&step))
      result += "[" + std::to_string(*index) + "]";
    else
      result += (result.empty() ? "" : ".") + std::get<std::string>(step);
  }
  return result;
}

const json::value* value_at(const json::value& in, const config_step& step) {
  if (const auto* name = std::get_if<std::string>(&step))
    return in.is_object() ? in.get_object().if_contains(*name) : nullptr;
  return in.is_array() ? in.get_array().if_contains(std::get<size_t>(step)) : nullptr;
}

/// A user's configuration without the members that are mistakes.
class pruned_layer {
public:
  explicit pruned_layer(json::object all)
    : all_(std::move(all)) {} // with braces it would be a list of one

  const json::object& object() const { return all_.get_object(); }

  /// The path in the file of a value that now has `path`: elements before it may have been removed.
  std::string path_in_file(const std::string& path) const {
    auto steps = steps_of(path);
    std::vector<config_step> result;
    for (const auto& step : steps) {
      auto next = step;
      if (auto* index = std::get_if<size_t>(&next))
        if (auto removed = removed_.find(path_of(result)); removed != removed_.end())
          for (auto gone : removed->second) // in ascending order
            *index += gone <= *index ? 1u : 0u;
      result.push_back(std::move(next));
    }
    return path_of(result);
  }

  /// Removes the value at `path`, or else the innermost value around it; false if there is none.
  bool remove(const std::string& path) {
    auto steps = steps_of(path);
    std::vector<const json::value*> values{&all_};
    for (const auto& step : steps) {
      const auto* next = value_at(*values.back(), step);
      if (next == nullptr)
        break;
      values.push_back(next);
    }
    if (values.size() < 2)
      return false;
    steps.resize(values.size() - 1);
    auto in_file = path_in_file(path_of(steps));
    auto& parent = const_cast<json::value&>(*values[values.size() - 2]); // a value of `all_`
    if (const auto* name = std::get_if<std::string>(&steps.back())) {
      parent.get_object().erase(*name);
      return true;
    }
    auto index = std::get<size_t>(steps.back());
    parent.get_array().erase(parent.get_array().begin() + static_cast<std::ptrdiff_t>(index));
    auto original = std::get<size_t>(steps_of(in_file).back());
    auto array = steps_of(in_file);
    array.pop_back();
    auto& removed = removed_[path_of(array)];
    removed.insert(std::lower_bound(removed.begin(), removed.end(), original), original);
    return true;
  }

private:
  json::value all_;
  std::map<std::string, std::vector<size_t>> removed_; ///< elements in the file, by their array
};

config_mistake to_mistake(const caf::error& err, const std::string& path, std::string_view text) {
  return {path, path.empty() ? 0 : line_of(text, path), expectation_of(err)};
}

bool has_secrets(std::string_view name) {
  return name == "env" || name == "headers";
}

/// Hides texts, and keeps the form of objects and lists, so that the whole is still valid.
json::value hidden(json::value x) {
  if (auto* object = x.if_object()) {
    for (auto& member : *object)
      member.value() = hidden(std::move(member.value()));
    return x;
  }
  return "***";
}

class comparison {
public:
  void compare(const json::value& a, const json::value& b, const std::string& path, bool secret) {
    if (a == b)
      return;
    if (!a.is_object() || !b.is_object()) {
      found.push_back({path, secret ? json::value("***") : without_secrets(a), b});
      return;
    }
    for (const auto& [key, value] : a.get_object()) {
      const auto* other = b.get_object().if_contains(key);
      compare(value, other == nullptr ? json::value{} : *other, below(path, key),
        secret || has_secrets(key));
    }
    for (const auto& [key, value] : b.get_object())
      if (!a.get_object().contains(key))
        found.push_back({below(path, key), {}, value});
  }

  std::vector<config_difference> found;

private:
  static std::string below(const std::string& path, std::string_view name) {
    return (path.empty() ? "" : path + ".") + std::string{name};
  }
};

} // namespace

json::value without_secrets(json::value x) {
  if (auto* array = x.if_array())
    for (auto& element : *array)
      element = without_secrets(std::move(element));
  if (auto* object = x.if_object())
    for (auto& member : *object)
      member.value() = has_secrets({member.key().data(), member.key().size()})
                         ? hidden(std::move(member.value()))
                         : without_secrets(std::move(member.value()));
  return x;
}

std::vector<config_difference> differences(const config& x, const config& built_in) {
  comparison all;
  all.compare(to_json(x), to_json(built_in), "", false);
  std::sort(all.found.begin(), all.found.end(),
    [](const auto& a, const auto& b) { return a.path < b.path; });
  return std::move(all.found);
}

config_review review_config(json::object layer, std::string_view text) {
  config_review result;
  pruned_layer pruned{std::move(layer)};
  while (true) {
    auto read = load_config(std::vector<json::object>{pruned.object()});
    if (read) {
      result.differs = differences(*read, default_config());
      break;
    }
    auto path = field_of(read.error());
    result.mistakes.push_back(to_mistake(read.error(), pruned.path_in_file(path), text));
    if (result.mistakes.size() >= most_mistakes || !pruned.remove(path))
      break;
  }
  result.valid = result.mistakes.empty();
  return result;
}

} // namespace scratchpage
