#pragma once

#include <memory>
#include <optional>
#include <string>

#include <caf/actor_clock.hpp>
#include <caf/disposable.hpp>
#include <caf/typed_response_promise.hpp>

#include "scratchpage/messages/handles.hpp"
#include "scratchpage/runtime/events/event_order.hpp"
#include "scratchpage/runtime/net/http/exchange.hpp"

namespace scratchpage::serve {

/// Tells one reader of a page's changes as fast as they are read: the page sends no
/// more until what it sent is written, so that a slow reader costs a cursor. One that is
/// slower than the page has patience is subscribed again, after what it has read. One that
/// has said how many events a second are enough is taken for slow beyond that. Ends with
/// the stream, or the page.
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
  caf::typed_response_promise<void> written_; ///< of the batch that is being written
  caf::typed_response_promise<void> again_;   ///< of one that came while another was written
  subscribe_from place_;                      ///< of its last change; the order's if it has none
  size_t writing_ = 0;                        ///< events of that batch
  uint64_t at_once_;                          ///< events in a batch at most; 0: as the page has it
  caf::actor_clock::time_point paid_until_;   ///< with its rate, for what was written
  bool has_told_ = false;                     ///< since it was last looked at
  caf::disposable alive_;                     ///< looks again
  caf::disposable resting_;                   ///< goes on
  uint64_t epoch_ = 0;
  bool is_confirmed_ = false;
  std::optional<event_batch> early_; ///< one that came before that
};

/// Spawns one. Whoever does so ends it, at the latest with the stream.
caf::actor begin_feed(caf::actor_system& sys, const scratch_page_actor& page,
  const std::shared_ptr<http::stream>& to, event_order order);

void end_feed(const caf::actor& feed);

/// Spawns one and ends it with the stream, which has no other.
caf::actor feed_events(caf::actor_system& sys, const scratch_page_actor& page,
  const std::shared_ptr<http::stream>& to, event_order order);

} // namespace scratchpage::serve
