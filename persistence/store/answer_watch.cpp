#include "scratchpage/persistence/store/answer_watch.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/threads.hpp"
#include "scratchpage/persistence/store/sql_connection.hpp"

namespace scratchpage::sql {

/// The thread that looks at all connections.
class answer_watch::watcher {
public:
  /// The one that exists, or a new one. Throws `failure`.
  static std::shared_ptr<watcher> shared() {
    static std::mutex mutex;
    static std::weak_ptr<watcher> last;
    std::lock_guard lock{mutex};
    auto result = last.lock();
    if (!result)
      last = result = std::make_shared<watcher>();
    return result;
  }

  watcher() {
    auto started = start_thread([this] { watch(); });
    if (!started)
      throw failure{describe(started.error())};
    thread_ = std::move(*started);
  }

  watcher(const watcher&) = delete;
  watcher& operator=(const watcher&) = delete;

  ~watcher() {
    {
      std::lock_guard lock{mutex_};
      has_ended_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }

  void add(answer_watch& x) {
    {
      std::lock_guard lock{mutex_};
      x.next_look_ = clock::now() + x.timeout_;
      watches_.push_back(&x);
    }
    changed_.notify_one();
  }

  void remove(answer_watch& x) {
    std::lock_guard lock{mutex_};
    std::erase(watches_, &x);
  }

private:
  /// Looks at each watch once in its `timeout_`, so that calls need not wake this thread.
  void watch() {
    std::unique_lock lock{mutex_};
    while (!has_ended_) {
      auto now = clock::now();
      auto next = now + std::chrono::hours{1};
      for (auto* x : watches_) {
        if (x->next_look_ <= now) {
          x->look();
          x->next_look_ = now + x->timeout_;
        }
        next = std::min(next, x->next_look_);
      }
      changed_.wait_until(lock, next);
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool has_ended_ = false;
  std::vector<answer_watch*> watches_;
  std::thread thread_; // last, because it uses the other members
};

answer_watch::answer_watch(int socket, std::chrono::milliseconds timeout)
  : socket_{::dup(socket)},
    timeout_{timeout} {
  if (socket_ < 0)
    throw failure{"expected a socket to watch, but there is none"};
  try {
    watcher_ = watcher::shared();
    watcher_->add(*this);
  } catch (...) {
    ::close(socket_);
    throw;
  }
}

answer_watch::~answer_watch() {
  watcher_->remove(*this);
  ::close(socket_);
}

/// Ends a call that was under way at the last look already.
void answer_watch::look() {
  auto turn = turn_.load();
  if (turn % 2 == 1 && turn == seen_)
    ::shutdown(socket_, SHUT_RDWR);
  seen_ = turn;
}

} // namespace scratchpage::sql
