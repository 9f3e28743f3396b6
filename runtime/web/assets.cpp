#include "scratchpage/runtime/web/assets.hpp"

#include <algorithm>
#include <vector>

#include "scratchpage/persistence/store/checksum.hpp"

namespace scratchpage::web {

namespace {

constexpr std::string_view html = "text/html; charset=utf-8";
constexpr std::string_view css = "text/css; charset=utf-8";
constexpr std::string_view js = "text/javascript; charset=utf-8";
constexpr std::string_view svg = "image/svg+xml";

constexpr std::string_view policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
  "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Distinguishes versions of a file. It is no protection against changes.
std::string tag_of(std::string_view text) {
  return '"' + std::to_string(checksum_of(text)) + '"';
}

const std::vector<asset>& all_assets() {
  static const auto all = [] {
    using namespace embedded;
    std::vector<asset> result{
      {"/", html, index_html, {}},
      {"/web/address.js", js, address_js, {}},
      {"/web/again.js", js, again_js, {}},
      {"/web/api.js", js, api_js, {}},
      {"/web/clock.js", js, clock_js, {}},
      {"/web/dom.js", js, dom_js, {}},
      {"/web/drawing.js", js, drawing_js, {}},
      {"/web/events.js", js, events_js, {}},
      {"/web/follower.js", js, follower_js, {}},
      {"/web/frames.js", js, frames_js, {}},
      {"/web/highlights.js", js, highlights_js, {}},
      {"/web/lifetimes.js", js, lifetimes_js, {}},
      {"/web/links.js", js, links_js, {}},
      {"/web/page.js", js, page_js, {}},
      {"/web/saving.js", js, saving_js, {}},
      {"/web/state.js", js, state_js, {}},
      {"/web/icon.svg", svg, icon_svg, {}},
      {"/web/page.css", css, page_css, {}},
      {"/web/theme.css", css, theme_css, {}},
      {"/web/views.css", css, views_css, {}},
      {"/web/views/compare.js", js, compare_js, {}},
      {"/web/views/consent.js", js, consent_js, {}},
      {"/web/views/context.js", js, context_js, {}},
      {"/web/views/episodes.js", js, episodes_js, {}},
      {"/web/views/facts.js", js, facts_js, {}},
      {"/web/views/figures.js", js, figures_js, {}},
      {"/web/views/goals.js", js, goals_js, {}},
      {"/web/views/observation.js", js, observation_js, {}},
      {"/web/views/observations.js", js, observations_js, {}},
      {"/web/views/overview.js", js, overview_js, {}},
      {"/web/views/past.js", js, past_js, {}},
      {"/web/views/questions.js", js, questions_js, {}},
      {"/web/views/scratchbook.js", js, scratchbook_js, {}},
      {"/web/views/search.js", js, search_js, {}},
      {"/web/views/shown.js", js, shown_js, {}},
      {"/web/views/subscribers.js", js, subscribers_js, {}},
      {"/web/views/tabs.js", js, tabs_js, {}},
      {"/web/views/turns.js", js, turns_js, {}},
    };
    for (auto& x : result)
      x.etag = tag_of(x.text);
    return result;
  }();
  return all;
}

/// `If-None-Match` is a list, or a star (RFC 9110, 13.1.2).
bool has_already(const http::request& x, std::string_view etag) {
  const auto* known = x.header("if-none-match");
  return known != nullptr && (*known == "*" || known->find(etag) != std::string::npos);
}

} // namespace

const asset* find_asset(std::string_view path) {
  const auto& all = all_assets();
  auto i = std::find_if(all.begin(), all.end(), [&](const asset& x) { return x.path == path; });
  return i != all.end() ? &*i : nullptr;
}

http::response answer(const asset& x, const http::request& to) {
  http::response result;
  result.headers = {{"etag", x.etag}, {"cache-control", "no-cache"},
    {"content-security-policy", std::string{policy}}, {"x-content-type-options", "nosniff"},
    {"referrer-policy", "no-referrer"}};
  if (has_already(to, x.etag)) {
    result.status = 304;
    return result;
  }
  result.headers.push_back({"content-type", std::string{x.content_type}});
  result.body = x.text;
  return result;
}

} // namespace scratchpage::web
