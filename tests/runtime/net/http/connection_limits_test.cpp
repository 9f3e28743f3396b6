#include <sys/resource.h>
#include <unistd.h>

#include "scratchpage/runtime/net/http/admission.hpp"
#include "scratchpage/runtime/net/http/server_config.hpp"
#include "scratchpage/tests/runtime/net/http/refused.hpp"

/// The limits on connections and on their file descriptors.

namespace scratchpage::test {

BOOST_AUTO_TEST_SUITE(limits)

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
  BOOST_TEST(first->is_closed()); // when this is visible, its place is free
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
  BOOST_TEST(slow.front().is_closed()); // the oldest one
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
    all.back().on_evicted([&gone, name] { gone.push_back(name); });
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
    all.back().on_evicted([] {});
    return all.back() && all.back().goes_to_work(whose);
  };
  for (auto i = 0; i < 7; ++i)
    BOOST_TEST(come(1)); // while there are free places
  auto idle = book.enter("a");
  idle.on_evicted([] {});
  idle.is(http::stay::idle);
  BOOST_TEST(!come(1)); // although it evicted the idle connection
  BOOST_TEST(come(2));  // evicts the one that was refused work
  BOOST_TEST(!book.enter("a"));
  all.front().is(http::stay::idle);
  BOOST_TEST(come(2));
  all[1].is(http::stay::idle);
  BOOST_TEST(!come(2)); // two places are a quarter
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
  BOOST_TEST(server->stats()().responses[5] > 0u); // refused while the slow reader could still read
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

/// Lowers this process's limit of descriptors during its lifetime.
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
  std::vector<int> others; // descriptors of an agent
  while (others.size() < 24)
    others.push_back(::dup(0));
  BOOST_TEST(http::reserved_descriptors(128) == 40u);
  awaited<stream_ptr> streams;
  http::server_config config;
  config.max_connections_per_peer = config.max_connections;
  auto server = serve(config, [&](auto, auto back) { streams.set(back->begin_stream({})); });
  BOOST_TEST(server->stats()().max_connections == 88u);
  std::vector<http_client> clients; // they use descriptors of this process too
  auto status = 200;
  while (status == 200 && clients.size() < 80) {
    clients.emplace_back(server->port());
    clients.back().send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    status = clients.back().read_head().status;
  }
  BOOST_TEST(status == 503);
  BOOST_TEST(clients.size() > 10u);
  BOOST_TEST(http::are_descriptors_scarce());
  auto left = ::dup(0); // a descriptor for the database or an agent is left
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

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
