#include "scratchpage/runtime/cli/commands/get.hpp"

#include <ostream>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/runtime/cli/commands/opening.hpp"
#include "scratchpage/runtime/cli/commands/option_reader.hpp"
#include "scratchpage/runtime/cli/io/command_answer.hpp"
#include "scratchpage/runtime/cli/io/login_name.hpp"
#include "scratchpage/runtime/cli/terminal/observation_view.hpp"

namespace scratchpage {

exit_code run_get(const get_options& options, const command_environment& environment) {
  std::string id;
  option_reader read;
  read.text("ID", options.observation_id, id);
  if (read.error())
    return complain(environment, read.error());
  auto agent =
    open_or_complain(options.agent, if_missing::refuse, {as_user(login_name()), {}}, environment);
  if (!agent)
    return exit_code::bad_input;
  auto found = agent->call_for<observation_ptr>("get_observation", {{"observation_id", id}});
  if (!found)
    return complain(environment, found.error());
  if (options.agent.json)
    environment.out << to_safe_text(to_json(*found)) << '\n';
  else if (*found)
    print_whole(environment.out, environment.out_style, **found);
  if (*found)
    return finish(environment);
  return complain(
    environment, fail(errc::not_found, "",
                   "there is no observation '" + options.observation_id + "' on the page of "
                     + options.agent.agent + "; `scratchpage archive` lists what has left it"));
}

} // namespace scratchpage
