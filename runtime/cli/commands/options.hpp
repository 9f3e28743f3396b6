#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <caf/error.hpp>
#include <caf/expected.hpp>

#include "scratchpage/messages/enum_names.hpp"
#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/messages/query.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/persistence/transfer/page_at.hpp"

namespace scratchpage {

/// The agent that a command works on, and how the command answers.
struct agent_options {
  std::filesystem::path data; ///< "": default_data_directory()
  std::string agent = "agent";
  std::filesystem::path config;  ///< "": the built-in one
  std::string server;            ///< the URL of a server, in place of a directory; "": none
  std::filesystem::path ca_file; ///< authorities for its certificate; "": the system's
  bool json = false;             ///< answer in JSON
};

/// Reads the values of options, and keeps the first error, with the option's name. An empty value
/// means that the option was not given, and changes nothing.
class option_reader {
public:
  option_reader& text(std::string_view option, const std::string& from, std::string& out);
  option_reader& text(
    std::string_view option, const std::string& from, std::optional<std::string>& out);
  /// No element may be empty.
  option_reader& texts(
    std::string_view option, const std::vector<std::string>& from, std::vector<std::string>& out);
  /// `expected` describes the number for an error. The page checks its range.
  option_reader& number(std::string_view option, const std::string& from,
    std::optional<double>& out, std::string_view expected);
  option_reader& whole_number(std::string_view option, const std::string& from, uint32_t& out);
  /// RFC 3339; a date, which means its beginning in UTC; or a span such as 90s, 15m, 1h or 2d,
  /// which means so long before now.
  option_reader& time(
    std::string_view option, const std::string& from, std::optional<timestamp>& out);
  option_reader& object(std::string_view option, const std::string& from, json::object& out);
  /// PATH=JSON; a value that is not JSON is taken as a text.
  option_reader& scalars(std::string_view option, const std::vector<std::string>& from,
    std::map<std::string, json::value>& out);

  template <named_enum E>
  option_reader& names(
    std::string_view option, const std::vector<std::string>& from, std::vector<E>& out) {
    for (const auto& name : from)
      if (!from_string(name, out.emplace_back()))
        refuse_name(option, names_of<E>(), name);
    return *this;
  }

  /// One name, or "" for none.
  template <named_enum E>
  option_reader& name(std::string_view option, const std::string& from, E& out) {
    if (!from.empty() && !from_string(from, out))
      refuse_name(option, names_of<E>(), from);
    return *this;
  }

  /// Keeps an error "expected … got …" about that option, unless there is one already.
  void refuse(std::string_view option, std::string_view expected, std::string_view got);
  /// As above, with the names that are possible and the one that was most likely meant.
  void refuse_name(
    std::string_view option, const std::vector<std::string>& names, std::string_view got);

  const caf::error& error() const { return error_; }

  /// The names of an enumeration.
  template <named_enum E>
  static std::vector<std::string> names_of() {
    return std::vector<std::string>(enum_names<E>.begin(), enum_names<E>.end());
  }

private:
  bool check_utf8(std::string_view option, const std::string& from);

  caf::error error_;
};

/// Reads a span of time such as 90s, 15m, 1h or 2d; nothing if it is none, or more than ten years.
std::optional<timespan> read_span(std::string_view text);

/// A part of the past. Either end may be open.
struct time_range {
  std::optional<timestamp> after;
  std::optional<timestamp> before;
};

/// Reads `--after` and `--before`. An error names the option.
caf::expected<time_range> read_time_range(const std::string& after, const std::string& before);

/// The filter of a command, not parsed yet. "" and empty lists mean that an option was not given.
struct filter_options {
  std::vector<std::string> type;
  std::vector<std::string> status;
  std::vector<std::string> tag;
  std::vector<std::string> source;
  std::vector<std::string> owner;
  std::string min_confidence;
  std::vector<std::string> where; ///< PATH=JSON
  std::string turn;
  std::string after;
  std::string before;
};

/// Reads a filter (contract 3). An error names the option.
caf::expected<observation_filter> read_filter(const filter_options& x);

/// Which part of the results is shown.
struct paging_options {
  std::string limit;
  std::string cursor;
};

struct paging {
  uint32_t limit = 10;
  std::string cursor;
};

caf::expected<paging> read_paging(const paging_options& x);

/// Reads `--until`: digits are a sequence, anything else is a time in the past. The error names the
/// option.
caf::expected<moment> read_until(const std::string& given);

} // namespace scratchpage
