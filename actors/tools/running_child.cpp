#include "scratchpage/actors/tools/running_child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <system_error>
#include <utility>

#ifndef _GNU_SOURCE
extern char** environ; // POSIX has it in no header
#endif

namespace scratchpage {

namespace {

using namespace std::chrono;

/// Blocks SIGPIPE on this thread while it lives, and discards one that arrives meanwhile. Writing
/// to a program that has ended must not end this process.
class no_sigpipe {
public:
  no_sigpipe() {
    sigset_t pending;
    ::sigpending(&pending);
    was_pending_ = ::sigismember(&pending, SIGPIPE) == 1;
    ::sigemptyset(&pipe_);
    ::sigaddset(&pipe_, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &pipe_, &old_);
  }

  no_sigpipe(const no_sigpipe&) = delete;
  no_sigpipe& operator=(const no_sigpipe&) = delete;

  ~no_sigpipe() {
    sigset_t pending;
    ::sigpending(&pending);
    if (!was_pending_ && ::sigismember(&pending, SIGPIPE) == 1) {
      int signal = 0;
      ::sigwait(&pipe_, &signal);
    }
    ::pthread_sigmask(SIG_SETMASK, &old_, nullptr);
  }

private:
  sigset_t pipe_;
  sigset_t old_;
  bool was_pending_ = false;
};

bool is_temporary(int error) {
  return error == EAGAIN || error == EINTR;
}

std::string describe_end(int status) {
  if (WIFEXITED(status))
    return "exited with status " + std::to_string(WEXITSTATUS(status));
  if (WIFSIGNALED(status))
    return "was ended by signal " + std::to_string(WTERMSIG(status));
  return "ended";
}

/// The descriptor, or a copy of it with a number above 2, in case this process runs with one of its
/// standard streams closed.
unique_fd above_standard(unique_fd fd) {
  return fd.get() > 2 ? std::move(fd) : unique_fd{::fcntl(fd.get(), F_DUPFD_CLOEXEC, 3)};
}

std::string text_of(int error) {
  return std::system_category().message(error);
}

/// Owns the arguments of posix_spawn that need to be freed.
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

  /// Requests an own process group and default signal handling.
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
    // Closes descriptors that other code of this process opened without O_CLOEXEC, too.
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

/// The program's environment, as "NAME=value": inherited variables and its own.
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

/// The texts as exec takes them: pointers, with a null at the end.
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

// -- starting -------------------------------------------------------------------------

pipe_ends make_pipe() {
  std::array<int, 2> fds{-1, -1};
#ifdef __linux__
  if (::pipe2(fds.data(), O_CLOEXEC) != 0)
    return {};
#else
  if (::pipe(fds.data()) != 0)
    return {};
  for (auto fd : fds)
    ::fcntl(fd, F_SETFD, FD_CLOEXEC);
#endif
  return {above_standard(unique_fd{fds[0]}), above_standard(unique_fd{fds[1]})};
}

bool has_both_ends(const pipe_ends& x) {
  return x.read && x.write;
}

void never_block(const unique_fd& fd) {
  ::fcntl(fd.get(), F_SETFL, ::fcntl(fd.get(), F_GETFL) | O_NONBLOCK);
}

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

running_child::running_child(spawned_child x, size_t max_stderr_bytes)
  : pid_{x.pid},
    in_{std::move(x.in)},
    out_{std::move(x.out)},
    err_{std::move(x.err)},
    max_stderr_bytes_{max_stderr_bytes} {}

running_child::~running_child() {
  if (pid_ > 0)
    end(timespan{0});
}

// -- talking ------------------------------------------------------------------------

std::optional<size_t> running_child::write_some(std::string_view text) {
  no_sigpipe guard;
  auto n = ::write(in_.get(), text.data(), text.size());
  if (n >= 0)
    return static_cast<size_t>(n);
  return is_temporary(errno) ? std::optional<size_t>{0} : std::nullopt;
}

bool running_child::read_some(std::string& to) {
  std::array<char, 16384> buffer;
  auto n = ::read(out_.get(), buffer.data(), buffer.size());
  if (n > 0)
    to.append(buffer.data(), static_cast<size_t>(n));
  return n > 0 || (n < 0 && is_temporary(errno));
}

void running_child::read_stderr() {
  std::array<char, 16384> buffer;
  auto n = ::read(err_.get(), buffer.data(), buffer.size());
  if (n > 0)
    err_tail_.append(buffer.data(), static_cast<size_t>(n));
  else if (n == 0 || !is_temporary(errno))
    err_.reset();
  if (err_tail_.size() > 2 * max_stderr_bytes_)
    err_tail_.erase(0, err_tail_.size() - max_stderr_bytes_);
}

std::string_view running_child::stderr_tail() const {
  std::string_view all{err_tail_};
  return all.substr(all.size() - std::min(all.size(), max_stderr_bytes_));
}

int running_child::unread_input() const {
  int result = -1;
  ::ioctl(in_.get(), FIONREAD, &result);
  return result;
}

// -- ending -------------------------------------------------------------------------

/// Does not reap a child that has ended; `reap` does.
bool running_child::has_exited() const {
  siginfo_t info{};
  auto rc = ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
  return rc != 0 || info.si_pid == pid_;
}

bool running_child::wait_for_exit(timespan span) {
  auto by = steady_clock::now() + span;
  // There is no portable way to wait for a child and a deadline at once.
  for (auto pause = 1; !has_exited(); pause = std::min(2 * pause, 16)) {
    auto left = ceil<milliseconds>(by - steady_clock::now()).count();
    if (left <= 0)
      return false;
    pollfd err{err_.get(), POLLIN, 0};
    if (::poll(&err, 1, static_cast<int>(std::min<int64_t>(pause, left))) > 0)
      read_stderr();
  }
  return true;
}

std::string running_child::end(timespan grace) {
  in_.reset();
  if (!has_exited() && grace > timespan{0}) {
    signal_group(SIGTERM);
    wait_for_exit(grace);
  }
  // The child is not reaped yet: until then no other process group can get its id.
  signal_group(SIGKILL);
  auto result = reap();
  out_.reset();
  err_.reset();
  return result;
}

void running_child::signal_group(int signal) const {
  ::kill(-pid_, signal);
}

std::string running_child::reap() {
  int status = 0;
  pid_t rc = 0;
  do {
    rc = ::waitpid(pid_, &status, 0);
  } while (rc < 0 && errno == EINTR);
  while (err_) { // reads what it wrote last
    auto before = err_tail_.size();
    read_stderr();
    if (err_tail_.size() <= before)
      break;
  }
  return std::exchange(pid_, -1) == rc ? describe_end(status) : "ended";
}

} // namespace scratchpage
