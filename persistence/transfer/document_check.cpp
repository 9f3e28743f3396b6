#include "scratchpage/persistence/transfer/document_check.hpp"

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/goal.hpp"
#include "scratchpage/messages/memory.hpp"
#include "scratchpage/persistence/store/documents.hpp"
#include "scratchpage/persistence/store/kept_counter.hpp"
#include "scratchpage/persistence/store/kept_positions.hpp"
#include "scratchpage/persistence/stored_files/stored_file.hpp"
#include "scratchpage/persistence/transfer/export_lines.hpp"

namespace scratchpage {

namespace {

/// A document's line whose body is known; errors then name a place in it.
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
    return check(line, &kept_number::name);
  if (in == collection::positions)
    return check(line, &kept_position::name);
  if (in == collection::files)
    return check_file(line);
  return {};
}

} // namespace scratchpage
