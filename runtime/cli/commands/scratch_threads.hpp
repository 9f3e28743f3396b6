#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/messages/fields.hpp"
#include "scratchpage/runtime/cli/commands/scratch.hpp"
#include "scratchpage/runtime/cli/io/command_line.hpp"

namespace scratchpage {

/// How many items the scratchbook of a thread has.
struct thread_items {
  std::string thread_id;
  uint64_t items = 0; ///< also those that are done or archived
  uint64_t open = 0;

  static constexpr auto fields(auto all) {
    using self = thread_items;
    return all(required("thread_id", &self::thread_id), required("items", &self::items),
      required("open", &self::open));
  }
};

/// The threads whose scratchbooks have items, in the order of their ids. In a directory these are
/// all, as their files say. A server does not list them: there these are the ones among the threads
/// of the latest turns, the thread of the options, `main`, and `default`, which was the thread of
/// the command line before.
caf::expected<std::vector<thread_items>> threads_with_items(const scratch_options& options);

/// Prints the threads whose scratchbooks have items.
exit_code run_scratch_threads(
  const scratch_options& options, const command_environment& environment);

/// Says on the error output that the scratchbook of the thread shows no item, and where items are.
void tell_of_threads(const scratch_options& options, const command_environment& environment);

} // namespace scratchpage
