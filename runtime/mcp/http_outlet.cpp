#include "scratchpage/runtime/mcp/http_outlet.hpp"

#include <utility>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/runtime/mcp/members.hpp"
#include "scratchpage/runtime/rpc/json_rpc.hpp"

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
  http::response result;
  result.status = status;
  result.headers.push_back({"Content-Type", "application/json"});
  result.body = to_text(json::value(body));
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
  over_ = true;
  when_gone_ = nullptr;
  if (events_) {
    events_->send(answer);
    return events_->close();
  }
  auto response = json_response(status_of(answer, spoken_), answer);
  if (!session_id_.empty() && answer.contains("result"))
    response.headers.push_back({"Mcp-Session-Id", session_id_});
  by_->respond(std::move(response));
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
