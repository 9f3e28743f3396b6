// The page runs in one process, the Executor and its tool in another. They are connected by CAF's
// network on loopback. The program starts the second process itself.
#include <array>
#include <charconv>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <caf/io/middleman.hpp>

#include <scratchpage/scratchpage.hpp>

using namespace scratchpage;

namespace {

constexpr auto loopback = "127.0.0.1";

/// The second process. It ends when its standard input is closed, which the destructor does.
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

/// Runs in the second process: an Executor with its tool, on the page of the first.
int work(caf::actor_system& system, uint16_t page_port, uint16_t mandates_port) {
  auto& net = system.middleman();
  auto page = net.remote_actor<scratch_page_actor>(loopback, page_port);
  auto mandates = net.remote_actor<consciousness_actor>(loopback, mandates_port);
  if (!page || !mandates) {
    std::cerr << "cannot reach the page: " << describe(page ? mandates.error() : page.error())
              << '\n';
    return EXIT_FAILURE;
  }
  executor_node node{system, "agent", *page, *mandates, {tell_process()}};
  std::cin.get(); // until the first process closes it
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

/// Runs in the first process: everything else, and one turn.
int host(caf::actor_system& system, const char* program) {
  ensemble team{system, {.elsewhere = {"executor"}}};
  auto page_port = system.middleman().publish(team.page(), 0, loopback);
  auto mandates_port = system.middleman().publish(team.consciousness(), 0, loopback);
  if (!page_port || !mandates_port) {
    std::cerr << "cannot open a port on loopback\n";
    return EXIT_FAILURE;
  }
  child other{program, {std::to_string(*page_port), std::to_string(*mandates_port)}};
  auto result =
    team.run_turn({.input = "Which process does the work?", .plan = {{.tool_id = "tell_process"}}},
      std::chrono::minutes{1});
  if (result)
    return report(*result, other.pid());
  std::cerr << describe(result.error()) << '\n';
  return EXIT_FAILURE;
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
