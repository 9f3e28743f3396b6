#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>
#include <utility>

#include "scratchpage/actors/memory/long_term_memory.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/memories/episodic_store.hpp"
#include "scratchpage/tests/actors/memory/memory_fixture.hpp"
#include "scratchpage/tests/persistence/memories/samples.hpp"

namespace scratchpage {

using test::sample;
using test::shared;

namespace {

/// A store that notes the order of the requests that it gets.
class watched_store : public memory_episodic_store {
public:
  caf::error record(episode x) override {
    order += x.turn_id + " ";
    return memory_episodic_store::record(std::move(x));
  }

  caf::error visit(const query_episodes& what, const visitor& f) const override {
    order += what.by.name + " ";
    return memory_episodic_store::visit(what, f);
  }

  mutable std::string order;
};

caller outside(std::string name) {
  auto result = as_daemon(std::move(name));
  result.outside = true;
  return result;
}

list_turns list_for(std::string name) {
  return {outside(std::move(name)), 10, {}};
}

record_episode ending(std::string turn_id) {
  return {as_daemon("turns"), {std::move(turn_id), "", {}, test::at(1), {}}};
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(the_episodic_memory, test::memory_fixture)

BOOST_AUTO_TEST_CASE(answers_what_it_recorded_and_traces_both) {
  auto memory = make<episodic_memory>(agent, std::make_shared<memory_episodic_store>());
  record_episode request{
    as_daemon("turns", "turn_1", 7), {"turn_1", "thread", {}, test::at(0), {}}};
  request.episode.observations = {shared(sample("obs_1")), shared(sample("obs_2"))};
  BOOST_TEST(!!ask(memory, request));
  auto found = ask(memory, query_episodes{.by = as_daemon("reflector"), .turn_id = "turn_1"});
  BOOST_REQUIRE(found);
  BOOST_REQUIRE(found->episodes.size() == 1u);
  BOOST_TEST(test::ids(found->episodes[0].observations) == "obs_1 obs_2");
  BOOST_TEST(traced("record_episode") == "episodic_memory success\n");
  BOOST_TEST(traced("query_episodes") == "episodic_memory success\n");
  auto entry = trace->entries().front();
  BOOST_TEST(entry.parent == 7u);
  BOOST_TEST(entry.turn_id == "turn_1");
  BOOST_TEST(entry.source == "turns");
}

BOOST_AUTO_TEST_CASE(sums_up_the_turns_that_have_ended) {
  auto memory = make<episodic_memory>(agent, std::make_shared<memory_episodic_store>());
  for (int64_t i = 1; i <= 3; ++i) {
    auto input = sample("obs_1", "Question " + std::to_string(i));
    input.type = "user_input";
    record_episode request{
      as_daemon("turns"), {"turn_" + std::to_string(i), "thread", test::at(i - 1), test::at(i),
                            {shared(input)}, turn_status::complete, 4}};
    BOOST_TEST(!!ask(memory, request));
  }
  auto told = ask(memory, list_turns{as_daemon("turns"), 2, test::at(3)});
  BOOST_REQUIRE(told);
  BOOST_REQUIRE(told->turns.size() == 2u);
  BOOST_TEST(told->turns[0].turn_id == "turn_2");
  BOOST_TEST(told->turns[0].input == "Question 2");
  BOOST_TEST(told->turns[0].observations == 5u); // includes the observations that were left out
  BOOST_TEST(told->turns[1].turn_id == "turn_1");
  BOOST_TEST(!told->next_before);
}

BOOST_AUTO_TEST_CASE(ends_a_list_of_turns_when_it_has_read_much_and_goes_on_from_there) {
  auto memory = make<episodic_memory>(agent, std::make_shared<memory_episodic_store>());
  auto large = shared(sample("obs_1", std::string(episode_limits::listed_bytes / 4, 'x')));
  constexpr int64_t count = 12; // two episodes end at the same time
  for (int64_t i = 1; i <= count; ++i)
    BOOST_TEST(!!ask(memory, record_episode{as_daemon("turns"),
                               {"turn_" + std::to_string(i), "", {}, test::at(i / 2), {large}}}));
  std::string seen;
  list_turns request{as_daemon("reader"), 1'000, {}};
  size_t answers = 0;
  do {
    auto told = ask(memory, request);
    BOOST_REQUIRE(told);
    BOOST_TEST(told->turns.size() < 8u);
    for (const auto& x : told->turns)
      seen += x.turn_id + " ";
    request.before = told->next_before;
    ++answers;
  } while (request.before);
  BOOST_TEST(answers > 1u);
  BOOST_TEST(seen
             == "turn_12 turn_11 turn_10 turn_9 turn_8 turn_7 turn_6 turn_5 turn_4 turn_3 "
                "turn_2 turn_1 ");
}

BOOST_AUTO_TEST_CASE(records_before_it_lists_turns_for_those_outside_who_wait) {
  auto store = std::make_shared<watched_store>();
  auto memory = make<episodic_memory>(agent, store);
  for (int i = 0; i < 10; ++i)
    send(memory, list_for("asker"));
  auto last = send(memory, list_for("asker"));
  auto recorded = send(memory, ending("turn_1"));
  auto own = send(memory, query_episodes{.by = as_daemon("reflector")});
  settle();
  BOOST_REQUIRE(recorded->arrived());
  BOOST_TEST(!!*recorded->value);
  BOOST_TEST(own->arrived());
  BOOST_TEST(!last->arrived());
  // At most one listing came before the record.
  BOOST_TEST(store->order.find("turn_1") <= std::string_view{"asker "}.size());
  advance(std::chrono::milliseconds{1});
  BOOST_REQUIRE(last->arrived());
  BOOST_TEST(!!*last->value);
}

BOOST_AUTO_TEST_CASE(lists_turns_for_one_principal_after_another) {
  auto store = std::make_shared<watched_store>();
  auto memory = make<episodic_memory>(agent, store);
  for (int i = 0; i < 5; ++i)
    send(memory, list_for("asker"));
  send(memory, list_for("b"));
  advance(std::chrono::milliseconds{1});
  BOOST_TEST(store->order.find("b ") <= std::string_view{"asker asker "}.size());
  BOOST_TEST(
    traced("query_episodes").size() == 6 * std::string_view{"episodic_memory success\n"}.size());
}

BOOST_AUTO_TEST_CASE(refuses_lists_of_a_principal_of_whom_many_wait) {
  auto memory = make<episodic_memory>(agent, std::make_shared<memory_episodic_store>());
  for (size_t i = 0; i <= query_limits::waiting_to_read; ++i)
    send(memory, list_for("asker"));
  auto one_more = send(memory, list_for("asker"));
  auto other = send(memory, list_for("other"));
  settle();
  BOOST_REQUIRE(one_more->arrived());
  BOOST_CHECK(code_of(one_more->value->error()) == errc::overloaded);
  BOOST_TEST(traced("query_episodes").find("overloaded") != std::string::npos);
  advance(std::chrono::milliseconds{1});
  BOOST_REQUIRE(other->arrived());
  BOOST_TEST(!!*other->value);
}

BOOST_AUTO_TEST_CASE(answers_the_error_of_its_store_and_traces_it) {
  auto memory = make<episodic_memory>(agent, std::make_shared<memory_episodic_store>());
  auto stored = ask(memory, record_episode{as_daemon("turns"), {}});
  BOOST_REQUIRE(!stored);
  BOOST_TEST(field_of(stored.error()) == "episode.turn_id");
  auto found = ask(memory, query_episodes{.limit = 0});
  BOOST_REQUIRE(!found);
  BOOST_TEST(traced("record_episode") == "episodic_memory invalid_request\n");
  BOOST_TEST(traced("query_episodes") == "episodic_memory invalid_request\n");
  auto told = ask(memory, list_turns{as_daemon("turns"), 0, {}});
  BOOST_REQUIRE(!told);
  BOOST_TEST(field_of(told.error()) == "limit");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
