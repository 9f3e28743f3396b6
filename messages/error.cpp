#include "scratchpage/messages/error.hpp"

#include <caf/message.hpp>
#include <caf/sec.hpp>

namespace scratchpage {

namespace {

bool is_ours(const caf::error& err) {
  return err.category() == caf::type_id_v<errc>;
}

bool has_detail(const caf::error& err) {
  return err.context().match_elements<std::string, std::string>();
}

} // namespace

caf::error fail(errc code, std::string_view field, std::string_view expected) {
  return caf::make_error(code, std::string{field}, std::string{expected});
}

std::string field_of(const caf::error& err) {
  return is_ours(err) && has_detail(err) ? err.context().get_as<std::string>(0) : std::string{};
}

std::string describe(const caf::error& err) {
  if (!err)
    return "no error";
  if (!is_ours(err))
    return caf::to_string(err);
  auto text = to_string(static_cast<errc>(err.code()));
  if (has_detail(err)) {
    const auto& field = err.context().get_as<std::string>(0);
    text += ": ";
    if (!field.empty())
      text += field + ": ";
    text += err.context().get_as<std::string>(1);
  }
  return text;
}

errc code_of(const caf::error& err) {
  if (!err)
    return errc::none;
  if (is_ours(err))
    return static_cast<errc>(err.code());
  return err == caf::sec::request_timeout ? errc::deadline_exceeded : errc::internal;
}

} // namespace scratchpage
