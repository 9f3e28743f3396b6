#pragma once

#include <memory>
#include <optional>
#include <string>

#include <caf/typed_response_promise.hpp>

#include "scratchpage/messages/handles.hpp"
#include "scratchpage/runtime/http/exchange.hpp"

namespace scratchpage::serve {

/// How events are written.
enum class event_form : uint8_t {
  server_sent, ///< as a body of server-sent events (HTML, 9.2)
  message,     ///< as a message each, a JSON object
};

/// What somebody wants to hear of.
struct event_order {
  caller by;
  observation_filter filter;
  subscribe_from from;
  event_form form = event_form::server_sent;
};

/// Tells one reader of a page's changes as fast as they are read: the page sends no
/// more until what it sent is written, so that a slow reader costs a cursor. Ends with
/// the stream, or the page.
class event_feed {
public:
  using handle = subscriber_actor;
  static constexpr const char* name = "event_feed";

  event_feed(handle::pointer self, scratch_page_actor page, std::shared_ptr<http::stream> to,
    event_order order);

  handle::behavior_type make_behavior();

private:
  void subscribe_to_page();
  void refuse(const caf::error& why);
  void write_last(std::string piece);
  std::string piece_of(const page_event& x, uint64_t epoch) const;
  void stay_alive();

  handle::pointer self_;
  scratch_page_actor page_;
  std::shared_ptr<http::stream> to_;
  event_order order_;
  caf::typed_response_promise<void> written_; ///< of the batch that is being written
  bool has_told_ = false;                     ///< since it was last looked at
};

/// Spawns one and ends it with the stream.
void feed_events(caf::actor_system& sys, const scratch_page_actor& page,
  const std::shared_ptr<http::stream>& to, event_order order);

/// An event's place, as its id and in `Last-Event-ID`: "<epoch>-<sequence>".
std::string event_id(uint64_t epoch, uint64_t sequence);
std::optional<subscribe_from> read_event_id(std::string_view text);

} // namespace scratchpage::serve
