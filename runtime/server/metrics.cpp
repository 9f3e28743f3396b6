#include "scratchpage/runtime/server/metrics.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>

#include <caf/event_based_actor.hpp>

#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/version.hpp"
#include "scratchpage/persistence/store/documents.hpp"
#include "scratchpage/runtime/telemetry/metrics.hpp"

namespace scratchpage::server {

namespace {

using telemetry::metric_type;
using telemetry::metrics_text;

constexpr timespan timeout = std::chrono::seconds{2};

/// The answers of one agent so far.
struct agent_answers {
  std::string id;
  std::optional<page_stats> page;
  std::optional<subscriber_list> subscribers;
  std::optional<stored_counts> stored;
};

double seconds(double milliseconds) {
  return milliseconds / 1'000;
}

double largest_lag(const subscriber_list& x) {
  uint64_t result = 0;
  for (const auto& one : x.subscribers)
    result = std::max(result, one.lag);
  return static_cast<double>(result);
}

double longest_wait(const subscriber_list& x) {
  double result = 0;
  for (const auto& one : x.subscribers)
    result = std::max(result, one.waiting_ms);
  return seconds(result);
}

/// A metric with one sample for each agent.
struct agent_metric {
  const char* name;
  metric_type type;
  const char* help;
  std::optional<double> (*of)(const agent_answers&);
};

template <auto Member>
std::optional<double> of_page(const agent_answers& x) {
  if (!x.page)
    return std::nullopt;
  return static_cast<double>((*x.page).*Member);
}

template <auto Measure>
std::optional<double> of_subscribers(const agent_answers& x) {
  if (!x.subscribers)
    return std::nullopt;
  return Measure(*x.subscribers);
}

template <auto Member>
std::optional<double> of_stored(const agent_answers& x) {
  if (!x.stored)
    return std::nullopt;
  return static_cast<double>((*x.stored).*Member);
}

const std::array agent_metrics{
  agent_metric{"scratchpage_up", metric_type::gauge, "Whether the agent's page has answered.",
    [](const agent_answers& x) { return std::optional{x.page ? 1.0 : 0.0}; }},
  agent_metric{"scratchpage_observations", metric_type::gauge,
    "Observations on the page, resolved ones included.", of_page<&page_stats::observations>},
  agent_metric{"scratchpage_live_observations", metric_type::gauge, "Observations that are served.",
    of_page<&page_stats::live>},
  agent_metric{"scratchpage_changes_total", metric_type::counter,
    "Changes of the page since it was made.", of_page<&page_stats::sequence>},
  agent_metric{"scratchpage_expired_observations_total", metric_type::counter,
    "Observations whose lifetime ended.", of_page<&page_stats::expired>},
  agent_metric{"scratchpage_evicted_observations_total", metric_type::counter,
    "Observations that were evicted because the page was full.", of_page<&page_stats::evicted>},
  agent_metric{"scratchpage_text_index_bytes", metric_type::gauge,
    "Memory of the index of words, about.", of_page<&page_stats::text_bytes>},
  agent_metric{"scratchpage_waiting_texts", metric_type::gauge,
    "Observations that are not in the index of words yet.", of_page<&page_stats::waiting_texts>},
  agent_metric{"scratchpage_open_turns", metric_type::gauge, "Turns that have not ended.",
    of_page<&page_stats::open_turns>},
  agent_metric{"scratchpage_subscribers", metric_type::gauge, "Subscribers of the page.",
    of_page<&page_stats::subscribers>},
  agent_metric{"scratchpage_subscriber_lag_max_changes", metric_type::gauge,
    "Changes that the slowest subscriber has not acknowledged.", of_subscribers<largest_lag>},
  agent_metric{"scratchpage_subscriber_wait_max_seconds", metric_type::gauge,
    "The longest time that a subscriber has not acknowledged a batch.",
    of_subscribers<longest_wait>},
  agent_metric{"scratchpage_goals", metric_type::gauge,
    "Goals that are stored, ended ones included.", of_stored<&stored_counts::goals>},
  agent_metric{"scratchpage_facts", metric_type::gauge, "Facts that are stored.",
    of_stored<&stored_counts::facts>},
  agent_metric{"scratchpage_episodes", metric_type::gauge, "Episodes that are stored.",
    of_stored<&stored_counts::episodes>},
};

void write_http(metrics_text& to, const http::server_stats& x) {
  constexpr std::array<std::string_view, 6> kinds{"", "1xx", "2xx", "3xx", "4xx", "5xx"};
  constexpr std::string_view name = "scratchpage_http_responses_total";
  to.head(name, metric_type::counter, "Answers over HTTP, by the class of their status.");
  for (size_t i = 1; i < kinds.size(); ++i)
    to.sample(name, {{"status", kinds[i]}}, x.responses[i]);
  to.only("scratchpage_http_connections", metric_type::gauge, "Connections that are open.",
    static_cast<double>(x.connections));
  to.only("scratchpage_http_streams", metric_type::gauge,
    "Event streams and WebSockets that are open.", static_cast<double>(x.streams));
}

void write_journal(metrics_text& to, const journal_stats& x) {
  to.only("scratchpage_journal_commits_total", metric_type::counter,
    "Commits that made changes durable.", static_cast<double>(x.commits));
  to.only("scratchpage_journal_events_total", metric_type::counter,
    "Changes that were made durable.", static_cast<double>(x.events));
  to.only("scratchpage_journal_waiting_requests", metric_type::gauge,
    "Requests that wait for the next commit.", static_cast<double>(x.waiting));
  to.only("scratchpage_journal_consecutive_failures", metric_type::gauge,
    "Consecutive failures of the storage; 0: it works.", static_cast<double>(x.failures));
  to.only("scratchpage_journal_last_commit_seconds", metric_type::gauge,
    "Duration of the last commit.", seconds(x.last_commit_ms));
}

/// One scrape, which lives until every actor has answered or has timed out.
class scrape : public std::enable_shared_from_this<scrape> {
public:
  scrape(metrics_order order, std::function<void(std::string)> then)
    : order_{std::move(order)},
      then_{std::move(then)} {}

