#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace scratchpage::sql {

/// The text form of an array of PostgreSQL: `{1,2}` or `{"a","say \"b\""}`. An array is one
/// argument of a statement, whatever it holds, so a statement with arrays writes any number of
/// rows.
class postgres_array {
public:
  void add(int64_t x) {
    begin_element();
    text_ += std::to_string(x);
  }

  void add(std::string_view x) {
    begin_element();
    text_ += '"';
    for (auto special = x.find_first_of("\"\\"); special != std::string_view::npos;
         special = x.find_first_of("\"\\")) {
      text_.append(x.substr(0, special)) += '\\';
      text_ += x[special];
      x.remove_prefix(special + 1);
    }
    text_.append(x) += '"';
  }

  /// Ends the array and returns it.
  const std::string& end() { return text_ += '}'; }

private:
  void begin_element() {
    if (text_.size() > 1)
      text_ += ',';
  }

  std::string text_{"{"};
};

} // namespace scratchpage::sql
