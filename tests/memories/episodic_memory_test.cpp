#include <boost/test/unit_test.hpp>

#include "scratchpage/actors/memory/episodic_memory.hpp"
#include "scratchpage/tests/memories/memory_fixture.hpp"
#include "scratchpage/tests/memories/samples.hpp"

namespace scratchpage {

using test::sample;
using test::shared;

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

BOOST_AUTO_TEST_CASE(answers_the_error_of_its_store_and_traces_it) {
  auto memory = make<episodic_memory>(agent, std::make_shared<memory_episodic_store>());
  auto stored = ask(memory, record_episode{as_daemon("turns"), {}});
  BOOST_REQUIRE(!stored);
  BOOST_TEST(field_of(stored.error()) == "episode.turn_id");
  auto found = ask(memory, query_episodes{.limit = 0});
  BOOST_REQUIRE(!found);
  BOOST_TEST(traced("record_episode") == "episodic_memory invalid_request\n");
  BOOST_TEST(traced("query_episodes") == "episodic_memory invalid_request\n");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
