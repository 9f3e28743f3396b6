#include "scratchpage/actors/base/daemon.hpp"

#include <exception>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/query.hpp"

namespace scratchpage {

namespace {

/// Whether the page may accept the draft later: the error is not about the draft itself.
bool is_worth_keeping(const caf::error& err) {
  auto code = code_of(err);
  return code == errc::storage_unavailable || code == errc::deadline_exceeded
         || code == errc::overloaded;
}

} // namespace

daemon::daemon(handle::pointer self, daemon_setup setup, std::string name, uint32_t number)
  : self_{self},
    trace_{setup.agent, name, number},
    setup_{std::move(setup)},
    name_{std::move(name)},
    keeps_drafts_{setup_.agent.work()} {}

daemon::daemon(handle::pointer self, const daemon_setup& setup, std::string name)
  : daemon{self, setup, std::move(name), setup.number} {}

daemon::handle::behavior_type daemon::make_behavior() {
  subscribe_to_page();
  return {[this](event_batch& batch) -> caf::result<void> {
    auto promise = self_->make_response_promise<void>();
    ack_guard done{[promise]() mutable { promise.deliver(); }};
    work(batch, done);
    return promise;
  }};
}

/// Subscribes to inputs as well, whatever `interests` returns: an input of another turn tells the
/// daemon to offer again what storage has refused.
void daemon::subscribe_to_page() {
  interests_ = interests();
  subscribe request{as_daemon(name_), handle{self_}, {}, {}, true};
  request.filter.type = {"user_input"};
  request.or_filters = interests_;
  request.from.sequence = setup_.after;
  auto done = [then = std::exchange(setup_.on_subscribed, {})] {
    if (then)
      then();
  };
  ask(self_, setup_.page, request_timeout(), std::move(request))
    .then([done](uint64_t) { done(); },
      [this, done](const caf::error& err) {
        trace_.write_error("subscribe", as_daemon(name_), err);
        done();
        self_->quit(err); // a daemon without events is of no use
      });
}

void daemon::work(event_batch& batch, const ack_guard& done) {
  for (const auto& event : batch.events) {
    if (!event.observation)
      continue; // `lagged`: the current state follows as `current` events
    if (!event.turn_id.empty() && event.turn_id != latest_turn_)
      offer_again(event.turn_id, done);
    if (is_wanted(event, interests_))
      guarded(as_me(event), [&] { react(event, done); });
  }
}

/// An exception that is not caught would end the daemon, and turns would go on without it.
void daemon::guarded(const caller& by, const std::function<void()>& f) {
  if (!f)
    return;
  try {
    f();
  } catch (const std::exception& x) {
    trace_.write_error("react", by, fail(errc::internal, "daemon", x.what()));
  } catch (...) {
    trace_.write_error("react", by, fail(errc::internal, "daemon", "an unknown exception"));
  }
}

caller daemon::as_me(const page_event& event) const {
  return as_daemon(name_, event.turn_id, event.cause);
}

void daemon::publish(
  caller by, observation_draft draft, const ack_guard& done, const on_stored& then) {
  add_observation request{by, draft};
  ask(self_, setup_.page, request_timeout(), std::move(request))
    .then(
      [this, done, then, by](const receipt& stored) {
        if (then)
          guarded(by, [&] { then(stored); });
      },
      [this, done, then, kept = kept_draft{by, std::move(draft)}](const caf::error& err) mutable {
        const auto asker = kept.by;
        trace_.write_error("publish", asker, err, {{"type", kept.draft.type}});
        if (is_worth_keeping(err))
          keep(std::move(kept));
        if (then)
          guarded(asker, [&] { then({}); });
      });
}

void daemon::read_archive(list_archive request, const ack_guard& done, on_archived then) {
  auto by = request.by;
  ask(self_, setup_.page, request_timeout(), std::move(request))
    .then(
      [this, done, then, by](query_result& found) {
        std::optional<std::vector<observation_ptr>> all;
        if (!found.partial && found.next_cursor.empty())
          all = std::move(found.observations);
        guarded(by, [&] { then(std::move(all)); });
      },
      [this, done, then, by](const caf::error& err) {
        trace_.write_error("list_archive", by, err);
        guarded(by, [&] { then(std::nullopt); });
      });
}

void daemon::update(
  update_observation request, const ack_guard& done, const std::function<void(bool)>& then) {
  auto by = request.by;
  ask(self_, setup_.page, request_timeout(), std::move(request))
    .then(
      [this, done, then, by](const receipt&) {
        if (then)
          guarded(by, [&] { then(true); });
      },
      [this, done, then, by](const caf::error& err) {
        trace_.write_error("change", by, err);
        if (then)
          guarded(by, [&] { then(false); });
      });
}

void daemon::hold_turn_and(
  const caller& by, const ack_guard& done, std::function<void(const ack_guard&)> work) {
  ask(self_, setup_.page, request_timeout(), hold_turn{by})
    .then([this, by, done, work = std::move(work)] { guarded(by, [&] { work(releasing(by)); }); },
      [this, by, done](const caf::error& err) { trace_.write_error("hold_turn", by, err); });
}

ack_guard daemon::releasing(const caller& by) {
  return at_the_end([this, by] { tell(self_, setup_.page, release_turn{by}); });
}

ack_guard daemon::at_the_end(std::function<void()> then) {
  return ack_guard{[then = std::move(then), alive = std::weak_ptr<bool>{alive_}] {
    if (!alive.expired())
      then();
  }};
}

void daemon::keep(kept_draft x) {
  kept_.push_back(std::move(x));
  keeps_drafts_.set(true);
  if (kept_.size() <= setup_.limits.max_kept_drafts)
    return;
  const auto& oldest = kept_.front();
  trace_.write_error("keep_draft", oldest.by,
    fail(errc::overloaded, "max_kept_drafts", "too many drafts wait; the oldest is dropped"),
    {{"type", oldest.draft.type}, {"content", oldest.draft.content}});
  kept_.pop_front();
  keeps_drafts_.set(!kept_.empty());
}

void daemon::offer_again(const std::string& turn_id, const ack_guard& done) {
  latest_turn_ = turn_id;
  keeps_drafts_.set(false);
  for (auto& x : std::exchange(kept_, {})) {
    trace_.write("offer_again", x.by, {{"type", x.draft.type}});
    publish(std::move(x.by), std::move(x.draft), done);
  }
}

} // namespace scratchpage
