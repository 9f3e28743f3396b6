#include "scratchpage/actors/tools/spawn_child.hpp"

#include <signal.h>
#include <spawn.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <system_error>
#include <utility>

#include "scratchpage/actors/tools/pipes.hpp"

#ifndef _GNU_SOURCE
extern char** environ; // POSIX has it in no header
#endif

namespace scratchpage {

namespace {

std::string text_of(int error) {
  return std::system_category().message(error);
}

/// The arguments of posix_spawn that need to be freed.
class spawn_arguments {
public:
  spawn_arguments() {
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawnattr_init(&attributes);
  }

  spawn_arguments(const spawn_arguments&) = delete;
  spawn_arguments& operator=(const spawn_arguments&) = delete;

  ~spawn_arguments() {
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&actions);
  }

  /// A process group of its own, and signals as after a login.
  void set_attributes() {
    sigset_t none;
    sigset_t all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    ::posix_spawnattr_setsigmask(&attributes, &none);
    ::posix_spawnattr_setsigdefault(&attributes, &all);
    ::posix_spawnattr_setpgroup(&attributes, 0);
    ::posix_spawnattr_setflags(
      &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }

  void set_files(int in, int out, int err, const std::string& directory) {
    ::posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
    if (!directory.empty())
      ::posix_spawn_file_actions_addchdir_np(&actions, directory.c_str());
#if defined(__GLIBC__) && (__GLIBC__ > 2 || (__GLIBC__ == 2 && __GLIBC_MINOR__ >= 34))
    // Also what other code of this process opened and forgot to mark.
    ::posix_spawn_file_actions_addclosefrom_np(&actions, 3);
#endif
  }

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
};

bool inherits(const child_command& command, const std::string& name) {
  return !command.inherits
         || std::find(command.inherits->begin(), command.inherits->end(), name)
              != command.inherits->end();
}

/// What the program inherits with its own on top, as "NAME=value".
std::vector<std::string> environment(const child_command& command) {
  std::vector<std::string> result;
  for (auto** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    std::string_view text{*entry};
    std::string name{text.substr(0, text.find('='))};
    if (!command.env.contains(name) && inherits(command, name))
      result.emplace_back(text);
  }
  for (const auto& [name, value] : command.env)
    result.emplace_back(name).append("=").append(value);
  return result;
}

/// What exec wants: pointers, and a null at the end.
std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  result.reserve(texts.size() + 1);
  for (auto& text : texts)
    result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

spawned_child failed(std::string error) {
  spawned_child result;
  result.error = std::move(error);
  return result;
}

} // namespace

spawned_child spawn_child(const child_command& command) {
  if (command.argv.empty())
    return failed("has no command");
  auto in = make_pipe();
  auto out = make_pipe();
  auto err = make_pipe();
  if (!has_both_ends(in) || !has_both_ends(out) || !has_both_ends(err))
    return failed("could not be started: " + text_of(errno));
  spawn_arguments arguments;
  arguments.set_attributes();
  arguments.set_files(in.read.get(), out.write.get(), err.write.get(), command.working_directory);
  auto env = environment(command);
  auto argv = command.argv;
  pid_t pid = -1;
  auto error = ::posix_spawnp(&pid, argv[0].c_str(), &arguments.actions, &arguments.attributes,
    pointers(argv).data(), pointers(env).data());
  if (error != 0)
    return failed("could not be started: " + command.argv[0] + ": " + text_of(error));
  spawned_child result{pid, std::move(in.write), std::move(out.read), std::move(err.read), {}};
  for (const auto* fd : {&result.in, &result.out, &result.err})
    never_block(*fd);
  return result;
}

} // namespace scratchpage
