#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <caf/error.hpp>

#include "scratchpage/runtime/auth/principal.hpp"
#include "scratchpage/runtime/execution/work_queue.hpp"
#include "scratchpage/runtime/host/agent_host.hpp"
#include "scratchpage/runtime/net/http/exchange.hpp"

namespace scratchpage::server {

/// Limits on copies of the stored data that are sent to clients.
struct download_limits {
  static constexpr size_t piece_bytes = size_t{64} * 1024; ///< sent at once
  static constexpr uint64_t stalled_ms = 30'000;           ///< for the client to take a piece
  static constexpr uint64_t total_ms = 7'200'000;          ///< for all of it
  static constexpr uint64_t stored_ms = 10'000; ///< until what was acknowledged before is stored
  static constexpr uint64_t rest_per_work = 3;  ///< how much longer it rests than it works
};

/// What a client downloads.
struct download_order {
  enum class kind : uint8_t { exported, checkpoint } what = kind::exported;
  std::optional<std::string> agent_id; ///< nothing: all agents
};

/// The download in the pieces of a path: `/v1/agents/ID/export`, `/v1/export` or `/v1/checkpoint`;
/// nothing if it is another path.
std::optional<download_order> read_download(const std::vector<std::string>& segments);

/// Whether the path is that of a download, without reading it.
bool is_download(std::string_view path);

/// Sends exports and checkpoints of the storage while the agents go on. Each is of one state, in
/// which is everything that was acknowledged before the request. It is made on a thread of low
/// priority that rests between its pieces, for the sake of additions. One is made at a time for all
/// servers of a host. It ends early, and its stream is cut off, when the client is
/// gone, reads nothing for long or has lost its access, and when the server ends.
class downloads {
public:
  explicit downloads(agent_host& host);
  downloads(const downloads&) = delete;
  downloads& operator=(const downloads&) = delete;
  ~downloads(); ///< ends the one that is made

  /// Answers the request of a caller who was let in. Errors, before anything is sent: `forbidden`
  /// unless the caller has the role `admin` and may use all agents that are in it; `overloaded`
  /// while another one is made; `not_found` about `agent`; those of the storage.
  void answer(download_order what, const principal& who, const std::shared_ptr<http::exchange>& to);

  /// The server is about to end.
  void begin_to_end();

private:
  class job;

  agent_host& host_;
  std::mutex guard_;
  std::condition_variable ending_;
  bool ends_ = false;
  work_queue work_; // last, so that its work ends before the other members
};

} // namespace scratchpage::server
