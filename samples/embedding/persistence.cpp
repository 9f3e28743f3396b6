// Stores an agent in a directory, ends it, opens it again, and finds its observation.
#include <iostream>

#include <scratchpage/scratchpage.hpp>

using namespace scratchpage;

int give_up(const caf::error& err) {
  std::cerr << describe(err) << '\n';
  return 1;
}

int main(int argc, char** argv) {
  init_messages();
  caf::actor_system_config config;
  caf::actor_system system{config};
  std::string directory = argc > 1 ? argv[1] : "kept_agent";
  // --(open begin)--
  {
    auto team = ensemble::open(system, directory);
    if (!team)
      return give_up(team.error());
    auto stored = team->add({.type = "observation", .content = "The oven is on"});
    if (!stored) // if this succeeds, the observation is on the disk
      return give_up(stored.error());
  }
  auto team = ensemble::open(system, directory);
  if (!team)
    return give_up(team.error());
  auto found = team->query({.text = "oven"});
  // --(open end)--
  if (!found)
    return give_up(found.error());
  for (const auto& x : found->observations)
    std::cout << "found again: " << x->content << '\n';
}
