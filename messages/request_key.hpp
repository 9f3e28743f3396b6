#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <caf/error.hpp>

#include "scratchpage/messages/fields.hpp"

/// Request keys (contract 14, "Nothing twice"). A caller that did not get an answer asks again with
/// the same key, and is answered as before: what it asked for is not done twice.

namespace scratchpage {

struct request_key_limits {
  static constexpr size_t characters = 128;
};

/// `invalid_request` about `request_key` if the key is empty, too long (`request_key_limits`), or
/// has other characters than visible ones of ASCII.
caf::error check_request_key(std::string_view key);

/// What a change in the journal tells about the request that asked for it. Keys of different
/// callers have nothing to do with each other.
struct request_mark {
  std::string key;
  std::string by;                    ///< the caller (`said_by`)
  uint64_t digest = 0;               ///< of what was asked, by which another request is recognized
  uint32_t part = 0;                 ///< which draft of a request with several
  std::vector<std::string> warnings; ///< of the answer

  static constexpr auto fields(auto all) {
    using self = request_mark;
    return all(required("key", &self::key), required("by", &self::by),
      required("digest", &self::digest), optional("part", &self::part),
      optional("warnings", &self::warnings));
  }
};

} // namespace scratchpage
