#include "scratchpage/runtime/mcp/server/agent_changes.hpp"

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>

#include <caf/typed_event_based_actor.hpp>

#include "scratchpage/messages/compat.hpp"

namespace scratchpage::mcp {

namespace {

constexpr const char* own_name = "mcp_changes";
constexpr timespan patience = std::chrono::seconds{30};

bool tells_by_itself(std::string_view resource) {
  return resource == uri::page || resource == uri::goals || resource.starts_with(uri::observations);
}

} // namespace

/// Hears of changes and passes them on.
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
    ask(self_, page_, patience, std::move(to_page)).then([](uint64_t) {}, refused);
    watch_goals to_goals{as_daemon(own_name), me};
    ask(self_, goals_, patience, std::move(to_goals)).then([] {}, refused);
    return {[this](const event_batch& x) -> caf::result<void> { return take(x); },
      [this](const goal_changed&) { then_({std::string{uri::goals}}, false); }};
  }

private:
  /// The page or the goals tell nothing: neither is listened to any more, so that nothing is told
  /// of twice when somebody looks instead.
  void give_up() {
    on_silence_();
    self_->quit();
  }

  /// The next batch comes after a pause: what happens meanwhile is told of once.
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

  handle::pointer self_;
  scratch_page_actor page_;
  frontal_cortex_actor goals_;
  on_uris then_;
  std::function<void()> on_silence_;
};

agent_changes::agent_changes(caf::actor_system& system, std::shared_ptr<strand> on,
  scratch_page_actor page, frontal_cortex_actor goals, run_operation run)
  : system_{system},
    on_{std::move(on)},
    page_{std::move(page)},
    goals_{std::move(goals)},
    polled_{std::make_shared<polled_changes>(on_, std::move(run))} {}

agent_changes::~agent_changes() {
  if (watcher_)
    caf::anon_send_exit(watcher_, caf::exit_reason::user_shutdown);
}

std::shared_ptr<void> agent_changes::subscribe(
  const client& who, wanted_changes what, on_change then) {
  auto one = std::make_shared<subscriber>();
  wanted_changes others;
  for (const auto& x : what.uris)
    (tells_by_itself(x) && !is_silent_ ? one->uris : others.uris).insert(x);
  if (!others.empty())
    one->looked_at = polled_->subscribe(who, std::move(others), then);
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

/// Who subscribes from now on has everything looked at. What may have changed before somebody
/// looks is told of once. Whoever opens the agent anew gets a page that this knows nothing of.
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

/// Those that are still there.
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
