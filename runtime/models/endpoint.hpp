#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "scratchpage/messages/time.hpp"
#include "scratchpage/runtime/models/chat.hpp"
#include "scratchpage/runtime/models/model_config.hpp"
#include "scratchpage/runtime/net/http_client/exchange.hpp"

namespace scratchpage::models {

/// Answers the bodies of requests (`to_body`). Thread-safe.
class endpoint {
public:
  virtual ~endpoint() = default;

  /// Blocks until there is a reply, for about `within` at most. It never fails: whatever goes wrong
  /// is a reply that says what. `traceparent` is "" if there is none.
  virtual chat_reply ask(
    const std::string& body, const std::string& traceparent, timespan within) = 0;

  /// Ends all requests, now and from now on. They are answered `unavailable`.
  virtual void stop() {}
};

/// An endpoint that speaks OpenAI's chat completions: `POST {address}/chat/completions`. What may
/// go well in a moment (429, 5xx, no connection, a broken stream) is asked again after a pause, the
/// one that `Retry-After` names or a growing one, as long as there is time and there are attempts.
class http_endpoint : public endpoint {
public:
  /// The pause before the second attempt; it doubles with each further one.
  static constexpr timespan first_pause = std::chrono::milliseconds{250};

  /// @pre `with` is valid and has an address. `key` is "" if the endpoint needs none.
  http_endpoint(const model_config& with, std::string key);

  chat_reply ask(const std::string& body, const std::string& traceparent, timespan within) override;
  void stop() override;

private:
  /// What one attempt gave.
  struct attempt {
    chat_reply reply;
    bool may_pass = false;              ///< whether the next attempt may go better
    std::optional<timespan> pause = {}; ///< which the endpoint asks for
  };

  attempt try_once(const std::string& body, const std::string& traceparent, timespan within);
  std::string without_key(std::string text) const;
  bool begin(http_client::exchange& x);
  void end(http_client::exchange& x);
  bool wait(timespan pause);

  http_client::address to_;
  std::string key_;
  uint32_t attempts_;
  std::mutex guard_; // of what follows
  std::condition_variable stopping_;
  bool is_stopped_ = false;
  std::set<http_client::exchange*> running_;
};

} // namespace scratchpage::models
