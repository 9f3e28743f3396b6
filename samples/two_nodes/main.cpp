// The page in one process, the Executor and its tool in another, over CAF's
// network on loopback. The program starts its own second process.
#include <array>
#include <charconv>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/io/middleman.hpp>
#include <caf/scoped_actor.hpp>

#include "scratchpage/actors/tools/toolbox.hpp"
#include "scratchpage/messages/type_ids.hpp"
#include "scratchpage/runtime/execution/wall_clock.hpp"
#include "scratchpage/runtime/host/ensemble.hpp"

using namespace scratchpage;

namespace {

constexpr auto loopback = "127.0.0.1";

/// Ends the second process when its standard input is closed.
class child {
public:
  child(const char* program, std::vector<std::string> words) {
    std::array<int, 2> pipe_ends{};
    if (pipe(pipe_ends.data()) != 0)
      return;
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, pipe_ends[0], STDIN_FILENO);
    posix_spawn_file_actions_addclose(&files, pipe_ends[1]);
    std::vector<char*> argv{const_cast<char*>(program)};
    for (auto& word : words)
      argv.push_back(word.data());
    argv.push_back(nullptr);
    if (posix_spawn(&pid_, program, &files, nullptr, argv.data(), environ) != 0)
      pid_ = -1;
    posix_spawn_file_actions_destroy(&files);
    close(pipe_ends[0]);
    input_ = pipe_ends[1];
  }

  child(const child&) = delete;
  child& operator=(const child&) = delete;

  ~child() {
    close(input_);
    if (pid_ > 0)
      waitpid(pid_, nullptr, 0);
  }

  pid_t pid() const { return pid_; }

private:
  pid_t pid_ = -1;
  int input_ = -1;
};

tool_definition tell_process() {
  tool_definition tool;
  tool.manifest.tool_id = "tell_process";
  tool.kind = function_tool{[](const tool_request& request) {
    tool_response response;
    response.request_id = request.request_id;
    response.outputs["pid"] = static_cast<int64_t>(getpid());
    return response;
  }};
  return tool;
}

/// The second process: an Executor with its tool, on somebody else's page.
int work(caf::actor_system& system, uint16_t page_port, uint16_t mandates_port) {
  auto& net = system.middleman();
  auto page = net.remote_actor<scratch_page_actor>(loopback, page_port);
  auto mandates = net.remote_actor<consciousness_actor>(loopback, mandates_port);
  if (!page || !mandates) {
    std::cerr << "cannot reach the page: " << describe(page ? mandates.error() : page.error())
              << '\n';
    return EXIT_FAILURE;
  }
  daemon_setup setup;
  setup.agent = {"agent", std::make_shared<wall_clock>(), nullptr};
  setup.page = *page;
  auto tools = spawn<toolbox_state>(system, setup.agent, static_cast<uint32_t>(component::tools),
    std::vector{tell_process()}, toolbox_config{});
  auto executor = ensemble::spawn_executor(system, setup, default_config(), tools, *mandates);
  std::cin.get(); // until the first process closes it
  caf::anon_send_exit(executor, caf::exit_reason::user_shutdown);
  caf::anon_send_exit(tools, caf::exit_reason::user_shutdown);
  return EXIT_SUCCESS;
}

int report(const turn_result& result, pid_t other) {
  int calls = 0;
  for (const auto& x : result.observations) {
    std::cout << "  " << x->source.name << " (" << x->type << "): " << x->content << '\n';
    calls +=
      x->type == "tool_result" && x->content.find(std::to_string(other)) != std::string::npos;
  }
  std::cout << "process " << getpid() << " has the page; the other process made " << calls
            << " call\n";
  return calls == 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/// The first process: everything else, and one turn.
int host(caf::actor_system& system, const char* program) {
  ensemble_setup setup;
  setup.executor = false;
  ensemble team{system, std::move(setup)};
  auto page_port = system.middleman().publish(team.page(), 0, loopback);
  auto mandates_port = system.middleman().publish(team.consciousness(), 0, loopback);
  if (!page_port || !mandates_port) {
    std::cerr << "cannot open a port on loopback\n";
    return EXIT_FAILURE;
  }
  child other{program, {std::to_string(*page_port), std::to_string(*mandates_port)}};
  caf::scoped_actor me{system};
  begin_turn turn;
  turn.input = "Which process does the work?";
  turn.plan.push_back({.tool_id = "tell_process"});
  auto status = EXIT_FAILURE;
  ask(me.ptr(), team.turns(), std::chrono::seconds{60}, turn)
    .receive([&](const turn_result& result) { status = report(result, other.pid()); },
      [](const caf::error& err) { std::cerr << describe(err) << '\n'; });
  return status;
}

uint16_t port_of(std::string_view text) {
  uint16_t port = 0;
  std::from_chars(text.data(), text.data() + text.size(), port);
  return port;
}

} // namespace

int main(int argc, char** argv) {
  init_messages();
  caf::io::middleman::init_global_meta_objects();
  caf::actor_system_config cfg;
  cfg.load<caf::io::middleman>();
  caf::actor_system system{cfg};
  return argc == 3 ? work(system, port_of(argv[1]), port_of(argv[2])) : host(system, argv[0]);
}
