#include "scratchpage/runtime/host/agent_host.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <functional>
#include <utility>
#include <vector>

#include <caf/event_based_actor.hpp>
#include <caf/scoped_actor.hpp>

#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/api/operation_list.hpp"
#include "scratchpage/runtime/auth/token.hpp"
#include "scratchpage/runtime/execution/job_queue.hpp"
#include "scratchpage/runtime/execution/wall_clock.hpp"
#include "scratchpage/runtime/host/memory_plan.hpp"
#include "scratchpage/runtime/net/http/server_config.hpp"

namespace scratchpage {

namespace {

/// For its pipes, and for waiting until it ends.
constexpr uint64_t descriptors_of_tool_server = 5;

http::descriptor_plan descriptors_for(const config& x) {
  auto programs = x.mcp_servers.size() * descriptors_of_tool_server;
  return http::descriptor_plan::of(http::descriptor_limit(), programs, agent_host::max_agents);
}

/// Reduces the number of connections to what the descriptors allow.
config fitted_to_descriptors(config x) {
  x.http = http::with_connections(std::move(x.http), descriptors_for(x).connections);
  return x;
}

size_t max_open_of(const config& x, const memory_plan& plan) {
  auto result = std::min<size_t>(plan.agents, descriptors_for(x).agents);
  return x.host.max_agents == 0 ? result : std::min<size_t>(result, x.host.max_agents);
}

void write_counts(telemetry::metrics_text& to, const agent_host::agent_counts& x) {
  using telemetry::metric_type;
  constexpr std::string_view agents = "scratchpage_agents";
  to.head(agents, metric_type::gauge, "Agents that the server knows since its start.");
  to.sample(agents, {{"state", "open"}}, x.open);
  to.sample(agents, {{"state", "resting"}}, x.resting);
  to.only("scratchpage_max_agents", metric_type::gauge, "Agents that can be open at once.",
    static_cast<double>(x.max_open));
  to.only("scratchpage_resting_agents_bytes", metric_type::gauge,
    "The memory, about, that agents at rest take.", static_cast<double>(x.resting_bytes));
  to.only("scratchpage_agent_rests_total", metric_type::counter,
    "How often an agent was put to rest.", static_cast<double>(x.rests));
  to.only("scratchpage_agent_wakings_total", metric_type::counter,
    "How often an agent came back from a rest.", static_cast<double>(x.wakings));
  to.only("scratchpage_agents_refused_total", metric_type::counter,
    "Openings of agents that were refused, because there was no room for one more.",
    static_cast<double>(x.refusals));
}

std::shared_ptr<telemetry::otlp_exporter> make_exporter(const telemetry::telemetry_config& with) {
  if (with.otlp_endpoint.empty())
    return nullptr;
  std::array<unsigned char, sizeof(uint64_t)> random{}; // trace ids have to be unique
  auth::fill_random(random);
  return std::make_shared<telemetry::otlp_exporter>(with, std::bit_cast<uint64_t>(random));
}

} // namespace

agent_host::system_config::system_config() {
  use_shared_queue(*this);
}

agent_host::agent_host(storage in, config with, on_host_event listener)
  : listener_{std::move(listener)},
    storage_{std::move(in)},
    memory_{max_memory(with.memory), resident_memory},
    config_{fitted_to_descriptors(memory_plan::fitted(std::move(with), memory_.max()))},
    plan_{memory_plan::of(memory_.max(), config_.mcp_servers.size())},
    max_open_{max_open_of(config_, plan_)},
    pages_{std::make_shared<page_memory>(plan_.pages_bytes)},
    clock_{std::make_shared<wall_clock>()},
    claims_{std::make_shared<claim_list>()},
    answers_{std::make_shared<http::answer_budget>(config_.http)},
    pool_{std::make_shared<blocking_pool>()},
    shares_{max_open_},
    metrics_{std::make_shared<telemetry::operation_metrics>(operation_names())},
    exporter_{make_exporter(config_.telemetry)},
    system_{cfg_},
    journals_{storage_.spawn_journals(system_, clock_, config_,
      [this](const journal_stats& x) {
        auto fails = x.failures > 0;
        tell({.kind = fails ? host_event_kind::storage_failed : host_event_kind::storage_works,
          .problem = x.last_failure});
      },
      {claims_, [this](const ownership& by, const caf::error& why) { lose(by, why); }})},
    factory_{std::make_unique<agent_factory>(parts())},
    keeper_{std::make_unique<actor_strand>(system_, clock_)} {
  look_again_later();
  if (!storage_.doubt.empty())
    tell({.kind = host_event_kind::storage_doubtful, .problem = storage_.doubt});
}

host_parts agent_host::parts() {
  auto doubt = [this](const std::string& id, const std::string& problem) {
    tell({.kind = host_event_kind::storage_doubtful, .agent_id = id, .problem = problem});
  };
  return {system_, storage_, config_, clock_, pool_, pages_, journals_, metrics_, work_metrics_,
    model_metrics_, exporter_, doubt};
}

/// Openings and rests end by themselves. The journal may still report losses; it finds no members
/// then.
agent_host::~agent_host() {
  keeper_->stop();
  refuse_openings(timespan::max());
  decltype(members_) last;
  std::unique_lock lock{guard_};
  changed_.wait(lock,
    [this] { return openings_.empty() && begun_ == 0 && going_to_rest_.empty() && telling_ == 0; });
  last.swap(members_);
  lock.unlock();
}

hosted_agent_ptr agent_host::find(std::string_view id) const {
  std::lock_guard lock{guard_};
  auto found = members_.find(id);
  if (found == members_.end())
    return nullptr;
  found->second->last_used = clock_->steady();
  return found->second->handles;
}

std::vector<hosted_agent_ptr> agent_host::agents() const {
  std::lock_guard lock{guard_};
  std::vector<hosted_agent_ptr> result;
  result.reserve(members_.size());
  for (const auto& [id, x] : members_)
    result.push_back(x->handles);
  return result;
}

std::vector<hosted_agent_ptr> agent_host::latest_agents(
  size_t most, const std::function<bool(const hosted_agent&)>& is_wanted) const {
  std::vector<std::pair<timespan, hosted_agent_ptr>> found;
  {
    std::lock_guard lock{guard_};
    for (const auto& [id, x] : members_)
      if (!is_wanted || is_wanted(*x->handles))
        found.emplace_back(x->last_used, x->handles);
  }
  auto count = static_cast<ptrdiff_t>(std::min(found.size(), most));
  std::partial_sort(found.begin(), found.begin() + count, found.end(), std::greater{});
  std::vector<hosted_agent_ptr> result;
  for (auto i = found.begin(); i != found.begin() + count; ++i)
    result.push_back(std::move(i->second));
  return result;
}

/// Closes an agent that another process has taken: its answers would be out of date. Called on the
/// journal's thread.
void agent_host::lose(const ownership& by, const caf::error& why) {
  std::unique_ptr<open_agent> ended; // ends without the lock
  std::string id;
  {
    std::lock_guard lock{guard_};
    auto is_it = [&](const auto& x) { return x.second->owner == by; };
    auto found = std::find_if(members_.begin(), members_.end(), is_it);
    if (found == members_.end())
      return;
    id = found->first;
    losses_.note(id, found->second->since, clock_->steady());
    ended = std::move(found->second);
    shares_.leave(ended->opened_by);
    members_.erase(found);
  }
  claims_->remove(by);
  tell({.kind = host_event_kind::agent_lost, .agent_id = id, .problem = describe(why)});
}

void agent_host::tell(const host_event& x) const {
  if (listener_)
    listener_(x);
}

void agent_host::write_metrics(telemetry::metrics_text& to) const {
  write_counts(to, counts());
  metrics_->write(to);
  work_metrics_->write(to);
  model_metrics_->write(to);
  if (exporter_)
    exporter_->write_metrics(to);
}

caf::error agent_host::await_rest(const scratch_page_actor& page, timespan within) {
  caf::scoped_actor self{system_};
  caf::error result;
  ask(self.ptr(), page, within, await_quiet{as_daemon("command"), quiet_stage::ended})
    .receive([] {}, [&](const caf::error& err) { result = err; });
  if (result == caf::sec::request_timeout)
    return fail(errc::deadline_exceeded, "", "expected the daemons to be done in time");
  return result;
}

caf::error agent_host::settle(timespan within) {
  std::vector<scratch_page_actor> pages;
  {
    std::lock_guard lock{guard_};
    pages.reserve(members_.size());
    for (const auto& [id, agent] : members_)
      pages.push_back(agent->handles->page);
  }
  auto until = clock_->steady() + within;
  caf::error result;
  for (const auto& page : pages)
    if (auto err = await_rest(page, std::max<timespan>(until - clock_->steady(), timespan{1})))
      result = err;
  return result;
}

} // namespace scratchpage
