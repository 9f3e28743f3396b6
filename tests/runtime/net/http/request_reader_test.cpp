#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>

#include "scratchpage/runtime/net/http/request_reader.hpp"

/// Reading requests from bytes, without a connection.

namespace scratchpage::test {

namespace {

/// Feeds the reader one byte at a time until it is done or refuses.
void trickle(http::request_reader& to, std::string_view bytes) {
  size_t taken = 0;
  for (size_t given = 1; given <= bytes.size() && !to.is_done() && !to.refused(); ++given)
    taken += to.feed(bytes.substr(taken, given - taken));
}

} // namespace

BOOST_AUTO_TEST_SUITE(a_request_reader)

/// If the body has no other chunk, Beast asserted that the last chunk is complete.
BOOST_AUTO_TEST_CASE(takes_a_last_chunk_that_comes_in_pieces) {
  http::server_config limits;
  const std::string head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (const auto* body : {"", "1\r\nx\r\n", "2;a=b\r\nxy\r\n"}) {
    for (const auto* end : {"0\r\n\r\n", "00;a\r\nTrailer: x\r\n\r\n"}) {
      http::request_reader reader{limits};
      trickle(reader, head + body + end);
      BOOST_TEST(reader.is_done(), body);
      http::request_reader whole{limits};
      auto text = head + body + end;
      BOOST_TEST(whole.feed(text) == text.size());
      BOOST_TEST(whole.request().body == reader.request().body);
    }
  }
}

BOOST_AUTO_TEST_CASE(
  refuses_a_header_in_two_lines_however_it_comes_and_no_body_that_looks_like_one) {
  http::server_config limits;
  for (std::string folded : {"A: b\r\n c\r\n\r\n", "A:\r\n\t\r\nB: c\r\n\r\n"}) {
    auto text = "GET / HTTP/1.1\r\nHost: a\r\n" + folded;
    for (size_t cut = 0; cut < text.size(); ++cut) {
      http::request_reader reader{limits};
      auto used = reader.feed(std::string_view{text}.substr(0, cut));
      reader.feed(std::string_view{text}.substr(used));
      BOOST_REQUIRE(reader.refused());
      BOOST_TEST(reader.refused()->field == "headers");
    }
  }
  const std::string text =
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 12\r\n\r\nx\r\n y\r\n\r\nab.";
  for (size_t cut = 0; cut < text.size(); ++cut) {
    http::request_reader reader{limits};
    auto used = reader.feed(std::string_view{text}.substr(0, cut));
    reader.feed(std::string_view{text}.substr(used));
    BOOST_TEST(reader.is_done(), cut);
  }
}

BOOST_AUTO_TEST_CASE(ignores_every_trailer_whatever_it_would_mean_as_a_header) {
  http::server_config limits;
  const std::string head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (std::string trailer : {"Content-Length: 5", "Transfer-Encoding: chunked", "Host: b",
         "Connection: close", "Connection: ,,;", "Upgrade: websocket", "Authorization: Bearer x",
         "Content-Length: 5\r\nX: y"}) {
    auto text = head + "1\r\nx\r\n0\r\n" + trailer + "\r\n\r\n";
    http::request_reader reader{limits};
    trickle(reader, text);
    BOOST_TEST(reader.is_done(), trailer);
    http::request_reader whole{limits};
    BOOST_TEST(whole.feed(text + text) == text.size());
    BOOST_REQUIRE(whole.is_done());
    BOOST_TEST(whole.facts().keep_alive);
    auto request = whole.take();
    BOOST_TEST(request.body == "x");
    BOOST_TEST(request.headers.size() == 2u);
    BOOST_TEST(whole.feed(text) == text.size());
    BOOST_TEST(whole.is_done());
  }
}

/// Another reader might see the end of such a request elsewhere.
BOOST_AUTO_TEST_CASE(refuses_a_trailer_that_is_not_one) {
  http::server_config limits;
  const std::string head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (std::string trailer : {"A: b\n\nGET / HTTP/1.1", "A: b\r c", "A : b", " A: b", "A", ": b"}) {
    http::request_reader reader{limits};
    trickle(reader, head + "0\r\n" + trailer + "\r\n\r\n");
    BOOST_REQUIRE(reader.refused());
    BOOST_TEST(reader.refused()->field == "trailers");
  }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
