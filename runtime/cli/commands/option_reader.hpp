#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <caf/error.hpp>

#include "scratchpage/messages/enum_names.hpp"
#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/messages/time.hpp"

namespace scratchpage {

/// Reads what options were given, and keeps the first thing that is wrong, with
/// the option's name. A text that is "" was not given and changes nothing.
class option_reader {
public:
  option_reader& text(std::string_view option, const std::string& from, std::string& out);
  option_reader& text(
    std::string_view option, const std::string& from, std::optional<std::string>& out);
  /// Each has to be there.
  option_reader& texts(
    std::string_view option, const std::vector<std::string>& from, std::vector<std::string>& out);
  /// `expected` says which numbers; their bounds are for the page to check.
  option_reader& number(std::string_view option, const std::string& from,
    std::optional<double>& out, std::string_view expected);
  option_reader& whole_number(std::string_view option, const std::string& from, uint32_t& out);
  /// RFC 3339, or a date, which is when the day begins in UTC.
  option_reader& time(
    std::string_view option, const std::string& from, std::optional<timestamp>& out);
  option_reader& object(std::string_view option, const std::string& from, json::object& out);
  /// PATH=JSON, where what is no JSON at all is a text.
  option_reader& scalars(std::string_view option, const std::vector<std::string>& from,
    std::map<std::string, json::value>& out);

  template <named_enum E>
  option_reader& names(
    std::string_view option, const std::vector<std::string>& from, std::vector<E>& out) {
    for (const auto& name : from)
      if (!from_string(name, out.emplace_back()))
        refuse(option, "one of " + all_names<E>(), name);
    return *this;
  }

  /// `expected … got` in an error about that option, if it is the first.
  void refuse(std::string_view option, std::string_view expected, std::string_view got);

  const caf::error& error() const { return error_; }

private:
  bool check_utf8(std::string_view option, const std::string& from);

  caf::error error_;
};

} // namespace scratchpage
