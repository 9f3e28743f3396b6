#include <boost/test/unit_test.hpp>
#include <rapidcheck.h>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/event.hpp"
#include "scratchpage/tests/persistence/memories/samples.hpp"
#include "scratchpage/tests/support/trace_file.hpp"
#include "scratchpage/tests/support/trace_replay.hpp"

namespace scratchpage {

using test::at;
using test::sample;

namespace {

/// A page, and a trace of its changes.
struct traced_page {
  std::vector<trace_entry> trace;
  std::map<std::string, observation> state;
  uint64_t sequence = 0;

  trace_entry& note(event_kind event, const observation& x) {
    trace_entry entry;
    entry.id = trace.size() + 1;
    entry.at = at(static_cast<int64_t>(trace.size()));
    entry.agent_id = "agent";
    entry.component = "scratch_page";
    entry.operation = to_string(event);
    entry.status = "success";
    entry.detail["sequence"] = ++sequence;
    entry.detail["event"] = to_string(event);
    entry.detail["observation"] = to_json(x);
    return trace.emplace_back(std::move(entry));
  }

  void change(event_kind event, observation x) {
    note(event, x);
    auto stays =
      event == event_kind::added || event == event_kind::updated || event == event_kind::linked;
    auto id = x.observation_id;
    if (stays)
      state.insert_or_assign(id, std::move(x));
    else
      state.erase(id);
  }
};

using page_state = std::map<std::string, observation>;

std::string printed(const page_state& page) {
  std::string result;
  for (const auto& [id, x] : page)
    result += id + " " + to_text(to_json(x)) + "\n";
  return result;
}

page_state replayed(const std::vector<trace_entry>& trace) {
  auto result = replay(trace);
  BOOST_REQUIRE_MESSAGE(result, describe(result ? caf::error{} : result.error()));
  return *result;
}

std::string refusal_of(const std::vector<trace_entry>& trace) {
  auto result = replay(trace);
  return result ? "accepted" : describe(result.error());
}

/// The trace after writing it as text and reading it again.
std::vector<trace_entry> through_text(const std::vector<trace_entry>& trace) {
  std::string text;
  for (const auto& entry : trace)
    text += to_text(to_json(entry)) + "\n";
  auto result = read_trace(text);
  BOOST_REQUIRE_MESSAGE(result, describe(result ? caf::error{} : result.error()));
  return *result;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(a_replay, traced_page)

BOOST_AUTO_TEST_CASE(of_nothing_is_an_empty_page) {
  BOOST_TEST(replayed({}).empty());
}

BOOST_AUTO_TEST_CASE(gives_what_every_change_left) {
  for (auto id : {"obs_1", "obs_2", "obs_3", "obs_4", "obs_5"})
    change(event_kind::added, sample(id));
  auto changed = sample("obs_2", "changed");
  changed.revision = 2;
  change(event_kind::updated, changed);
  changed.linked_to_goal = true;
  changed.linked_goal_ids = {"goal_1"};
  change(event_kind::linked, changed);
  change(event_kind::archived, sample("obs_3"));
  change(event_kind::expired, sample("obs_4"));
  change(event_kind::evicted, sample("obs_5"));
  auto page = replayed(trace);
  BOOST_TEST(page.size() == 2u);
  BOOST_TEST(page.at("obs_2").content == "changed");
  BOOST_TEST(page.at("obs_2").linked_to_goal);
  BOOST_TEST(printed(page) == printed(state));
}

BOOST_AUTO_TEST_CASE(passes_over_what_changed_nothing) {
  change(event_kind::added, sample("obs_1"));
  auto& refused = note(event_kind::added, sample("obs_2"));
  refused.status = "invalid_observation";
  --sequence;
  trace_entry query;
  query.component = "scratch_page";
  query.operation = "query_observations";
  query.status = "success";
  trace.push_back(query);
  auto& other = note(event_kind::added, sample("obs_3"));
  other.component = "frontal_cortex";
  --sequence;
  auto corrected = sample("obs_4");
  note(event_kind::added, corrected).status = "warning";
  auto page = replayed(trace);
  BOOST_TEST(page.size() == 2u);
  BOOST_TEST(page.count("obs_1") == 1u);
  BOOST_TEST(page.count("obs_4") == 1u);
}

BOOST_AUTO_TEST_CASE(names_a_gap) {
  for (auto id : {"obs_1", "obs_2", "obs_3"})
    change(event_kind::added, sample(id));
  trace.erase(trace.begin() + 1);
  BOOST_TEST(refusal_of(trace) == "invalid_request: sequence 2: this change, but 3 follows");
  trace.erase(trace.begin());
  BOOST_TEST(refusal_of(trace) == "invalid_request: sequence 1: this change, but 3 follows");
}

BOOST_AUTO_TEST_CASE(refuses_a_repetition) {
  change(event_kind::added, sample("obs_1"));
  trace.push_back(trace.front());
  BOOST_TEST(refusal_of(trace) == "invalid_request: sequence 2: this change, but 1 follows");
}

BOOST_AUTO_TEST_CASE(refuses_what_cannot_have_happened) {
  change(event_kind::added, sample("obs_1"));
  auto good = trace;
  change(event_kind::added, sample("obs_1"));
  BOOST_TEST(refusal_of(trace)
             == "invalid_request: sequence 2: a new observation, but obs_1 is there already");
  trace = good;
  sequence = 1;
  change(event_kind::updated, sample("obs_9"));
  BOOST_TEST(
    refusal_of(trace) == "invalid_request: sequence 2: an observation of the page, but not obs_9");
  trace = good;
  sequence = 1;
  note(event_kind::current, sample("obs_1"));
  BOOST_TEST(refusal_of(trace) == "invalid_request: sequence 2: a change, but not current");
}

BOOST_AUTO_TEST_CASE(refuses_two_agents_at_once) {
  change(event_kind::added, sample("obs_1"));
  change(event_kind::added, sample("obs_2"));
  trace.back().agent_id = "other";
  BOOST_TEST(refusal_of(trace)
             == "invalid_request: sequence 2: changes of one agent only, but there is other");
}

BOOST_AUTO_TEST_CASE(refuses_a_malformed_detail) {
  change(event_kind::added, sample("obs_1"));
  auto entry = trace.front();
  trace.front().detail["event"] = "vanished";
  BOOST_TEST(refusal_of(trace).starts_with("invalid_request: sequence 1: "));
  trace.front() = entry;
  trace.front().detail.erase("observation");
  BOOST_TEST(refusal_of(trace).find("observation: expected a value") != std::string::npos);
  trace.front() = entry;
  trace.front().detail["observation"].as_object()["colour"] = "red";
  BOOST_TEST(refusal_of(trace).find("colour: unknown field") != std::string::npos);
  trace.front() = entry;
  trace.front().detail["sequence"] = -1;
  BOOST_TEST(refusal_of(trace) != "accepted");
}

BOOST_AUTO_TEST_CASE(of_a_trace_that_was_a_file_gives_the_same_page) {
  BOOST_TEST(rc::check("replay(read(write(trace))) == page", [] {
    traced_page page;
    uint64_t added = 0;
    for (auto n = *rc::gen::inRange(0, 30); n > 0; --n) {
      auto event = static_cast<event_kind>(*rc::gen::inRange(0, 6));
      if (event == event_kind::added || page.state.empty()) {
        auto x = sample(
          "obs_" + std::to_string(++added), *rc::gen::nonEmpty(rc::gen::string<std::string>()));
        // Invalid UTF-8 cannot be written as JSON.
        std::erase_if(x.content, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
        x.confidence = *rc::gen::map(rc::gen::inRange(0, 1001), [](int i) { return i / 1000.0; });
        x.tags = *rc::gen::container<std::vector<std::string>>(
          rc::gen::element<std::string>("wine", "ü", "\"\\\n"));
        x.context["depth"] = json::object{{"n", *rc::gen::arbitrary<int64_t>()}};
        x.metadata["ratio"] = *rc::gen::element(1e-9, 0.1, 1e21, 3.0);
        page.change(event_kind::added, std::move(x));
      } else {
        auto which = page.state.begin();
        std::advance(which, *rc::gen::inRange<size_t>(0, page.state.size()));
        auto x = which->second;
        ++x.revision;
        x.updated_at += std::chrono::milliseconds{*rc::gen::inRange(0, 5000)};
        page.change(event, std::move(x));
      }
    }
    RC_ASSERT(printed(replayed(through_text(page.trace))) == printed(page.state));
  }));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
