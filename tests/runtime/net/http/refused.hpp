#pragma once

#include <string_view>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/tests/runtime/net/http/served.hpp"

namespace scratchpage::test {

/// The error in an answer of the transport itself.
inline json::object error_in(const http_answer& x) {
  auto parsed = parse_json(x.body);
  BOOST_REQUIRE(parsed);
  return parsed->as_object().at("error").as_object();
}

/// The answer to these bytes on a new connection. Tests that the server then closes it.
inline http_answer refused(http::server& by, std::string_view bytes) {
  http_client client{by.port()};
  client.send(bytes);
  auto answer = client.read_answer();
  BOOST_TEST(answer.headers["connection"] == "close");
  BOOST_TEST(client.is_closed());
  auto error = error_in(answer);
  BOOST_TEST(!error.at("message").as_string().empty());
  return answer;
}

} // namespace scratchpage::test
