#include <algorithm>
#include <optional>
#include <string>
#include <variant>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/runtime/events/event_order.hpp"
#include "scratchpage/runtime/net/http/request_reader.hpp"
#include "scratchpage/runtime/net/http/target.hpp"
#include "scratchpage/runtime/server/rest.hpp"
#include "scratchpage/tests/fuzz/targets.hpp"

namespace scratchpage::fuzz {

namespace {

const http::server_config& server_limits() {
  static const http::server_config result;
  return result;
}

/// The result of reading bytes in pieces of `piece` bytes. Bytes that the reader does not take are
/// given again, with the next piece.
struct outcome {
  outcome(std::string_view bytes, size_t piece)
    : reader{server_limits()} {
    size_t given = 0;
    while (!ended() && (given < bytes.size() || given == 0)) {
      given = std::min(bytes.size(), given + piece);
      size_t now = 1;
      while (!ended() && now > 0 && taken < given) {
        now = reader.feed(bytes.substr(taken, given - taken));
        taken += now;
        promise(taken <= given, "the reader takes at most what it was given");
      }
      if (bytes.empty())
        break;
    }
  }

  bool ended() const { return reader.is_done() || reader.refused(); }

  http::request_reader reader;
  size_t taken = 0;
};

/// Checks that the pieces do not matter. The place where an error is noticed may differ.
void check_same(const outcome& whole, const outcome& parts) {
  promise(whole.reader.is_done() == parts.reader.is_done(), "pieces do not change acceptance");
  if (!whole.reader.is_done())
    return;
  const auto& a = whole.reader.request();
  const auto& b = parts.reader.request();
  promise(a.method == b.method && a.path == b.path && a.query == b.query && a.headers == b.headers
            && a.body == b.body,
    "pieces do not change the request");
  promise(whole.taken == parts.taken, "pieces do not change the end");
}

void read_target(const http::request& x) {
  if (auto segments = http::path_segments(x.path)) {
    std::string again;
    for (const auto& segment : *segments)
      again += "/" + http::percent_encode(segment);
    promise(
      segments->empty() || http::path_segments(again) == segments, "a path is the same again");
  }
  if (auto query = http::parse_query(x.query)) {
    std::string again;
    for (const auto& [name, value] : *query)
      again +=
        (again.empty() ? "" : "&") + http::percent_encode(name) + "=" + http::percent_encode(value);
    promise(query->empty() || http::parse_query(again) == query, "a query is the same again");
  }
}

void read_call(const http::request& x) {
  if (auto refused = server::refuse_content(x))
    promise(refused->status == 415 && utf8::is_valid(refused->body), "a refusal is a text");
  auto read = server::read_rest(x);
  if (const auto* refused = std::get_if<http::response>(&read)) {
    promise(refused->status >= 400 && utf8::is_valid(refused->body), "a refusal is a text");
  } else {
    const auto& call = std::get<server::rest_call>(read);
    promise(utf8::is_valid(call.agent_id) && utf8::is_valid(call.thread_id), "ids are UTF-8");
    promise(!call.operation.empty(), "a call has an operation");
  }
  if (auto order = events::read_event_order(x, as_tool("fuzz"))) {
    promise(order->by.name == "fuzz", "a request cannot set its caller");
  }
}

} // namespace

void http(std::string_view bytes) {
  outcome whole{bytes, bytes.size()};
  check_same(whole, outcome{bytes, 1});
  if (!whole.reader.is_done())
    return;
  read_target(whole.reader.request());
  read_call(whole.reader.request());
}

} // namespace scratchpage::fuzz
