#include "scratchpage/actors/policies/error_reading.hpp"

#include "scratchpage/actors/language/classifiers.hpp"
#include "scratchpage/messages/enum_names.hpp"

namespace scratchpage {

namespace {

constexpr double certain = 0.6; // of the classifier, from here on hints do not count

/// A limit of so many a minute that comes as "forbidden", and a quota that is used up although it
/// comes as "too many requests": then the words decide.
bool is_worded_otherwise(error_class by_code, error_class by_phrase, std::string_view error) {
  if (by_code == error_class::permission)
    return by_phrase == error_class::transient;
  auto speaks_of_quota = error.find("uota") != error.npos || error.find("billing") != error.npos;
  return by_code == error_class::transient && by_phrase == error_class::permission
         && speaks_of_quota;
}

} // namespace

error_class read_error(std::string_view error) {
  auto by_code = class_by_code(error);
  auto by_phrase = class_by_phrase(error);
  if (by_code && by_phrase && is_worded_otherwise(*by_code, *by_phrase, error))
    return *by_phrase;
  if (by_code || by_phrase)
    return by_code ? *by_code : *by_phrase;
  auto seen = language::failure().classify(error);
  if (auto hint = class_by_hint(error); hint && seen.probability < certain)
    return *hint;
  auto result = error_class::other;
  from_string(seen.name, result);
  return result;
}

} // namespace scratchpage
