#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "scratchpage/runtime/net/http/answer_budget.hpp"
#include "scratchpage/runtime/net/json_rpc/json_rpc.hpp"

namespace scratchpage::serve {

/// What a call has come to. Both are empty for a notification.
struct rpc_outcome {
  std::optional<std::string> answer;
  http::held_bytes held; ///< the answer's, of the process's budget
};

/// Makes the calls of one message, a few at a time, and joins their answers in the order in which
/// they were asked for. When the answers have grown too long, nobody waits for them any more, or
/// whoever has asked would not be let in any more, calls that have not begun are not made. Answers
/// may come on any thread.
class rpc_batch : public std::enable_shared_from_this<rpc_batch> {
public:
  /// At most so many calls of a message are under way.
  static constexpr size_t most_at_once = 16;

  using on_outcome = std::function<void(rpc_outcome)>;
  using maker = std::function<void(rpc::request, on_outcome)>;
  using on_answer = std::function<void(std::optional<std::string>)>;

  rpc_batch(rpc::message message, std::shared_ptr<const http::answer_budget> limits, maker make,
    on_answer then);

  /// `then` is called once.
  void begin() { make_more(); }

  /// What its calls take of a budget while some of them wait for others; nothing: there is not so
  /// much left, and none of them is made. Before `begin`.
  void hold(std::optional<http::held_bytes> x);

  /// Asked before each call that had to wait for others: why whoever has asked may make no more,
  /// if so. Before `begin`.
  void check_with(std::function<caf::error()> check) { check_ = std::move(check); }

  /// Whoever has asked is gone.
  void abandon();

  /// Whether some of its calls have to wait for others.
  bool is_long() const { return outcomes_.size() > most_at_once; }

private:
  void make_more();
  void make_one(size_t i);
  caf::error why_not(size_t i);
  void put(size_t i, rpc_outcome x);
  caf::error check_length(const rpc_outcome& x);
  void tell();

  rpc::message message_;
  const std::shared_ptr<const http::answer_budget> limits_;
  maker make_;
  on_answer then_;
  std::function<caf::error()> check_;
  std::mutex mutex_;
  std::vector<rpc_outcome> outcomes_;
  std::vector<std::optional<json::value>> ids_; ///< whom to refuse what has grown too long
  size_t next_ = 0;
  size_t under_way_ = 0;
  size_t missing_;
  uint64_t bytes_ = 0;
  http::held_bytes waiting_; ///< what has not begun takes
  caf::error undone_;        ///< why no more calls are made
  bool is_making_ = false;
  bool is_told_ = false;
};

} // namespace scratchpage::serve
