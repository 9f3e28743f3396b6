// A bare CAF fan-out between processes: this process sends every message to six others, each with
// one actor, over CAF's own protocol (BASP) on loopback. Prints the deliveries a second.
//
// usage: basp_contestant MESSAGES      starts the six processes itself, as `basp_contestant - PORT`

#include <array>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/io/middleman.hpp>
#include <caf/scoped_actor.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/type_ids.hpp"

namespace {

using namespace scratchpage;

constexpr size_t subscribers = 6;
constexpr size_t chunk = 512;
/// How many messages the hub may be ahead of the slowest subscriber, so that no queue grows without
/// bound.
constexpr size_t window = 8'192;
constexpr auto loopback = "127.0.0.1";

observation_ptr message_of(size_t n) {
  observation x;
  x.observation_id = "obs_20251105_" + std::to_string(n);
  x.type = "tool_result";
  x.content = "The search for flight " + std::to_string(n) + " to Paris found three seats left";
  x.tags = {"travel", "flight", "paris"};
  return observation_ptr{std::move(x)};
}

/// Tells the hub of itself, and of each chunk that it has got.
int subscribe_at(caf::actor_system& system, uint16_t port) {
  auto hub = system.middleman().remote_actor(loopback, port);
  if (!hub) {
    std::cerr << describe(hub.error()) << '\n';
    return EXIT_FAILURE;
  }
  auto seen = std::make_shared<size_t>(0);
  auto listener = system.spawn([hub = *hub, seen](caf::event_based_actor* self) -> caf::behavior {
    self->send(hub, caf::join_atom_v, caf::actor_cast<caf::actor>(self));
    return {[=](const observation_ptr&) {
      if (++*seen % chunk == 0)
        self->send(hub, caf::ok_atom_v);
    }};
  });
  std::cin.get(); // until the hub's process closes it
  caf::anon_send_exit(listener, caf::exit_reason::user_shutdown);
  return EXIT_SUCCESS;
}

/// Starts a subscriber whose standard input is the reading end of a pipe.
pid_t start(const char* program, uint16_t port, std::array<int, 2> ends) {
  auto text = std::to_string(port);
  std::array<char*, 4> argv{
    const_cast<char*>(program), const_cast<char*>("-"), text.data(), nullptr};
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, ends[0], STDIN_FILENO);
  posix_spawn_file_actions_addclose(&files, ends[1]);
  pid_t pid = -1;
  if (posix_spawn(&pid, program, &files, nullptr, argv.data(), environ) != 0)
    pid = -1;
  posix_spawn_file_actions_destroy(&files);
  return pid;
}

double fan_out(caf::scoped_actor& hub, const std::vector<caf::actor>& to, size_t messages) {
  auto began = std::chrono::steady_clock::now();
  size_t confirmed = 0; // chunks of all subscribers together
  for (size_t sent = 0; sent < messages;) {
    for (auto end = sent + chunk; sent < end; ++sent) {
      auto x = message_of(sent);
      for (const auto& one : to)
        hub->send(one, x);
    }
    while (sent > window && confirmed * chunk < (sent - window) * subscribers)
      hub->receive([&](caf::ok_atom) { ++confirmed; });
  }
  while (confirmed * chunk < messages * subscribers)
    hub->receive([&](caf::ok_atom) { ++confirmed; });
  std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  return static_cast<double>(messages * subscribers) / took.count();
}

int publish(caf::actor_system& system, const char* program, size_t messages) {
  caf::scoped_actor hub{system};
  auto port = system.middleman().publish(caf::actor_cast<caf::actor>(hub), 0, loopback);
  std::array<int, 2> ends{};
  if (!port || pipe(ends.data()) != 0) {
    std::cerr << "cannot open a port and a pipe\n";
    return EXIT_FAILURE;
  }
  std::vector<pid_t> children;
  for (size_t i = 0; i < subscribers; ++i)
    children.push_back(start(program, *port, ends));
  std::vector<caf::actor> to;
  while (to.size() < subscribers)
    hub->receive([&](caf::join_atom, caf::actor who) { to.push_back(std::move(who)); });
  std::cout << fan_out(hub, to, messages - messages % chunk) << std::endl;
  close(ends[1]);
  for (auto pid : children)
    waitpid(pid, nullptr, 0);
  return EXIT_SUCCESS;
}

} // namespace

int main(int argc, char** argv) {
  init_messages();
  caf::io::middleman::init_global_meta_objects();
  caf::actor_system_config cfg;
  cfg.load<caf::io::middleman>();
  caf::actor_system system{cfg};
  if (argc == 3)
    return subscribe_at(system, static_cast<uint16_t>(std::stoul(argv[2])));
  if (argc == 2)
    return publish(system, argv[0], std::stoul(argv[1]));
  std::cerr << "usage: basp_contestant MESSAGES\n";
  return 2;
}
