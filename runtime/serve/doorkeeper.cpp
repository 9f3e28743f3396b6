#include "scratchpage/runtime/serve/doorkeeper.hpp"

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"

namespace scratchpage::serve {

caf::expected<visitor> open_door::admit(const http::request& x) {
  constexpr std::string_view header = "scratchpage-caller";
  const auto* said = x.header(header);
  if (said == nullptr)
    return visitor{as_daemon("http_client")};
  auto by = from_json_text<caller>(*said, {4'096, 2});
  if (!by)
    return fail(errc::invalid_request, header, "expected a caller: " + describe(by.error()));
  if (by->role > highest_)
    return fail(
      errc::forbidden, header, "expected at most the role " + std::string{name_of(highest_)});
  return visitor{std::move(*by)};
}

} // namespace scratchpage::serve
