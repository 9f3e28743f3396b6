#include <algorithm>

#include <boost/test/unit_test.hpp>

#include "scratchpage/actors/memory/long_term_memory.hpp"
#include "scratchpage/actors/memory/working_memory.hpp"
#include "scratchpage/tests/actors/memory/memory_fixture.hpp"
#include "scratchpage/tests/actors/memory/page_stub.hpp"
#include "scratchpage/tests/persistence/memories/samples.hpp"
#include "scratchpage/tests/support/stub_behavior.hpp"

namespace scratchpage {

using std::chrono::milliseconds;
using test::at;
using test::sample;
using test::shared;

namespace {

/// A Frontal Cortex that has one goal, or never answers.
class cortex_stub {
public:
  using handle = frontal_cortex_actor;
  static constexpr const char* name = "cortex_stub";

  cortex_stub(handle::pointer self, bool silent)
    : self_{self},
      silent_{silent} {}

  handle::behavior_type make_behavior() {
    return test::stub_behavior<handle>([this](const list_goals& x) { return list(x); });
  }

private:
  caf::result<goal_list> list(const list_goals& x) {
    if (silent_) {
      waiting_ = self_->make_response_promise<goal_list>();
      return waiting_;
    }
    BOOST_TEST(x.status.size() == 3u); // the open ones
    goal one;
    one.goal_id = "goal_1";
    one.title = "Stock the cellar";
    return goal_list{{one}};
  }

  handle::pointer self_;
  bool silent_;
  caf::typed_response_promise<goal_list> waiting_;
};

struct working_fixture : test::memory_fixture {
  scratch_page_actor page() {
    return make<test::page_stub>(test::page_script{.on_query = [this](const auto& x) {
      if (!x.text.empty()) // not the query of what waits
        asked = x;
      return caf::expected<query_result>{
        query_result{.observations = {shared(sample("obs_1", "Cellar is empty"))}}};
    }});
  }

  scratch_page_actor silent_page() {
    return make<test::page_stub>(test::page_script{.silent = true});
  }

  semantic_memory_actor facts() {
    auto store = std::make_shared<memory_semantic_store>();
    BOOST_REQUIRE(store->learn({.statement = "User prefers Burgundy wines"}, at(0), 0));
    return make<semantic_memory>(agent, store, scratch_page_actor{});
  }

  episodic_memory_actor episodes() {
    auto store = std::make_shared<memory_episodic_store>();
    BOOST_REQUIRE(!store->record({"turn_1", "thread", at(0), at(1), {shared(sample("obs_2"))}}));
    return make<episodic_memory>(agent, store);
  }

  working_memory_sources all() { return {page(), make<cortex_stub>(false), facts(), episodes()}; }

  static assemble_context request(uint32_t budget = 2000) {
    return {as_daemon("executor", "turn_2", 11), "Which wine?", budget};
  }

  static assemble_context request_of(std::string name) {
    auto result = request();
    result.by.name = std::move(name);
    result.by.outside = true;
    return result;
  }

  std::string headings(const std::string& text) {
    std::string result;
    for (auto heading : {"Observations:", "Goals:", "Facts:", "Earlier turns:"})
      if (text.find(heading) != std::string::npos)
        result += heading;
    return result;
  }

