#pragma once

#include <string>

#include "scratchpage/messages/scratchbook.hpp"

/// Who wrote which part of an item, as `said_by` has it; "" if the book does not say.

namespace scratchpage {

inline const std::string& writer_of_title(const scratchbook_item& x) {
  return x.title_by ? *x.title_by : x.written_by;
}

inline const std::string& writer_of_body(const scratchbook_item& x) {
  return x.body_by ? *x.body_by : x.written_by;
}

/// Of its tags and its phase.
inline const std::string& writer_of_marks(const scratchbook_item& x) {
  return x.marked_by ? *x.marked_by : x.written_by;
}

/// Who chose the goal and the action that are completed with it.
inline const std::string& writer_of_link(const scratchbook_item& x) {
  return x.linked_by ? *x.linked_by : x.written_by;
}

inline bool has_marks(const scratchbook_item& x) {
  return x.phase || !x.tags.empty();
}

} // namespace scratchpage
