#include "scratchpage/persistence/transfer/export_lines.hpp"

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/goal.hpp"
#include "scratchpage/messages/memory.hpp"
#include "scratchpage/messages/text/trimmed.hpp"
#include "scratchpage/persistence/store/documents.hpp"
#include "scratchpage/persistence/store/stored_numbers.hpp"
#include "scratchpage/persistence/stored_files/stored_file.hpp"

namespace scratchpage {

namespace {

/// The position after the string that begins at `i`.
size_t end_of_string(std::string_view text, size_t i) {
  for (++i; i < text.size() && text[i] != '"'; ++i)
    if (text[i] == '\\')
      ++i;
  return i + 1;
}

/// The position after the value that begins at `i`, at the comma or bracket that ends it.
size_t end_of_value(std::string_view text, size_t i) {
  size_t depth = 0;
  while (i < text.size()) {
    auto c = text[i];
    if (c == '"') {
      i = end_of_string(text, i);
      continue;
    }
    if (depth == 0 && (c == ',' || c == '}'))
      return i;
    if (c == '{' || c == '[')
      ++depth;
    if (c == '}' || c == ']')
      --depth;
    ++i;
  }
  return text.size();
}

/// The line of a document with a typed body, so that errors name a field in the body.
template <class T>
struct line_of {
  export_line line = export_line::document;
  std::string collection;
  std::string key;
  T body;

  static constexpr auto fields(auto all) {
    using self = line_of;
    return all(required("line", &self::line), required("collection", &self::collection),
      required("key", &self::key), required("body", &self::body));
  }
};

template <class T>
caf::error check(const json::value& line, std::string T::*name) {
  auto x = from_json<line_of<T>>(line);
  if (!x)
    return x.error();
  if (x->body.*name == x->key)
    return {};
  return fail(errc::invalid_request, "key", "expected " + x->body.*name + ", as the body has it");
}

caf::error check_file(const json::value& line) {
  if (auto err = check(line, &stored_file::path))
    return err;
  auto err = check_stored_file(from_json<line_of<stored_file>>(line)->body);
  return err ? with_field(err, "body." + field_of(err)) : err;
}

} // namespace

void count(end_line& in, export_line x, bool is_first) {
  switch (x) {
  case export_line::agent:
    ++in.agents;
    break;
  case export_line::observation:
    ++in.observations;
    break;
  case export_line::event:
    ++in.events;
    break;
  case export_line::archived:
    ++in.archived;
    break;
  case export_line::document:
    ++in.documents;
    break;
  case export_line::file:
    in.files += is_first ? 1 : 0;
    break;
  default: // kinds of which there is at most one line are not counted
    break;
  }
}

std::string to_hex(uint64_t checksum) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string result;
  for (int shift = 60; shift >= 0; shift -= 4)
    result += digits[(checksum >> shift) & 0xF];
  return result;
}

namespace {

/// A member in the text of an object.
struct raw {
  std::string_view name; ///< with escapes
  std::string_view value;
};

/// Calls `f` with each member of a valid JSON object.
template <class F>
void for_each_member(std::string_view object, F f) {
  auto i = object.find('{') + 1;
  while (true) {
    auto begin = object.find('"', i);
    if (begin == std::string_view::npos)
      return;
    auto end = end_of_string(object, begin);
    auto colon = object.find(':', end);
    i = end_of_value(object, colon + 1);
    f(raw{
      object.substr(begin + 1, end - begin - 2), trimmed(object.substr(colon + 1, i - colon - 1))});
  }
}

} // namespace

std::string_view raw_member(std::string_view object, std::string_view name) {
  std::string_view result;
  for_each_member(object, [&](const raw& x) {
    if (x.name == name)
      result = x.value;
  });
  return result;
}

bool has_plain_names(std::string_view object, size_t members) {
  size_t count = 0;
  auto is_escaped = false;
  for_each_member(object, [&](const raw& x) {
    ++count;
    is_escaped = is_escaped || x.name.find('\\') != std::string_view::npos;
  });
  return !is_escaped && count == members;
}

caf::error with_field(const caf::error& err, std::string_view field) {
  auto text = describe(err);
  auto expectation = text.find(field_of(err) + ": ") + field_of(err).size() + 2;
  return fail(code_of(err), field, text.substr(expectation));
}

caf::error check_document(const json::value& line) {
  auto x = from_json<document_line>(line);
  if (!x)
    return x.error();
  const auto& in = x->collection;
  if (in == collection::goals)
    return check(line, &goal::goal_id);
  if (in == collection::facts)
    return check(line, &fact::fact_id);
  if (in == collection::stories || in == collection::episodes)
    return check(line, &episode::turn_id);
  if (in == collection::counters)
    return check(line, &stored_number::name);
  if (in == collection::positions)
    return check(line, &stored_position::name);
  if (in == collection::files)
    return check_file(line);
  return {};
}

} // namespace scratchpage
