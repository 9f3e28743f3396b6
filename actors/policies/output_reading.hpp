#pragma once

#include <string>
#include <string_view>

#include "scratchpage/messages/json/json.hpp"

namespace scratchpage {

/// What the outputs of a call tell about it, the worst first.
enum class output_finding : uint8_t {
  failed,  ///< they say that it did not work
  refused, ///< they say that it must not or cannot be done
  partial, ///< a part of it is done
  pending, ///< it is not done yet
  empty,   ///< nothing was found
  fine,    ///< they tell of a success, or give what was asked for
  silent,  ///< they say nothing
};

struct output_reading {
  output_finding finding = output_finding::silent;
  std::string reason; ///< what tells it, for people: "ok is false"; "" if it is fine
  size_t entries = 0; ///< of the longest list
  bool has_list = false;
  bool is_error = false;  ///< the call itself went wrong, rather than that it tells of bad news
  bool may_count = false; ///< `pending`, and for many calls as good as done: "running"
  bool is_told = false;   ///< a line of a longer text tells it, which may be what was asked for
};

/// Reads what a tool gave.
output_reading read_outputs(const json::object& outputs);

} // namespace scratchpage
