#include "scratchpage/tests/runtime/net/http/served.hpp"

/// Stopping a server.

namespace scratchpage::test {

BOOST_AUTO_TEST_SUITE(stopping)

BOOST_AUTO_TEST_CASE(draining_answers_what_was_asked_and_closes_the_rest) {
  held_requests held;
  auto server = serve(held.handler());
  http_client idle{server->port()};
  idle.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  held.asked.get().second->respond({});
  BOOST_TEST(idle.read_answer().status == 200);
  http_client busy{server->port()};
  busy.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  auto [asked, back] = held.asked.get();
  http_client slow{server->port()}; // has sent half of a request
  slow.send("POST /slow HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n");
  BOOST_TEST(slow.read_head().status == 100);
  draining stop{*server};
  BOOST_TEST(idle.is_closed());
  back->respond({200, {}, "done"});
  auto answer = busy.read_answer();
  BOOST_TEST(answer.body == "done");
  BOOST_TEST(answer.headers["connection"] == "close");
  BOOST_TEST(busy.is_closed());
  slow.send("hi");
  held.asked.get().second->respond({201, {}, ""});
  BOOST_TEST(slow.read_answer().status == 201);
  BOOST_TEST(stop.result());
  BOOST_CHECK_THROW(http_client{server->port()}, std::runtime_error);
}

BOOST_AUTO_TEST_CASE(draining_ends_streams_after_what_was_written) {
  awaited<stream_ptr> begun;
  auto server = serve([&](auto, auto back) { begun.set(back->begin_stream({})); });
  http_client client{server->port()};
  client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  auto stream = begun.get();
  stream->write("last words", [](bool) {});
  draining stop{*server};
  BOOST_TEST(client.read_answer().body == "last words");
  BOOST_TEST(client.is_closed());
  BOOST_TEST(stop.result());
}

BOOST_AUTO_TEST_CASE(draining_waits_for_streams_that_are_answers) {
  awaited<exchange_ptr> asked;
  auto server = serve([&](auto, auto back) { asked.set(back); });
  http_client before{server->port()};
  before.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  auto begun = asked.get()->begin_stream({}, http::at_drain::wait);
  begun->write("first, ", [](bool) {});
  BOOST_TEST(before.read_head().status == 200);
  http_client during{server->port()};
  during.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  auto back = asked.get();
  http_client idle{server->port()};
  draining stop{*server};
  BOOST_TEST(idle.is_closed()); // draining has begun
  auto late = back->begin_stream({}, http::at_drain::wait);
  begun->write("last", [](bool) {});
  begun->close();
  late->write("late", [](bool) {});
  late->close();
  BOOST_TEST(before.read_chunk() == "first, ");
  BOOST_TEST(before.read_chunk() == "last");
  BOOST_TEST(before.read_chunk() == "");
  BOOST_TEST(before.is_closed());
  BOOST_TEST(during.read_answer().body == "late");
  BOOST_TEST(stop.result());
}

BOOST_AUTO_TEST_CASE(draining_without_connections_is_done_at_once) {
  auto server = serve(echo);
  BOOST_TEST(server->drain(std::chrono::seconds{0}));
}

BOOST_AUTO_TEST_CASE(a_deadline_cuts_draining_off) {
  held_requests held;
  auto server = serve(held.handler());
  http_client client{server->port()};
  client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  auto [asked, back] = held.asked.get();
  BOOST_TEST(!server->drain(std::chrono::milliseconds{20}));
  server.reset();
  BOOST_TEST(client.is_closed());
}

BOOST_AUTO_TEST_CASE(who_is_connected_goes_on_when_no_more_are_accepted) {
  auto server = serve(echo);
  http_client client{server->port()};
  BOOST_TEST(client.get("/").status == 200);
  server->stop_accepting();
  BOOST_TEST(client.get("/").status == 200);
}

BOOST_AUTO_TEST_CASE(several_threads_share_the_connections) {
  http::server_config config;
  config.threads = 3;
  awaited<std::thread::id> on;
  auto server = serve(config, [&](auto request, auto back) {
    on.set(std::this_thread::get_id());
    echo(std::move(request), back);
  });
  std::vector<http_client> clients;
  std::vector<std::thread::id> threads;
  for (auto i = 0; i < 3; ++i) {
    clients.emplace_back(server->port());
    BOOST_TEST(clients.back().get("/").status == 200);
    threads.push_back(on.get());
  }
  BOOST_TEST((threads[0] != threads[1] && threads[1] != threads[2] && threads[0] != threads[2]));
  BOOST_TEST(server->drain(long_enough));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
