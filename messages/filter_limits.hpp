#pragma once

#include <cstddef>
#include <string_view>

#include <caf/error.hpp>

#include "scratchpage/messages/query.hpp"

namespace scratchpage {

/// What a filter and a query from outside may hold.
struct filter_limits {
  static constexpr size_t values = 100; ///< of `type`, `status`, `source`, `owner`, `tags` each
  static constexpr size_t context_paths = 64;   ///< that `context` names
  static constexpr size_t text_bytes = 1'024;   ///< of each text in it, names of paths included
  static constexpr size_t filters = 16;         ///< of one subscriber
  static constexpr size_t query_bytes = 16'384; ///< of a query's text
  static constexpr size_t query_terms = 256;    ///< different words of it that are looked for
};

/// What an answer may hold.
struct answer_limits {
  /// About, of memory that its observations take; the rest follows at its `next_cursor`.
  static constexpr size_t bytes = size_t{16} << 20;
  static constexpr size_t conflict_ids = 1'000; ///< in all of `conflicts`; more make it partial
};

/// No error if the filter keeps the limits; else `invalid_request` that names the member, after
/// `path` and a dot unless `path` is empty. It looks at no value of a member that has too many.
caf::error check_filter(const observation_filter& x, std::string_view path);

/// The same of the text of a query, which `field` names.
caf::error check_query_text(std::string_view text, std::string_view field);

} // namespace scratchpage
