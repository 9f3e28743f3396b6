#include "scratchpage/tests/runtime/net/http/served.hpp"

/// WebSockets (RFC 6455), frame by frame.

namespace scratchpage::test {

namespace {

constexpr std::string_view handshake =
  "GET /socket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n"
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";

enum opcode { text = 1, binary = 2, closing = 8, ping = 9, pong = 10 };

struct frame {
  int code = 0; ///< 0: the connection has ended
  std::string payload;
};

/// A frame masked with zeros, which change nothing.
std::string masked(opcode code, std::string_view payload) {
  std::string result{static_cast<char>(0x80 | code)};
  if (payload.size() < 126) {
    result += static_cast<char>(0x80 | payload.size());
  } else {
    result += static_cast<char>(0xFE);
    result += static_cast<char>(payload.size() >> 8);
    result += static_cast<char>(payload.size() & 0xFF);
  }
  result.append(4, '\0');
  return result.append(payload);
}

frame read_frame(http_client& from) {
  auto head = from.read(2);
  if (head.size() < 2)
    return {};
  auto size = static_cast<size_t>(head[1]);
  if (size >= 126) {
    auto more = from.read(size == 126 ? 2 : 8);
    size = 0;
    for (auto c : more)
      size = size * 256 + static_cast<unsigned char>(c);
  }
  return {head[0] & 0x0F, from.read(size)};
}

/// A server that accepts WebSockets and hands them to the test.
struct accepting {
  explicit accepting(http::server_config config = {})
    : server{serve(std::move(config), [this](auto, auto back) {
        auto stream = back->accept_websocket();
        if (!stream)
          return back->respond({426, {{"Upgrade", "websocket"}}, ""});
        accepted.set(std::move(stream));
      })} {}

