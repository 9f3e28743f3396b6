#include "scratchpage/tests/runtime/net/http/served.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/runtime/net/http/descriptors.hpp"
#include "scratchpage/runtime/net/http/guest_book.hpp"

/// What a client is told at each limit; docs/http.md has the same table.

namespace scratchpage::test {

namespace {

using std::chrono::milliseconds;

/// The error that the transport itself has answered.
json::object error_in(const http_answer& x) {
  auto parsed = parse_json(x.body);
  BOOST_REQUIRE(parsed);
  return parsed->as_object().at("error").as_object();
}

/// What is answered to bytes on a connection of their own, which is closed then.
http_answer refused(http::server& by, std::string_view bytes) {
  http_client client{by.port()};
  client.send(bytes);
  auto answer = client.read_answer();
  BOOST_TEST(answer.headers["connection"] == "close");
  BOOST_TEST(client.is_closed());
  auto error = error_in(answer);
  BOOST_TEST(!error.at("message").as_string().empty());
  return answer;
}

} // namespace

BOOST_AUTO_TEST_SUITE(limits)

BOOST_AUTO_TEST_CASE(what_is_no_request_is_refused_in_a_sentence) {
  auto server = serve(echo);
  for (std::string bytes : {
         "\x16\x03\x01\x02 hello\r\n\r\n",                             // TLS, or nearly
         "GET\r\n\r\n",                                                // no target
         "GET / HTTP/2.0\r\n\r\n",                                     // another version
         "GET / HTTP/1.1\r\n\r\n",                                     // no host
         "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",               // two
         "GET a HTTP/1.1\r\nHost: x\r\n\r\n",                          // no path
         "GET /a#b HTTP/1.1\r\nHost: x\r\n\r\n",                       // a fragment
         "GET http:///a HTTP/1.1\r\nHost: x\r\n\r\n",                  // no authority
         "GET / HTTP/1.1\r\nHost : x\r\n\r\n",                         // a space before the colon
         "GET / HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n",              // no header
         "GET / HTTP/1.1\r\nHost: x\r\nA: \x01\r\n\r\n",               // a control character
         "GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n",            // a header in two lines
         "GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n\tc: d\r\n\r\n",        // as well
         "GET / HTTP/1.1\r\nHost: x\r\nA:\r\n \r\n\r\n",               // as well
         "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",   // a length that is none
         "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1 1\r\n\r\n",  // as well
         "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0x10\r\n\r\n", // as well
         "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nhello\r\n", // no chunk
         "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabcd\r\n", // longer
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
  auto padded = [&](size_t bytes) { // the whole head has so many
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
  for (auto i = 0; i < 2; ++i) { // what was taken is given back
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

BOOST_AUTO_TEST_CASE(one_connection_too_many_is_told_so) {
  http::server_config config;
  config.max_connections = 2;
  held_requests held;
  auto server = serve(config, held.handler());
  std::optional<http_client> first{std::in_place, server->port()};
  http_client second{server->port()};
  std::vector<exchange_ptr> at_work;
  for (auto* client : {&*first, &second}) {
    client->send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    at_work.push_back(held.asked.get().second);
  }
  auto answer = refused(*server, "");
  BOOST_TEST(answer.status == 503);
  BOOST_TEST(answer.headers["retry-after"] == "1");
  BOOST_TEST(error_in(answer).at("code").as_string() == "overloaded");
  at_work.front()->respond({200, {}, ""});
  BOOST_TEST(first->read_answer().status == 200);
  first->finish();
  BOOST_TEST(first->is_closed()); // its place is free before that is seen
  http_client third{server->port()};
  third.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  held.asked.get().second->respond({200, {}, ""});
  BOOST_TEST(third.read_answer().status == 200);
}

BOOST_AUTO_TEST_CASE(connections_that_only_wait_shut_nobody_out) {
  http::server_config config;
  config.max_connections = 8;
  auto server = serve(config, echo);
  std::vector<http_client> slow;
  for (auto i = 0; i < 20; ++i) {
    slow.emplace_back(server->port());
    slow.back().send(i % 2 == 0 ? "GET / HTTP/1.1\r\nHo"
                                : "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf");
  }
  http_client client{server->port()};
  BOOST_TEST(client.get("/").status == 200);
  BOOST_TEST(slow.front().is_closed()); // the one that came first
  BOOST_TEST(server->stats()().connections <= 8);
}

BOOST_AUTO_TEST_CASE(one_peer_cannot_take_the_places_of_another) {
  http::guest_book book{4, 2};
  auto first = book.enter("a");
  auto second = book.enter("a");
  first.is(http::stay::at_work);
  second.is(http::stay::at_work);
  BOOST_TEST(!book.enter("a"));
  auto other = book.enter("b");
  BOOST_TEST(!!other);
  second.release();
  BOOST_TEST(!!book.enter("a"));
  BOOST_TEST(book.count() == 2);
}

BOOST_AUTO_TEST_CASE(who_is_refused_or_dawdles_goes_first_and_who_has_asked_properly_last) {
  http::guest_book book{7, 7};
  std::vector<std::string> gone;
  std::vector<http::guest_book::guest> all;
  for (std::string name : {"idle", "silent", "gone", "slow", "refused", "at work", "stalled"}) {
    all.push_back(book.enter("a"));
    all.back().on_shown_out([&gone, name] { gone.push_back(name); });
  }
  all[0].is(http::stay::idle);
  all[2].is(http::stay::leaving);
  all[3].is(http::stay::begun);
  all[4].is(http::stay::refused);
  all[5].is(http::stay::at_work);
  all[6].is(http::stay::stalled);
  for (auto i = 0; i < 6; ++i) {
    all.push_back(book.enter("b"));
    all.back().is(http::stay::at_work);
  }
  BOOST_TEST(
    (gone == std::vector<std::string>{"refused", "slow", "gone", "stalled", "silent", "idle"}));
  BOOST_TEST(!book.enter("c"));
  BOOST_TEST(book.count() == 7);
}

BOOST_AUTO_TEST_CASE(one_caller_does_not_take_the_places_of_others_from_the_same_peer) {
  http::guest_book book{8, 8};
  std::vector<http::guest_book::guest> all;
  auto come = [&](uint64_t whose) {
    all.push_back(book.enter("a"));
    all.back().on_shown_out([] {});
    return all.back() && all.back().goes_to_work(whose);
  };
  for (auto i = 0; i < 7; ++i)
    BOOST_TEST(come(1)); // as long as there are places
  auto idle = book.enter("a");
  idle.on_shown_out([] {});
  idle.is(http::stay::idle);
  BOOST_TEST(!come(1)); // though it took the idle one's place
  BOOST_TEST(come(2));  // which took that of the one who may not work
  BOOST_TEST(!book.enter("a"));
  all.front().is(http::stay::idle);
  BOOST_TEST(come(2));
  all[1].is(http::stay::idle);
  BOOST_TEST(!come(2)); // two are a quarter
  BOOST_TEST(come(3));
}

BOOST_AUTO_TEST_CASE(who_takes_nothing_of_an_answer_makes_room_for_others) {
  http::server_config config;
  config.max_connections = 1;
  config.write_timeout = std::chrono::seconds{60};
  BOOST_TEST((http::stall_time(config) == std::chrono::seconds{1}));
  config.write_timeout = std::chrono::seconds{10};
  auto server = serve(config, [](auto x, auto back) {
    back->respond({200, {}, std::string(x.path == "/long" ? 8'000'000 : 1, 'x')});
  });
  http_client slow{server->port()};
  slow.take_little();
  slow.send("GET /long HTTP/1.1\r\nHost: x\r\n\r\n");
  BOOST_TEST(slow.read_head().status == 200);
  auto status = 503;
  for (auto tries = 0; status == 503 && tries < 100'000; ++tries) {
    http_client other{server->port()};
    status = other.get("/short").status;
  }
  BOOST_TEST(status == 200);
  BOOST_TEST(server->stats()().responses[5] > 0u); // for as long as it might have taken some
}

BOOST_AUTO_TEST_CASE(who_has_asked_and_hung_up_does_not_keep_a_place) {
  http::server_config config;
  config.max_connections = 1;
  held_requests held;
  auto server = serve(config, held.handler());
  http_client gone{server->port()};
  gone.send("GET /first HTTP/1.1\r\nHost: x\r\n\r\n");
  auto first = held.asked.get();
  awaited<bool> noticed;
  first.second->on_gone([&] { noticed.set(true); });
  gone.finish();
  noticed.get();
  http_client other{server->port()};
  other.send("GET /other HTTP/1.1\r\nHost: x\r\n\r\n");
  auto second = held.asked.get();
  BOOST_TEST(second.first.path == "/other");
  second.second->respond({200, {}, ""});
  BOOST_TEST(other.read_answer().status == 200);
  BOOST_TEST(gone.is_closed());
}

namespace {

/// This process may have fewer descriptors for a while.
struct few_descriptors {
  explicit few_descriptors(rlim_t most) {
    ::getrlimit(RLIMIT_NOFILE, &before);
    auto fewer = before;
    fewer.rlim_cur = most;
    BOOST_REQUIRE(::setrlimit(RLIMIT_NOFILE, &fewer) == 0);
  }
  ~few_descriptors() { ::setrlimit(RLIMIT_NOFILE, &before); }

  rlimit before{};
};

} // namespace

BOOST_AUTO_TEST_CASE(connections_cannot_take_the_last_descriptors) {
  few_descriptors of{128};
  std::vector<int> others; // of an agent: streams alone may have half of the connections
  while (others.size() < 24)
    others.push_back(::dup(0));
  BOOST_TEST(http::reserved_descriptors(128) == 40u);
  awaited<stream_ptr> streams;
  http::server_config config;
  config.max_connections_per_peer = config.max_connections;
  auto server = serve(config, [&](auto, auto back) { streams.set(back->begin_stream({})); });
  BOOST_TEST(server->stats()().max_connections == 88u);
  std::vector<http_client> clients; // whose descriptors are of this process, too
  auto status = 200;
  while (status == 200 && clients.size() < 80) {
    clients.emplace_back(server->port());
    clients.back().send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    status = clients.back().read_head().status;
  }
  BOOST_TEST(status == 503);
  BOOST_TEST(clients.size() > 10u);
  BOOST_TEST(http::are_descriptors_scarce());
  auto left = ::dup(0); // for the database, or an agent
  BOOST_TEST(left >= 0);
  others.push_back(left);
  for (auto x : others)
    ::close(x);
}

BOOST_AUTO_TEST_CASE(agents_and_connections_share_the_descriptors) {
  using plan = http::descriptor_plan;
  auto few = plan::of(128, 9, 256);
  BOOST_TEST(few.agents == 3u);
  BOOST_TEST(few.connections == 61u);
  auto many = plan::of(65'536, 9, 256);
  BOOST_TEST(many.agents == 256u);
  BOOST_TEST(many.connections > 60'000u);
  for (uint64_t limit : {1, 20, 64, 100, 128, 256, 1'000, 4'096, 1'000'000})
    for (uint64_t of_agent : {0, 4, 9, 100}) {
      BOOST_TEST_INFO(limit << " descriptors, " << of_agent << " an agent");
      auto x = plan::of(limit, of_agent, 256);
      BOOST_TEST(x.agents >= 1u);
      BOOST_TEST(x.connections >= 1u);
      if (x.agents > 1)
        BOOST_TEST(
          x.agents * of_agent + x.connections + http::reserved_descriptors(limit) <= limit);
    }
}

BOOST_AUTO_TEST_CASE(a_peer_keeps_its_share_of_fewer_connections) {
  http::server_config config;
  auto fewer = http::with_connections(config, config.max_connections / 4);
  BOOST_TEST(fewer.max_connections == config.max_connections / 4);
  BOOST_TEST(fewer.max_connections_per_peer == config.max_connections_per_peer / 4);
  BOOST_TEST(http::with_connections(config, 1'000'000).max_connections == config.max_connections);
  BOOST_TEST(!http::validate(fewer));
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
    for (auto tries = 0; status == 503 && tries < 100'000; ++tries) // until that is noticed
      status = second.get("/").status;
    BOOST_TEST(status == 200); // it was given back
  }
}

BOOST_AUTO_TEST_CASE(who_wants_to_change_too_much_waits_for_the_refusal_and_who_reads_does_not) {
  http::server_config config;
  config.max_body_bytes = 10;
  config.refusal_pause = std::chrono::minutes{1};
  awaited<http::answered_request> told;
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
  BOOST_TEST(waiting.read_answer().status == 413); // at the end nobody waits
  BOOST_TEST(end.result());
}

BOOST_AUTO_TEST_CASE(what_is_refused_is_logged_with_method_path_and_peer) {
  http::server_config config;
  config.requests_per_second = 0.01;
  config.request_burst = 1;
  awaited<http::answered_request> told;
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
  BOOST_TEST(gone.get()); // nobody waits for it any more
  back->respond({200, {}, "late"});
  client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n"); // the connection is still good
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
  // A body is not waited for.
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
