#include "scratchpage/runtime/cli/checkpoint.hpp"

#include <ostream>

#include "scratchpage/persistence/travel/database_copy.hpp"
#include "scratchpage/persistence/travel/new_database.hpp"
#include "scratchpage/runtime/cli/command_answer.hpp"
#include "scratchpage/runtime/cli/open_storage.hpp"
#include "scratchpage/runtime/cli/slow_progress.hpp"

namespace scratchpage {

namespace {

caf::error restore(const std::filesystem::path& file, new_database& to, slow_progress& bar) {
  auto err = copy_database(file, to.file(), std::ref(bar));
  if (!err)
    err = verify_database(to.file());
  return err ? err : to.keep();
}

} // namespace

exit_code run_checkpoint(
  const checkpoint_options& options, const command_environment& environment) {
  auto opened = open_storage(options.data, if_missing::refuse);
  if (!opened)
    return complain_of_input(environment, opened.error());
  slow_progress bar{environment, "pages", options.file.string()};
  auto err = write_checkpoint(opened->directory->database(), options.file, std::ref(bar));
  return err ? complain(environment, err) : exit_code::ok;
}

exit_code run_restore(const checkpoint_options& options, const command_environment& environment) {
  auto data = data_path(options.data);
  if (!data)
    return complain(environment, data.error());
  std::error_code ec;
  if (!std::filesystem::is_regular_file(options.file, ec))
    return complain(environment, fail(errc::invalid_request, "FILE",
                                   "expected a checkpoint, but there is no file at "
                                     + options.file.string()));
  auto made = new_database::open(*data);
  if (!made)
    return complain_of_input(environment, made.error());
  slow_progress bar{environment, "pages", data->string()};
  auto err = restore(options.file, *made, bar);
  return err ? complain_of_input(environment, err) : exit_code::ok;
}

} // namespace scratchpage
