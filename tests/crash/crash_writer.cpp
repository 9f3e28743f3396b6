// A process that crash_test.cpp kills: an ensemble on a data directory, and eight
// writers that add observations as fast as they are answered. For each answer it
// writes a line to standard output, without buffering: a line that was written was
// acknowledged.
//
//   crash_writer DATA RUN
//
//   started                       the page has recovered
//   kept RUN-WRITER-N obs_...     an addition was acknowledged
//   refused WHY                   an addition was refused; its writer tries again

#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

#include <unistd.h>

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/scoped_actor.hpp>

#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/messages.hpp"
#include "scratchpage/runtime/execution/job_queue.hpp"
#include "scratchpage/runtime/execution/wall_clock.hpp"
#include "scratchpage/runtime/host/ensemble.hpp"
#include "scratchpage/runtime/host/hosted_setup.hpp"
#include "scratchpage/runtime/host/storage.hpp"

namespace {

using namespace scratchpage;

constexpr int writers = 8;

void say(const std::string& line) {
  auto text = line + "\n"; // a single write keeps the line whole
  if (::write(STDOUT_FILENO, text.data(), text.size()) < 0)
    std::_Exit(1); // the reader is gone
}

/// In every tenth run, every five hundredth observation becomes evidence of one of three goals.
/// Evidence is never evicted: more of it would fill the page, which then refuses all additions.
bool deserves_goal(const std::string& name, int n) {
  return n % 500 == 0 && name[name.find('-') - 1] == '0'; // run0-…, run10-…
}

observation_draft make_draft(const std::string& name, int n) {
  observation_draft draft;
  draft.type = "contextual_insight";
  draft.content = name;
  draft.confidence = deserves_goal(name, n) ? 0.95 : 0.5;
  draft.tags = {"crash", name};
  if (deserves_goal(name, n))
    draft.context["goal_id"] = "trip_" + std::to_string(n % 3);
  return draft;
}

struct writer_state {
  std::string prefix;
  int n = 0;
};

void add_next(caf::event_based_actor* self, const scratch_page_actor& page,
  const std::shared_ptr<writer_state>& x) {
  auto name = x->prefix + std::to_string(x->n);
  auto again = [self, page, x] { add_next(self, page, x); };
  ask(self, page, caf::infinite, add_observation{as_tool("crash_writer"), make_draft(name, x->n)})
    .then(
      [name, x, again](const receipt& kept) {
        say("kept " + name + " " + kept.observation->observation_id);
        ++x->n;
        again();
      },
      [self, again](const caf::error& err) {
        say("refused " + describe(err));
        self->run_delayed(std::chrono::milliseconds{20}, again);
      });
}

int run(const std::string& data, const std::string& name) {
  caf::actor_system_config cfg;
  use_shared_queue(cfg);
  caf::actor_system sys{cfg};
  auto opened = storage::open(data);
  if (!opened) {
    std::cerr << describe(opened.error()) << '\n';
    return 1;
  }
  hosted_setup setup;
  setup.config.page.max_observations = 500; // so that many are evicted
  setup.config.journal.fold_idle_ms = 1;    // and snapshots advance all the time
  setup.config.journal.fold_by_force = 2'000;
  auto journal = opened->spawn_journal(sys, std::make_shared<wall_clock>(), setup.config);
  auto kept = recover_agent(opened->store, {journal}, "crash", setup.config);
  if (!kept) {
    std::cerr << describe(kept.error()) << '\n';
    return 1;
  }
  setup.agent_id = "crash";
  setup.kept = std::move(*kept);
  ensemble host{sys, std::move(setup)};
  say("started");
  for (int i = 0; i < writers; ++i) {
    auto x = std::make_shared<writer_state>();
    x->prefix = name + "-" + std::to_string(i) + "-";
    sys.spawn([page = host.page(), x](caf::event_based_actor* self) {
      add_next(self, page, x);
      return caf::behavior{[](caf::unit_t) {}};
    });
  }
  sys.await_all_actors_done(); // never returns: the process is killed
  return 0;
}

} // namespace

int main(int argc, char** argv) {
  init_messages();
  if (argc != 3) {
    std::cerr << "usage: crash_writer DATA RUN\n";
    return 2;
  }
  return run(argv[1], argv[2]);
}
