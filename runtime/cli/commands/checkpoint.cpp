#include "scratchpage/runtime/cli/commands/checkpoint.hpp"

#include <optional>
#include <ostream>
#include <system_error>

#include "scratchpage/persistence/store/sql_store.hpp"
#include "scratchpage/persistence/store/sqlite_connection.hpp"
#include "scratchpage/persistence/transfer/cut_history.hpp"
#include "scratchpage/persistence/transfer/database_copy.hpp"
#include "scratchpage/persistence/transfer/new_database.hpp"
#include "scratchpage/runtime/cli/commands/open_storage.hpp"
#include "scratchpage/runtime/cli/commands/slow_progress.hpp"
#include "scratchpage/runtime/cli/commands/until_option.hpp"
#include "scratchpage/runtime/cli/io/command_answer.hpp"

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
  return cut_history(**opened, *owner, until);
}

/// The cut, if there was to be one.
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

/// What could not go back with the page.
void tell(
  const history_cut& cut, const restore_options& options, const command_environment& environment) {
  environment.out << options.agent << " is as it was after sequence " << cut.sequence << "; "
                  << count_of(cut.changes, "change") << " cut off\n";
  warn(environment, "goals, facts, episodes and files are as they were when the checkpoint was "
                    "made: what they were before is not kept");
}

} // namespace

exit_code run_checkpoint(
  const checkpoint_options& options, const command_environment& environment) {
  auto opened = open_storage(options.data, if_missing::refuse);
  if (!opened)
    return complain_of_input(environment, opened.error());
  slow_progress bar{environment, "pages", options.file.string()};
  auto err = write_checkpoint(*opened->directory, options.file, std::ref(bar));
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

} // namespace scratchpage
