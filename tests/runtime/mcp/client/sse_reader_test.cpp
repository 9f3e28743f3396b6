#include "scratchpage/runtime/mcp/client/streamable_http.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <vector>

namespace scratchpage::mcp_client {

namespace {

struct reading {
  std::vector<std::string> events;
  size_t wanted = 100;
  sse_reader reader{100, [this](std::string data) {
                      events.push_back(std::move(data));
                      return events.size() < wanted;
                    }};
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(sse_reader_test, reading)

BOOST_AUTO_TEST_CASE(events_are_read_in_pieces_of_any_size) {
  const std::string stream =
    ": hello\nevent: message\ndata: {\"a\":1}\n\ndata: x\r\ndata:y\r\n\r\ndata\n\n";
  for (auto c : stream)
    BOOST_TEST(reader.feed({&c, 1}));
  BOOST_REQUIRE(events.size() == 2u);
  BOOST_TEST(events[0] == R"({"a":1})");
  BOOST_TEST(events[1] == "x\ny");
}

BOOST_AUTO_TEST_CASE(it_knows_where_and_when_to_go_on) {
  reader.feed("id: 2_0\nretry: 500\ndata: \n\nid: 2_1\ndata: x\n\n");
  BOOST_TEST(reader.last_id() == "2_1");
  BOOST_TEST((reader.retry() == std::chrono::milliseconds{500}));
  BOOST_TEST(events.size() == 1u);
  reader.feed("retry: soon\n\n");
  BOOST_TEST((reader.retry() == std::chrono::milliseconds{500}));
}

BOOST_AUTO_TEST_CASE(it_ends_when_enough_was_read) {
  wanted = 1;
  BOOST_TEST(!reader.feed("data: 1\n\ndata: 2\n\n"));
  BOOST_TEST(events.size() == 1u);
  BOOST_TEST(!reader.is_too_long());
}

BOOST_AUTO_TEST_CASE(an_event_without_end_is_too_long) {
  BOOST_TEST(!reader.feed("data: " + std::string(200, 'x')));
  BOOST_TEST(reader.is_too_long());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::mcp_client
