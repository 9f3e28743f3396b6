#pragma once

#include <memory>
#include <optional>
#include <string>

#include <caf/actor_clock.hpp>
#include <caf/disposable.hpp>
#include <caf/fwd.hpp>
#include <caf/typed_response_promise.hpp>

#include "scratchpage/messages/handles.hpp"
#include "scratchpage/runtime/events/event_order.hpp"
#include "scratchpage/runtime/net/http/exchange.hpp"

namespace scratchpage::events {

/// Writes a page's events to one reader, as fast as it reads: the page sends the next batch when
/// the last one was written, so a slow reader costs one position and no queue. If writing takes
/// longer than the page's timeout, the feed subscribes again from the reader's position. A reader
/// with a maximum rate is slowed down to it. Ends with the stream or with the page.
class event_feed {
public:
  using handle = subscriber_actor;
  static constexpr const char* name = "event_feed";

  event_feed(handle::pointer self, scratch_page_actor page, std::shared_ptr<http::stream> to,
    event_order order);
  event_feed(const event_feed&) = delete;
  event_feed& operator=(const event_feed&) = delete;
  ~event_feed();

  handle::behavior_type make_behavior();

private:
  void learn_epoch();
  void subscribe_to_page();
  caf::result<void> take(const event_batch& batch);
  void write(const event_batch& batch);
  void confirm(uint64_t after);
  void refuse(const caf::error& why);
  void lose_page();
  void write_last(std::string piece);
  void has_written();
  timespan rest_after(size_t events);
  void go_on();
  std::string id_of(const page_event& x, uint64_t epoch) const;
  void append_piece(std::string& to, const page_event& x, uint64_t epoch) const;
  void stay_alive();

  handle::pointer self_;
  scratch_page_actor page_;
  std::shared_ptr<http::stream> to_;
  event_order order_;
  caf::typed_response_promise<void> written_; ///< the answer to the batch that is being written
  caf::typed_response_promise<void> again_;   ///< the answer to a batch that came meanwhile
  subscribe_from position_;                   ///< of the last change in that batch
  size_t writing_ = 0;                        ///< events in that batch
  uint64_t at_once_;                          ///< maximum of events in a batch; 0: the page's
  caf::actor_clock::time_point paid_until_;   ///< when the rate allows further events
  bool has_told_ = false;                     ///< something was written since the last check
  caf::disposable alive_;                     ///< the timer of the next check
  caf::disposable resting_;                   ///< the timer of the pause
  uint64_t epoch_ = 0;
  bool is_confirmed_ = false;
  std::optional<event_batch> early_; ///< a batch that came before the confirmation
};

/// Spawns a feed. The caller ends it, at the latest with the stream.
caf::actor begin_feed(caf::actor_system& sys, const scratch_page_actor& page,
  const std::shared_ptr<http::stream>& to, event_order order);

void end_feed(const caf::actor& feed);

/// Spawns the only feed of a stream; it ends with the stream.
caf::actor feed_events(caf::actor_system& sys, const scratch_page_actor& page,
  const std::shared_ptr<http::stream>& to, event_order order);

/// Answers a request with the events of a page: as server-sent events, or on a WebSocket if the
/// request asks for one. The position of "now" is asked of the page before the head is sent, so a
/// client that has received the head gets every later change. If the page does not answer, the
/// request gets an error.
void begin_events(caf::event_based_actor* self, const scratch_page_actor& page,
  const std::shared_ptr<http::exchange>& to, event_order order);

} // namespace scratchpage::events