  void begin(caf::event_based_actor* self) {
    const auto& journals = order_.host->journals();
    journals_.resize(journals.size());
    open_ = journals.size() + 2 * order_.agents.size();
    answers_.reserve(order_.agents.size());
    for (const auto& x : order_.agents) {
      auto stored = order_.stored.find(x->id);
      answers_.push_back({x->id, {}, {},
        stored == order_.stored.end() ? std::nullopt : std::optional{stored->second}});
    }
    for (size_t i = 0; i < journals.size(); ++i)
      await<journal_stats>(ask(self, journals[i], timeout, caf::get_atom_v), journals_[i]);
    for (size_t i = 0; i < answers_.size(); ++i) {
      const auto& page = order_.agents[i]->page;
      await<page_stats>(ask(self, page, timeout, caf::get_atom_v), answers_[i].page);
      await<subscriber_list>(
        ask(self, page, timeout, list_subscribers{as_admin("metrics")}), answers_[i].subscribers);
    }
  }

private:
  template <class T, class Asked>
  void await(Asked asked, std::optional<T>& to) {
    std::move(asked).then(
      [me = shared_from_this(), &to](const T& x) {
        to = x;
        me->one_less();
      },
      [me = shared_from_this()](const caf::error&) { me->one_less(); });
  }

  void one_less() {
    if (--open_ == 0)
      then_(text());
  }

  std::string text() const {
    metrics_text to;
    to.head("scratchpage_build_info", metric_type::gauge, "The version of the server.");
    to.sample("scratchpage_build_info", {{"version", version}}, uint64_t{1});
    to.only("scratchpage_uptime_seconds", metric_type::gauge, "Time since the service has started.",
      seconds(in_milliseconds(order_.now - order_.started)));
    write_agents(to);
    if (auto sum = sum_of_journals())
      write_journal(to, *sum);
    order_.host->write_metrics(to);
    write_http(to, order_.http);
    telemetry::write_process_metrics(to);
    return to.take();
  }

  /// Nothing if a journal has not answered.
  std::optional<journal_stats> sum_of_journals() const {
    journal_stats result;
    for (const auto& x : journals_) {
      if (!x)
        return std::nullopt;
      result.add(*x);
    }
    return result;
  }

  void write_agents(metrics_text& to) const {
    for (const auto& metric : agent_metrics) {
      to.head(metric.name, metric.type, metric.help);
      for (const auto& x : answers_)
        if (auto value = metric.of(x))
          to.sample(metric.name, {{"agent", x.id}}, *value);
    }
  }

  metrics_order order_;
  std::function<void(std::string)> then_;
  size_t open_ = 0;
  std::vector<agent_answers> answers_;
  std::vector<std::optional<journal_stats>> journals_;
};

} // namespace

std::map<std::string, stored_counts> count_stored(const agent_host& of) {
  std::map<std::string, stored_counts> result;
  const auto& in = of.stored();
  for (const auto& one : of.latest_agents(most_measured_agents)) {
    auto agent = in.store->find_agent(one->id);
    if (!agent || !*agent)
      continue;
    auto count = [&](std::string_view what) {
      return in.count_documents(**agent, std::string{what});
    };
    auto goals = count(collection::goals), facts = count(collection::facts),
         stories = count(collection::stories);
    if (goals && facts && stories) // no figure is better than a wrong one
      result[one->id] = {*goals, *facts, *stories};
  }
  return result;
}

void collect_metrics(
  caf::event_based_actor* self, metrics_order order, std::function<void(std::string)> then) {
  std::make_shared<scrape>(std::move(order), std::move(then))->begin(self);
}

} // namespace scratchpage::server
