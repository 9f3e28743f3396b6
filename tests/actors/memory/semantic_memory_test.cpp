#include <boost/test/unit_test.hpp>

#include "scratchpage/actors/memory/long_term_memory.hpp"
#include "scratchpage/tests/actors/memory/memory_fixture.hpp"
#include "scratchpage/tests/actors/memory/page_stub.hpp"
#include "scratchpage/tests/persistence/memories/samples.hpp"

namespace scratchpage {

using test::at;
using test::sample;
using test::shared;
using test::statements;

namespace {

observation learning(std::string id, std::string content, const char* fact = nullptr) {
  auto result = sample(std::move(id), std::move(content));
  result.type = "learning";
  if (fact != nullptr)
    result.metadata["fact"] = json::parse(fact);
  return result;
}

event_batch batch(std::vector<observation> xs, event_kind kind = event_kind::added) {
  std::vector<page_event> events;
  for (auto& x : xs) {
    page_event event;
    event.sequence = events.size() + 1;
    event.kind = kind;
    event.at = at(5);
    event.turn_id = "turn_1";
    event.cause = 9;
    event.observation = shared(std::move(x));
    events.push_back(std::move(event));
  }
  return {"agent", std::move(events)};
}

/// A store whose first `failures` writes fail.
class faulty_store : public memory_semantic_store {
public:
  explicit faulty_store(int failures)
    : failures_{failures} {}

  caf::expected<fact> learn(const fact_lesson& x, timestamp now, uint64_t lesson) override {
    if (failures_-- > 0)
      return fail(errc::storage_unavailable, "", "a disk with room");
    return memory_semantic_store::learn(x, now, lesson);
  }

private:
  int failures_;
};

struct semantic_fixture : test::memory_fixture {
  semantic_memory_actor start(
    std::shared_ptr<semantic_store> store = std::make_shared<memory_semantic_store>(),
    semantic_memory_config config = {}) {
    return make<semantic_memory>(agent, std::move(store), scratch_page_actor{}, config);
  }

  void send(const semantic_memory_actor& memory, event_batch what) {
    BOOST_REQUIRE(!!ask(memory, std::move(what)));
  }

  std::vector<fact> facts(const semantic_memory_actor& memory) {
    auto found = ask(memory, query_facts{});
    BOOST_REQUIRE(found);
    return found->facts;
  }

