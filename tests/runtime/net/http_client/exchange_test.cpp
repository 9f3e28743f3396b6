#include "scratchpage/runtime/net/http_client/exchange.hpp"

#include <memory>
#include <string>
#include <utility>

#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/runtime/net/http/served.hpp"
#include "scratchpage/tests/support/temp_dir.hpp"

/// Exchanges of the HTTP client with a real server.

namespace scratchpage::test {

using namespace http_client;

namespace {

constexpr timespan patience = std::chrono::seconds{10};

request request_to(const http::server& x, std::string body = {}) {
  auto url = "http://127.0.0.1:" + std::to_string(x.port()) + "/path?x=1";
  return {"POST", *read_address(url), {{"X-Asked", "yes"}}, std::move(body)};
}

/// A complete answer, and how the exchange ended.
struct told {
  outcome how;
  head begin;
  std::string body;
};

told ask(exchange& with, const request& x, timespan at_most = patience) {
  told result;
  reader into;
  into.on_head = [&](const head& begin) {
    result.begin = begin;
    return true;
  };
  into.on_body = [&](std::string_view piece) {
    result.body += piece;
    return true;
  };
  result.how = with.run(x, at_most, into);
  return result;
}

told ask(const request& x) {
  exchange with;
  return ask(with, x);
}

} // namespace

BOOST_AUTO_TEST_SUITE(an_exchange)

BOOST_AUTO_TEST_CASE(brings_what_was_asked_and_tells_what_was_answered) {
  awaited<http::request> asked;
  auto server = serve([&](http::request x, const exchange_ptr& back) {
    back->respond({201, {{"content-type", "Text/Plain ; charset=utf-8"}, {"x-told", "1"}}, "done"});
    asked.set(std::move(x));
  });
  auto got = ask(request_to(*server, "body"));
  auto x = asked.get();
  BOOST_TEST(x.method == "POST");
  BOOST_TEST(x.path == "/path");
  BOOST_TEST(x.query == "x=1");
  BOOST_TEST(x.body == "body");
  BOOST_TEST(*x.header("x-asked") == "yes");
  BOOST_TEST((got.how.end == ending::done));
  BOOST_TEST(got.begin.status == 201u);
  BOOST_TEST(got.begin.content_type == "text/plain");
  BOOST_TEST(got.body == "done");
  BOOST_REQUIRE(got.begin.header("X-TOLD") != nullptr);
  BOOST_TEST(*got.begin.header("X-TOLD") == "1");
  BOOST_TEST(got.begin.header("x-not-told") == nullptr);
}

BOOST_AUTO_TEST_CASE(ends_when_its_reader_has_had_enough) {
  auto server = serve([](const http::request&, const exchange_ptr& back) {
    back->respond({200, {}, "more than is wanted"});
  });
  auto has_read = false;
  exchange with;
  auto how = with.run(request_to(*server), patience,
    {[](const head&) { return false; },
      [&](std::string_view) {
        has_read = true;
        return true;
      }});
  BOOST_TEST((how.end == ending::done));
  BOOST_TEST(!has_read);
}

BOOST_AUTO_TEST_CASE(says_that_nobody_answered_in_time) {
  exchange_ptr kept; // never answered
  auto server = serve([&](const http::request&, const exchange_ptr& back) { kept = back; });
  exchange with;
  auto got = ask(with, request_to(*server), std::chrono::milliseconds{50});
  BOOST_TEST((got.how.end == ending::timed_out));
  BOOST_TEST(got.how.error == "did not answer in time");
}

BOOST_AUTO_TEST_CASE(does_not_begin_once_it_is_cancelled) {
  auto server = serve([](const http::request&, const exchange_ptr& back) { back->respond({}); });
  exchange with;
  with.cancel();
  auto got = ask(with, request_to(*server));
  BOOST_TEST((got.how.end == ending::cancelled));
  BOOST_TEST(got.begin.status == 0u);
}

BOOST_AUTO_TEST_CASE(is_cut_off_from_another_thread) {
  exchange with;
  exchange_ptr kept;
  auto server = serve([&](const http::request&, const exchange_ptr& back) {
    kept = back;
    with.cancel();
  });
  BOOST_TEST((ask(with, request_to(*server)).how.end == ending::cancelled));
}

BOOST_AUTO_TEST_CASE(fails_where_nobody_listens_and_says_what_it_tried) {
  auto gone = serve([](const http::request&, const exchange_ptr& back) { back->respond({}); });
  auto to = request_to(*gone);
  gone.reset();
  auto got = ask(to);
  BOOST_TEST((got.how.end == ending::failed));
  BOOST_TEST(got.how.error.starts_with("could not connect: "));
}

BOOST_AUTO_TEST_CASE(reaches_a_server_on_a_local_socket) {
  temp_dir dir;
  http::server_config config;
  config.socket_path = (dir.path() / "socket").string();
  auto server = serve(config, echo);
  request what{.method = "POST", .to = {.target = "/path", .authority = "localhost"}, .body = "hi"};
  what.to.socket_path = config.socket_path;
  auto got = ask(what);
  BOOST_TEST((got.how.end == ending::done));
  BOOST_TEST(got.body == "POST /path  hi");
}

BOOST_AUTO_TEST_CASE(fails_if_no_local_socket_can_have_such_a_path) {
  request what{.method = "GET", .to = {.target = "/", .authority = "localhost"}};
  what.to.socket_path = "/tmp/" + std::string(103, 'x');
  auto got = ask(what);
  BOOST_TEST((got.how.end == ending::failed));
  BOOST_TEST(got.how.error.ends_with(": File name too long"));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
