#define BOOST_TEST_MODULE web_assets
#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "scratchpage/runtime/web/assets.hpp"

/// The files of the page in the browser.

namespace scratchpage::web {

namespace {

http::request with_etag(std::string_view tag) {
  http::request result;
  result.headers.push_back({"if-none-match", std::string{tag}});
  return result;
}

std::string header_of(const http::response& x, std::string_view name) {
  for (const auto& one : x.headers)
    if (one.name == name)
      return one.value;
  return {};
}

/// All parts of `text` between `before` and the next quote.
std::vector<std::string> quoted_after(std::string_view text, std::string_view before) {
  std::vector<std::string> result;
  for (auto at = text.find(before); at != text.npos; at = text.find(before, at + 1)) {
    auto begin = at + before.size();
    result.emplace_back(text.substr(begin, text.find('"', begin) - begin));
  }
  return result;
}

} // namespace

BOOST_AUTO_TEST_CASE(the_page_names_files_that_are_there) {
  const auto* page = find_asset("/");
  BOOST_REQUIRE(page != nullptr);
  for (auto before : {"src=\"", "<link rel=\"stylesheet\" href=\"", "<link rel=\"icon\" href=\""}) {
    auto named = quoted_after(page->text, before);
    BOOST_TEST(!named.empty());
    for (const auto& path : named)
      BOOST_TEST((find_asset(path) != nullptr), path);
  }
  BOOST_TEST((find_asset("/web/nothing.js") == nullptr));
  BOOST_TEST((find_asset("/web/") == nullptr));
}

BOOST_AUTO_TEST_CASE(modules_import_files_that_are_there) {
  size_t imports = 0;
  for (const auto* folder : {"/web/", "/web/views/"}) {
    for (const auto* name : {"address", "again", "api", "clock", "dom", "drawing", "events",
           "follower", "frames", "highlights", "lifetimes", "links", "page", "saving", "state",
           "compare", "consent", "context", "episodes", "facts", "figures", "goals", "observation",
           "observations", "overview", "past", "questions", "scratchbook", "search", "shown",
           "subscribers", "tabs", "turns"}) {
      const auto* file = find_asset(std::string{folder} + name + ".js");
      if (file == nullptr)
        continue;
      for (const auto& to : quoted_after(file->text, "} from \"")) {
        auto path = to.starts_with("../") ? "/web/" + to.substr(3) : folder + to.substr(2);
        BOOST_TEST((find_asset(path) != nullptr), name << " imports " << to);
        ++imports;
      }
    }
  }
  BOOST_TEST(imports > 0u);
}

BOOST_AUTO_TEST_CASE(a_file_that_the_browser_has_is_not_sent_again) {
  const auto* file = find_asset("/web/page.js");
  BOOST_REQUIRE(file != nullptr);
  auto whole = answer(*file, {});
  BOOST_TEST(whole.status == 200u);
  BOOST_TEST(whole.body == file->text);
  BOOST_TEST(header_of(whole, "content-type") == "text/javascript; charset=utf-8");
  BOOST_TEST(header_of(whole, "cache-control") == "no-cache");
  auto tag = header_of(whole, "etag");
  BOOST_TEST(answer(*file, with_etag("W/\"old\", " + tag)).status == 304u);
  BOOST_TEST(answer(*file, with_etag(tag)).body.empty());
  BOOST_TEST(answer(*file, with_etag("\"old\"")).status == 200u);
  BOOST_TEST(find_asset("/web/api.js")->etag != tag);
}

BOOST_AUTO_TEST_CASE(every_file_is_of_this_server_alone) {
  for (const auto* path : {"/", "/web/page.css", "/web/icon.svg", "/web/drawing.js"}) {
    auto said = answer(*find_asset(path), {});
    BOOST_TEST(header_of(said, "content-security-policy").starts_with("default-src 'none'; "));
    BOOST_TEST(header_of(said, "x-content-type-options") == "nosniff");
    BOOST_TEST(header_of(said, "referrer-policy") == "no-referrer");
  }
  BOOST_TEST(find_asset("/")->text.find("https:") == std::string_view::npos);
  BOOST_TEST(find_asset("/web/page.css")->text.find("url(") == std::string_view::npos);
}

} // namespace scratchpage::web
