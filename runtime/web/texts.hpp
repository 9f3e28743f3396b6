#pragma once

#include <string_view>

/// The texts of the files in this folder, as they were when it was built.

namespace scratchpage::embedded {

extern const std::string_view api_js;
extern const std::string_view dom_js;
extern const std::string_view drawing_js;
extern const std::string_view events_js;
extern const std::string_view follower_js;
extern const std::string_view frames_js;
extern const std::string_view goals_js;
extern const std::string_view icon_svg;
extern const std::string_view index_html;
extern const std::string_view lifetimes_js;
extern const std::string_view observations_js;
extern const std::string_view page_css;
extern const std::string_view page_js;
extern const std::string_view questions_js;
extern const std::string_view report_css;
extern const std::string_view report_js;
extern const std::string_view scratchbook_js;
extern const std::string_view state_js;
extern const std::string_view subscribers_js;
extern const std::string_view theme_css;
extern const std::string_view turns_js;

} // namespace scratchpage::embedded
