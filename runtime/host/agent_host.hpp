#pragma once

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/expected.hpp>

#include "scratchpage/actors/page/page_memory.hpp"
#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/enum_names.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/persistence/store/claim_list.hpp"
#include "scratchpage/runtime/config/config.hpp"
#include "scratchpage/runtime/execution/blocking_pool.hpp"
#include "scratchpage/runtime/execution/strand.hpp"
#include "scratchpage/runtime/host/agent_factory.hpp"
#include "scratchpage/runtime/host/agent_resting.hpp"
#include "scratchpage/runtime/host/claim_losses.hpp"
#include "scratchpage/runtime/host/memory_plan.hpp"
#include "scratchpage/runtime/host/open_agent.hpp"
#include "scratchpage/runtime/host/program_shares.hpp"
#include "scratchpage/runtime/host/resting_agents.hpp"
#include "scratchpage/runtime/host/storage.hpp"
#include "scratchpage/runtime/models/model_metrics.hpp"
#include "scratchpage/runtime/net/http/answer_budget.hpp"
#include "scratchpage/runtime/telemetry/metrics.hpp"
#include "scratchpage/runtime/telemetry/otlp_exporter.hpp"
#include "scratchpage/runtime/telemetry/work_metrics.hpp"

namespace scratchpage {

/// Events of a host that operators want to know about.
enum class host_event_kind : uint8_t {
  agent_opened,     ///< it was recovered and answers
  agent_not_opened, ///< its data could not be recovered
  storage_failed,   ///< changes are refused from now on
  storage_works,    ///< the storage works again
  agent_lost,       ///< another process has taken it; it is opened again when it is asked for
  storage_doubtful, ///< data may be missing, and it cannot be known which
};

template <>
inline constexpr std::array<std::string_view, 6> enum_names<host_event_kind>{"agent_opened",
  "agent_not_opened", "storage_failed", "storage_works", "agent_lost", "storage_doubtful"};

struct host_event {
  host_event_kind kind;
  std::string agent_id = {}; ///< "": the event concerns all agents
  timespan took = {};        ///< how long an agent took to open
  std::string problem = {};  ///< for people: an error, or the data that recovery had to discard
};

/// Called on any thread, also on several at once. It must not wait for the host.
using on_host_event = std::function<void(const host_event&)>;

/// Runs the agents of one storage with their ensembles, in one process. An agent is recovered when
/// it is first asked for. When the host ends, everything is durable. All of it may be called from
/// any thread.
class agent_host {
public:
  /// Open agents. Fewer if there is little memory (`memory_plan`), if `host.max_agents` says so, or
  /// if they start programs and there are few file descriptors (`http::descriptor_plan`). One more
  /// is `overloaded`.
  static constexpr size_t max_agents = 1'000'000;

  /// Maximum of bytes in the id of a new agent.
  static constexpr size_t max_id_bytes = 1'024;

  /// `invalid_request` about `field` if a new agent cannot have this id.
  static caf::error check_new_id(const std::string& id, std::string_view field);

  agent_host(storage in, config with, on_host_event listener = {});
  agent_host(const agent_host&) = delete;
  agent_host& operator=(const agent_host&) = delete;
  ~agent_host();

  /// The actor system of the agents. Other actors in it have to end before the host.
  caf::actor_system& system() { return system_; }

  /// `storage_unavailable` about `agent` during the pause after another server has taken an agent:
  /// this host would refuse a change to it.
  caf::error check_claims() const { return losses_.check_all(clock_->steady()); }

  /// `overloaded` about `memory` while the process uses more than `memory.max_bytes`.
  caf::error check_memory() const { return memory_.check(); }

  /// The journals, which make the changes of all agents durable.
  const std::vector<journal_actor>& journals() const { return journals_; }

  /// The configuration of every agent, with limits that fit into the memory.
  const config& with() const { return config_; }

  /// The store of the agents' histories.
  store& histories() { return *storage_.store; }

  /// The storage itself, for those who copy it.
  const storage& stored() const { return storage_; }

  /// Copies of the storage that are made at once.
  static constexpr uint64_t max_copies = 1;
  http::counter& copies() { return copies_; }

  /// The agent if it is open, else null. Never waits.
  hosted_agent_ptr find(std::string_view id) const;

  /// The open agents, in the order of their ids.
  std::vector<hosted_agent_ptr> agents() const;

  /// The open agents that were used last, the latest first, at most `most`: only those which
  /// `is_wanted`, which must not call the host.
  std::vector<hosted_agent_ptr> latest_agents(
    size_t most, const std::function<bool(const hosted_agent&)>& is_wanted = {}) const;

  /// The budget for answers, shared by all servers of these agents.
  const std::shared_ptr<http::answer_budget>& answers() const { return answers_; }

  /// Writes the metrics of the host itself: operations and work of all agents, exported spans.
  void write_metrics(telemetry::metrics_text& to) const;

  /// Called once with an agent, on any thread, and must not wait.
  using on_opened = std::function<void(caf::expected<hosted_agent_ptr>)>;

  /// Openings under way at a time, and those that wait for one. One more is `overloaded`.
  static constexpr size_t openings_at_once = 32;
  static constexpr size_t max_openings = 4'096;

  /// Opens an agent: recovers it if it is not open, and lets its daemons handle what expired or was
  /// interrupted, for a minute at most. Calls `then` before it returns if the agent is open. `by`
  /// is the caller from outside, if there is one: one program can open at most three quarters of
  /// the possible agents. Errors: `invalid_request`, `not_found` and `overloaded` about `agent`
  /// (also if the system has no more threads), `storage_unavailable`, and `internal` if the data is
  /// damaged.
  void open(const std::string& id, open_mode what, std::optional<caller> by, on_opened then);

