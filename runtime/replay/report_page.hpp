#pragma once

#include <string_view>

/// The fixed parts of the report's page. It needs no network, follows the
/// reader's choice of light or dark, and works with the keyboard alone.

namespace scratchpage::report_page {

extern const std::string_view head;
extern const std::string_view style;
extern const std::string_view body;   ///< up to within <main>
extern const std::string_view script; ///< reads the elements `index`, `c0`, `c1`, …

} // namespace scratchpage::report_page
