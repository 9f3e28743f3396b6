#include <boost/test/unit_test.hpp>

#include <algorithm>

#include "scratchpage/persistence/files/file_store.hpp"
#include "scratchpage/tests/support/team.hpp"

/// Links between items and goals: completing one of them completes the other, once.

namespace scratchpage::test {

namespace {

/// Files in memory whose writes fail while `is_full` is set.
class full_files : public memory_files {
public:
  caf::error write(std::string_view path, std::string_view bytes) override {
    if (is_full)
      return fail(errc::storage_unavailable, "", "the disk is full");
    return memory_files::write(path, bytes);
  }

  bool is_full = false;
};

/// A team with the goal `trip`, which has one action of the agent and one of the user.
struct linked_team : team {
  std::shared_ptr<full_files> files = std::make_shared<full_files>();
  caller planner = as_daemon("planner");
  caller writer = planner; ///< adds the items

  linked_team() {
    setup.config.profile.name = profile_name::on_device;
    setup.kept.files = files;
  }

  void begin() {
    start();
    create_goal request{planner, {}};
    request.draft.goal_id = "trip";
    request.draft.goal_type = "travel";
    pending_action search{.action_id = "search", .action_type = "search_flights"};
    pending_action pay{.action_id = "pay", .action_type = "pay_flight"};
    pay.assigned_to = assignee::user;
    request.draft.pending_actions = {search, pay};
    value(ask(host->cortex(), std::move(request)));
  }

  goal trip() { return value(ask(host->cortex(), get_goal{planner, "trip"})); }

  std::string action(size_t which) { return to_string(trip().pending_actions.at(which).status); }

  caf::expected<scratchbook_item> try_to_add(std::string goal_id, std::string action_id = {},
    const std::string& thread = "main", item_kind kind = item_kind::todo) {
    scratch_add request{writer, thread, {}};
    request.item.kind = kind;
    request.item.title = "Do it";
    request.item.goal_id = std::move(goal_id);
    request.item.action_id = std::move(action_id);
    return ask(host->scratchbooks(), std::move(request));
  }

  std::string add(
    std::string goal_id, std::string action_id = {}, const std::string& thread = "main") {
    return value(try_to_add(std::move(goal_id), std::move(action_id), thread)).id;
  }

  caf::expected<scratchbook_item> complete(
    const std::string& id, const caller& by, const std::string& thread = "main") {
    return ask(host->scratchbooks(), scratch_mark{by, thread, id, item_mark::complete});
  }

  scratchbook_item set(const std::string& id, item_status to) {
    scratch_update request{planner, "main", id, {}};
    request.changes.status = to;
    return value(ask(host->scratchbooks(), std::move(request)));
  }

  scratchbook_item item(const std::string& id, const std::string& thread = "main") {
    auto book = value(ask(host->scratchbooks(), scratch_list{planner, thread}));
    auto i =
      std::find_if(book.items.begin(), book.items.end(), [&](const auto& x) { return x.id == id; });
    BOOST_REQUIRE(i != book.items.end());
    return *i;
  }

  void set_goal(goal_status to) {
    update_goal request{.by = planner, .goal_id = "trip"};
    request.status = to;
    value(ask(host->cortex(), std::move(request)));
  }

