#include "scratchpage/persistence/store/answer_watch.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/threads.hpp"
#include "scratchpage/persistence/store/sql_connection.hpp"

namespace scratchpage::sql {

answer_watch::answer_watch(int socket, std::chrono::milliseconds timeout)
  : socket_{::dup(socket)},
    timeout_{timeout} {
  if (socket_ < 0)
    throw failure{"expected a socket to watch, but there is none"};
  auto started = start_thread([this] { watch(); });
  if (!started) {
    ::close(socket_);
    throw failure{describe(started.error())};
  }
  watcher_ = std::move(*started);
}

answer_watch::~answer_watch() {
  {
    std::lock_guard lock{mutex_};
    has_ended_ = true;
  }
  ending_.notify_one();
  watcher_.join();
  ::close(socket_);
}

/// Looks once in each `timeout_`, so that calls need not wake this thread.
void answer_watch::watch() {
  uint64_t seen = 0;
  std::unique_lock lock{mutex_};
  while (!ending_.wait_for(lock, timeout_, [this] { return has_ended_; })) {
    auto is_in_call = turn_ % 2 == 1;
    if (is_in_call && turn_ == seen)
      ::shutdown(socket_, SHUT_RDWR);
    seen = turn_;
  }
}

} // namespace scratchpage::sql
