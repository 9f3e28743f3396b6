#include "scratchpage/runtime/mcp/server/http_outlet.hpp"

#include <utility>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/runtime/mcp/protocol/members.hpp"
#include "scratchpage/runtime/net/json_rpc/json_rpc.hpp"

namespace scratchpage::mcp {

namespace {

constexpr int32_t no_such_method = static_cast<int32_t>(rpc::code::method_not_found);

/// What a handler refuses is an answer like any other; what is wrong with the request
/// itself is said by the status, too.
uint32_t status_of(const json::object& answer, era spoken) {
  const auto* error = object_in(answer, "error");
  if (spoken == era::legacy || error == nullptr)
    return 200;
  auto code = error->at("code").to_number<int32_t>();
  if (code == no_such_method)
    return 404;
  return code == missing_capability || code == header_mismatch || code == unsupported_version ? 400
                                                                                              : 200;
}

} // namespace

http::response json_response(uint32_t status, const json::object& body) {
  return json_response(status, to_text(body));
}

http::response json_response(uint32_t status, std::string body) {
  http::response result;
  result.status = status;
  result.headers.push_back({"Content-Type", "application/json"});
  result.body = std::move(body);
  return result;
}

http_outlet::http_outlet(std::shared_ptr<strand> on, std::shared_ptr<http::exchange> by, era spoken,
  std::string session_id)
  : on_{std::move(on)},
    by_{std::move(by)},
    spoken_{spoken},
    session_id_{std::move(session_id)} {}

void http_outlet::stream_after(timespan patience) {
  on_->after(patience, [weak = weak_from_this()] {
    if (auto self = weak.lock(); self && !self->over_)
      self->open();
  });
}

void http_outlet::open() {
  if (!events_)
    events_ = event_stream::begin(on_, *by_, at_drain_, [weak = weak_from_this()] {
      if (auto self = weak.lock())
        self->gone();
    });
}

void http_outlet::send(const json::object& message) {
  open();
  events_->send(message);
}

void http_outlet::finish(const json::object& answer) {
  auto text = to_text(answer);
  if (!finish_stream(text))
    respond(json_response(status_of(answer, spoken_), std::move(text)), answer.contains("result"));
}

void http_outlet::finish(std::string answer) {
  if (!finish_stream(answer))
    respond(json_response(200, std::move(answer)), true);
}

/// The answer as the stream's last event, if there is one.
bool http_outlet::finish_stream(std::string_view answer) {
  over_ = true;
  when_gone_ = nullptr;
  if (!events_)
    return false;
  events_->send(answer);
  events_->close();
  return true;
}

void http_outlet::respond(http::response x, bool has_result) {
  if (!session_id_.empty() && has_result)
    x.headers.push_back({"Mcp-Session-Id", session_id_});
  by_->respond(std::move(x));
}

void http_outlet::end() {
  over_ = true;
  when_gone_ = nullptr;
  if (events_)
    return events_->close();
  http::response nothing;
  nothing.status = 202;
  by_->respond(std::move(nothing));
}

void http_outlet::on_gone(std::function<void()> then) {
  if (spoken_ == era::legacy)
    return;
  when_gone_ = std::move(then);
  by_->on_gone([on = on_, weak = weak_from_this()] {
    on->post([weak] {
      if (auto self = weak.lock())
        self->gone();
    });
  });
}

void http_outlet::gone() {
  if (auto then = std::exchange(when_gone_, nullptr))
    then();
}

} // namespace scratchpage::mcp
