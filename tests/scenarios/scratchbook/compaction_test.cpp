#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

#include "scratchpage/actors/conversation/thread_conversation.hpp"
#include "scratchpage/persistence/files/file_store.hpp"
#include "scratchpage/tests/actors/conversation/messages.hpp"
#include "scratchpage/tests/support/contains.hpp"
#include "scratchpage/tests/support/stub_behavior.hpp"
#include "scratchpage/tests/support/team.hpp"

/// Conversations that are longer than the model's window.

namespace scratchpage::test {

namespace {

using boost::unit_test::label;

/// Files in memory whose writes fail while `fails` is set.
class failing_files : public memory_files {
public:
  caf::error write(std::string_view path, std::string_view bytes) override {
    return fails ? no_room() : memory_files::write(path, bytes);
  }
  caf::error append(std::string_view path, std::string_view bytes) override {
    return fails ? no_room() : memory_files::append(path, bytes);
  }

  bool fails = false;

private:
  static caf::error no_room() { return fail(errc::storage_unavailable, "", "the disk is full"); }
};

struct small_window : team {
  std::shared_ptr<failing_files> files = std::make_shared<failing_files>();

  small_window() {
    setup.config.profile.name = profile_name::on_device;
    setup.config.prompt.window = 600;
    setup.config.scratchbook.view.token_limit = 200;
    setup.config.prompt.context = 100;
    setup.config.conversation.instructions = "You book flights.";
    setup.config.conversation.tool_result_token_limit = 60;
    setup.config.conversation.message_token_limit = 120;
    setup.kept.files = files;
  }

  conversation_stats append(std::vector<chat_message> messages, std::string thread = "trip") {
    return value(ask(host->conversations(),
      append_messages{as_daemon("probe"), std::move(thread), std::move(messages)}));
  }

  model_prompt next_prompt(std::string thread = "trip") {
    auto made =
      value(ask(host->conversations(), make_prompt{as_daemon("probe"), std::move(thread)}));
    uint64_t tokens = estimate_tokens(made.system);
    for (const auto& x : made.messages)
      tokens += tokens_of(x, estimate_tokens);
    BOOST_TEST(made.tokens == tokens);
    BOOST_TEST(made.tokens <= setup.config.prompt.window);
    return made;
  }

  scratchbook book() {
    return value(ask(host->scratchbooks(), scratch_list{as_daemon("probe"), "trip"}));
  }

  std::string add(item_kind kind, std::string title) {
    item_draft draft;
    draft.kind = kind;
    draft.title = std::move(title);
    return value(ask(host->scratchbooks(), scratch_add{as_daemon("probe"), "trip", draft})).id;
  }

  std::string file(const std::string& path) {
    auto found = ask(host->files(), read_file{path, 0, 1u << 20});
    return found ? found->bytes : describe(found.error());
  }