  query_observations asked;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(the_working_memory, working_fixture)

BOOST_AUTO_TEST_CASE(puts_together_what_all_know) {
  auto memory = make<working_memory>(agent, all());
  auto made = ask(memory, request());
  BOOST_REQUIRE(made);
  BOOST_TEST(headings(made->text) == "Observations:Goals:Facts:Earlier turns:");
  BOOST_TEST(made->text.find("Cellar is empty") != std::string::npos);
  BOOST_TEST(made->text.find("Stock the cellar") != std::string::npos);
  BOOST_TEST(made->text.find("Burgundy") != std::string::npos);
  BOOST_TEST(made->text.find("turn_1") != std::string::npos);
  BOOST_TEST(made->tokens <= 2000u);
}

BOOST_AUTO_TEST_CASE(asks_the_page_for_live_ones_ranked_by_the_prompt) {
  auto memory = make<working_memory>(agent, all());
  BOOST_REQUIRE(!!ask(memory, request()));
  BOOST_TEST(asked.text == "Which wine?");
  BOOST_TEST(asked.filter.status.size() == 2u);
  BOOST_TEST(asked.by.name == "working_memory");
  BOOST_TEST(asked.by.turn_id == "turn_2");
  BOOST_TEST(asked.by.cause == 11u);
  BOOST_TEST((asked.deadline.value() < timespan{milliseconds{250}}));
}

BOOST_AUTO_TEST_CASE(asks_for_somebody_outside_as_themself) {
  auto memory = make<working_memory>(agent, all());
  BOOST_REQUIRE(!!ask(memory, request_of("assistant")));
  BOOST_TEST(asked.by.name == "assistant");
  BOOST_TEST(asked.by.outside);
}

BOOST_AUTO_TEST_CASE(one_principal_from_outside_has_only_so_many_contexts_in_progress) {
  working_memory_config config;
  config.max_in_flight_per_source = 2;
  auto sources = all();
  sources.page = silent_page();
  auto memory = make<working_memory>(agent, sources, config);
  send(memory, request_of("assistant"));
  send(memory, request_of("assistant"));
  auto third = send(memory, request_of("assistant"));
  auto other = send(memory, request_of("other"));
  auto own = send(memory, request());
  settle();
  BOOST_REQUIRE(third->arrived());
  BOOST_CHECK(code_of(third->value->error()) == errc::overloaded);
  advance(milliseconds{250});
  BOOST_REQUIRE(other->arrived());
  BOOST_TEST(!!*other->value);
  BOOST_REQUIRE(own->arrived());
  BOOST_TEST(!!*own->value);
  auto later = send(memory, request_of("assistant"));
  advance(milliseconds{250});
  BOOST_REQUIRE(later->arrived());
  BOOST_TEST(!!*later->value);
}

BOOST_AUTO_TEST_CASE(traces_what_it_used_under_what_asked) {
  auto memory = make<working_memory>(agent, all());
  auto made = ask(memory, request());
  BOOST_REQUIRE(made);
  auto entry = trace->entries().back();
  BOOST_TEST(entry.component == "working_memory");
  BOOST_TEST(entry.operation == "assemble_context");
  BOOST_TEST(entry.parent == 11u);
  BOOST_TEST(entry.detail.at("budget").to_number<uint32_t>() == 2000u);
  BOOST_TEST(entry.detail.at("tokens").to_number<uint32_t>() == made->tokens);
}

BOOST_AUTO_TEST_CASE(leaves_out_whom_it_does_not_have) {
  auto memory = make<working_memory>(agent, working_memory_sources{.facts = facts()});
  auto made = ask(memory, request());
  BOOST_REQUIRE(made);
  BOOST_TEST(headings(made->text) == "Facts:");
  auto none = make<working_memory>(agent, working_memory_sources{});
  auto empty = ask(none, request());
  BOOST_REQUIRE(empty);
  BOOST_TEST(empty->text == "");
  BOOST_TEST(traced("read_part") == "");
}

BOOST_AUTO_TEST_CASE(answers_at_the_deadline_without_those_that_are_late) {
  auto sources = all();
  sources.page = silent_page();
  sources.goals = make<cortex_stub>(true);
  auto memory = make<working_memory>(agent, sources);
  auto answer = send(memory, request());
  advance(milliseconds{249});
  BOOST_TEST(!answer->arrived());
  advance(milliseconds{1});
  BOOST_REQUIRE(answer->arrived());
  BOOST_REQUIRE(*answer->value);
  BOOST_TEST(headings((*answer->value)->text) == "Facts:Earlier turns:");
  BOOST_TEST(traced("read_part")
             == "working_memory deadline_exceeded\nworking_memory deadline_exceeded\n"
                "working_memory deadline_exceeded\n");
  BOOST_TEST(traced("assemble_context") == "working_memory success\n");
}

BOOST_AUTO_TEST_CASE(answers_without_those_that_fail_or_are_gone) {
  auto sources = all();
  sources.page = make<test::page_stub>(test::page_script{});
  caf::anon_send_exit(sources.facts, caf::exit_reason::kill);
  settle();
  auto memory = make<working_memory>(agent, sources);
  auto made = ask(memory, request());
  BOOST_REQUIRE(made);
  BOOST_TEST(headings(made->text) == "Goals:Earlier turns:");
  BOOST_TEST(traced("read_part")
             == "working_memory internal\nworking_memory internal\nworking_memory internal\n");
}

BOOST_AUTO_TEST_CASE(refuses_more_at_once_than_it_may_and_recovers) {
  auto sources = working_memory_sources{.page = silent_page()};
  auto memory = make<working_memory>(agent, sources, working_memory_config{.max_in_flight = 2});
  auto first = send(memory, request());
  auto second = send(memory, request());
  settle();
  auto third = ask(memory, request());
  BOOST_REQUIRE(!third);
  BOOST_TEST(to_string(code_of(third.error())) == "overloaded");
  advance(milliseconds{250});
  BOOST_TEST(first->arrived());
  BOOST_TEST(second->arrived());
  auto fourth = send(memory, request());
  advance(milliseconds{250});
  BOOST_REQUIRE(fourth->arrived());
  BOOST_TEST(!!*fourth->value);
}

BOOST_AUTO_TEST_CASE(counts_tokens_as_it_is_told) {
  auto sources = working_memory_sources{.facts = facts()};
  auto by_line = [](std::string_view text) {
    return static_cast<uint32_t>(std::count(text.begin(), text.end(), '\n'));
  };
  auto memory =
    make<working_memory>(agent, sources, working_memory_config{}, token_counter{by_line});
  auto made = ask(memory, request(10));
  BOOST_REQUIRE(made);
  BOOST_TEST(made->tokens == 2u);
}

BOOST_AUTO_TEST_CASE(does_not_run_with_senseless_settings) {
  working_memory_config config;
  config.max_facts = 0;
  BOOST_TEST(field_of(validate(config)) == "limit");
  auto memory = make<working_memory>(agent, working_memory_sources{}, config);
  BOOST_TEST(!ask(memory, request()));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
