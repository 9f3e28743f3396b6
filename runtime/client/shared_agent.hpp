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
#include "scratchpage/runtime/server/service.hpp"

namespace scratchpage::client {

/// The agent of a data directory, and the caller.
struct shared_agent_setup {
  std::filesystem::path directory;
  std::string agent_id;
  std::string thread_id; ///< whose scratchbook is used
  caller by;
  config with; ///< used if this process has to host the agents
  open_mode what = open_mode::create;
  timespan timeout = std::chrono::seconds{10}; ///< until there is a host
};

/// An agent of a data directory that several processes share. One of them hosts it and answers the
/// others on a local socket. When the host ends, another process takes its place. Calls that only
/// read, and calls that the host has not executed, are sent again then. If it is not known whether
/// a call was executed, it gets `storage_unavailable`.
class shared_agent : public agent_client {
public:
  /// Errors: those of the directory, or `storage_unavailable` if no host answers in time.
  static caf::expected<std::unique_ptr<shared_agent>> open(shared_agent_setup setup);

  /// Answers the calls of other processes first, for four seconds at most; another process then
  /// becomes the host.
  ~shared_agent() override;

  void start(std::string operation, json::object arguments, on_answer then) override;
  caf::error settle(timespan within) override;
  /// Always uses the host's socket, even if this process is the host.
  caf::expected<std::unique_ptr<subscription>> follow(
    follow_order order, event_listener tell) override;
  std::string damage() const override;

  /// Whether this process is the host.
  bool is_host() const;

private:
  /// The parts of a host. Each uses the parts before it.
  struct hosting {
    agent_host host;
    hosted_agent_ptr agent;
    operation_caller operations{host.system()};
    std::unique_ptr<server::local_server> server;

    hosting(storage in, config with)
      : host{std::move(in), std::move(with)} {}
  };

  struct nobody {};

  struct joined {
    uint64_t number; ///< of the link; each new link has a higher one
    std::shared_ptr<client::link> link;
  };

  using access = std::variant<nobody, std::shared_ptr<hosting>, joined>;

  struct waiting_call {
    std::string operation;
    json::object arguments;
    on_answer then;
  };

  /// Calls that wait for a host; one more is `overloaded`.
  static constexpr size_t max_waiting = 1'024;

  explicit shared_agent(shared_agent_setup setup);

  caf::expected<access> find_access();
  caf::expected<access> host_it(data_directory directory);
  caf::expected<access> join_host();
  endpoint endpoint_of_host() const;
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
  uint64_t lost_ = 0; ///< the number of the latest link that is lost
  bool ends_ = false;
  std::thread finder_;
};

} // namespace scratchpage::client
