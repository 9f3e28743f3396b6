#include "scratchpage/runtime/net/http/server_config.hpp"
#include "scratchpage/tests/runtime/net/http/refused.hpp"

/// The answers at each limit; docs/http.md has the same table.

namespace scratchpage::test {

namespace {

using std::chrono::milliseconds;

} // namespace

BOOST_AUTO_TEST_SUITE(limits)

BOOST_AUTO_TEST_CASE(what_is_no_request_is_refused_in_a_sentence) {
  auto server = serve(echo);
  for (std::string bytes : {
         "\x16\x03\x01\x02 hello\r\n\r\n",                             // similar to TLS
         "GET\r\n\r\n",                                                // no target
         "GET / HTTP/2.0\r\n\r\n",                                     // another version
         "GET / HTTP/1.1\r\n\r\n",                                     // no host
         "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",               // two hosts
         "GET a HTTP/1.1\r\nHost: x\r\n\r\n",                          // no path
         "GET /a#b HTTP/1.1\r\nHost: x\r\n\r\n",                       // a fragment
         "GET http:///a HTTP/1.1\r\nHost: x\r\n\r\n",                  // no authority
         "GET / HTTP/1.1\r\nHost : x\r\n\r\n",                         // a space before the colon
         "GET / HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n",              // no header
         "GET / HTTP/1.1\r\nHost: x\r\nA: \x01\r\n\r\n",               // a control character
         "GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n",            // a folded header
         "GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n\tc: d\r\n\r\n",        // the same with a tab
         "GET / HTTP/1.1\r\nHost: x\r\nA:\r\n \r\n\r\n",               // the same, empty
         "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",   // an invalid length
         "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1 1\r\n\r\n",  // the same
         "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0x10\r\n\r\n", // the same
         "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nhello\r\n", // no chunk
         "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabcd\r\n", // excess
       }) {
    BOOST_TEST_INFO(bytes);
    auto answer = refused(*server, bytes);
    BOOST_TEST(answer.status == 400);
    BOOST_TEST(answer.headers["content-type"] == "application/json");
    BOOST_TEST(error_in(answer).at("code").as_string() == "invalid_request");
  }
}

BOOST_AUTO_TEST_CASE(a_body_whose_end_is_told_in_two_ways_is_refused) {
  auto server = serve(echo);
  const std::string line = "POST / HTTP/1.1\r\nHost: x\r\n";
  const std::string length = "Content-Length: 5\r\n";
  const std::string chunked = "Transfer-Encoding: chunked\r\n";
  const std::string smuggled = "\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n";
  for (const auto& headers :
    {length + chunked, chunked + length, length + "Content-Length: 6\r\n", length + length,
      std::string{"Content-Length: 5, 5\r\n"}, std::string{"Transfer-Encoding: gzip, chunked\r\n"},
      std::string{"Transfer-Encoding: chunked, chunked\r\n"}, chunked + chunked,
      std::string{"Transfer-Encoding: identity\r\n"},
      std::string{"Transfer-Encoding: \x0b"
                  "chunked\r\n"}}) {
    BOOST_TEST_INFO(headers);
    BOOST_TEST(refused(*server, line + headers + smuggled).status == 400);
  }
  BOOST_TEST(refused(*server, "POST / HTTP/1.0\r\n" + chunked + smuggled).status == 400);
}

BOOST_AUTO_TEST_CASE(headers_have_a_bound) {
  http::server_config config;
  config.max_header_bytes = 1'000;
  config.max_target_bytes = 100;
  auto server = serve(config, echo);
  const std::string line = "GET / HTTP/1.1\r\nHost: x\r\n";
  auto padded = [&](size_t bytes) { // a head of exactly `bytes` bytes
    return line + "A: " + std::string(bytes - line.size() - 7, 'x') + "\r\n\r\n";
  };
  http_client client{server->port()};
  client.send(padded(1'000));
  BOOST_TEST(client.read_answer().status == 200);
  for (const auto& bytes : {padded(1'010), padded(100'000), line + std::string(2'000, 'x')}) {
    auto answer = refused(*server, bytes);
    BOOST_TEST(answer.status == 431);
    BOOST_TEST(error_in(answer).at("field").as_string() == "headers");
  }
  auto many = line;
  for (auto i = 0; i < 200; ++i)
    many += "A: b\r\n";
  BOOST_TEST(refused(*server, many).status == 431);
}

BOOST_AUTO_TEST_CASE(a_target_has_a_bound) {
  http::server_config config;
  config.max_header_bytes = 1'000;
  config.max_target_bytes = 100;
  auto server = serve(config, echo);
  http_client client{server->port()};
  BOOST_TEST(client.get("/" + std::string(99, 'x')).status == 200);
  for (size_t bytes : {100, 900, 5'000}) {
    auto answer =
      refused(*server, "GET /" + std::string(bytes, 'x') + " HTTP/1.1\r\nHost: x\r\n\r\n");
    BOOST_TEST(answer.status == 414);
    BOOST_TEST(error_in(answer).at("field").as_string() == "target");
  }
}

BOOST_AUTO_TEST_CASE(a_body_has_a_bound_before_it_comes_and_while_it_does) {
  http::server_config config;
  config.max_body_bytes = 100;
  auto server = serve(config, echo);
  http_client client{server->port()};
  BOOST_TEST(client.post("/", std::string(100, 'x')).status == 200);
  const std::string line = "POST / HTTP/1.1\r\nHost: x\r\n";
  for (std::string_view more :
    {"Content-Length: 101\r\n\r\n", "Content-Length: 101\r\nExpect: 100-continue\r\n\r\n",
      "Content-Length: 99999999999999999999\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n65\r\n",
      "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\nffffffffffffff\r\n"}) {
    auto answer = refused(*server, line + std::string{more});
    BOOST_TEST((answer.status == 413 || more.starts_with("Content-Length: 999")));
  }
}

BOOST_AUTO_TEST_CASE(bodies_have_a_bound_together_until_they_are_whole) {
  http::server_config config;
  config.max_body_bytes = 60'000;
  config.max_bodies_bytes = 100'000;
  auto server = serve(config, echo);
  const std::string head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n";
  const std::string body(60'000, 'x');
  http_client first{server->port()};
  for (auto i = 0; i < 2; ++i) { // the second round shows that bytes are given back
    first.send(head + "Expect: 100-continue\r\n\r\n");
    BOOST_TEST(first.read_head().status == 100);
    BOOST_TEST(first.send(body.substr(1)));
    http_client second{server->port()};
    second.send(head + "\r\n" + body.substr(1));
    auto answer = second.read_answer();
    BOOST_TEST(answer.status == 503);
    BOOST_TEST(error_in(answer).at("code").as_string() == "overloaded");
    first.send("x");
    BOOST_TEST(first.read_answer().status == 200);
  }
}

BOOST_AUTO_TEST_CASE(a_refusal_reaches_a_client_that_is_still_sending) {
  http::server_config config;
  config.max_body_bytes = 100;
  auto server = serve(config, echo);
  http_client client{server->port()};
  client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5000000\r\n\r\n");
  client.send(std::string(5'000'000, 'x'));
  BOOST_TEST(client.read_answer().status == 413);
}

BOOST_AUTO_TEST_CASE(lines_between_chunks_have_a_bound) {
  auto server = serve(echo);
  const std::string head = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
  BOOST_TEST(refused(*server, head + "1;" + std::string(100'000, 'x')).status == 400);
  BOOST_TEST(refused(*server, head + "0\r\nA: " + std::string(100'000, 'x')).status == 400);
}

BOOST_AUTO_TEST_CASE(answers_that_nobody_takes_have_a_bound_together) {
  http::server_config config;
  config.max_answer_bytes = config.max_batch_bytes = 6'000'000;
  config.max_answers_bytes = 12'000'000;
  auto server = serve(config, [](auto, auto back) {
    back->respond({200, {}, std::string(8'000'000, 'x')});
  });
  const std::string asking = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
  {
    http_client slow{server->port()};
    slow.take_little();
    slow.send(asking);
    BOOST_TEST(slow.read_head().status == 200);
    http_client second{server->port()};
    second.send(asking);
    auto refused = second.read_answer();
    BOOST_TEST(refused.status == 503);
    BOOST_TEST(error_in(refused).at("code").as_string() == "overloaded");
    slow.close(true);
    auto status = 503;
    for (auto tries = 0; status == 503 && tries < 100'000; ++tries) // until it notices
      status = second.get("/").status;
    BOOST_TEST(status == 200); // the bytes were given back
  }
}

BOOST_AUTO_TEST_CASE(who_wants_to_change_too_much_waits_for_the_refusal_and_who_reads_does_not) {
  http::server_config config;
  config.max_body_bytes = 10;
  config.refusal_pause = std::chrono::minutes{1};
  awaited<http::access_log_entry> told;
  auto made = http::server::start(
    config,
    [](auto, auto back) {
      back->respond({503, {}, ""});
    },
    [&](const auto& x) { told.set(x); });
  BOOST_REQUIRE(made);
  auto& server = **made;
  http_client waiting{server.port()};
  waiting.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\n\r\n");
  BOOST_TEST(told.get().status == 413u);
  http_client reader{server.port()};
  BOOST_TEST(reader.get("/").status == 503);
  BOOST_TEST(server.stats()().responses[4] == 0u);
  draining end{server};
  BOOST_TEST(waiting.read_answer().status == 413); // draining does not wait for the body
  BOOST_TEST(end.result());
}

BOOST_AUTO_TEST_CASE(what_is_refused_is_logged_with_method_path_and_peer) {
  http::server_config config;
  config.requests_per_second = 0.01;
  config.request_burst = 1;
  awaited<http::access_log_entry> told;
  auto made = http::server::start(config, echo, [&](const auto& x) { told.set(x); });
  BOOST_REQUIRE(made);
  http_client client{(*made)->port()};
  for (auto status : {200u, 429u}) {
    client.get("/a?secret");
    auto x = told.get();
    BOOST_TEST(x.status == status);
    BOOST_TEST(x.method == "GET");
    BOOST_TEST(x.path == "/a");
    BOOST_TEST(x.peer == "127.0.0.1");
  }
  http_client broken{(*made)->port()};
  broken.send("\x16\x03\x01\x02 hello\r\n\r\n");
  BOOST_TEST(told.get().peer == "127.0.0.1");
}

BOOST_AUTO_TEST_CASE(a_head_and_a_body_have_to_come_in_time) {
  http::server_config config;
  config.header_timeout = milliseconds{100};
  config.body_timeout = milliseconds{100};
  auto server = serve(config, echo);
  auto late = refused(*server, "GET / HT");
  BOOST_TEST(late.status == 408);
  BOOST_TEST(error_in(late).at("code").as_string() == "deadline_exceeded");
  BOOST_TEST(error_in(late).at("field").as_string() == "headers");
  late = refused(*server, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nhi");
  BOOST_TEST(late.status == 408);
  BOOST_TEST(error_in(late).at("field").as_string() == "body");
}

BOOST_AUTO_TEST_CASE(an_idle_connection_is_closed_without_a_word) {
  http::server_config config;
  config.idle_timeout = milliseconds{100};
  auto server = serve(config, echo);
  http_client fresh{server->port()};
  http_client used{server->port()};
  BOOST_TEST(used.get("/").status == 200);
  BOOST_TEST(fresh.is_closed());
  BOOST_TEST(used.is_closed());
}

BOOST_AUTO_TEST_CASE(a_handler_has_to_answer_in_time) {
  http::server_config config;
  config.answer_timeout = milliseconds{100};
  held_requests held;
  auto server = serve(config, held.handler());
  http_client client{server->port()};
  client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  auto [asked, back] = held.asked.get();
  awaited<bool> gone;
  back->on_gone([&] { gone.set(true); });
  auto answer = client.read_answer();
  BOOST_TEST(answer.status == 503);
  BOOST_TEST(answer.headers["retry-after"] == "1");
  BOOST_TEST(error_in(answer).at("code").as_string() == "deadline_exceeded");
  BOOST_TEST(gone.get()); // the handler is told that nobody waits
  back->respond({200, {}, "late"});
  client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n"); // the connection can still be used
  held.asked.get().second->respond({200, {}, "in time"});
  BOOST_TEST(client.read_answer().body == "in time");
}

BOOST_AUTO_TEST_CASE(a_client_that_does_not_read_its_answer_is_cut_off) {
  http::server_config config;
  config.write_timeout = milliseconds{200};
  awaited<bool> gone;
  auto server = serve(config, [&](auto, auto back) {
    back->on_gone([&] { gone.set(true); });
    back->respond({200, {}, std::string(50'000'000, 'x')});
  });
  http_client client{server->port()};
  client.take_little();
  client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  BOOST_TEST(gone.get());
}

BOOST_AUTO_TEST_CASE(a_peer_that_asks_too_often_is_told_when_to_come_again) {
  http::server_config config;
  config.requests_per_second = 0.01;
  config.request_burst = 3;
  auto server = serve(config, echo);
  http_client first{server->port()};
  http_client second{server->port()}; // the same peer
  BOOST_TEST(first.get("/").status == 200);
  BOOST_TEST(second.get("/").status == 200);
  BOOST_TEST(first.get("/").status == 200);
  for (auto i = 0; i < 2; ++i) {
    auto answer = second.get("/");
    BOOST_TEST(answer.status == 429);
    BOOST_TEST(std::stoi(answer.headers["retry-after"]) > 90);
    BOOST_TEST(error_in(answer).at("code").as_string() == "overloaded");
  }
  // The refusal does not wait for the body.
  auto answer = refused(*server, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n");
  BOOST_TEST(answer.status == 429);
}

BOOST_AUTO_TEST_CASE(a_limit_out_of_its_range_is_named) {
  auto wrong = [](auto change) {
    http::server_config config;
    change(config);
    auto made = http::server::start(config, echo);
    BOOST_REQUIRE(!made);
    return field_of(made.error());
  };
  BOOST_TEST(wrong([](auto& x) { x.max_connections = 0; }) == "http.max_connections");
  BOOST_TEST(wrong([](auto& x) { x.threads = 65; }) == "http.threads");
  BOOST_TEST(wrong([](auto& x) { x.idle_timeout = timespan{0}; }) == "http.idle_timeout_ms");
  BOOST_TEST(wrong([](auto& x) { x.max_target_bytes = 20'000; }) == "http.max_target_bytes");
  BOOST_TEST(wrong([](auto& x) { x.address = "localhost"; }) == "http.address");
  BOOST_TEST(wrong([](auto& x) { x.key_file = "k.pem"; }) == "http.key_file");
  auto server = serve(echo);
  BOOST_TEST(wrong([&](auto& x) { x.port = server->port(); }) == "http.port");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