  stream_ptr open(http_client& client) {
    client.send(handshake);
    auto answer = client.read_head();
    BOOST_TEST(answer.status == 101);
    BOOST_TEST(answer.headers["sec-websocket-accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    return accepted.get();
  }

  awaited<stream_ptr> accepted;
  std::unique_ptr<http::server> server;
};

/// Like `accepting`, and returns each message to its sender.
struct echoing {
  echoing()
    : server{serve([](auto, auto back) {
        auto stream = back->accept_websocket();
        stream->on_message([stream](std::string x) { stream->write(std::move(x), [](bool) {}); });
      })} {}

  std::unique_ptr<http::server> server;
};

} // namespace

BOOST_AUTO_TEST_SUITE(websockets)

BOOST_AUTO_TEST_CASE(messages_go_both_ways) {
  echoing of;
  http_client client{of.server->port()};
  client.send(handshake);
  BOOST_TEST(client.read_head().status == 101);
  std::string large(60'000, 'x');
  for (const std::string& message : {std::string{"hello"}, std::string{}, large}) {
    client.send(masked(text, message));
    auto answer = read_frame(client);
    BOOST_TEST(answer.code == text);
    BOOST_TEST((answer.payload == message));
  }
}

BOOST_AUTO_TEST_CASE(messages_that_come_before_anybody_asks_for_them_wait) {
  accepting of;
  http_client client{of.server->port()};
  auto stream = of.open(client);
  for (std::string x : {"one", "two", "three"})
    client.send(masked(text, x));
  client.send(masked(ping, "here"));
  awaited<std::string> heard;
  stream->on_message([&](std::string x) { heard.set(std::move(x)); });
  for (std::string x : {"one", "two", "three"})
    BOOST_TEST(heard.get() == x);
  auto answer = read_frame(client);
  BOOST_TEST(answer.code == pong);
  BOOST_TEST(answer.payload == "here");
}

/// The first frame of a text that continues in other frames.
std::string begun(std::string_view payload) {
  auto result = masked(text, payload);
  result.front() = static_cast<char>(text);
  return result;
}

uint16_t close_code(const frame& x) {
  BOOST_REQUIRE(x.payload.size() >= 2);
  return static_cast<uint16_t>(
    static_cast<unsigned char>(x.payload[0]) * 256 + static_cast<unsigned char>(x.payload[1]));
}

BOOST_AUTO_TEST_CASE(messages_that_are_not_complete_have_a_bound_together) {
  http::server_config config;
  config.max_body_bytes = 60'000;
  config.max_bodies_bytes = 130'000;
  accepting of{config};
  const std::string half(40'000, 'x');
  std::vector<http_client> clients;
  std::vector<stream_ptr> streams;
  auto refused = 0;
  for (auto i = 0; i < 6; ++i) {
    clients.emplace_back(of.server->port());
    streams.push_back(of.open(clients.back()));
    clients.back().send(begun(half) + masked(ping, ""));
    auto answer = read_frame(clients.back());
    if (answer.code == closing) {
      BOOST_TEST(close_code(answer) == 1013); // "try again later"
      ++refused;
    }
  }
  BOOST_TEST(refused >= 3);
  BOOST_TEST(refused < 6);
}

BOOST_AUTO_TEST_CASE(what_a_message_has_taken_is_given_back) {
  http::server_config config;
  config.max_body_bytes = 60'000;
  config.max_bodies_bytes = 70'000;
  accepting of{config};
  const std::string half(25'000, 'x');
  for (auto i = 0; i < 4; ++i) {
    http_client client{of.server->port()};
    auto stream = of.open(client);
    awaited<std::string> heard;
    stream->on_message([&](std::string x) { heard.set(std::move(x)); });
    for (auto k = 0; k < 3; ++k) {
      client.send(begun(half));
      auto rest = masked(text, half);
      rest.front() = static_cast<char>(0x80); // a continuation, and the last frame
      client.send(rest);
      BOOST_TEST(heard.get().size() == 50'000);
    }
    client.send(begun(half) + masked(ping, ""));
    BOOST_TEST(read_frame(client).code == pong);
    client.close(true);
    awaited<bool> ended;
    stream->on_end([&] { ended.set(true); });
    BOOST_TEST(ended.get());
  }
}

BOOST_AUTO_TEST_CASE(a_message_that_does_not_end_has_the_time_of_a_body) {
  http::server_config config;
  config.body_timeout = std::chrono::milliseconds{100};
  accepting of{config};
  http_client client{of.server->port()};
  auto stream = of.open(client);
  client.send(begun("half"));
  auto answer = read_frame(client);
  BOOST_TEST(answer.code == closing);
  BOOST_TEST(close_code(answer) == 1008);
  awaited<bool> ended;
  stream->on_end([&] { ended.set(true); });
  BOOST_TEST(ended.get());
}

BOOST_AUTO_TEST_CASE(who_has_not_sent_a_whole_message_makes_room_and_who_has_does_not) {
  http::server_config config;
  config.max_connections = 6; // streams may use half of them
  accepting some{config};
  std::vector<http_client> others;
  for (auto i = 0; i < 4; ++i) {
    others.emplace_back(some.server->port());
    BOOST_TEST(others.back().get("/").status == 426);
  }
  http_client silent{some.server->port()};
  auto unused = some.open(silent);
  http_client talking{some.server->port()};
  auto stream = some.open(talking);
  awaited<std::string> heard;
  stream->on_message([&](std::string x) { heard.set(std::move(x)); });
  talking.send(masked(text, "hello"));
  BOOST_TEST(heard.get() == "hello");
  http_client third{some.server->port()};
  auto last = some.open(third);
  BOOST_TEST(silent.is_closed());
  talking.send(masked(text, "still here"));
  BOOST_TEST(heard.get() == "still here");
}

BOOST_AUTO_TEST_CASE(a_request_that_is_no_handshake_still_waits_for_its_answer) {
  accepting of;
  http_client client{of.server->port()};
  BOOST_TEST(client.get("/socket").status == 426);
  BOOST_TEST(client.get("/socket", "Upgrade: websocket\r\nConnection: upgrade\r\n").status == 426);
  BOOST_TEST(
    client
      .get("/socket", "Upgrade: websocket\r\nConnection: upgrade\r\nSec-WebSocket-Version: 8\r\n"
                      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n")
      .status
    == 426);
  of.open(client);
}

BOOST_AUTO_TEST_CASE(a_handshake_may_be_refused) {
  auto server = serve([](auto, auto back) { back->respond({403, {}, "no"}); });
  http_client client{server->port()};
  for (auto i = 0; i < 2; ++i) {
    client.send(handshake);
    BOOST_TEST(client.read_answer().status == 403);
  }
}

BOOST_AUTO_TEST_CASE(who_speaks_before_the_handshake_is_answered_is_refused) {
  accepting of;
  http_client client{of.server->port()};
  client.send(std::string{handshake} + masked(text, "early"));
  BOOST_TEST(client.read_answer().status == 400);
  BOOST_TEST(client.is_closed());
  awaited<bool> ended;
  of.accepted.get()->on_end([&] { ended.set(true); });
  BOOST_TEST(ended.get());
}

BOOST_AUTO_TEST_CASE(either_side_may_close) {
  accepting of;
  awaited<bool> ended;
  http_client first{of.server->port()};
  auto stream = of.open(first);
  stream->on_end([&] { ended.set(true); });
  stream->write("last", [](bool) {});
  stream->close();
  BOOST_TEST(read_frame(first).payload == "last");
  auto goodbye = read_frame(first);
  BOOST_TEST(goodbye.code == closing);
  BOOST_TEST(goodbye.payload.substr(0, 2) == "\x03\xE8"); // 1000
  first.send(masked(closing, goodbye.payload));
  BOOST_TEST(ended.get());
  BOOST_TEST(first.is_closed());
  http_client second{of.server->port()};
  stream = of.open(second);
  stream->on_end([&] { ended.set(true); });
  second.send(masked(closing, "\x03\xE8"));
  BOOST_TEST(read_frame(second).code == closing);
  BOOST_TEST(ended.get());
  http_client third{of.server->port()};
  stream = of.open(third);
  stream->on_end([&] { ended.set(true); });
  third.close();
  BOOST_TEST(ended.get());
}

BOOST_AUTO_TEST_CASE(only_texts_are_taken_and_none_too_long) {
  http::server_config config;
  config.max_body_bytes = 1'000;
  accepting of{config};
  http_client first{of.server->port()};
  auto stream = of.open(first);
  first.send(masked(binary, "\x01\x02"));
  BOOST_TEST(read_frame(first).payload.substr(0, 2) == "\x03\xEB"); // 1003
  http_client second{of.server->port()};
  stream = of.open(second);
  second.send(masked(text, std::string(1'001, 'x')));
  BOOST_TEST(read_frame(second).payload.substr(0, 2) == "\x03\xF1"); // 1009
  http_client third{of.server->port()};
  stream = of.open(third);
  third.send(masked(text, "\xFF"));
  BOOST_TEST(read_frame(third).payload.substr(0, 2) == "\x03\xEF"); // 1007
}

BOOST_AUTO_TEST_CASE(messages_count_as_requests_and_are_read_no_faster) {
  http::server_config config;
  config.requests_per_second = 50;
  config.request_burst = 1; // the handshake
  config.idle_timeout = std::chrono::milliseconds{800};
  accepting of{config};
  http_client client{of.server->port()};
  auto stream = of.open(client);
  awaited<std::chrono::steady_clock::time_point> heard;
  stream->on_message([&](const std::string&) { heard.set(std::chrono::steady_clock::now()); });
  for (auto i = 0; i < 5; ++i)
    client.send(masked(text, "x"));
  auto first = heard.get();
  for (auto i = 0; i < 3; ++i)
    heard.get();
  BOOST_TEST((heard.get() - first >= std::chrono::milliseconds{60}));
}

BOOST_AUTO_TEST_CASE(a_silent_one_is_pinged_and_then_let_go) {
  http::server_config config;
  config.idle_timeout = std::chrono::milliseconds{200};
  accepting of{config};
  http_client client{of.server->port()};
  auto stream = of.open(client);
  awaited<bool> ended;
  stream->on_end([&] { ended.set(true); });
  for (auto i = 0; i < 5; ++i) { // stays while the client answers
    auto asked = read_frame(client);
    BOOST_TEST(asked.code == ping);
    client.send(masked(pong, asked.payload));
  }
  BOOST_TEST(ended.count() == 0u);
  BOOST_TEST(ended.get()); // ends because no pong comes
}

BOOST_AUTO_TEST_CASE(a_reader_that_does_not_read_is_cut_off) {
  http::server_config config;
  config.write_timeout = std::chrono::milliseconds{200};
  accepting of{config};
  http_client client{of.server->port()};
  client.take_little();
  auto stream = of.open(client);
  awaited<bool> taken;
  stream->write(std::string(50'000'000, 'x'), [&](bool ok) { taken.set(ok); });
  BOOST_TEST(!taken.get());
}

BOOST_AUTO_TEST_CASE(draining_says_goodbye) {
  accepting of;
  http_client client{of.server->port()};
  auto stream = of.open(client);
  BOOST_TEST(!of.server->drain(std::chrono::milliseconds{0})); // begins draining without waiting
  auto goodbye = read_frame(client);
  BOOST_TEST(goodbye.payload.substr(0, 2) == "\x03\xE9"); // 1001
  client.send(masked(closing, goodbye.payload));
  client.close();
  BOOST_TEST(of.server->drain(std::chrono::seconds{10}));
}

BOOST_AUTO_TEST_CASE(a_server_that_goes_ends_its_websockets) {
  accepting of;
  http_client client{of.server->port()};
  auto stream = of.open(client);
  awaited<bool> ended;
  stream->on_end([&] { ended.set(true); });
  stream->on_message([stream](const std::string&) {}); // the stream holds itself until the end
  of.server.reset();
  BOOST_TEST(ended.count() == 1u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
