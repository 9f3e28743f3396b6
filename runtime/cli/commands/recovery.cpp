#include "scratchpage/runtime/cli/commands/history_commands.hpp"

#include <optional>
#include <ostream>
#include <system_error>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/input_text.hpp"
#include "scratchpage/messages/limits.hpp"
#include "scratchpage/messages/query.hpp"
#include "scratchpage/persistence/store/sql_store.hpp"
#include "scratchpage/persistence/store/sqlite_connection.hpp"
#include "scratchpage/persistence/transfer/database_files.hpp"
#include "scratchpage/persistence/transfer/page_at.hpp"
#include "scratchpage/persistence/transfer/past_page.hpp"
#include "scratchpage/persistence/transfer/salvage.hpp"
#include "scratchpage/runtime/cli/commands/opening.hpp"
#include "scratchpage/runtime/cli/commands/options.hpp"
#include "scratchpage/runtime/cli/commands/progress_bar.hpp"
#include "scratchpage/runtime/cli/io/checkpoint_file.hpp"
#include "scratchpage/runtime/cli/io/command_line.hpp"
#include "scratchpage/runtime/cli/terminal/observation_view.hpp"
#include "scratchpage/runtime/cli/terminal/terminal.hpp"

namespace scratchpage {

namespace {

caf::expected<history_cut> go_back(
  const std::filesystem::path& database, const std::string& agent_id, const moment& until) {
  auto opened = sql_store::open(sql::sqlite(database));
  if (!opened)
    return opened.error();
  if (auto err = check_is_known(**opened, agent_id))
    return err;
  auto owner = (*opened)->claim(agent_id);
  if (!owner)
    return owner.error();
  return truncate_history(**opened, *owner, until);
}

/// Restores the database. Returns what was cut off, if `until` is given.
caf::expected<std::optional<history_cut>> restore(const restore_options& options,
  const std::optional<moment>& until, new_database& to, slow_progress& bar) {
  std::optional<history_cut> cut;
  auto err = copy_database(options.file, to.file(), std::ref(bar));
  if (!err)
    err = verify_database(to.file());
  if (!err && until) {
    auto done = go_back(to.file(), options.agent, *until);
    if (done)
      cut = *done;
    else
      err = done.error();
  }
  if (!err)
    err = to.keep();
  if (err)
    return err;
  return cut;
}

/// Prints what was cut off, and warns that only the page was reset.
void tell(
  const history_cut& cut, const restore_options& options, const command_environment& environment) {
  environment.out << options.agent << " is as it was after sequence " << cut.sequence << "; "
                  << count_of(cut.changes, "change") << " discarded\n";
  warn(environment,
    "goals, facts, episodes and files are as they are in the checkpoint, which does "
    "not have their earlier states");
}

/// A page at an earlier time, as JSON.
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

replay_answer to_answer(const historical_page& x) {
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

/// Downloads a checkpoint. The file gets its name when it is complete and checked.
caf::error receive_checkpoint(const stored_data& from, const checkpoint_options& options) {
  checkpoint_file to;
  if (auto err = to.open(options.file))
    return err;
  auto err = download_stored(from, options.data, client::checkpoint_target(),
    [&](std::string_view piece) { return to.write(piece); });
  return err ? err : to.keep();
}

/// The page in another process.
caf::expected<replay_answer> replay_of(agent_client& agent, const moment& until) {
  replay_answer result;
  past_page_query which{.limit = max_query_limit};
  if (const auto* sequence = std::get_if<uint64_t>(&until))
    which.sequence = *sequence;
  else
    which.at = std::get<timestamp>(until);
  do {
    auto part = agent.call_for<past_page>(
      std::string{past_page_query::name}, std::move(to_json(which).get_object()));
    if (!part)
      return field_of(part.error()) == "sequence" || field_of(part.error()) == "at"
               ? fail(code_of(part.error()), "until", expectation_of(part.error()))
               : part.error();
    result.sequence = part->sequence;
    result.at = part->at.value_or(timestamp{});
    result.total_count = part->total_count;
    for (auto& x : part->observations)
      result.observations.push_back(std::move(x));
    which.cursor = std::move(part->next_cursor);
  } while (!which.cursor.empty());
  return result;
}

exit_code tell(const caf::expected<replay_answer>& answer, const replay_options& options,
  const command_environment& environment) {
  if (!answer)
    return complain(environment, answer.error());
  if (options.agent.json)
    environment.out << to_safe_text(to_json(*answer)) << '\n';
  else
    print(*answer, environment);
  return finish(environment);
}

exit_code replay_elsewhere(
  const replay_options& options, const moment& until, const command_environment& environment) {
  auto agent =
    open_or_complain(options.agent, open_mode::existing, {as_admin(login_name()), {}}, environment);
  return agent ? tell(replay_of(*agent, until), options, environment) : exit_code::bad_input;
}

void print(const salvage_report& x, const command_environment& environment) {
  const auto& style = environment.out_style;
  table lost{{{"AGENT"}, {"LOST"}, {"WHICH"}, {"WHY"}}};
  for (const auto& one : x.lost)
    lost.add({{one.agent_id.empty() ? "?" : one.agent_id, ink::accent}, {one.what, ink::bad},
      {one.which}, {one.why, ink::faint}});
  if (!x.lost.empty()) {
    lost.print(environment.out, style);
    environment.out << '\n';
  }
  environment.out << "saved: " << count_of(x.agents, "agent") << ", "
                  << count_of(x.changes, "change") << ", "
                  << count_of(x.observations, "observation") << " of pages that begin anew, "
                  << x.archived << " archived, " << count_of(x.documents, "document") << ", "
                  << count_of(x.files, "file") << "; "
                  << (x.lost.empty() ? "nothing is lost" : "what is lost is listed above") << '\n';
}

} // namespace

exit_code run_checkpoint(
  const checkpoint_options& options, const command_environment& environment) {
  auto stored = find_stored(options.data, options.server, options.ca_file);
  if (!stored)
    return complain_of_input(environment, stored.error());
  slow_progress bar{environment, "pages", options.file.string()};
  auto err = stored->here ? write_checkpoint(*stored->here->directory, options.file, std::ref(bar))
                          : receive_checkpoint(*stored, options);
  return err ? complain(environment, err) : exit_code::ok;
}

exit_code run_restore(const restore_options& options, const command_environment& environment) {
  auto data = data_path(options.data);
  if (!data)
    return complain(environment, data.error());
  std::optional<moment> until;
  if (!options.until.empty()) {
    auto read = read_until(options.until);
    if (!read)
      return complain(environment, read.error());
    until = *read;
  }
  std::error_code ec;
  if (!std::filesystem::is_regular_file(options.file, ec))
    return complain(
      environment, fail(errc::invalid_request, "FILE",
                     "expected a checkpoint, but there is no file at " + options.file.string()));
  auto made = new_database::open(*data);
  if (!made)
    return complain_of_input(environment, made.error());
  slow_progress bar{environment, "pages", data->string()};
  auto cut = restore(options, until, *made, bar);
  if (!cut)
    return code_of(cut.error()) == errc::invalid_request
             ? complain(environment, cut.error())
             : complain_of_input(environment, cut.error());
  if (*cut)
    tell(**cut, options, environment);
  return finish(environment);
}

exit_code run_replay(const replay_options& options, const command_environment& environment) {
  auto until = read_until(options.until);
  if (!until)
    return complain(environment, until.error());
  if (auto err = check_agent_id(options.agent.agent))
    return complain(environment, err);
  auto stored = find_stored(options.agent.data, options.agent.server, options.agent.ca_file);
  if (!stored)
    return complain_of_input(environment, stored.error());
  if (!stored->here)
    return replay_elsewhere(options, *until, environment);
  auto& in = *stored->here->store;
  if (auto err = check_is_known(in, options.agent.agent))
    return complain(environment, err);
  auto agent = in.find_agent(options.agent.agent);
  if (!agent)
    return complain(environment, agent.error());
  slow_progress bar{environment, "changes", options.agent.agent};
  auto then = page_at(in, **agent, *until, std::ref(bar));
  if (!then)
    return complain(environment, then.error());
  return tell(to_answer(*then), options, environment);
}

exit_code run_repair(const repair_options& options, const command_environment& environment) {
  auto data = existing_data(options.data);
  if (!data)
    return complain_of_input(environment, data.error());
  if (options.into.empty())
    return complain(
      environment, fail(errc::invalid_request, "--into", "expected a directory to create"));
  slow_progress bar{environment, "changes", options.into.string()};
  auto report = repair(*data, options.into, std::ref(bar));
  if (!report)
    return complain_of_input(environment, report.error());
  if (options.json)
    environment.out << to_safe_text(to_json(*report)) << '\n';
  else
    print(*report, environment);
  return finish(environment, report->lost.empty() ? exit_code::ok : exit_code::unmet);
}

} // namespace scratchpage
