#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

#include "scratchpage/actors/conversation/thread_conversation.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/tests/actors/conversation/messages.hpp"

namespace scratchpage::test {

namespace {

/// Counts a token for each character; each message has four more.
uint32_t count_characters(std::string_view text) {
  return static_cast<uint32_t>(text.size());
}

struct conversation_fixture {
  thread_conversation conversation{count_characters};

  void say(std::initializer_list<std::string> texts) {
    for (const auto& x : texts)
      conversation.add({user(x)});
  }
};

caf::error broken_disk() {
  return fail(errc::storage_unavailable, "", "the disk is full");
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(a_thread_conversation, conversation_fixture)

BOOST_AUTO_TEST_CASE(begins_with_what_was_stored) {
  BOOST_TEST(!conversation.is_open());
  conversation.open({{user("Hello"), assistant("Good day")}, false});
  BOOST_TEST(conversation.is_open());
  BOOST_TEST(!conversation.is_stale());
  BOOST_TEST(conversation.messages().size() == 2u);
  BOOST_TEST(conversation.tokens() == 5u + 4 + 8 + 4);
}

BOOST_AUTO_TEST_CASE(is_written_anew_if_its_file_was_torn) {
  conversation.open({{user("Hello")}, true});
  BOOST_TEST(conversation.is_stale());
  conversation.note_stored();
  BOOST_TEST(!conversation.is_stale());
}

BOOST_AUTO_TEST_CASE(names_the_line_of_its_file_that_it_cannot_read) {
  auto lines = to_line(user("Hello")) + "not a message\n";
  auto read = from_lines(lines);
  BOOST_REQUIRE(!read);
  BOOST_TEST(field_of(read.error()) == "line 2");
}

BOOST_AUTO_TEST_CASE(gives_what_is_said_as_it_is_stored) {
  conversation.open({});
  auto lines = conversation.add({user("Hello"), assistant("Good day")});
  BOOST_TEST(lines == to_line(user("Hello")) + to_line(assistant("Good day")));
  auto more = conversation.add({user("Bye")});
  BOOST_TEST(conversation.lines() == lines + more);
}

BOOST_AUTO_TEST_CASE(that_could_not_be_stored_is_in_sight_all_the_same) {
  say({"Hello"});
  conversation.note_not_stored(broken_disk());
  BOOST_TEST(conversation.is_stale());
  BOOST_TEST(conversation.messages().size() == 1u);
  BOOST_TEST(conversation.stats().failure == describe(broken_disk()));
  conversation.begin_request();
  BOOST_TEST(conversation.stats().failure == "");
  BOOST_TEST(conversation.is_stale());
}

BOOST_AUTO_TEST_CASE(knows_what_a_user_said_last) {
  BOOST_TEST(conversation.last_words() == "");
  conversation.add({user("first"), user("second"), assistant("third")});
  BOOST_TEST(conversation.last_words() == "second");
}

BOOST_AUTO_TEST_CASE(makes_a_prompt_of_the_latest_messages_that_have_room) {
  say({"one", "two", "six"}); // seven tokens each
  auto whole = conversation.prompt({"Be kind.", 8, {}}, 21);
  BOOST_TEST(whole.system == "Be kind.");
  BOOST_TEST(whole.messages.size() == 3u);
  BOOST_TEST(whole.tokens == 8u + 21);
  BOOST_TEST(whole.hidden == 0u);
  auto part = conversation.prompt({"Be kind.", 8, {}}, 20);
  BOOST_REQUIRE(part.messages.size() == 2u);
  BOOST_TEST(part.messages.front().content == "two");
  BOOST_TEST(part.tokens == 8u + 14);
  BOOST_TEST(part.hidden == 1u);
  BOOST_TEST(conversation.messages().size() == 3u);
}

BOOST_AUTO_TEST_CASE(counts_what_left_it_once_that_is_in_a_file) {
  say({"one", "two", "six"});
  auto oldest = conversation.take_oldest(7);
  BOOST_TEST(oldest.size() == 2u);
  BOOST_TEST(!conversation.is_stale());
  conversation.note_offloaded(oldest);
  BOOST_TEST(conversation.is_stale()); // its file still contains the offloaded messages
  auto stats = conversation.stats();
  BOOST_TEST(stats.compactions == 1u);
  BOOST_TEST(stats.offloaded == 2u);
  BOOST_TEST(stats.offloaded_tokens == 14u);
  BOOST_TEST(stats.messages == 1u);
  BOOST_TEST(stats.tokens == 7u);
}

BOOST_AUTO_TEST_CASE(has_again_what_could_not_be_offloaded) {
  say({"one", "two", "six"});
  conversation.put_back(conversation.take_oldest(7), broken_disk());
  BOOST_REQUIRE(conversation.messages().size() == 3u);
  BOOST_TEST(conversation.messages().front().content == "one");
  BOOST_TEST(conversation.stats().failure == describe(broken_disk()));
  BOOST_TEST(conversation.stats().offloaded == 0u);
  BOOST_TEST(!conversation.is_stale());
}

BOOST_AUTO_TEST_CASE(counts_texts_that_were_too_long_and_what_was_kept_of_it) {
  conversation.note_evicted();
  conversation.note_evicted();
  conversation.note_kept(30);
  conversation.note_kept(12);
  BOOST_TEST(conversation.stats().evicted == 2u);
  BOOST_TEST(conversation.stats().kept_tokens == 42u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
