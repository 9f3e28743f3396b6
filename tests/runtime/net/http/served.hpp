#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/net/http/server.hpp"
#include "scratchpage/tests/support/http_client.hpp"

namespace scratchpage::test {

/// Values that another thread sets. A test that waits for one for more than ten seconds
/// fails.
template <class T>
class awaited {
public:
  void set(T x) {
    std::lock_guard lock{mutex_};
    values_.push_back(std::move(x));
    changed_.notify_all();
  }

  /// Waits for the next value.
  T get() {
    std::unique_lock lock{mutex_};
    BOOST_REQUIRE(changed_.wait_for(
      lock, std::chrono::seconds{10}, [this] { return taken_ < values_.size(); }));
    return std::move(values_[taken_++]);
  }

  size_t count() {
    std::lock_guard lock{mutex_};
    return values_.size();
  }

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<T> values_;
  size_t taken_ = 0;
};

using exchange_ptr = std::shared_ptr<http::exchange>;
using stream_ptr = std::shared_ptr<http::stream>;

inline std::unique_ptr<http::server> serve(http::server_config config, http::handler answer) {
  auto made = http::server::start(std::move(config), std::move(answer));
  if (!made)
    BOOST_FAIL(describe(made.error()));
  return std::move(*made);
}

inline std::unique_ptr<http::server> serve(http::handler answer) {
  return serve({}, std::move(answer));
}

/// A handler that answers with the request's method, path, query and body.
inline void echo(http::request asked, const exchange_ptr& back) {
  http::response answer;
  answer.headers.push_back({"Content-Type", "text/plain"});
  answer.body = asked.method + " " + asked.path + " " + asked.query + " " + asked.body;
  back->respond(std::move(answer));
}

/// A handler that hands requests to the test.
struct held_requests {
  awaited<std::pair<http::request, exchange_ptr>> asked;

  http::handler handler() {
    return [this](http::request request, exchange_ptr back) {
      asked.set({std::move(request), std::move(back)});
    };
  }
};

inline constexpr std::chrono::seconds long_enough{10};

/// Drains a server on its own thread.
class draining {
public:
  explicit draining(http::server& of)
    : thread_{[this, &of] { drained_ = of.drain(long_enough); }} {}

  bool result() {
    thread_.join();
    return drained_;
  }

private:
  bool drained_ = false;
  std::thread thread_;
};

} // namespace scratchpage::test
