#pragma once

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <variant>

#include "scratchpage/runtime/api/operation_caller.hpp"
#include "scratchpage/runtime/client/agent_client.hpp"
#include "scratchpage/runtime/client/link.hpp"
#include "scratchpage/runtime/host/agent_host.hpp"
#include "scratchpage/runtime/server/local_server.hpp"

namespace scratchpage::serve {

/// Which agent of a data directory is meant, and by whom it is asked.
struct shared_agent_setup {
  std::filesystem::path directory;
  std::string agent_id;
  std::string thread_id; ///< whose scratchbook is meant
  caller by;
  config with; ///< if this process has to host the agents
  if_missing what = if_missing::make;
  timespan patience = std::chrono::seconds{10}; ///< until somebody hosts
};

/// An agent of a data directory that several processes share: one of them hosts it, and
/// answers the others on a local socket. When that one ends, another takes its place.
/// What was asked and cannot be known to be done is answered by `storage_unavailable`;
/// what only reads, and what the host has said it did not do, is asked again.
class shared_agent : public agent_client {
public:
  /// Errors: why the directory cannot be used, or nobody answers in it in time.
  static caf::expected<std::unique_ptr<shared_agent>> open(shared_agent_setup setup);

  /// Answers what was asked, and lets the others go on. Takes four seconds at most if they
  /// wait for long.
  ~shared_agent() override;

  void start(std::string operation, json::object arguments, on_answer then) override;
  caf::error settle(timespan within) override;
  /// Asks whoever hosts, on the socket where others do, also if it is this process.
  caf::expected<std::unique_ptr<subscription>> follow(
    follow_order order, event_listener tell) override;
  std::string damage() const override;

  /// Whether it is this process that hosts it.
  bool is_host() const;

private:
  /// What a host is made of; each needs what stands above it.
  struct hosting {
    agent_host host;
    hosted_agent_ptr agent;
    operation_caller operations{host.system()};
    std::unique_ptr<local_server> server;

    hosting(storage in, config with)
      : host{std::move(in), std::move(with)} {}
  };

  struct nobody {};

  struct joined {
    uint64_t number; ///< of links so far
    std::shared_ptr<rpc::link> link;
  };

  using access = std::variant<nobody, std::shared_ptr<hosting>, joined>;

  struct waiting_call {
    std::string operation;
    json::object arguments;
    on_answer then;
  };

  /// At most so many calls wait for a host; one more is `overloaded`.
  static constexpr size_t most_waiting = 1'024;

  explicit shared_agent(shared_agent_setup setup);

  caf::expected<access> find_access();
  caf::expected<access> host_it(data_directory directory);
  caf::expected<access> join_host();
  rpc::endpoint endpoint_of_host() const;
  void send(const access& to, waiting_call x);
  void send_to_host(const joined& to, waiting_call x);
  void send_again(uint64_t lost_link, waiting_call x);
  bool wait_for_host(waiting_call& x);
  bool needs_host() const;
  void lose_host(uint64_t link);
  void run();
  void put(access x);
  void fail_waiting(const caf::error& why);

  const shared_agent_setup setup_;
  mutable std::mutex guard_;
  std::condition_variable changed_;
  access access_;
  uint64_t links_ = 0;
  std::deque<waiting_call> waiting_;
  uint64_t lost_ = 0; ///< the last link that is of no use any more
  bool ends_ = false;
  std::thread finder_;
};

} // namespace scratchpage::serve
