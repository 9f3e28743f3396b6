#pragma once

#include <string>
#include <string_view>

#include "scratchpage/runtime/net/http/message.hpp"

/// The page in the browser: files that are a part of the program, and are the same for
/// everybody. What it shows it asks for as any other client does.

namespace scratchpage::web {

struct asset {
  std::string_view path; ///< "/", "/web/page.js", …
  std::string_view content_type;
  std::string_view text;
  std::string etag; ///< of the text, with its quotes
};

/// Null: there is none at that path.
const asset* find_asset(std::string_view path);

/// 304 if the browser has it already. With headers by which the page loads nothing from
/// elsewhere, is put into no other page, and tells nobody where it was.
http::response answer(const asset& x, const http::request& to);

} // namespace scratchpage::web
