// A process that scratchbook_test.cpp kills: it changes the scratchbook of a thread as
// fast as it is answered. For each answer it writes a line to standard output, without
// buffering: a line that was written was acknowledged.
//
//   scratch_writer FOLDER RUN
//
// FOLDER/pages.db has the versions of its file, so that the next process refuses a file
// that is not what was acknowledged.
//
//   started          the files are open
//   kept N RUN-N     item sN was added

#include <cstdlib>
#include <iostream>
#include <string>

#include <unistd.h>

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/scoped_actor.hpp>

#include "scratchpage/actors/scratchbook/scratchbooks.hpp"
#include "scratchpage/actors/storage/file_keeper.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/messages.hpp"
#include "scratchpage/persistence/files/file_store.hpp"
#include "scratchpage/persistence/store/sql_store.hpp"
#include "scratchpage/persistence/store/sqlite_connection.hpp"
#include "scratchpage/persistence/stored_files/file_versions.hpp"
#include "scratchpage/runtime/execution/wall_clock.hpp"

namespace {

using namespace scratchpage;

void say(const std::string& line) {
  auto text = line + "\n"; // a single write keeps the line whole
  if (::write(STDOUT_FILENO, text.data(), text.size()) < 0)
    std::_Exit(1); // the reader is gone
}

int run(const std::string& folder, const std::string& name) {
  caf::actor_system_config cfg;
  caf::actor_system sys{cfg};
  auto pages = sql_store::open(sql::sqlite(folder + "/pages.db"));
  auto by = pages ? (**pages).claim("crash") : caf::expected<ownership>{pages.error()};
  if (!by) {
    std::cerr << describe(by.error()) << '\n';
    return 1;
  }
  auto files = std::make_shared<versioned_files>(
    std::make_unique<directory_files>(folder), std::shared_ptr<store>{std::move(*pages)}, *by);
  auto keeper = spawn_detached<file_keeper_state>(sys, std::move(files));
  agent_context agent{"crash", std::make_shared<wall_clock>(), nullptr};
  auto books = spawn<scratchbooks_state>(sys, agent, scratchbook_parts{keeper});
  caf::scoped_actor self{sys};
  say("started");
  for (int n = 0;; ++n) {
    item_draft draft;
    draft.kind = item_kind::todo;
    draft.title = name + "-" + std::to_string(n);
    draft.body = std::string(static_cast<size_t>(n % 50) * 20, 'x'); // files of many sizes
    scratchpage::ask(
      self.ptr(), books, caf::infinite, scratch_add{as_daemon("crash"), "trip", draft})
      .receive([](const scratchbook_item& x) { say("kept " + x.id.substr(1) + " " + x.title); },
        [](const caf::error& err) {
          std::cerr << describe(err) << '\n';
          std::_Exit(1);
        });
  }
}

} // namespace

int main(int argc, char** argv) {
  init_messages();
  if (argc != 3) {
    std::cerr << "usage: scratch_writer FOLDER RUN\n";
    return 2;
  }
  return run(argv[1], argv[2]);
}
