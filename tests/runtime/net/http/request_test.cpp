#include "scratchpage/tests/runtime/net/http/served.hpp"

/// Requests and answers over real sockets.

namespace scratchpage::test {

BOOST_AUTO_TEST_SUITE(requests)

BOOST_AUTO_TEST_CASE(a_request_reaches_the_handler_and_its_answer_the_client) {
  auto server = serve(echo);
  http_client client{server->port()};
  auto answer = client.post("/pages/a%20b?x=1&y", "hello");
  BOOST_TEST(answer.status == 200);
  BOOST_TEST(answer.headers["content-type"] == "text/plain");
  BOOST_TEST(answer.headers["content-length"] == std::to_string(answer.body.size()));
  BOOST_TEST(answer.body == "POST /pages/a%20b x=1&y hello");
}

BOOST_AUTO_TEST_CASE(headers_come_with_small_names_and_trimmed_values) {
  held_requests held;
  auto server = serve(held.handler());
  http_client client{server->port()};
  client.send("GET / HTTP/1.1\r\nHOST: x\r\nX-Thing: \t some thing \t\r\nEmpty:\r\n\r\n");
  auto [asked, back] = held.asked.get();
  BOOST_TEST(*asked.header("host") == "x");
  BOOST_TEST(*asked.header("x-thing") == "some thing");
  BOOST_TEST(*asked.header("empty") == "");
  BOOST_TEST(asked.header("X-Thing") == nullptr);
  BOOST_TEST(asked.peer == "127.0.0.1");
  BOOST_TEST(!asked.secure);
  BOOST_TEST(asked.body.empty());
}

BOOST_AUTO_TEST_CASE(a_connection_serves_one_request_after_the_other) {
  auto server = serve(echo);
  http_client client{server->port()};
  for (auto i = 0; i < 100; ++i)
    BOOST_TEST(client.get("/" + std::to_string(i)).body == "GET /" + std::to_string(i) + "  ");
}

BOOST_AUTO_TEST_CASE(requests_that_come_at_once_are_answered_in_their_order) {
  held_requests held;
  auto server = serve(held.handler());
  http_client client{server->port()};
  client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n"
              "POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi"
              "GET /c HTTP/1.1\r\nHost: x\r\n\r\n");
  for (std::string path : {"/a", "/b", "/c"}) {
    auto [asked, back] = held.asked.get();
    BOOST_TEST(asked.path == path);
    back->respond({200, {}, asked.path});
    BOOST_TEST(client.read_answer().body == path);
  }
}

BOOST_AUTO_TEST_CASE(a_request_may_come_byte_by_byte) {
  auto server = serve(echo);
  http_client client{server->port()};
  for (auto c : std::string{"POST /b?q HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi"})
    client.send({&c, 1});
  BOOST_TEST(client.read_answer().body == "POST /b q hi");
}

BOOST_AUTO_TEST_CASE(a_body_may_come_in_chunks) {
  held_requests held;
  auto server = serve(held.handler());
  http_client client{server->port()};
  client.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
              "5;a=b\r\nhello\r\n6\r\n world\r\n0\r\nHost: evil\r\nX-Late: yes\r\n\r\n");
  auto [asked, back] = held.asked.get();
  BOOST_TEST(asked.body == "hello world");
  BOOST_TEST(*asked.header("host") == "x");
  BOOST_TEST(asked.header("x-late") == nullptr); // trailers are no headers
  back->respond({});
  BOOST_TEST(client.read_answer().status == 200);
  client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  BOOST_TEST(held.asked.get().first.method == "GET");
}

