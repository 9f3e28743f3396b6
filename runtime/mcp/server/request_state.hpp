#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "scratchpage/messages/json/json.hpp"

namespace scratchpage::mcp {

/// Seals what a client carries from one round to the next (`requestState`): it can
/// neither be changed nor used for another request. Not secret: the client can read
/// it. The key is random and ends with the object.
class request_state {
public:
  request_state();

  /// `of` is the request that it belongs to.
  std::string seal(const json::object& content, std::string_view of) const;

  /// Nothing, if it is not what was sealed for that request here.
  std::optional<json::object> open(std::string_view sealed, std::string_view of) const;

private:
  std::string mac(std::string_view content, std::string_view of) const;

  std::array<unsigned char, 32> key_{};
};

} // namespace scratchpage::mcp
