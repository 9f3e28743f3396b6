#include "scratchpage/runtime/simulation/report_page.hpp"

namespace scratchpage::report_page {

// clang-format off

const std::string_view head = R"html(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
)html";

const std::string_view body = R"html(<main>
<noscript><p class="note">The timelines are drawn by this page's own script, which is switched off.</p></noscript>
<div class="bar" id="bar" hidden>
<input type="search" id="filter" placeholder="Filter conversations ( / )" aria-label="Filter conversations">
<label><input type="checkbox" id="trouble"> only with errors or unmet expectations</label>
<span class="muted note" id="shown" role="status"></span>
</div>
<div id="talks"></div>
<div class="tip" id="tip" role="status" hidden></div>
)html";

// clang-format on

} // namespace scratchpage::report_page
