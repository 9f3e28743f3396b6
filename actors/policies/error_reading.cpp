#include "scratchpage/actors/policies/error_reading.hpp"

#include "scratchpage/actors/language/classifiers.hpp"
#include "scratchpage/messages/enum_names.hpp"

namespace scratchpage {

error_class read_error(std::string_view error) {
  if (auto found = class_by_code(error))
    return *found;
  if (auto found = class_by_phrase(error))
    return *found;
  auto result = error_class::other;
  from_string(language::failure().classify(error).name, result);
  return result;
}

} // namespace scratchpage
