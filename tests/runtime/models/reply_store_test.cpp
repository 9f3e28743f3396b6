#include "scratchpage/runtime/models/reply_store.hpp"

#include <string>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/error.hpp"

/// Replies that are kept by the hash of their requests.

namespace scratchpage::test {

using namespace models;

namespace {

chat_reply some_reply(const char* level) {
  chat_reply result;
  result.outcome = reply_outcome::answered;
  result.content = {{"level", level}};
  result.prompt_tokens = 5;
  result.latency_ms = 300;
  return result;
}

} // namespace

BOOST_AUTO_TEST_SUITE(a_reply_store)

BOOST_AUTO_TEST_CASE(gives_back_what_it_kept_also_after_it_was_written_and_read) {
  reply_store store;
  auto key = key_of("a request");
  BOOST_TEST(!store.find(key));
  store.keep(key, "router", some_reply("high"));
  store.keep(key_of("another"), "router", failed_reply(reply_outcome::late, "no answer in time"));
  reply_store again;
  BOOST_TEST(!again.read(store.text()));
  BOOST_TEST(again.size() == 2u);
  BOOST_TEST(!again.has_grown());
  BOOST_TEST(again.text() == store.text());
  auto found = again.find(key);
  BOOST_REQUIRE(found);
  BOOST_TEST(found->content.at("level").as_string() == "high");
  BOOST_TEST(found->latency_ms == 300u);
  BOOST_TEST((again.find(key_of("another"))->outcome == reply_outcome::late));
}

BOOST_AUTO_TEST_CASE(keeps_the_first_reply_of_a_request) {
  reply_store store;
  auto key = key_of("a request");
  store.keep(key, "router", some_reply("high"));
  store.keep(key, "router", some_reply("low"));
  BOOST_TEST(store.find(key)->content.at("level").as_string() == "high");
}

BOOST_AUTO_TEST_CASE(writes_the_same_text_in_whatever_order_replies_came) {
  reply_store a;
  reply_store b;
  a.keep(key_of("1"), "router", some_reply("low"));
  a.keep(key_of("2"), "router", some_reply("high"));
  b.keep(key_of("2"), "router", some_reply("high"));
  b.keep(key_of("1"), "router", some_reply("low"));
  BOOST_TEST(a.text() == b.text());
  BOOST_TEST(a.has_grown());
}

BOOST_AUTO_TEST_CASE(names_the_line_of_an_error) {
  reply_store store;
  store.keep(key_of("1"), "router", some_reply("low"));
  auto line = store.text();
  for (const std::string& wrong : {std::string{"{}"}, std::string{"no JSON"}, line,
         std::string{R"({"key":"x","daemon":"router","reply":{"outcome":"late"}})"}}) {
    reply_store again;
    auto err = again.read(line + "\n" + wrong);
    BOOST_TEST(field_of(err) == "line 3", wrong);
  }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