  /// The same, and waits. Not for actors.
  caf::expected<hosted_agent_ptr> open(
    const std::string& id, open_mode what, const caller* by = nullptr);

  /// Puts an agent to rest if nobody uses it and it has nothing to do. `then` is called with
  /// whether it is at rest now, on any thread, and must not wait.
  void put_to_rest(const std::string& id, std::function<void(bool)> then);

  /// Puts the agents to rest that nobody has asked for in `host.rest_minutes`, and wakes those of
  /// which something is due. The host does so by itself every few seconds.
  void look_after_agents();

  /// Numbers for operators.
  struct agent_counts {
    uint64_t open = 0;
    uint64_t resting = 0;
    uint64_t resting_bytes = 0; ///< the memory, about, of those at rest
    uint64_t rests = 0;         ///< total
    uint64_t wakings = 0;       ///< total, for whatever reason
    uint64_t refusals = 0;      ///< total of openings that were refused as `overloaded`
    uint64_t max_open = 0;
  };
  agent_counts counts() const;

  /// Waits until every page is quiet: the daemons have handled all changes so far, and their
  /// changes are stored. Error: `deadline_exceeded` after `within`.
  caf::error settle(timespan within = std::chrono::seconds{10});

private:
  struct system_config : caf::actor_system_config {
    system_config();
  };

  /// Somebody who waits for an agent that is being opened.
  struct waiter {
    open_mode what;
    std::optional<caller> by;
    on_opened then;
  };

  /// An agent that is being opened.
  struct opening {
    std::vector<waiter> waiters; ///< at least one
    std::string program;         ///< the key of the program that opens it (`program_shares`)
    timespan since{};            ///< when it was first asked for (`clock::steady`)
  };

  /// How the agents that could be put to rest are found.
  struct rest_order {
    timespan unused_since; ///< agents that were last used before
    size_t most;           ///< so many at most, those first that were not used for the longest time
  };

  host_parts parts();
  void lose(const ownership& by, const caf::error& why);
  caf::error check_may_open(const std::string& id, const std::optional<caller>& by) const;
  void wait_for_opening(const std::string& id, waiter x);
  void begin_some();
  void end_opening(const std::string& id, timespan took, opened_agent result);
  std::vector<waiter> take_waiters(const std::string& id, opened_agent result);
  bool is_full() const;
  bool is_anybody_idle() const;
  std::vector<std::string> idle_agents(const rest_order& x) const;
  std::vector<std::string> idle_beyond_shares(size_t most) const;
  size_t idle_agents_of(std::string_view program) const;
  caf::error check_share(const std::optional<caller>& by) const;
  void rest_some(std::vector<std::string> ids);
  std::unique_ptr<open_agent> take_idle(const std::string& id);
  bool is_waking(const std::string& id) const;
  void end_rest(const std::string& id, agent_resting_state::outcome x);
  void begin_rest(const std::string& id, resting_agent x);
  std::vector<waiter> go_on_with(const std::string& id, std::unique_ptr<open_agent> agent);
  void refuse_openings(timespan too_long);
  caf::error no_room() const;
  void look_soon();
  void wake_due();
  void look_again_later();
  void tell(const host_event& x) const;
  caf::error await_rest(const scratch_page_actor& page, timespan within);

  on_host_event listener_; // before the system: actors call it until they have ended
  storage storage_;        // before the system: actors use it until they have ended
  memory_watch memory_;
  config config_;
  memory_plan plan_;
  size_t max_open_;                    ///< agents
  std::shared_ptr<page_memory> pages_; // of all agents
  std::shared_ptr<const clock> clock_;
  std::shared_ptr<claim_list> claims_; // of the open agents
  std::shared_ptr<http::answer_budget> answers_;
  std::shared_ptr<blocking_pool> pool_; // before the system: its actors run there
  claim_losses losses_;
  program_shares shares_;
  mutable std::mutex guard_; // before the system: actors use what follows until they have ended
  std::map<std::string, std::unique_ptr<open_agent>, std::less<>> members_;
  std::map<std::string, opening, std::less<>> openings_;
  std::deque<std::string> to_begin_; // ids of openings that wait for others
  size_t begun_ = 0;                 // openings under way
  size_t waiting_ = 0;               // waiters of all openings
  resting_agents resting_;
  std::map<std::string, std::function<void(bool)>, std::less<>> going_to_rest_; // and who is told
  size_t telling_ = 0; // of those that have just gone to rest, or have not, how many are being told
  std::map<std::string, std::shared_ptr<const resting_agent>, std::less<>> waking_;
  agent_counts totals_;             // only those that say so
  bool is_looking_soon_ = false;    // `look_after_agents` will run
  std::condition_variable changed_; // `begun_` has become smaller
  system_config cfg_;
  std::shared_ptr<telemetry::operation_metrics> metrics_;
  std::shared_ptr<telemetry::work_metrics> work_metrics_ =
    std::make_shared<telemetry::work_metrics>();
  std::shared_ptr<models::model_metrics> model_metrics_ = std::make_shared<models::model_metrics>();
  std::shared_ptr<telemetry::otlp_exporter> exporter_; // null: spans are not exported
  caf::actor_system system_;
  std::vector<journal_actor> journals_;
  std::unique_ptr<agent_factory> factory_; // the destructor waits for the openings that use it
  std::unique_ptr<actor_strand> keeper_;   // looks after the agents
  http::counter copies_{max_copies};
};

} // namespace scratchpage
