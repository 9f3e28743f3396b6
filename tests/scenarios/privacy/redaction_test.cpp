#include <sstream>

#include <boost/test/unit_test.hpp>

#include "scratchpage/runtime/cli/process.hpp"
#include "scratchpage/runtime/simulation/player.hpp"
#include "scratchpage/tests/support/durable_team.hpp"

/// Personal data is redacted in everything that an agent stores, answers and exports (contract 12).

namespace scratchpage::test {

namespace {

using boost::unit_test::label;

constexpr auto address = "ada@example.org";
constexpr auto card = "4111 1111 1111 1111";
constexpr auto said = "Write to ada@example.org, paid with 4111 1111 1111 1111";
constexpr auto without = "Write to [email], paid with [card]";

bool holds_some(const std::string& text) {
  return text.find(address) != std::string::npos || text.find(card) != std::string::npos;
}

template <class T>
std::string text_of(const T& x) {
  return to_text(to_json(x));
}

/// An agent that gets personal data from every source: a tool, a turn, a change and a goal.
struct confided_team : durable_team {
  void begin_with(privacy_mode policy) {
    setup.config.privacy.policy = policy;
    begin();
  }

  /// Sends personal data in each of these ways, and archives some of it.
  void confide() {
    auto talk = draft("contextual_insight", said, 0.95, {"contact", address});
    talk.context = {{"mail", address}};
    talk.metadata = {{"cards", json::array{card}}};
    told = add(as_tool("crm"), std::move(talk)).observation->observation_id;
    auto later = add(as_tool("crm"), draft("observation", "nothing yet")).observation;
    observation_changes changes;
    changes.content = said;
    auto changed =
      value(ask(host->page(), update_observation{as_tool("crm"), later->observation_id, changes}));
    this->changed = changed.observation->observation_id;
    create_goal aim{as_user("ada"), {}};
    aim.draft.goal_type = "contact";
    aim.draft.title = said;
    value(ask(host->cortex(), std::move(aim)));
    last_turn = say(std::string{"Please remember: "} + said).turn_id;
    std::ignore = ask(host->page(), add_observation{as_tool("crm"), draft("no_such_type", said)});
    BOOST_REQUIRE(ask(host->page(), archive_observation{as_daemon("probe"), this->changed}));
    settle();
  }

  std::string page_and_archive() {
    observation_filter any;
    any.status = {status::active, status::pending_review, status::resolved};
    return text_of(query(any))
           + text_of(value(ask(host->page(), list_archive{as_daemon("probe"), {}, 1000, ""})));
  }

  std::string memories() {
    query_episodes all{as_daemon("probe")};
    std::string result = text_of(value(ask(host->episodes(), all)));
    for (const auto& x : goals())
      result += text_of(x);
    for (const auto& x : facts())
      result += text_of(x);
    return result;
  }

  std::string traces() const {
    std::string result;
    for (const auto& x : trace->entries())
      result += text_of(x);
    return result;
  }

