#include "scratchpage/tests/runtime/net/http/served.hpp"

#include <variant>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/runtime/net/http/admission.hpp"

/// Streams: answers that are written in pieces.

namespace scratchpage::test {

namespace {

/// A server whose handler begins a stream for each request and hands it to the test.
struct streaming {
  explicit streaming(http::server_config config = {})
    : server{serve(std::move(config), [this](auto, auto back) {
        begun.set(back->begin_stream({200, {{"Content-Type", "text/event-stream"}}, ""}));
      })} {}

  /// Requests a stream and reads its head.
  stream_ptr begin(http_client& client, std::string_view asking) {
    client.send(asking);
    auto result = begun.get();
    BOOST_TEST(client.read_head().status == 200);
    return result;
  }

  stream_ptr begin(http_client& client) {
    return begin(client, "GET /events HTTP/1.1\r\nHost: x\r\n\r\n");
  }

  awaited<stream_ptr> begun;
  std::unique_ptr<http::server> server;
};

std::function<void(bool)> to(awaited<bool>& x) {
  return [&x](bool ok) { x.set(ok); };
}

} // namespace

BOOST_AUTO_TEST_SUITE(streams)

BOOST_AUTO_TEST_CASE(each_piece_is_a_chunk_that_arrives_at_once) {
  streaming of;
  http_client client{of.server->port()};
  auto stream = of.begin(client);
  awaited<bool> taken;
  for (std::string piece : {"data: 1\n\n", "data: 2\n\n"}) {
    stream->write(piece, to(taken));
    BOOST_TEST(client.read_chunk() == piece);
    BOOST_TEST(taken.get());
  }
  stream->close();
  BOOST_TEST(client.read_chunk().empty());
  stream->write("late", to(taken));
  BOOST_TEST(!taken.get());
  client.send("GET /events HTTP/1.1\r\nHost: x\r\n\r\n"); // the connection can still be used
  BOOST_TEST(client.read_head().status == 200);
}

BOOST_AUTO_TEST_CASE(pieces_that_come_at_once_keep_their_order) {
  streaming of;
  http_client client{of.server->port()};
  auto stream = of.begin(client);
  awaited<bool> taken;
  for (auto i = 0; i < 100; ++i)
    stream->write(std::to_string(i), to(taken));
  stream->close();
  for (auto i = 0; i < 100; ++i) {
    BOOST_TEST(client.read_chunk() == std::to_string(i));
    BOOST_TEST(taken.get());
  }
  BOOST_TEST(client.read_chunk().empty());
}

BOOST_AUTO_TEST_CASE(an_empty_piece_is_taken_and_ends_nothing) {
  streaming of;
  http_client client{of.server->port()};
  auto stream = of.begin(client);
  awaited<bool> taken;
  for (auto i = 0; i < 10; ++i)
    stream->write("", to(taken));
  stream->write("x", to(taken));
  BOOST_TEST(client.read_chunk() == "x");
  for (auto i = 0; i < 11; ++i)
    BOOST_TEST(taken.get());
}

BOOST_AUTO_TEST_CASE(for_http_1_0_a_stream_ends_with_its_connection) {
  streaming of;
  http_client client{of.server->port()};
  auto stream = of.begin(client, "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  stream->write("one", [](bool) {});
  stream->write(" two", [](bool) {});
  BOOST_TEST(client.read(7) == "one two");
  stream->close();
  BOOST_TEST(client.is_closed());
}

BOOST_AUTO_TEST_CASE(a_head_request_gets_the_head_of_a_stream) {
  streaming of;
  http_client client{of.server->port()};
  auto stream = of.begin(client, "HEAD / HTTP/1.1\r\nHost: x\r\n\r\n");
  awaited<bool> ended;
  stream->on_end([&] { ended.set(true); });
  BOOST_TEST(ended.get());
  of.begin(client);
}

BOOST_AUTO_TEST_CASE(a_stream_that_is_let_go_of_ends_after_what_was_written) {
  streaming of;
  http_client client{of.server->port()};
  auto stream = of.begin(client);
  stream->write("last", [](bool) {});
  stream.reset();
  BOOST_TEST(client.read_chunk() == "last");
  BOOST_TEST(client.read_chunk().empty());
}

BOOST_AUTO_TEST_CASE(the_end_is_told_once_whoever_brought_it) {
  streaming of;
  awaited<bool> ended;
  http_client first{of.server->port()};
  auto stream = of.begin(first);
  stream->on_end([&] { ended.set(true); });
  stream->close();
  BOOST_TEST(ended.get());
  stream->on_end([&] { ended.set(true); }); // the stream has already ended
  BOOST_TEST(ended.get());
  http_client second{of.server->port()};
  stream = of.begin(second);
  stream->on_end([&] { ended.set(true); });
  second.close();
  BOOST_TEST(ended.get());
  http_client third{of.server->port()};
  stream = of.begin(third);
  stream->on_end([&] { ended.set(true); });
  third.close(true);
  BOOST_TEST(ended.get());
  BOOST_TEST(ended.count() == 4u);
}

BOOST_AUTO_TEST_CASE(a_writer_that_waits_may_write_more_than_may_wait) {
  http::server_config config;
  config.max_waiting_bytes = 1'024;
  streaming of{config};
  http_client client{of.server->port()};
  auto stream = of.begin(client);
  awaited<bool> taken;
  std::string piece(100'000, 'x');
  for (auto i = 0; i < 5; ++i) {
    stream->write(piece, to(taken));
    BOOST_TEST((client.read_chunk() == piece));
    BOOST_TEST(taken.get());
  }
}

BOOST_AUTO_TEST_CASE(a_writer_that_does_not_wait_loses_the_stream) {
  http::server_config config;
  config.max_waiting_bytes = 100'000;
  streaming of{config};
  http_client client{of.server->port()};
  auto stream = of.begin(client);
  awaited<bool> ended;
  awaited<bool> taken;
  stream->on_end([&] { ended.set(true); });
  std::string piece(50'000, 'x');
  for (auto i = 0; i < 400; ++i) // more than the buffer of a socket
    stream->write(piece, to(taken));
  BOOST_TEST(ended.get());
  for (auto i = 0; i < 399; ++i)
    taken.get();
  BOOST_TEST(!taken.get());
}

BOOST_AUTO_TEST_CASE(a_reader_that_does_not_read_is_cut_off) {
  http::server_config config;
  config.write_timeout = std::chrono::milliseconds{200};
  config.max_waiting_bytes = 100'000'000;
  streaming of{config};
  http_client client{of.server->port()};
  client.take_little();
  auto stream = of.begin(client);
  awaited<bool> taken;
  stream->write(std::string(50'000'000, 'x'), to(taken));
  BOOST_TEST(!taken.get());
}

BOOST_AUTO_TEST_CASE(streams_have_a_bound_and_give_their_place_back) {
  http::server_config config;
  config.max_streams = 1;
  streaming of{config};
  http_client first{of.server->port()};
  auto stream = of.begin(first);
  http_client second{of.server->port()};
  auto answer = second.get("/events");
  BOOST_TEST(answer.status == 503);
  BOOST_TEST(answer.headers["retry-after"] == "1");
  awaited<bool> told;
  auto refused = of.begun.get();
  refused->on_end([&] { told.set(true); });
  refused->write("x", to(told));
  BOOST_TEST(told.get());
  BOOST_TEST(!told.get());
  stream->on_end([&] { told.set(true); });
  first.close();
  BOOST_TEST(told.get());
  of.begin(second);
}

namespace {

std::string asking_as(const std::string& authorization) {
  return "GET /events HTTP/1.1\r\nHost: x\r\nAuthorization: " + authorization + "\r\n\r\n";
}

/// The field of the error when a stream is refused.
std::string refused_field(streaming& of, std::string_view asking) {
  http_client client{of.server->port()};
  client.send(asking);
  auto answer = client.read_answer();
  of.begun.get(); // the refused stream has ended
  BOOST_TEST(answer.status == 503);
  BOOST_TEST(answer.headers["retry-after"] == "1");
  auto error = parse_json(answer.body);
  BOOST_REQUIRE(error);
  BOOST_TEST(error->at("error").at("code").as_string() == "overloaded");
  return std::string{error->at("error").at("field").as_string()};
}

} // namespace

BOOST_AUTO_TEST_CASE(one_credential_has_a_quarter_of_the_streams_however_it_is_written) {
  http::server_config config;
  config.max_streams = 8;
  streaming of{config};
  std::vector<http_client> clients;
  std::vector<stream_ptr> streams;
  auto begin = [&](const std::string& asking) {
    clients.emplace_back(of.server->port());
    streams.push_back(of.begin(clients.back(), asking));
  };
  begin(asking_as("Bearer one"));
  begin(asking_as("bearer   one"));
  BOOST_TEST(refused_field(of, asking_as("BEARER one")) == "streams");
  begin(asking_as("Bearer two"));
  const std::string nameless = "GET /events HTTP/1.1\r\nHost: x\r\n\r\n";
  begin(nameless);
  begin(nameless);
  BOOST_TEST(refused_field(of, nameless) == "streams");
  BOOST_TEST(refused_field(of, asking_as("none that is known")) == "streams");
  awaited<bool> ended;
  streams.front()->on_end([&] { ended.set(true); });
  clients.front().close();
  BOOST_TEST(ended.get());
  begin(asking_as("Bearer one"));
}

BOOST_AUTO_TEST_CASE(streams_take_half_of_a_peers_connections) {
  http::server_config config;
  config.max_connections = 64;
  config.max_connections_per_peer = 4;
  streaming of{config};
  http_client first{of.server->port()}, second{of.server->port()};
  auto one = of.begin(first, asking_as("Bearer one"));
  auto two = of.begin(second, asking_as("Bearer two"));
  BOOST_TEST(refused_field(of, asking_as("Bearer three")) == "streams");
}

BOOST_AUTO_TEST_CASE(a_credential_is_one_caller_wherever_it_calls_from_and_nobody_else_is) {
  http::stream_limit all{{10, 2, 5}};
  std::vector<http::stream_limit::permit> places;
  auto comes = [&](uint64_t credential, const std::string& peer) {
    auto entered = all.enter({credential, peer});
    if (auto* in = std::get_if<http::stream_limit::permit>(&entered))
      places.push_back(std::move(*in));
    return entered.index() == 0;
  };
  BOOST_TEST(comes(1, "a"));
  BOOST_TEST(comes(1, "b"));
  BOOST_TEST(!comes(1, "c"));
  for (const auto* peer : {"a", "a", "b", "b"})
    BOOST_TEST(comes(0, peer));
  BOOST_TEST(!comes(0, "a"));
  BOOST_TEST(comes(2, "a"));
  BOOST_TEST(comes(3, "a"));
  BOOST_TEST(!comes(4, "a")); // this peer has five
  BOOST_TEST(all.count() == 8u);
  places.clear();
  BOOST_TEST(all.count() == 0u);
  BOOST_TEST(comes(1, "a"));
}

BOOST_AUTO_TEST_CASE(a_thousand_idle_streams_are_cheap) {
  http::server_config config;
  config.max_connections = config.max_connections_per_peer = 1'100;
  config.max_streams = config.max_streams_per_caller = 1'100;
  streaming of{config};
  std::vector<http_client> clients;
  std::vector<stream_ptr> all;
  for (auto i = 0; i < 400; ++i) { // each needs two file descriptors of this process
    clients.emplace_back(of.server->port());
    all.push_back(of.begin(clients.back()));
  }
  for (auto i = 0; i < 400; ++i)
    all[i]->write(std::to_string(i), [](bool) {});
  for (auto i = 0; i < 400; ++i)
    BOOST_TEST(clients[i].read_chunk() == std::to_string(i));
}

BOOST_AUTO_TEST_CASE(a_server_that_goes_ends_its_streams) {
  streaming of;
  http_client client{of.server->port()};
  auto stream = of.begin(client);
  awaited<bool> ended;
  stream->on_end([&] { ended.set(true); });
  of.server.reset();
  BOOST_TEST(ended.count() == 1u);
  stream->write("x", to(ended));
  BOOST_TEST(ended.count() == 2u);
  stream->on_end([&] { ended.set(true); });
  BOOST_TEST(ended.count() == 3u);
}

BOOST_AUTO_TEST_CASE(what_waits_is_not_written_to_a_stream_that_is_cut_off) {
  awaited<stream_ptr> streams;
  auto server = serve([&](auto, auto back) { streams.set(back->begin_stream({})); });
  http_client client{server->port()};
  client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  auto stream = streams.get();
  awaited<bool> written;
  // More than the system buffers for a slow reader.
  stream->write(std::string(32'000'000, 'x'), [&](bool taken) { written.set(taken); });
  stream->write("secret", [&](bool taken) { written.set(taken); });
  stream->cut_off();
  BOOST_TEST(!written.get());
  BOOST_TEST(!written.get());
  BOOST_TEST(client.read_all().find("secret") == std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