  static std::string refusal(const caf::expected<scratchbook_item>& x) {
    return x ? "none" : to_string(code_of(x.error())) + " " + field_of(x.error());
  }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_todo_that_is_completed_completes_its_action_once, linked_team) {
  begin();
  auto todo = add("trip", "search");
  auto before = trip().revision;
  BOOST_TEST(to_string(value(complete(todo, planner)).status) == "done");
  BOOST_TEST(action(0) == "done");
  BOOST_TEST(action(1) == "pending");
  BOOST_TEST(trip().progress == 0.5);
  BOOST_TEST(trip().revision == before + 1);
  value(complete(todo, planner));
  set(todo, item_status::done);
  BOOST_TEST(trip().revision == before + 1);
}

BOOST_FIXTURE_TEST_CASE(an_action_that_is_done_completes_its_todos_once, linked_team) {
  begin();
  auto one = add("trip", "search");
  auto other = value(try_to_add("trip", "search", "main", item_kind::task)).id;
  auto elsewhere = add("trip", "search", "another");
  auto of_another = add("trip", "pay");
  advance(std::chrono::seconds{1});
  value(ask(host->cortex(), complete_action{planner, "trip", "search"}));
  for (const auto& id : {one, other})
    BOOST_TEST(to_string(item(id).status) == "done");
  BOOST_TEST(item(other).progress.value_or(0) == 1);
  BOOST_TEST(to_string(item(elsewhere, "another").status) == "done");
  BOOST_TEST(to_string(item(of_another).status) == "open");
  BOOST_TEST(traced("complete_linked") == 3u);
  auto updated = item(one).updated_at_ns;
  advance(std::chrono::seconds{1});
  value(ask(host->cortex(), complete_action{planner, "trip", "search"}));
  BOOST_TEST(item(one).updated_at_ns == updated);
}

BOOST_FIXTURE_TEST_CASE(what_is_opened_again_is_not_completed_again, linked_team) {
  begin();
  auto todo = add("trip", "search");
  value(complete(todo, planner));
  auto again = set(todo, item_status::open);
  BOOST_TEST(again.goal_id.empty());
  BOOST_TEST(again.action_id.empty());
  set_goal(goal_status::completed);
  BOOST_TEST(to_string(item(todo).status) == "open");
  auto revision = trip().revision;
  value(complete(todo, planner));
  BOOST_TEST(trip().revision == revision);
}

BOOST_FIXTURE_TEST_CASE(a_todo_and_a_whole_goal_complete_each_other, linked_team) {
  begin();
  auto todo = add("trip");
  value(complete(todo, planner));
  BOOST_TEST(to_string(trip().status) == "completed");
  BOOST_TEST(trip().progress == 1);

  create_goal request{planner, {}};
  request.draft.goal_id = "trip_2";
  request.draft.goal_type = "travel";
  value(ask(host->cortex(), std::move(request)));
  auto second = add("trip_2");
  update_goal done{.by = planner, .goal_id = "trip_2"};
  done.status = goal_status::completed;
  value(ask(host->cortex(), std::move(done)));
  BOOST_TEST(to_string(item(second).status) == "done");
}

BOOST_FIXTURE_TEST_CASE(what_is_the_users_to_do_no_agents_todo_completes, linked_team) {
  begin();
  auto todo = add("trip", "pay");
  BOOST_TEST(refusal(complete(todo, planner)) == "forbidden action_id");
  BOOST_TEST(to_string(item(todo).status) == "open");
  BOOST_TEST(action(1) == "pending");
}

BOOST_FIXTURE_TEST_CASE(a_person_does_their_action_with_an_item_that_a_person_wrote, linked_team) {
  begin();
  auto of_agent = add("trip", "pay");
  BOOST_TEST(to_string(value(complete(of_agent, as_user("ann"))).status) == "done");
  BOOST_TEST(action(1) == "pending");
  writer = as_user("ann");
  auto own = add("trip", "pay");
  BOOST_TEST(refusal(complete(own, planner)) == "forbidden action_id");
  BOOST_TEST(to_string(value(complete(own, as_user("ann"))).status) == "done");
  BOOST_TEST(action(1) == "done");
}

BOOST_FIXTURE_TEST_CASE(a_link_to_what_is_not_there_is_refused, linked_team) {
  begin();
  BOOST_TEST(refusal(try_to_add("trap")) == "invalid_request goal_id");
  BOOST_TEST(refusal(try_to_add("trip", "fly")) == "invalid_request action_id");
  BOOST_TEST(refusal(try_to_add("", "pay")) == "invalid_request goal_id");
  BOOST_TEST(value(ask(host->scratchbooks(), scratch_list{planner, "main"})).items.empty());
}

BOOST_FIXTURE_TEST_CASE(a_goal_that_is_over_stays_as_it_is, linked_team) {
  begin();
  auto todo = add("trip");
  auto of_action = add("trip", "search");
  set_goal(goal_status::abandoned);
  BOOST_TEST(to_string(item(todo).status) == "open");
  auto revision = trip().revision;
  BOOST_TEST(to_string(value(complete(todo, planner)).status) == "done");
  BOOST_TEST(to_string(value(complete(of_action, planner)).status) == "done");
  BOOST_TEST(to_string(trip().status) == "abandoned");
  BOOST_TEST(trip().revision == revision);
}

BOOST_FIXTURE_TEST_CASE(what_was_completed_while_a_book_was_closed_is_found_done, linked_team) {
  setup.config.scratchbook.max_open = 1;
  begin();
  auto todo = add("trip", "search");
  add("trip", "pay", "another"); // unloads the first thread's book
  value(ask(host->cortex(), complete_action{planner, "trip", "search"}));
  BOOST_TEST(to_string(item(todo).status) == "done");
  auto view = value(ask(host->scratchbooks(), scratch_read{planner, "main", {}})).view;
  BOOST_TEST(view == "(the scratchbook is empty)");
}

BOOST_FIXTURE_TEST_CASE(a_view_of_a_book_just_opened_shows_what_was_completed, linked_team) {
  setup.config.scratchbook.max_open = 1;
  begin();
  add("trip", "search");
  add("trip", "pay", "another");
  value(ask(host->cortex(), complete_action{planner, "trip", "search"}));
  auto view = value(ask(host->scratchbooks(), scratch_read{planner, "main", {}})).view;
  BOOST_TEST(view == "(the scratchbook is empty)");
}

BOOST_FIXTURE_TEST_CASE(
  a_completion_that_could_not_be_stored_is_made_when_it_is_asked_for_again, linked_team) {
  begin();
  auto todo = add("trip", "search");
  auto before = trip().revision;
  files->is_full = true;
  BOOST_TEST(refusal(complete(todo, planner)) == "storage_unavailable ");
  files->is_full = false;
  BOOST_TEST(to_string(value(complete(todo, planner)).status) == "done");
  BOOST_TEST(trip().revision == before + 1);
}

BOOST_FIXTURE_TEST_CASE(
  a_goal_that_was_completed_while_the_disk_was_full_is_not_forgotten, linked_team) {
  begin();
  auto todo = add("trip", "search");
  files->is_full = true;
  value(ask(host->cortex(), complete_action{planner, "trip", "search"}));
  BOOST_TEST(to_string(item(todo).status) == "open");
  files->is_full = false;
  add("trip", "pay");
  BOOST_TEST(to_string(item(todo).status) == "done");
}

BOOST_FIXTURE_TEST_CASE(what_a_turn_resolves_is_done_in_the_scratchbook_too, linked_team) {
  begin();
  auto todo = add("trip", "search");
  auto offer = draft("observation", "Flights were found", 0.9);
  offer.context["pending_action_id"] = "search";
  auto added = team::add(planner, std::move(offer)).observation->observation_id;
  update_observation resolve{planner, added, {}, {}};
  resolve.changes.status = status::resolved;
  value(ask(host->page(), std::move(resolve)));
  say("Go on");
  BOOST_TEST(action(0) == "done");
  BOOST_TEST(to_string(item(todo).status) == "done");
}

} // namespace scratchpage::test
