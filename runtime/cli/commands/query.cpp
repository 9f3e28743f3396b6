#include "scratchpage/runtime/cli/commands/query.hpp"

#include <ostream>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/page_operations.hpp"
#include "scratchpage/runtime/cli/commands/opening.hpp"
#include "scratchpage/runtime/cli/commands/option_reader.hpp"
#include "scratchpage/runtime/cli/io/command_answer.hpp"
#include "scratchpage/runtime/cli/io/login_name.hpp"
#include "scratchpage/runtime/cli/terminal/observation_view.hpp"

namespace scratchpage {

namespace {

/// All of an answer is better than a part.
constexpr auto query_deadline_ms = query_limits::deadline_ms;

/// The filter and which part of what it finds, as operations want it.
caf::expected<json::object> read_listing(const query_options& options) {
  option_reader read;
  std::string text;
  read.text("TEXT", options.text, text);
  auto filter = read_filter(options.filter);
  auto page = read_paging(options.paging);
  if (read.error())
    return read.error();
  if (!filter)
    return filter.error();
  if (!page)
    return page.error();
  if (!page->cursor.empty() && !text.empty())
    return fail(errc::invalid_request, "--cursor",
      "expected none with a text: its order ends with the command; --limit shows up to 1000");
  auto result = std::move(to_json(*filter).as_object());
  result["limit"] = page->limit;
  result["cursor"] = page->cursor;
  return result;
}

/// How to see what is left.
std::string tell_more(const query_result& found) {
  if (!found.next_cursor.empty())
    return "--cursor " + found.next_cursor + " shows the next";
  return found.observations.size() < found.total_count ? "--limit shows more" : "";
}

exit_code print(const query_result& found, bool json, const command_environment& environment) {
  if (json)
    environment.out << to_safe_text(to_json(found)) << '\n';
  else
    print_found(environment.out, environment.out_style, found, tell_more(found));
  return finish(environment);
}

exit_code answer(const query_options& options, const std::string& operation, json::object arguments,
  const command_environment& environment) {
  auto agent =
    open_or_complain(options.agent, if_missing::refuse, {as_user(login_name()), {}}, environment);
  if (!agent)
    return exit_code::bad_input;
  auto found = agent->call_for<query_result>(operation, std::move(arguments));
  if (!found)
    return complain(environment, found.error());
  if (!options.text.empty())
    found->next_cursor.clear();
  return print(*found, options.agent.json, environment);
}

} // namespace

exit_code run_query(const query_options& options, const command_environment& environment) {
  auto listing = read_listing(options);
  if (!listing)
    return complain(environment, listing.error());
  return answer(options, "query_observations",
    {{"query", options.text}, {"metadata", std::move(*listing)},
      {"deadline_ms", query_deadline_ms}},
    environment);
}

exit_code run_archive(const query_options& options, const command_environment& environment) {
  auto listing = read_listing(options);
  if (!listing)
    return complain(environment, listing.error());
  return answer(options, "list_archive", std::move(*listing), environment);
}

} // namespace scratchpage
