#include "scratchpage/runtime/events/event_feed.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include <caf/action.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/json_writer.hpp"
#include "scratchpage/runtime/net/http/http_answers.hpp"
#include "scratchpage/runtime/net/json_rpc/json_rpc.hpp"

namespace scratchpage::events {

namespace {

/// Proxies close a response that sends nothing for long.
constexpr timespan quiet_at_most = std::chrono::seconds{15};
constexpr timespan page_timeout = std::chrono::seconds{30};
/// A reader with a rate may get events that much too early, so that a few events need no timer.
constexpr timespan at_once = std::chrono::milliseconds{50};

/// The batch size for a rate; 0: no limit. Small batches keep the pauses shorter than the page's
/// timeout, and the events fresh.
uint64_t batch_at(uint64_t per_second) {
  constexpr auto batches_per_second = std::chrono::seconds{1} / at_once;
  return per_second == 0 ? 0 : std::max<uint64_t>(1, per_second / batches_per_second);
}

/// Appends the fields of a server-sent event before its data.
void append_head(std::string& to, std::string_view event, std::string_view id) {
  if (!id.empty())
    to.append("id: ").append(id).append("\n");
  to.append("event: ").append(event).append("\ndata: ");
}

constexpr timespan stats_timeout = std::chrono::seconds{10};

http::response stream_head() {
  return {200, {{"content-type", "text/event-stream"}, {"cache-control", "no-store"}}, {}};
}

void begin(caf::actor_system& sys, const scratch_page_actor& page,
  const std::shared_ptr<http::exchange>& to, event_order order) {
  auto out = to->accept_websocket();
  order.form = out ? event_form::message : event_form::server_sent;
  if (out) // messages without a callback would be kept
    out->on_message([](const std::string&) {});
  if (!out)
    out = to->begin_stream(stream_head());
  feed_events(sys, page, out, std::move(order));
}

} // namespace

event_feed::event_feed(handle::pointer self, scratch_page_actor page,
  std::shared_ptr<http::stream> to, event_order order)
  : self_{self},
    page_{std::move(page)},
    to_{std::move(to)},
    order_{std::move(order)},
    at_once_{batch_at(order_.per_second)} {}

/// Cancels the timers: CAF's clock would keep them until they are due.
event_feed::~event_feed() {
  alive_.dispose();
  resting_.dispose();
}

event_feed::handle::behavior_type event_feed::make_behavior() {
  watch(self_, page_, [this](const caf::actor_addr&) { lose_page(); });
  if (order_.form != event_form::notification)
    self_->attach_functor([to = to_] { to->close(); });
  if (order_.form == event_form::notification)
    learn_epoch();
  else
    subscribe_to_page();
  if (order_.form == event_form::server_sent)
    stay_alive();
  return {[this](const event_batch& batch) { return take(batch); }};
}

/// The page sends a batch again if it is not acknowledged in time, and gives up in the end. A batch
/// that comes while another is being written is not written; after that, the feed subscribes again
/// from its position, whether the page has given up or not.
caf::result<void> event_feed::take(const event_batch& batch) {
  auto answer = self_->make_response_promise<void>();
  if (written_.pending()) {
    again_ = answer;
    return answer;
  }
  written_ = answer;
  if (order_.form == event_form::notification && !is_confirmed_)
    early_ = batch;
  else
    write(batch);
  return answer;
}

void event_feed::write(const event_batch& batch) {
  std::string all;
  writing_ = batch.events.size();
  position_ = order_.from;
  for (size_t i = 0; i < batch.events.size(); ++i) {
    const auto& event = batch.events[i];
    if (!is_of_state(event.kind))
      position_ = {event.sequence, batch.epoch};
    append_piece(all, event, batch.epoch);
    if (order_.form != event_form::server_sent && i + 1 < batch.events.size())
      to_->write(std::exchange(all, {}), [](bool) {});
  }
  write_last(std::move(all));
}

void event_feed::has_written() {
  order_.from = position_;
  auto rest = rest_after(writing_);
  if (rest <= at_once)
    go_on();
  else
    resting_ = self_->run_delayed(rest, [this] { go_on(); });
}

/// How long the feed has to pause after `events` events, at the rate of the subscription.
timespan event_feed::rest_after(size_t events) {
  if (order_.per_second == 0)
    return {};
  auto now = self_->clock().now();
  auto takes = std::chrono::duration<double>(
    static_cast<double>(events) / static_cast<double>(order_.per_second));
  paid_until_ =
    std::max(paid_until_, now) + std::chrono::duration_cast<caf::actor_clock::duration_type>(takes);
  return paid_until_ - now;
}

/// If writing a batch took longer than the page's timeout, the next batches are smaller. Otherwise
/// the page would send its state from the beginning again and again.
void event_feed::go_on() {
  if (again_.pending()) {
    constexpr uint64_t times_smaller = 8, fewest = 8;
    auto fewer = std::max(fewest, writing_ / times_smaller);
    at_once_ = at_once_ == 0 ? fewer : std::min(at_once_, fewer);
    subscribe_to_page(); // before the answers, which the page then ignores
    again_.deliver();
  }
  written_.deliver();
}

/// Asks for the page's epoch, which the confirmation needs.
void event_feed::learn_epoch() {
  ask(self_, page_, page_timeout, caf::get_atom_v)
    .then(
      [this](const page_stats& x) {
        epoch_ = x.epoch;
        subscribe_to_page();
      },
      [this](const caf::error& why) { refuse(why); });
}

void event_feed::subscribe_to_page() {
  subscribe order{order_.by, self_, order_.filter, order_.from, false};
  order.at_once = at_once_;
  ask(self_, page_, page_timeout, std::move(order))
    .then(
      [this](uint64_t after) { confirm(after); }, [this](const caf::error& why) { refuse(why); });
}

void event_feed::confirm(uint64_t after) {
  if (!order_.from.sequence)
    order_.from.sequence = after;
  if (order_.form != event_form::notification || is_confirmed_)
    return;
  json::object result{
    {"subscription", order_.number}, {"sequence", after}, {"from", event_id(epoch_, after)}};
  to_->write(
    to_text(json::value(json_rpc::answer(order_.request_id, std::move(result)))), [](bool) {});
  is_confirmed_ = true;
  if (auto batch = std::exchange(early_, std::nullopt))
    write(*batch);
}

/// The page has ended with its agent. A reader that comes again gets the agent where it is open
/// then.
void event_feed::lose_page() {
  refuse(fail(errc::storage_unavailable, "agent",
    "expected an agent that stays open, but its page has ended here; subscribe again"));
}

/// The head of the response was sent already, so the error is sent in the stream.
void event_feed::refuse(const caf::error& why) {
  if (is_confirmed_) {
    json::object last{{"jsonrpc", "2.0"}, {"method", "end"}, {"params", {{"error", to_json(why)}}}};
    to_->write(to_text(json::value(std::move(last))), [](bool) {});
    to_->close();
    return self_->quit();
  }
  if (order_.form == event_form::notification) {
    to_->write(to_text(json::value(json_rpc::refuse(order_.request_id, why))), [](bool) {});
    return self_->quit();
  }
  std::string text;
  auto is_server_sent = order_.form == event_form::server_sent;
  if (is_server_sent)
    append_head(text, "error", "");
  text += to_text(json::value{{"error", to_json(why)}});
  if (is_server_sent)
    text += "\n\n";
  to_->write(std::move(text), [](bool) {});
  self_->quit();
}

/// Writes the last piece of a batch, and goes on when it was written, on this actor's thread.
void event_feed::write_last(std::string piece) {
  has_told_ = true;
  to_->write(std::move(piece), [this, me = caf::actor_cast<caf::actor>(self_)](bool taken) {
    auto answer = [this, taken] {
      if (taken)
        has_written();
      else
        self_->quit();
    };
    anon_tell(me, caf::make_action(std::move(answer)));
  });
}

/// Events about the state of the page have the id of the change before them. So a reader that
/// disconnects in between and comes again with the last id gets the whole state.
std::string event_feed::id_of(const page_event& x, uint64_t epoch) const {
  if (is_of_state(x.kind) && position_.sequence)
    return event_id(position_.epoch.value_or(epoch), *position_.sequence);
  return event_id(epoch, x.sequence);
}

void event_feed::append_piece(std::string& to, const page_event& x, uint64_t epoch) const {
  auto id = id_of(x, epoch);
  if (order_.form == event_form::server_sent) {
    append_head(to, name_of(x.kind), id);
    append_json(to, x); // has no line ends
    to += "\n\n";
    return;
  }
  auto is_notification = order_.form == event_form::notification;
  if (is_notification)
    to += R"({"jsonrpc":"2.0","method":"event","params":)";
  append_json(to, x);
  to.back() = ','; // more members follow
  append_json(to += R"("id":)", id);
  if (is_notification)
    append_json(to += R"(,"subscription":)", order_.number);
  to += is_notification ? "}}" : "}";
}

void event_feed::stay_alive() {
  alive_ = self_->run_delayed(quiet_at_most, [this] {
    if (!std::exchange(has_told_, false))
      to_->write(":\n\n", [](bool) {});
    stay_alive();
  });
}

caf::actor begin_feed(caf::actor_system& sys, const scratch_page_actor& page,
  const std::shared_ptr<http::stream>& to, event_order order) {
  return caf::actor_cast<caf::actor>(spawn<event_feed>(sys, page, to, std::move(order)));
}

void end_feed(const caf::actor& feed) {
  caf::anon_send_exit(feed, caf::exit_reason::user_shutdown);
}

caf::actor feed_events(caf::actor_system& sys, const scratch_page_actor& page,
  const std::shared_ptr<http::stream>& to, event_order order) {
  auto feed = begin_feed(sys, page, to, std::move(order));
  to->on_end([feed] { end_feed(feed); });
  return feed;
}

void begin_events(caf::event_based_actor* self, const scratch_page_actor& page,
  const std::shared_ptr<http::exchange>& to, event_order order) {
  auto* sys = &self->system();
  if (order.from.sequence)
    return begin(*sys, page, to, std::move(order));
  ask(self, page, stats_timeout, caf::get_atom_v)
    .then(
      [sys, page, to, order = std::move(order)](const page_stats& x) mutable {
        order.from = {x.sequence, x.epoch};
        begin(*sys, page, to, std::move(order));
      },
      [to](const caf::error& why) { to->respond(http::error_response(why)); });
}

} // namespace scratchpage::events
