#include "scratchpage/runtime/cli/query.hpp"

#include <ostream>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/runtime/cli/command_answer.hpp"
#include "scratchpage/runtime/cli/login_name.hpp"
#include "scratchpage/runtime/cli/observation_view.hpp"
#include "scratchpage/runtime/cli/opening.hpp"
#include "scratchpage/runtime/cli/option_reader.hpp"

namespace scratchpage {

namespace {

/// Nobody else waits for the page, and all of an answer is better than a part.
constexpr timespan query_deadline = std::chrono::seconds{30};

caf::expected<query_observations> read_query(const query_options& options) {
  query_observations result;
  result.by = as_user(login_name());
  result.deadline = query_deadline;
  option_reader read;
  read.text("TEXT", options.text, result.text);
  auto filter = read_filter(options.filter);
  auto page = read_paging(options.paging);
  if (read.error())
    return read.error();
  if (!filter)
    return filter.error();
  if (!page)
    return page.error();
  if (!page->cursor.empty() && !result.text.empty())
    return fail(errc::invalid_request, "--cursor",
      "expected none with a text: its order ends with the command; --limit shows up to 1000");
  result.filter = std::move(*filter);
  result.limit = page->limit;
  result.cursor = page->cursor;
  return result;
}

list_archive to_archive(query_observations x) {
  return {std::move(x.by), std::move(x.filter), x.limit, std::move(x.cursor)};
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

template <class Request>
exit_code answer(const query_options& options, Request request, bool may_go_on,
  const command_environment& environment) {
  auto agent = open_or_complain(options.agent, if_missing::refuse, environment);
  if (!agent)
    return exit_code::bad_input;
  auto found = agent->request<query_result>(agent->team().page(), std::move(request));
  if (!found)
    return complain(environment, found.error());
  if (!may_go_on)
    found->next_cursor.clear();
  return print(*found, options.agent.json, environment);
}

} // namespace

exit_code run_query(const query_options& options, const command_environment& environment) {
  auto request = read_query(options);
  if (!request)
    return complain(environment, request.error());
  return answer(options, std::move(*request), options.text.empty(), environment);
}

exit_code run_archive(const query_options& options, const command_environment& environment) {
  auto request = read_query(options);
  if (!request)
    return complain(environment, request.error());
  return answer(options, to_archive(std::move(*request)), true, environment);
}

} // namespace scratchpage