  /// Appends `count` questions with answers. A dozen of them have about two hundred tokens.
  void chat(int from, int count = 12) {
    for (int i = from; i < from + count; ++i)
      append({user("Tell me about flight " + std::to_string(i)),
        assistant("It leaves at noon from gate " + std::to_string(i))});
  }
};

const scratchbook_item* tagged(const scratchbook& in, const std::string& tag) {
  for (const auto& x : in.items)
    if (std::find(x.tags.begin(), x.tags.end(), tag) != x.tags.end())
      return &x;
  return nullptr;
}

} // namespace

BOOST_FIXTURE_TEST_CASE(
  a_short_conversation_stays_in_the_prompt, small_window, *label("SB_2") * label("SB_a5")) {
  start();
  add(item_kind::todo, "Ask for the date");
  auto stats = append({user("I want to fly to Paris"), assistant("When?")});
  BOOST_TEST(stats.messages == 2u);
  BOOST_TEST(stats.compactions == 0u);
  auto made = next_prompt();
  BOOST_REQUIRE(made.messages.size() == 2u);
  BOOST_TEST(made.messages[1].content == "When?");
  BOOST_TEST(contains(made.system, "You book flights.\n\nScratchbook:\ns1 todo: Ask for the date"),
    made.system);
}

BOOST_FIXTURE_TEST_CASE(a_prompt_names_who_else_wrote_an_item, small_window) {
  start();
  item_draft draft;
  draft.kind = item_kind::todo;
  draft.title = "Send the PINs";
  value(ask(host->scratchbooks(), scratch_add{as_daemon("other"), "trip", draft}));
  add(item_kind::todo, "Ask for the date");
  append({user("I want to fly to Paris")});
  auto made = next_prompt();
  BOOST_TEST(contains(made.system, "s1 todo: Send the PINs (daemon other)"), made.system);
  BOOST_TEST(made.system.ends_with("s2 todo: Ask for the date"), made.system);
}

BOOST_FIXTURE_TEST_CASE(what_has_no_room_goes_to_a_file_and_the_scratchbook_goes_on, small_window,
  *label("SB_3") * label("SB_a6")) {
  start();
  add(item_kind::task, "Book the flight");
  append({user("I want to fly to Paris. No later than Monday.")});
  chat(0, 20);
  auto stats = append({user("Is there a direct one?")});
  BOOST_TEST(stats.compactions >= 1u);
  BOOST_TEST(stats.offloaded > 0u);
  BOOST_TEST(stats.offloaded_tokens > stats.kept_tokens);
  auto history = file("conversation_history/trip.md");
  BOOST_TEST(history.starts_with("## user\n\n> I want to fly to Paris. No later than Monday.\n"));
  auto kept = book();
  auto* summary = tagged(kept, "earlier_conversation");
  BOOST_REQUIRE(summary != nullptr);
  BOOST_TEST(
    summary->title
    == std::to_string(stats.offloaded) + " earlier messages are in conversation_history/trip.md");
  auto made = next_prompt();
  BOOST_TEST(contains(made.system, "task: Book the flight"), made.system);
  BOOST_TEST(contains(made.system, "earlier messages are in"), made.system);
  BOOST_TEST(made.hidden == 0u);
  // Each message is either in the prompt or in the file.
  BOOST_TEST(made.messages.size() + stats.offloaded == 42u);
  BOOST_TEST(made.messages.back().content == "Is there a direct one?");
}

BOOST_FIXTURE_TEST_CASE(a_compaction_can_be_seen, small_window, *label("SB_a6")) {
  start();
  chat(0, 40);
  auto seen = of_type("compaction");
  BOOST_REQUIRE(!seen.empty());
  const auto& told = seen.front()->metadata;
  BOOST_TEST(told.at("path").as_string().c_str() == "conversation_history/trip.md");
  BOOST_TEST(told.at("offloaded_messages").to_number<int>() > 0);
  BOOST_TEST(seen.front()->context.at("thread_id").as_string().c_str() == "trip");
  BOOST_TEST(traced("compact", "success") == seen.size());
}

BOOST_FIXTURE_TEST_CASE(
  pinned_and_open_items_survive_fifty_compactions, small_window, *label("SB_3") * label("SB_a6")) {
  start();
  auto pinned = add(item_kind::note, "Never pay over 300 dollars");
  value(
    ask(host->scratchbooks(), scratch_mark{as_daemon("probe"), "trip", pinned, item_mark::pin}));
  auto open = add(item_kind::todo, "Ask for the date");
  auto before = book();
  uint64_t compactions = 0;
  for (int round = 0; compactions < 50; ++round) {
    BOOST_REQUIRE(round < 2'000);
    chat(round, 1);
    auto made = next_prompt();
    BOOST_TEST(contains(made.system, "s1 pinned note: Never pay over 300 dollars"), made.system);
    compactions = append({assistant("Round " + std::to_string(round))}).compactions;
  }
  auto after = book();
  BOOST_TEST((after.items[0] == before.items[0]));
  BOOST_TEST((after.items[1] == before.items[1]));
  BOOST_TEST(after.pins == before.pins, boost::test_tools::per_element());
  BOOST_TEST(after.items.size() < 200u); // one summary, and items of open questions
  BOOST_TEST(open == "s2");
}

BOOST_FIXTURE_TEST_CASE(
  a_result_that_is_too_long_leaves_a_preview, small_window, *label("SB_5") * label("SB_a7")) {
  start();
  std::string text;
  for (int i = 0; i < 300; ++i)
    text += "seat " + std::to_string(i) + " is free\n";
  auto stats = append({calling("c1", "seats"), answering("c1", "seats", text)});
  BOOST_TEST(stats.evicted == 1u);
  auto made = next_prompt();
  BOOST_REQUIRE(made.messages.size() == 2u);
  auto preview = made.messages[1].content;
  BOOST_TEST(estimate_tokens(preview) <= 60u);
  auto begin = preview.find("whole in ") + 9;
  auto path = preview.substr(begin, preview.find(']') - begin);
  BOOST_TEST(path.starts_with("tool_results/trip/"));
  BOOST_TEST(file(path) == text);
  auto page = value(ask(host->files(), read_file{path, 5, 7}));
  BOOST_TEST(page.bytes == text.substr(5, 7));
  BOOST_TEST(page.size == text.size());
}

BOOST_FIXTURE_TEST_CASE(
  a_prompt_is_within_the_window_though_nothing_can_be_stored, small_window, *label("SB_3")) {
  start();
  files->fails = true;
  chat(0, 30);
  auto stats = append({user("Still there?")});
  BOOST_TEST(stats.messages == 61u);
  BOOST_TEST(contains(stats.failure, "the disk is full"), stats.failure);
  auto made = next_prompt();
  BOOST_TEST(made.hidden > 0u);
  BOOST_TEST(made.messages.back().content == "Still there?");
  auto refused = ask(host->conversations(),
    append_messages{as_daemon("probe"), "trip", {answering("c", "t", std::string(5'000, 'x'))}});
  BOOST_REQUIRE(!refused);
  BOOST_TEST(name_of(code_of(refused.error())) == "storage_unavailable");
  files->fails = false;
  stats = append({user("And now?")});
  BOOST_TEST(stats.failure == "");
  BOOST_TEST(stats.offloaded + stats.messages == 62u);
  BOOST_TEST(next_prompt().hidden == 0u);
}

BOOST_FIXTURE_TEST_CASE(
  a_profile_that_does_not_compact_hides_what_has_no_room, small_window, *label("SB_a3")) {
  setup.config.profile.auto_compact = false;
  start();
  chat(0, 30);
  auto made = next_prompt();
  BOOST_TEST(made.hidden > 0u);
  BOOST_TEST(book().items.empty());
}

BOOST_FIXTURE_TEST_CASE(
  what_is_said_is_kept_though_the_instructions_leave_no_room_for_a_prompt, small_window) {
  setup.config.conversation.instructions = std::string(10'000, 'x');
  start();
  auto stats = append({user("one")});
  BOOST_TEST(stats.messages == 1u);
  BOOST_TEST(stats.failure != "");
  BOOST_TEST(file("conversations/trip.jsonl") == to_line(user("one")));
  BOOST_TEST(!ask(host->conversations(), make_prompt{as_daemon("probe"), "trip"}));
}

BOOST_FIXTURE_TEST_CASE(threads_and_bad_requests_stay_apart, small_window) {
  start();
  append({user("one")}, "a");
  append({user("two")}, "b");
  BOOST_TEST(next_prompt("a").messages.size() == 1u);
  auto field = [&](std::vector<chat_message> messages) {
    auto x = ask(host->conversations(), append_messages{as_daemon("x"), "a", std::move(messages)});
    return x ? "none" : field_of(x.error());
  };
  BOOST_TEST(field({}) == "messages");
  BOOST_TEST(field({user("ok"), user("\xff")}) == "messages[1]");
  auto odd = user("x");
  odd.calls = {{"c", "t", "{}"}};
  BOOST_TEST(field({odd}) == "messages[0].calls");
  auto lost = ask(host->conversations(), make_prompt{as_daemon("x"), std::string(1'025, 't')});
  BOOST_REQUIRE(!lost);
  BOOST_TEST(field_of(lost.error()) == "thread_id");
  BOOST_TEST(next_prompt("a").messages.size() == 1u);
}

BOOST_FIXTURE_TEST_CASE(no_file_has_what_is_masked_on_arrival, small_window) {
  setup.config.privacy.policy = privacy_mode::mask_on_arrival;
  start();
  append({user("Write to ann@example.org"), calling("c1", "mail", R"({"to": "bob@example.org"})")});
  chat(0, 40);
  auto history = file("conversation_history/trip.md");
  BOOST_TEST(contains(history, "Write to [email]"), history);
  BOOST_TEST(contains(history, R"({"to": "[email]"})"), history);
  BOOST_TEST(!contains(history, "example.org"), history);
}

BOOST_FIXTURE_TEST_CASE(what_waits_for_the_user_and_goals_become_next_actions, small_window,
  *label("SB_3") * label("SB_a6")) {
  start();
  auto asked = team::add(as_daemon("clarifier"), draft("pending_confirmation", "Pay 300?", 0.9));
  create_goal request{as_daemon("planner"), {}};
  request.draft.goal_id = "trip";
  request.draft.goal_type = "travel";
  request.draft.title = "Be in Paris on Monday";
  value(ask(host->cortex(), std::move(request)));
  append({calling("c1", "pay", R"({"card": 1})"), answering("c1", "pay", "Error: refused")});
  chat(0, 40);
  auto kept = book();
  auto* confirmation = tagged(kept, "confirmation");
  BOOST_REQUIRE(confirmation != nullptr);
  BOOST_TEST(confirmation->title == "Get the user's answer: Pay 300?");
  BOOST_TEST(confirmation->observation_id == asked.observation->observation_id);
  auto* failed = tagged(kept, "failed_tool");
  BOOST_REQUIRE(failed != nullptr);
  BOOST_TEST(failed->title == "pay failed: Error: refused");
  BOOST_TEST(failed->body == R"(Tried: {"card": 1})");
  auto* unmet = tagged(kept, "goal");
  BOOST_REQUIRE(unmet != nullptr);
  BOOST_TEST(unmet->title == "Reach the goal: Be in Paris on Monday");
  BOOST_TEST(unmet->goal_id == "trip");

  update_goal met{.by = as_daemon("planner"), .goal_id = "trip"};
  met.status = goal_status::completed;
  value(ask(host->cortex(), std::move(met)));
  auto later = book();
  BOOST_TEST((tagged(later, "goal")->status == item_status::done));
}

// -- storage -----------------------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(a_conversation_goes_on_in_the_next_process, small_window) {
  start();
  append({user("Write to Ann"), calling("c1", "mail"), answering("c1", "mail", "sent")});
  auto before = next_prompt();
  start();
  BOOST_TEST((next_prompt().messages == before.messages));
  auto stats = append({assistant("Done.")});
  BOOST_TEST(stats.messages == 4u);
  start();
  BOOST_TEST(next_prompt().messages.back().content == "Done.");
}

BOOST_FIXTURE_TEST_CASE(what_was_offloaded_does_not_come_back, small_window) {
  start();
  chat(0, 40);
  auto before = next_prompt();
  start();
  BOOST_TEST((next_prompt().messages == before.messages));
}

BOOST_FIXTURE_TEST_CASE(a_thread_that_nobody_asks_about_makes_room_and_is_not_lost, small_window) {
  setup.config.conversation.max_threads = 2;
  start();
  for (const auto* thread : {"a", "b", "c", "d"})
    append({user(thread)}, thread);
  for (const auto* thread : {"a", "b", "c", "d"})
    BOOST_TEST(next_prompt(thread).messages.at(0).content == thread);
}

BOOST_FIXTURE_TEST_CASE(what_could_not_be_stored_is_stored_with_the_next_addition, small_window) {
  setup.config.conversation.max_threads = 1;
  start();
  append({user("one")});
  files->fails = true;
  BOOST_TEST(contains(append({user("two")}).failure, "the disk is full"));
  auto refused = ask(host->conversations(), make_prompt{as_daemon("x"), "another"});
  BOOST_REQUIRE(!refused); // a thread that is not stored cannot be unloaded
  BOOST_TEST(name_of(code_of(refused.error())) == "overloaded");
  files->fails = false;
  BOOST_TEST(append({user("three")}).failure == "");
  start();
  auto messages = next_prompt().messages;
  BOOST_REQUIRE(messages.size() == 3u);
  BOOST_TEST(messages[1].content == "two");
}

BOOST_FIXTURE_TEST_CASE(a_torn_last_line_is_left_out_and_anything_else_refused, small_window) {
  const std::string path = "conversations/trip.jsonl";
  BOOST_REQUIRE(!files->write(path, to_line(user("one")) + R"({"role": "user", "cont)"));
  start();
  append({user("two")});
  BOOST_TEST(file(path) == to_line(user("one")) + to_line(user("two")));
  BOOST_REQUIRE(!files->write(path, "{\"role\": \"king\"}\n" + to_line(user("two"))));
  start();
  auto refused =
    ask(host->conversations(), append_messages{as_daemon("x"), "trip", {user("three")}});
  BOOST_REQUIRE(!refused);
  BOOST_TEST(contains(describe(refused.error()), "line 1"), describe(refused.error()));
  BOOST_TEST(file(path).starts_with("{\"role\": \"king\"}"));
}

// -- other compactors --------------------------------------------------------------------

namespace {

/// A compactor that fails, never answers, answers a plan, or answers a bad plan, as `does` says.
struct odd_compactor {
  using handle = compactor_actor;
  static constexpr const char* name = "compactor";

  odd_compactor(handle::pointer self, std::string does)
    : self_{self},
      does_{std::move(does)} {}

  handle::behavior_type make_behavior() {
    return {[this](const compact_messages& x) -> caf::result<compaction_plan> {
      if (does_ == "fails")
        return fail(errc::internal, "", "no idea");
      if (does_ == "hangs") {
        kept_.push_back(self_->make_response_promise<compaction_plan>());
        return kept_.back();
      }
      compaction_plan plan;
      plan.summary.title = "All about " + x.path;
      if (does_ != "answers") { // names an item as its summary, with too many items
        plan.summary_id = does_;
        item_draft flood;
        flood.title = "Water";
        plan.next_actions.resize(10'000, flood);
      }
      item_draft next;
      next.kind = item_kind::todo;
      next.title = "Look at the prices";
      plan.next_actions.push_back(next);
      return plan;
    }};
  }

  handle::pointer self_;
  std::string does_;
  std::vector<caf::typed_response_promise<compaction_plan>> kept_;
};

} // namespace

BOOST_FIXTURE_TEST_CASE(
  a_compactor_says_what_is_kept, small_window, *label("SB_3") * label("SB_a6")) {
  setup.compactor = make<odd_compactor>("answers");
  start();
  chat(0, 40);
  auto kept = book();
  BOOST_REQUIRE(kept.items.size() >= 2u);
  BOOST_TEST(kept.items[0].title == "All about conversation_history/trip.md");
  BOOST_TEST(kept.items[1].title == "Look at the prices");
}

BOOST_FIXTURE_TEST_CASE(a_compactor_cannot_write_over_items_nor_flood_the_book, small_window,
  *label("SB_3") * label("SB_a6")) {
  setup.compactor = make<odd_compactor>("s1");
  start();
  BOOST_TEST(add(item_kind::note, "Never pay over 300 dollars") == "s1");
  chat(0, 40);
  auto kept = book();
  BOOST_TEST(kept.items[0].title == "Never pay over 300 dollars");
  BOOST_TEST((tagged(kept, "earlier_conversation") != nullptr));
  BOOST_TEST(kept.items.size() < 100u);
}

BOOST_FIXTURE_TEST_CASE(the_rules_stand_in_for_a_compactor_that_fails_or_hangs, small_window,
  *label("SB_3") * label("SB_a6")) {
  for (auto* does : {"fails", "hangs"}) {
    setup.compactor = make<odd_compactor>(does);
    files = std::make_shared<failing_files>();
    setup.kept.files = files;
    start();
    constexpr int count = 80;
    std::vector<chat_message> all;
    all.reserve(count);
    for (int i = 0; i < count; ++i)
      all.push_back(user("Tell me about flight " + std::to_string(i)));
    auto answer =
      send(host->conversations(), append_messages{as_daemon("probe"), "trip", std::move(all)});
    settle();
    while (!answer->arrived() && driver.advance_to_next_deadline()) {
    }
    BOOST_REQUIRE(answer->arrived());
    BOOST_TEST(value(std::move(*answer->value)).compactions >= 1u);
    BOOST_TEST((tagged(book(), "earlier_conversation") != nullptr), does);
  }
}

} // namespace scratchpage::test
