#include "scratchpage/messages/config_check.hpp"

#include <algorithm>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/json/json_text.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

config_check& config_check::range(std::string_view field, double value, double low, double high) {
  auto ok = value >= low && value <= high; // false for NaN
  auto number = [](double x) { return to_text(json::value(x)); };
  return require(ok, field, "a number from " + number(low) + " to " + number(high));
}

config_check& config_check::words(std::string_view field, const std::vector<std::string>& entries) {
  auto blank = std::any_of(entries.begin(), entries.end(), utf8::is_blank);
  return require(!blank, field, "texts that are not blank");
}

config_check& config_check::some_words(
  std::string_view field, const std::vector<std::string>& entries) {
  return require(!entries.empty(), field, "at least one entry").words(field, entries);
}

config_check& config_check::require(bool ok, std::string_view field, std::string_view expected) {
  if (!ok && !error_)
    error_ = fail(
      errc::invalid_request, sub_path(path_, field), std::string{"expected "}.append(expected));
  return *this;
}

config_check& config_check::also(const caf::error& part) {
  if (part && !error_)
    error_ = part;
  return *this;
}

std::string sub_path(std::string_view path, std::string_view field) {
  std::string result{path};
  result.append(path.empty() ? "" : ".").append(field);
  return result;
}

std::string sub_path(std::string_view path, std::string_view field, size_t index) {
  return sub_path(path, field).append("[").append(std::to_string(index)).append("]");
}

} // namespace scratchpage