BOOST_AUTO_TEST_CASE(large_bodies_arrive_whole_in_both_directions) {
  auto server = serve(echo);
  http_client client{server->port()};
  std::string body(3'000'000, 'x');
  for (size_t i = 0; i < body.size(); i += 1'000)
    body[i] = static_cast<char>('a' + i / 1'000 % 26);
  BOOST_TEST((client.post("/", body).body == "POST /  " + body));
  BOOST_TEST(client.get("/").status == 200);
}

BOOST_AUTO_TEST_CASE(a_client_that_expects_it_is_told_to_continue) {
  held_requests held;
  auto server = serve(held.handler());
  http_client client{server->port()};
  client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n");
  BOOST_TEST(client.read_head().status == 100);
  client.send("hi");
  auto [asked, back] = held.asked.get();
  BOOST_TEST(asked.body == "hi");
  back->respond({201, {}, ""});
  BOOST_TEST(client.read_answer().status == 201);
}

BOOST_AUTO_TEST_CASE(head_is_answered_as_get_without_the_body) {
  auto server = serve(echo);
  http_client client{server->port()};
  client.send("HEAD /a HTTP/1.1\r\nHost: x\r\n\r\n");
  auto answer = client.read_answer(true);
  BOOST_TEST(answer.status == 200);
  BOOST_TEST(answer.headers["content-length"] == "9"); // the length of "HEAD /a  "
  BOOST_TEST(client.get("/b").body == "GET /b  ");
}

BOOST_AUTO_TEST_CASE(http_1_0_closes_unless_it_asks_not_to) {
  auto server = serve(echo);
  http_client once{server->port()};
  once.send("GET /a HTTP/1.0\r\n\r\n");
  auto answer = once.read_answer();
  BOOST_TEST(answer.body == "GET /a  ");
  BOOST_TEST(answer.headers["connection"] == "close");
  BOOST_TEST(once.is_closed());
  http_client again{server->port()};
  for (auto i = 0; i < 2; ++i) {
    again.send("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    BOOST_TEST(again.read_answer().headers["connection"] == "keep-alive");
  }
}

BOOST_AUTO_TEST_CASE(a_client_that_asks_for_it_is_let_go) {
  auto server = serve(echo);
  http_client client{server->port()};
  auto answer = client.get("/", "Connection: close\r\n");
  BOOST_TEST(answer.headers["connection"] == "close");
  BOOST_TEST(client.is_closed());
}

BOOST_AUTO_TEST_CASE(an_absolute_target_names_its_host_itself) {
  held_requests held;
  auto server = serve(held.handler());
  http_client client{server->port()};
  client.send("GET http://real:80/a?b HTTP/1.1\r\nHost: other\r\n\r\n");
  auto asked = held.asked.get().first;
  BOOST_TEST(asked.path == "/a");
  BOOST_TEST(asked.query == "b");
  BOOST_TEST(*asked.header("host") == "real:80");
  BOOST_TEST(client.read_answer().status == 503); // the handler dropped the exchange
  client.send("OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n");
  BOOST_TEST(held.asked.get().first.path == "*");
}

BOOST_AUTO_TEST_CASE(a_status_without_a_body_says_no_length) {
  auto server = serve([](auto, auto back) { back->respond({204, {}, "ignored"}); });
  http_client client{server->port()};
  for (auto i = 0; i < 2; ++i) {
    auto answer = client.get("/");
    BOOST_TEST(answer.status == 204);
    BOOST_TEST(!answer.headers.contains("content-length"));
  }
}

BOOST_AUTO_TEST_CASE(what_a_handler_says_cannot_become_another_header) {
  auto server = serve([](auto, auto back) {
    back->respond({200,
      {{"X-A", "1\r\nX-B: 2"}, {"bad name", "3"}, {"Content-Length", "99"}, {"Connection", "x"}},
      "body"});
  });
  http_client client{server->port()};
  auto answer = client.get("/");
  BOOST_TEST(answer.headers["x-a"] == "1  X-B: 2");
  BOOST_TEST(!answer.headers.contains("x-b"));
  BOOST_TEST(!answer.headers.contains("bad name"));
  BOOST_TEST(answer.body == "body");
}

BOOST_AUTO_TEST_CASE(an_exchange_that_is_dropped_answers_503) {
  auto server = serve([](auto, auto) {});
  http_client client{server->port()};
  for (auto i = 0; i < 2; ++i) {
    auto answer = client.get("/");
    BOOST_TEST(answer.status == 503);
    BOOST_TEST(answer.headers["retry-after"] == "1");
    BOOST_TEST(answer.body.starts_with(R"({"error":{"code":"overloaded","message":")"));
  }
}

BOOST_AUTO_TEST_CASE(a_handler_that_throws_answers_503) {
  auto server = serve([](auto, auto) { throw std::runtime_error("oh"); });
  http_client client{server->port()};
  BOOST_TEST(client.get("/").status == 503);
  BOOST_TEST(client.get("/").status == 503);
}

BOOST_AUTO_TEST_CASE(only_the_first_answer_counts) {
  auto server = serve([](auto, auto back) {
    back->respond({201, {}, "first"});
    back->respond({202, {}, "second"});
    back->begin_stream({})->write("third", [](bool) {});
  });
  http_client client{server->port()};
  for (auto i = 0; i < 2; ++i)
    BOOST_TEST(client.get("/").body == "first");
}

BOOST_AUTO_TEST_CASE(answers_may_come_from_any_thread) {
  held_requests held;
  auto server = serve(held.handler());
  std::vector<http_client> clients;
  for (auto i = 0; i < 20; ++i) {
    clients.emplace_back(server->port());
    clients.back().send("GET /" + std::to_string(i) + " HTTP/1.1\r\nHost: x\r\n\r\n");
  }
  for (auto i = 0; i < 20; ++i) {
    auto [asked, back] = held.asked.get();
    back->respond({200, {}, asked.path});
  }
  for (auto i = 0; i < 20; ++i)
    BOOST_TEST(clients[i].read_answer().body == "/" + std::to_string(i));
}

BOOST_AUTO_TEST_CASE(a_handler_hears_that_its_client_has_gone) {
  held_requests held;
  awaited<std::string> gone;
  auto server = serve(held.handler());
  http_client client{server->port()};
  client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  auto [asked, back] = held.asked.get();
  back->on_gone([&] { gone.set("before"); });
  client.close();
  BOOST_TEST(gone.get() == "before");
  back->on_gone([&] { gone.set("after"); });
  BOOST_TEST(gone.get() == "after");
  back->respond({}); // has no effect
}

BOOST_AUTO_TEST_CASE(a_client_that_has_only_said_its_last_is_answered) {
  held_requests held;
  auto server = serve(held.handler());
  http_client client{server->port()};
  client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  client.finish();
  auto [asked, back] = held.asked.get();
  back->respond({200, {}, "yes"});
  BOOST_TEST(client.read_answer().body == "yes");
  BOOST_TEST(client.is_closed());
}

BOOST_AUTO_TEST_CASE(a_server_may_go_while_somebody_works_for_it) {
  held_requests held;
  awaited<int> gone;
  auto server = serve(held.handler());
  http_client client{server->port()};
  client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  auto [asked, back] = held.asked.get();
  back->on_gone([&] { gone.set(1); });
  server.reset();
  BOOST_TEST(gone.count() == 1u);
  BOOST_TEST(client.is_closed());
  back->on_gone([&] { gone.set(2); });
  BOOST_TEST(gone.count() == 2u);
  back->respond({});
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
