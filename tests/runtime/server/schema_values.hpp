#pragma once

#include <map>
#include <string>
#include <utility>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/tests/support/chance.hpp"

namespace scratchpage::test {

/// Creates random values that a schema allows. Values that only a page knows, such as ids, come
/// from `known`, by the name of the member or parameter.
class schema_values {
public:
  using known_values = std::map<std::string, json::array, std::less<>>;

  schema_values(uint64_t seed, known_values known)
    : chance_{seed},
      known_{std::move(known)} {}

  /// A value with some of the optional members.
  json::value any(const json::object& schema, std::string_view name = {}) {
    return make(schema, name, 40);
  }
  /// A value with the required members only.
  json::value least(const json::object& schema, std::string_view name = {}) {
    return make(schema, name, 0);
  }

  chance& draw() { return chance_; }

private:
  /// `more`: the percentage of optional members in the value.
  json::value make(const json::object& schema, std::string_view name, uint64_t more);
  json::object make_object(const json::object& schema, uint64_t more);
  json::value make_number(const json::object& schema, bool whole);
  std::string make_text(const json::object& schema);
  json::value one_of(const json::array& xs) { return xs[chance_.below(xs.size())]; }

  chance chance_;
  known_values known_;
};

} // namespace scratchpage::test
