#include "scratchpage/messages/filter_limits.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "scratchpage/messages/config_check.hpp"
#include "scratchpage/messages/error.hpp"

namespace scratchpage {

namespace {

/// Put together only when it is told: a filter is checked for every query.
struct field_name {
  std::string_view path;
  std::string_view member;

  std::string text() const { return sub_path(path, member); }
};

caf::error too_long(const std::string& field) {
  return fail(errc::invalid_request, field,
    "expected a text of at most " + std::to_string(filter_limits::text_bytes) + " bytes");
}

caf::error too_many(const std::string& field, size_t most, std::string_view what, size_t got) {
  return fail(errc::invalid_request, field,
    "expected at most " + std::to_string(most) + " " + std::string{what} + ", got "
      + std::to_string(got));
}

bool is_long(std::string_view text) {
  return text.size() > filter_limits::text_bytes;
}

template <class T>
caf::error check_count(const std::vector<T>& values, field_name field) {
  if (values.size() <= filter_limits::values)
    return {};
  return too_many(field.text(), filter_limits::values, "values", values.size());
}

caf::error check_texts(const std::vector<std::string>& texts, field_name field) {
  if (auto err = check_count(texts, field))
    return err;
  return std::any_of(texts.begin(), texts.end(), is_long) ? too_long(field.text()) : caf::error{};
}

bool is_long(const json::value& x) {
  return x.is_string() && is_long(std::string_view{x.get_string()});
}

caf::error check_context(const observation_filter& x, field_name field) {
  if (x.context.size() > filter_limits::context_paths)
    return too_many(field.text(), filter_limits::context_paths, "paths", x.context.size());
  for (const auto& [path, value] : x.context)
    if (is_long(path) || is_long(value))
      return too_long(is_long(path) ? field.text() : sub_path(field.text(), path));
  return {};
}

caf::error check_turn(const observation_filter& x, field_name field) {
  return x.turn_id && is_long(*x.turn_id) ? too_long(field.text()) : caf::error{};
}

} // namespace

caf::error check_filter(const observation_filter& x, std::string_view path) {
  // The first that is wrong is told. A list that is too long costs no more than its count.
  config_check result{path};
  auto name = [&](std::string_view member) { return field_name{path, member}; };
  result.also(check_texts(x.type, name("type")))
    .also(check_count(x.status, name("status")))
    .also(check_texts(x.source, name("source")))
    .also(check_texts(x.owner, name("owner")))
    .also(check_texts(x.tags, name("tags")))
    .also(check_context(x, name("context")))
    .also(check_turn(x, name("turn_id")));
  return result.error();
}

caf::error check_query_text(std::string_view text, std::string_view field) {
  if (text.size() <= filter_limits::query_bytes)
    return {};
  return fail(errc::invalid_request, field,
    "expected at most " + std::to_string(filter_limits::query_bytes) + " bytes, got "
      + std::to_string(text.size()));
}

} // namespace scratchpage
