#include "scratchpage/runtime/mcp/server/agent_changes.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include <caf/typed_event_based_actor.hpp>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/text/key_text.hpp"
#include "scratchpage/runtime/api/operation_answers.hpp"
#include "scratchpage/runtime/mcp/server/agent_provider.hpp"

namespace scratchpage::mcp {

namespace {

/// The operation that shows whether a resource has changed.
struct probe {
  std::string operation;
  json::object arguments;
};

/// The operation that reads the resource would do. But a page has a shorter one, and of a trace the
/// first entry is enough, since it comes with the number of entries.
std::optional<probe> probe_of(const std::string& resource) {
  if (resource == uri::page)
    return probe{"page_stats", {}};
  auto source = source_of(resource);
  if (!source)
    return std::nullopt;
  if (source->what->resource->uri == uri::trace) {
    source->arguments.erase("cursor");
    source->arguments["limit"] = 1;
  }
  return probe{std::string{source->what->name}, std::move(source->arguments)};
}

/// The part of an answer that differs when the resource has changed: of a page its sequence, else
/// the whole answer. Other answers are not parsed, since some are long.
std::string content_of(const std::string& resource, std::string text) {
  if (resource != uri::page)
    return text;
  auto x = parse_result(text);
  const auto* object = x ? x->if_object() : nullptr;
  const auto* sequence = object != nullptr ? object->if_contains("sequence") : nullptr;
  return sequence != nullptr ? to_text(*sequence) : std::move(text);
}

constexpr const char* own_name = "mcp_changes";
constexpr timespan timeout = std::chrono::seconds{30};

bool reports_changes(std::string_view resource) {
  return resource == uri::page || resource == uri::goals || resource.starts_with(uri::observations);
}

} // namespace

polled_changes::polled_changes(std::shared_ptr<strand> on, perform_operation perform)
  : on_{std::move(on)},
    perform_{std::move(perform)} {}

polled_changes::place polled_changes::place_of(const principal& who, const std::string& uri) {
  return {who.agent_id, who.thread_id, uri};
}

std::shared_ptr<void> polled_changes::subscribe(
  const principal& who, wanted_changes what, on_change then) {
  auto one = std::make_shared<subscriber>(
    subscriber{std::make_shared<principal>(who), std::move(what), std::move(then)});
  subscribers_.push_back(one);
  for (const auto& wanted : one->what.uris)
    if (auto where = place_of(who, wanted); seen_.emplace(where, std::nullopt).second)
      look_at(where, who, [] {});
  if (!std::exchange(looking_, true))
    look_again();
  return one;
}

/// The subscribers that still exist.
std::vector<std::shared_ptr<polled_changes::subscriber>> polled_changes::subscribers() {
  std::erase_if(subscribers_, [](const auto& x) { return x.expired(); });
  std::vector<std::shared_ptr<subscriber>> result;
  result.reserve(subscribers_.size());
  for (const auto& x : subscribers_)
    result.push_back(x.lock());
  return result;
}

void polled_changes::look_again() {
  on_->after(between_looks, [weak = weak_from_this()] {
    if (auto self = weak.lock())
      self->look();
  });
}

/// Polls all wanted resources, and again and again until there are none.
void polled_changes::look() {
  round_.clear();
  for (const auto& x : subscribers())
    for (const auto& one : x->what.uris)
      round_.emplace(place_of(*x->who, one), x->who);
  std::erase_if(seen_, [&](const auto& x) { return !round_.contains(x.first); });
  looking_ = !round_.empty();
  if (looking_)
    look_at_next();
}

/// Polls one resource after the other, so that the agent is not flooded. The next one is posted on
/// the strand, so that answers that come at once do not fill the stack.
void polled_changes::look_at_next() {
  auto go_on = [on = on_, weak = weak_from_this()] {
    on->post([weak] {
      if (auto self = weak.lock())
        self->look_at_next();
    });
  };
  while (!round_.empty()) {
    auto next = round_.extract(round_.begin());
    if (look_at(next.key(), *next.mapped(), go_on))
      return;
  }
  look_again();
}

/// False if there is nothing to poll; else `then` is called, maybe before this returns.
bool polled_changes::look_at(const place& where, const principal& who, std::function<void()> then) {
  auto how = probe_of(where.uri);
  if (!how)
    return false;
  perform_(who, std::move(how->operation), std::move(how->arguments),
    [weak = weak_from_this(), where, then = std::move(then)](caf::expected<std::string> x) {
      auto self = weak.lock();
      if (!self)
        return;
      if (x)
        self->compare(where, content_of(where.uri, std::move(*x)));
      then();
    });
  return true;
}

void polled_changes::compare(const place& where, const std::string& content) {
  auto found = seen_.find(where);
  if (found == seen_.end())
    return;
  auto now = size_t{keyed_hash(content)};
  auto before = std::exchange(found->second, now);
  if (!before || *before == now)
    return;
  for (const auto& x : subscribers())
    if (x->who->agent_id == where.agent_id && x->who->thread_id == where.thread_id
        && x->what.uris.contains(where.uri))
      x->then({change_kind::resource, where.uri});
}

/// The actor that the page and the goals notify.
class agent_changes::watcher {
public:
  using handle = subscriber_actor::extend<caf::result<void>(goal_changed)>;
  using on_uris = std::function<void(std::set<std::string> uris, bool all_observations)>;
  static constexpr const char* name = own_name;