  std::string told;
  std::string changed;
  std::string last_turn;
};

} // namespace

BOOST_AUTO_TEST_SUITE(redaction, *label("SP_redaction"))

BOOST_FIXTURE_TEST_CASE(masked_on_arrival_it_is_nowhere, confided_team) {
  begin_with(privacy_mode::mask_on_arrival);
  confide();
  auto page = page_and_archive();
  BOOST_TEST(page.find(without) != std::string::npos);
  BOOST_TEST(!holds_some(page));
  auto remembered = memories();
  BOOST_TEST(remembered.find(without) != std::string::npos);
  BOOST_TEST(!holds_some(remembered));
  BOOST_TEST(!holds_some(traces()));
  end();
  auto bytes = stored_bytes();
  BOOST_TEST(bytes.find(without) != std::string::npos);
  BOOST_TEST(!holds_some(bytes));
}

BOOST_FIXTURE_TEST_CASE(masked_on_arrival_is_what_the_caller_is_answered, confided_team) {
  begin_with(privacy_mode::mask_on_arrival);
  auto talk = draft("observation", said, 0.5, {"contact", address});
  talk.context = {{"mail", address}};
  auto stored = add(as_tool("crm"), std::move(talk)).observation;
  BOOST_TEST(stored->content == without);
  BOOST_TEST((stored->tags == std::vector<std::string>{"contact", "[email]"}));
  BOOST_TEST(to_text(stored->context) == R"({"mail":"[email]"})");
  BOOST_TEST(stored->source.name == "crm");
}

BOOST_FIXTURE_TEST_CASE(masked_on_export_the_agent_has_it_and_its_trace_does_not, confided_team) {
  begin_with(privacy_mode::mask_on_export);
  confide();
  BOOST_TEST(holds_some(page_and_archive()));
  BOOST_TEST(holds_some(memories()));
  auto traced = traces();
  BOOST_TEST(traced.find(without) != std::string::npos);
  BOOST_TEST(!holds_some(traced));
}

BOOST_FIXTURE_TEST_CASE(kept_it_is_everywhere, confided_team) {
  begin_with(privacy_mode::keep);
  confide();
  BOOST_TEST(holds_some(page_and_archive()));
  BOOST_TEST(holds_some(memories()));
  BOOST_TEST(holds_some(traces()));
}

BOOST_FIXTURE_TEST_CASE(what_is_no_personal_data_stays_as_it_is, confided_team) {
  begin_with(privacy_mode::mask_on_arrival);
  auto plain = draft("observation", "Order 12345 is late, version v1.2.3.4", 0.5, {"order"});
  plain.metadata = {{"since", "2025-11-05T10:30:00.000Z"}};
  auto stored = add(as_tool("crm"), plain).observation;
  BOOST_TEST(stored->content == plain.content);
  BOOST_TEST(to_text(stored->metadata) == to_text(plain.metadata));
}

BOOST_FIXTURE_TEST_CASE(only_the_configured_kinds_count, confided_team) {
  setup.config.privacy.kinds = {pii_kind::card};
  begin_with(privacy_mode::mask_on_arrival);
  auto stored = add(as_tool("crm"), draft("observation", said)).observation;
  BOOST_TEST(stored->content == "Write to ada@example.org, paid with [card]");
}

/// Plays a recorded conversation with an address and a card number on the real ensemble.
struct recorded_talk : temp_dir {
  std::string talk =
    file("talk.jsonl", R"({"id":"a","messages":[{"role":"user","content":")" + std::string{said}
                         + R"("},{"role":"assistant","content":"Noted ada@example.org"}]})");

  void play(const std::string& config) {
    auto settings = file("config.json", config);
    auto trace = (path() / "trace.jsonl").string();
    auto report = (path() / "report.html").string();
    std::vector<const char*> words{"scratchpage", "simulate", talk.c_str(), "--config",
      settings.c_str(), "--trace", trace.c_str(), "--report", report.c_str(), "--quiet"};
    std::ostringstream out;
    std::ostringstream err;
    command_environment environment{out, err, {}, {}, false, {}, {}};
    environment.now_ms = [] { return 0.; };
    environment.make_player = [] { return std::make_unique<ensemble_player>(); };
    auto result = run_command_line(static_cast<int>(words.size()), words.data(), environment);
    BOOST_REQUIRE_EQUAL(result, 0);
  }
};

BOOST_FIXTURE_TEST_CASE(the_files_of_a_simulation_hold_none_unless_it_is_kept, recorded_talk) {
  play("{}");
  for (const auto* name : {"trace.jsonl", "report.html"}) {
    BOOST_TEST(read(name).find(without) != std::string::npos, name);
    BOOST_TEST(!holds_some(read(name)), name);
  }
  play(R"({"privacy": {"policy": "keep"}})");
  for (const auto* name : {"trace.jsonl", "report.html"})
    BOOST_TEST(holds_some(read(name)), name);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
