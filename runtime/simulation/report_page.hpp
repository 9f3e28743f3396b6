#pragma once

#include <string_view>

/// The fixed parts of the report's page. It needs no network, follows the
/// reader's choice of light or dark, and works with the keyboard alone. Its style and its
/// script are files of runtime/web/, of which the page in the browser shares some.

namespace scratchpage::report_page {

extern const std::string_view head;
extern const std::string_view body; ///< up to within the element `main`

} // namespace scratchpage::report_page