  watcher(handle::pointer self, scratch_page_actor page, frontal_cortex_actor goals, on_uris then,
    std::function<void()> on_silence)
    : self_{self},
      page_{std::move(page)},
      goals_{std::move(goals)},
      then_{std::move(then)},
      on_silence_{std::move(on_silence)} {}

  handle::behavior_type make_behavior() {
    handle me{self_};
    scratchpage::watch(self_, page_, [this](const caf::actor_addr&) { give_up(); });
    scratchpage::subscribe to_page{as_daemon(own_name), me, {}, {}, false};
    auto refused = [this](const caf::error&) { give_up(); };
    ask(self_, page_, timeout, std::move(to_page)).then([](uint64_t) {}, refused);
    watch_goals to_goals{as_daemon(own_name), me};
    ask(self_, goals_, timeout, std::move(to_goals)).then([] {}, refused);
    return {[this](const event_batch& x) -> caf::result<void> { return take(x); },
      [this](const goal_changed&) { report_goals(); }};
  }

private:
  /// The page or the goals do not report changes. Ends both subscriptions, so that no change is
  /// reported twice when both are polled instead.
  void give_up() {
    on_silence_();
    self_->quit();
  }

  /// Acknowledges a batch after a pause, so that changes in between come together in the next one.
  caf::result<void> take(const event_batch& x) {
    std::set<std::string> uris{std::string{uri::page}};
    auto missed = false;
    for (const auto& event : x.events) {
      if (event.observation)
        uris.insert(std::string{uri::observations} + event.observation->observation_id);
      missed = missed || event.kind == event_kind::lagged;
    }
    then_(std::move(uris), missed);
    auto promise = self_->make_response_promise<void>();
    self_->run_delayed(between_batches, [promise]() mutable { promise.deliver(); });
    return promise;
  }

  /// Reports a change of the goals at once. Changes in the pause after that are reported together.
  void report_goals() {
    has_more_of_goals_ = goals_pause_;
    if (goals_pause_)
      return;
    then_({std::string{uri::goals}}, false);
    goals_pause_ = true;
    self_->run_delayed(between_batches, [this] {
      goals_pause_ = false;
      if (has_more_of_goals_)
        report_goals();
    });
  }

  handle::pointer self_;
  scratch_page_actor page_;
  frontal_cortex_actor goals_;
  on_uris then_;
  std::function<void()> on_silence_;
  bool goals_pause_ = false;       ///< a change of the goals was reported a moment ago
  bool has_more_of_goals_ = false; ///< the goals have changed since then
};

agent_changes::agent_changes(caf::actor_system& system, std::shared_ptr<strand> on,
  scratch_page_actor page, frontal_cortex_actor goals, perform_operation perform)
  : system_{system},
    on_{std::move(on)},
    page_{std::move(page)},
    goals_{std::move(goals)},
    polled_{std::make_shared<polled_changes>(on_, std::move(perform))} {}

agent_changes::~agent_changes() {
  if (watcher_)
    caf::anon_send_exit(watcher_, caf::exit_reason::user_shutdown);
}

std::shared_ptr<void> agent_changes::subscribe(
  const principal& who, wanted_changes what, on_change then) {
  auto one = std::make_shared<subscriber>();
  wanted_changes others;
  for (const auto& x : what.uris)
    (reports_changes(x) && !is_silent_ ? one->uris : others.uris).insert(x);
  if (!others.empty())
    one->polled = polled_->subscribe(who, std::move(others), then);
  if (!one->uris.empty())
    watch();
  one->who = who;
  one->then = std::move(then);
  one->feed = shared_from_this();
  forget_the_gone();
  subscribers_.push_back(one);
  return one;
}

void agent_changes::watch() {
  if (watcher_)
    return;
  auto told = [on = on_, weak = weak_from_this()](std::set<std::string> uris, bool all) {
    on->post([weak, uris = std::move(uris), all] {
      if (auto self = weak.lock())
        self->tell(uris, all);
    });
  };
  auto silent = [on = on_, weak = weak_from_this()] {
    on->post([weak] {
      if (auto self = weak.lock())
        self->look_instead();
    });
  };
  watcher_ = caf::actor_cast<caf::actor>(
    spawn<watcher>(system_, page_, goals_, watcher::on_uris{told}, silent));
}

/// Polls the page and the goals from now on. Reports each wanted resource once, since it may have
/// changed before the first poll. An agent that is opened again has a new page, which this object
/// does not watch.
void agent_changes::look_instead() {
  is_silent_ = true;
  for (const auto& x : subscribers()) {
    if (x->uris.empty() || x->instead)
      continue;
    wanted_changes all;
    all.uris = x->uris;
    x->instead = polled_->subscribe(x->who, std::move(all), x->then);
    for (const auto& wanted : x->uris)
      x->then({change_kind::resource, wanted});
  }
}

void agent_changes::forget_the_gone() {
  std::erase_if(subscribers_, [](const auto& x) { return x.expired(); });
}

/// The subscribers that still exist.
std::vector<std::shared_ptr<agent_changes::subscriber>> agent_changes::subscribers() {
  forget_the_gone();
  std::vector<std::shared_ptr<subscriber>> result;
  result.reserve(subscribers_.size());
  for (const auto& x : subscribers_)
    result.push_back(x.lock());
  return result;
}

void agent_changes::tell(const std::set<std::string>& uris, bool all_observations) {
  for (const auto& x : subscribers())
    for (const auto& wanted : x->uris)
      if (uris.contains(wanted) || (all_observations && wanted.starts_with(uri::observations)))
        x->then({change_kind::resource, wanted});
}

} // namespace scratchpage::mcp