  std::string known(const semantic_memory_actor& memory) { return statements({facts(memory)}); }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(the_semantic_memory, semantic_fixture)

BOOST_AUTO_TEST_CASE(learns_the_fact_of_a_learning) {
  auto memory = start();
  send(memory, batch({learning("obs_20251105_001", "Alice always takes Burgundy",
                 R"({"statement":"User prefers Burgundy wines","tags":["wine"],
                     "outcome":"success","observation_ids":["obs_20251105_008","obs_20251105_009"]})")}));
  auto known = facts(memory);
  BOOST_REQUIRE(known.size() == 1u);
  BOOST_TEST(known[0].statement == "User prefers Burgundy wines");
  BOOST_TEST(known[0].tags.at(0) == "wine");
  BOOST_TEST(known[0].observation_ids.size() == 2u);
  BOOST_TEST(known[0].support == 1u);
  BOOST_TEST((known[0].first_seen == at(5)));
  auto entry = trace->entries().front();
  BOOST_TEST(entry.operation == "learn");
  BOOST_TEST(entry.parent == 9u);
  BOOST_TEST(entry.turn_id == "turn_1");
  BOOST_TEST(entry.detail.at("fact_id").as_string() == "fact_1");
}

BOOST_AUTO_TEST_CASE(falls_back_on_content_tags_and_id) {
  auto memory = start();
  auto x = learning("obs_20251105_001", "User prefers Burgundy wines");
  x.tags = {"wine"};
  send(memory, batch({x}));
  auto known = facts(memory);
  BOOST_REQUIRE(known.size() == 1u);
  BOOST_TEST(known[0].statement == "User prefers Burgundy wines");
  BOOST_TEST(known[0].tags.at(0) == "wine");
  BOOST_TEST(known[0].observation_ids.at(0) == "obs_20251105_001");
}

BOOST_AUTO_TEST_CASE(moves_its_confidence_with_what_happens) {
  auto memory = start();
  send(memory, batch({learning("obs_20251105_001", "x"), learning("obs_20251105_002", "x")}));
  auto before = facts(memory).at(0).confidence;
  send(memory, batch({learning("obs_20251105_003", "x", R"({"outcome":"failure"})")}));
  auto after = facts(memory).at(0).confidence;
  send(memory, batch({learning("obs_20251105_004", "x")}));
  BOOST_TEST(before > 0.5);
  BOOST_TEST(after < before);
  BOOST_TEST(facts(memory).at(0).confidence > after);
  BOOST_TEST(facts(memory).at(0).support == 3u);
}

BOOST_AUTO_TEST_CASE(learns_once_from_what_is_delivered_twice) {
  auto memory = start();
  auto twice = batch({learning("obs_20251105_001", "x"), learning("obs_20251105_002", "y")});
  send(memory, twice);
  send(memory, twice);
  send(memory, batch({learning("obs_20251105_001", "x")}, event_kind::current));
  BOOST_TEST(facts(memory).at(0).support == 1u);
  BOOST_TEST(facts(memory).at(1).support == 1u);
}

BOOST_AUTO_TEST_CASE(learns_from_the_current_state_after_a_lag) {
  auto memory = start();
  page_event lag;
  lag.kind = event_kind::lagged;
  lag.missed = 4;
  send(memory, {"agent", std::vector{lag}});
  send(memory, batch({learning("obs_20251105_001", "x")}, event_kind::current));
  BOOST_TEST(known(memory) == "x");
  BOOST_TEST(traced("learn") == "semantic_memory warning\nsemantic_memory success\n");
}

BOOST_AUTO_TEST_CASE(learns_nothing_from_changes_and_ends_and_other_types) {
  auto memory = start();
  for (auto kind : {event_kind::updated, event_kind::archived, event_kind::expired,
         event_kind::evicted, event_kind::linked})
    send(memory, batch({learning("obs_20251105_001", "x")}, kind));
  send(memory, batch({sample("obs_20251105_002", "y")}));
  BOOST_TEST(known(memory) == "");
}

BOOST_AUTO_TEST_CASE(refuses_a_malformed_fact_and_goes_on) {
  auto memory = start();
  send(memory, batch({learning("obs_20251105_001", "x", R"({"outcome":"succes"})"),
                 learning("obs_20251105_002", "y", R"({"colour":"red"})"),
                 learning("obs_20251105_003", "z")}));
  BOOST_TEST(known(memory) == "z");
  BOOST_TEST(traced("learn")
             == "semantic_memory invalid_request\nsemantic_memory invalid_request\n"
                "semantic_memory success\n");
}

BOOST_AUTO_TEST_CASE(offers_again_what_the_store_could_not_take_in_its_order) {
  auto memory = start(std::make_shared<faulty_store>(3));
  send(memory, batch({learning("obs_20251105_001", "x"), learning("obs_20251105_002", "y")}));
  send(memory, batch({learning("obs_20251105_003", "z")}));
  BOOST_TEST(known(memory) == "");
  send(memory, batch({})); // x fails once more
  BOOST_TEST(known(memory) == "");
  send(memory, batch({}));
  BOOST_TEST(known(memory) == "x, y, z");
}

BOOST_AUTO_TEST_CASE(waits_with_no_more_lessons_than_it_may) {
  auto memory = start(std::make_shared<faulty_store>(1), {.max_waiting = 1});
  send(memory, batch({learning("obs_20251105_001", "x"), learning("obs_20251105_002", "y")}));
  send(memory, batch({}));
  BOOST_TEST(known(memory) == "y");
  BOOST_TEST(traced("give_up") == "semantic_memory storage_unavailable\n");
}

BOOST_AUTO_TEST_CASE(learns_nothing_again_that_its_store_has_learnt) {
  auto store = std::make_shared<memory_semantic_store>();
  auto told = batch({learning("obs_20251105_001", "x"), learning("obs_20251105_002", "x")});
  send(start(store), told);
  auto later = start(store);
  send(later, told);
  BOOST_TEST(facts(later).at(0).support == 2u);
  send(later, batch({learning("obs_20251105_003", "x")}));
  BOOST_TEST(facts(later).at(0).support == 3u);
}

BOOST_AUTO_TEST_CASE(subscribes_itself_to_learnings) {
  auto seen = std::make_shared<std::vector<subscribe>>();
  auto page = make<test::page_stub>(test::page_script{.on_subscribe = [seen](const subscribe& x) {
    seen->push_back(x);
    return caf::expected<uint64_t>{3};
  }});
  auto memory = make<semantic_memory>(agent, std::make_shared<memory_semantic_store>(), page);
  settle();
  BOOST_REQUIRE(seen->size() == 1u);
  const auto& request = seen->front();
  BOOST_TEST((request.subscriber == subscriber_actor{memory}));
  BOOST_TEST(request.filter.type.size() == 1u);
  BOOST_TEST(request.filter.type.at(0) == "learning");
  BOOST_TEST(request.filter.status.empty());
  BOOST_TEST(request.part_of_turns);
  BOOST_TEST(request.from.sequence.value() == 0u);
  BOOST_TEST(traced("subscribe") == "semantic_memory success\n");
  seen->clear(); // they hold references to the memory actor
}

BOOST_AUTO_TEST_CASE(asks_again_for_a_subscription_that_failed_but_not_for_ever) {
  auto count = std::make_shared<int>(0);
  auto page = make<test::page_stub>(test::page_script{.on_subscribe = [count](const subscribe&) {
    ++*count;
    return caf::expected<uint64_t>{fail(errc::overloaded, "", "fewer subscribers")};
  }});
  auto memory = make<semantic_memory>(agent, std::make_shared<memory_semantic_store>(), page);
  settle();
  BOOST_TEST(*count == 1);
  advance(std::chrono::seconds{1});
  BOOST_TEST(*count == 2);
  advance(std::chrono::minutes{1});
  BOOST_TEST(*count == 5);
}

BOOST_AUTO_TEST_CASE(learns_before_it_answers_those_outside_who_wait) {
  auto memory = start();
  query_facts asking{.by = as_daemon("asker")};
  asking.by.outside = true;
  for (int i = 0; i < 10; ++i)
    virtual_time::send(memory, asking);
  auto last = virtual_time::send(memory, asking);
  auto told =
    virtual_time::send(memory, batch({learning("obs_20251105_001", "User prefers Burgundy")}));
  settle();
  BOOST_TEST(told->arrived());
  BOOST_TEST(traced("learn") == "semantic_memory success\n");
  BOOST_TEST(!last->arrived());
  advance(std::chrono::milliseconds{1});
  BOOST_REQUIRE(last->arrived());
  BOOST_REQUIRE(!!*last->value);
  BOOST_TEST(statements(**last->value) == "User prefers Burgundy");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
