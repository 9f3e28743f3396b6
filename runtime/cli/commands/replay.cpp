#include "scratchpage/runtime/cli/commands/replay.hpp"

#include <ostream>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/query.hpp"
#include "scratchpage/runtime/cli/commands/open_storage.hpp"
#include "scratchpage/runtime/cli/commands/slow_progress.hpp"
#include "scratchpage/runtime/cli/commands/until_option.hpp"
#include "scratchpage/runtime/cli/io/command_answer.hpp"
#include "scratchpage/runtime/cli/terminal/observation_view.hpp"

namespace scratchpage {

namespace {

/// A past page in JSON.
struct replay_answer {
  uint64_t sequence = 0;
  timestamp at;
  std::vector<observation_ptr> observations; ///< newest first
  uint64_t total_count = 0;

  static constexpr auto fields(auto all) {
    using self = replay_answer;
    return all(required("sequence", &self::sequence), required("at", &self::at),
      required("observations", &self::observations), required("total_count", &self::total_count));
  }
};

replay_answer to_answer(const past_page& x) {
  replay_answer result{x.page.sequence, x.at, {}, x.page.observations.size()};
  for (auto i = x.page.observations.rbegin(); i != x.page.observations.rend(); ++i)
    result.observations.push_back(i->second);
  return result;
}

void print(const replay_answer& x, const command_environment& environment) {
  query_result found;
  found.observations = x.observations;
  found.total_count = x.total_count;
  print_found(environment.out, environment.out_style, found,
    "after sequence " + std::to_string(x.sequence) + ", at " + to_rfc3339(x.at));
}

} // namespace

exit_code run_replay(const replay_options& options, const command_environment& environment) {
  auto until = read_until(options.until);
  if (!until)
    return complain(environment, until.error());
  if (auto err = check_agent_id(options.agent.agent))
    return complain(environment, err);
  auto opened = open_storage(options.agent.data, if_missing::refuse);
  if (!opened)
    return complain_of_input(environment, opened.error());
  auto& in = *opened->store;
  if (auto err = check_is_known(in, options.agent.agent))
    return complain(environment, err);
  auto agent = in.find_agent(options.agent.agent);
  if (!agent)
    return complain(environment, agent.error());
  slow_progress bar{environment, "changes", options.agent.agent};
  auto then = page_at(in, **agent, *until, std::ref(bar));
  if (!then)
    return complain(environment, then.error());
  auto answer = to_answer(*then);
  if (options.agent.json)
    environment.out << to_safe_text(to_json(answer)) << '\n';
  else
    print(answer, environment);
  return finish(environment);
}

} // namespace scratchpage
