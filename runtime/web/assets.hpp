#pragma once

#include <string>
#include <string_view>

#include "scratchpage/runtime/net/http/message.hpp"

namespace scratchpage::embedded {

// The contents of the files in this folder when the program was built.

extern const std::string_view address_js;
extern const std::string_view again_js;
extern const std::string_view api_js;
extern const std::string_view clock_js;
extern const std::string_view compare_js;
extern const std::string_view consent_js;
extern const std::string_view context_js;
extern const std::string_view dom_js;
extern const std::string_view drawing_js;
extern const std::string_view episodes_js;
extern const std::string_view events_js;
extern const std::string_view facts_js;
extern const std::string_view figures_js;
extern const std::string_view follower_js;
extern const std::string_view frames_js;
extern const std::string_view goals_js;
extern const std::string_view highlights_js;
extern const std::string_view icon_svg;
extern const std::string_view index_html;
extern const std::string_view lifetimes_js;
extern const std::string_view links_js;
extern const std::string_view markdown_js;
extern const std::string_view observation_js;
extern const std::string_view observations_js;
extern const std::string_view overview_js;
extern const std::string_view page_css;
extern const std::string_view page_js;
extern const std::string_view past_js;
extern const std::string_view questions_js;
extern const std::string_view report_css;
extern const std::string_view report_js;
extern const std::string_view saving_js;
extern const std::string_view scratchbook_js;
extern const std::string_view search_js;
extern const std::string_view shown_js;
extern const std::string_view state_js;
extern const std::string_view subscribers_js;
extern const std::string_view tabs_js;
extern const std::string_view theme_css;
extern const std::string_view turns_js;
extern const std::string_view views_css;

} // namespace scratchpage::embedded

namespace scratchpage::web {

// The page in the browser consists of files that are built into the program and are the same for
// all users. It gets its data from the server, as any other client does.

struct asset {
  std::string_view path; ///< "/", "/web/page.js", …
  std::string_view content_type;
  std::string_view text;
  std::string etag; ///< of the text, with quotes
};

/// The asset at a path; null: there is none.
const asset* find_asset(std::string_view path);

/// The response with an asset; 304 if the browser has it already. Its headers make the browser load
/// nothing from other servers, show the page in no other page, and send no `Referer`.
http::response answer(const asset& x, const http::request& to);

} // namespace scratchpage::web
