#include <array>
#include <chrono>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <boost/test/unit_test.hpp>
#include <rapidcheck.h>

#include "scratchpage/tests/scenarios/page/twin_pages.hpp"
#include "scratchpage/tests/support/callers.hpp"
#include "scratchpage/tests/support/fixed_seed.hpp"

/// Random operations on two pages, one of which rests in between.

namespace scratchpage::test {

namespace {

using rest_step = std::tuple<int, int, int>; // its kind, and two parameters

constexpr int kinds_of_steps = 16;

auto rest_steps() {
  return rc::gen::container<std::vector<rest_step>>(rc::gen::tuple(
    rc::gen::inRange(0, kinds_of_steps), rc::gen::inRange(0, 1000), rc::gen::inRange(0, 1000)));
}

struct random_rests : twin_pages {
  std::vector<std::string> ids{"obs_20251105_000"}; // the first one is unknown
  unsigned turns = 0;
  std::string cursor;

  explicit random_rests(durability how) {
    setup.durability.durability = how;
    setup.limits.max_observations = 8;
    setup.limits.max_protected_per_source = 2;
    setup.limits.log_capacity = 20;
    setup.limits.ranked_cursors = 2;
    setup.limits.max_reviewed = 2;
    setup.limits.expiry_chunk = 2;
    setup.limits.archive_after_days = 0.25;
    compare = [](const std::string& one, const std::string& other) { RC_ASSERT(other == one); };
    begin();
  }

  static caller someone(int which) {
    const std::array all{as_daemon("planner"), as_user("ann"), from_outside(as_user("ben")),
      from_outside(as_tool("meter")), claimed("cid"), claimed("dan")};
    return all[static_cast<size_t>(which) % all.size()];
  }

  /// Perhaps a key, which other requests have, too. So some are repeated, and some are conflicts.
  static caller perhaps_with_key(caller by, int which, int how) {
    if (which % 3 == 0)
      by.request_key = "key_" + std::to_string(how % 10);
    return by;
  }

  void play(const rest_step& x) {
    auto [what, which, how] = x;
    const auto& one = any_id(which);
    switch (what) {
    case 0:
    case 1:
    case 2:
      return add_one(which, how);
    case 3:
      return change(one, {.content = "tea " + std::to_string(how % 10)},
        perhaps_with_key(someone(how), which, how));
    case 4:
      return change(one, {.status = static_cast<status>(how % 4)}, as_daemon("planner"));
    case 5:
      both(archive_observation{perhaps_with_key(as_daemon("planner"), how, which), one});
      return;
    case 6:
      both(get_observation{as_daemon("reader"), one});
      return;
    case 7:
      return search(how);
    case 8:
      both(link_observations{
        as_daemon("frontal_cortex"), "goal_" + std::to_string(how % 3), {one, any_id(how)}});
      return;
    case 9:
      both(goal_closed{as_daemon("frontal_cortex"), "goal_" + std::to_string(how % 3)});
      return;
    case 10:
      return play_turn(which, how);
    case 11:
      both(review_candidates{as_daemon("router")});
      return;
    case 12:
      return pass_time(how);
    case 13:
      awake.offers->again = resting.offers->again = {one};
      return;
    default:
      return play_rest(how);
    }
  }

  const std::string& any_id(int which) const {
    return ids[static_cast<size_t>(which) % ids.size()];
  }

  void add(observation_draft x, const caller& by) {
    if (auto added = add_to_both(std::move(x), by))
      ids.push_back(added->observation->observation_id);
  }

  void change(const std::string& which, observation_changes changes, const caller& by) {
    update_observation request;
    request.by = by;
    request.observation_id = which;
    request.changes = std::move(changes);
    both(request);
  }

  void add_one(int which, int how) {
    constexpr std::array types{
      "observation", "tool_result", "reminder", "alert", "contextual_insight"};
    constexpr std::array lifetimes{10'080.0, 1.0, 5.0, 60.0, 500.0};
    auto x = draft(types[static_cast<size_t>(which) % types.size()], how % 2 == 0 ? "tea" : "wine");
    x.confidence = 0.95;
    x.ttl_minutes = lifetimes[static_cast<size_t>(how) % lifetimes.size()];
    add(std::move(x), perhaps_with_key(someone(which / 5), which, how));
  }

  /// Begins with the first results, or goes on at the last cursor.
  void search(int how) {
    auto request = asking({}, how % 3 == 0 ? "wine" : "tea", 1);
    if (how % 2 == 0)
      request.cursor = cursor;
    if (auto found = both(request))
      cursor = found->next_cursor;
  }

  /// A whole turn, in which the ensemble raises alerts, and perhaps a late one after an earlier
  /// turn.
  void play_turn(int which, int how) {
    auto turn = "turn_" + std::to_string(turns++);
    both(open_turn{as_daemon("turns", turn), someone(which)});
    for (int i = 0; i < how % 4; ++i)
      add(draft("alert", "Fire"), as_daemon("executor", turn));
    both(close_turn{as_daemon("turns", turn)});
    auto earlier = "turn_" + std::to_string(static_cast<unsigned>(which) % turns);
    if (how % 3 == 0)
      add(draft("alert", "Fire"), as_daemon("executor", earlier));
  }

  void pass_time(int how) {
    constexpr std::array<int, 5> seconds{1, 20, 300, 4'000, 40'000};
    advance(std::chrono::seconds{seconds[static_cast<size_t>(how) % seconds.size()]});
  }

  void play_rest(int how) {
    advance(std::chrono::seconds{2}); // everything is stored
    constexpr std::array<int, 5> minutes{0, 0, 3, 90, 1'000};
    rest(std::chrono::minutes{minutes[static_cast<size_t>(how) % minutes.size()]});
    settle();
    compare_all();
  }
};

void check_rests(durability how) {
  auto plan = *rest_steps();
  random_rests pages{how};
  for (const auto& x : plan)
    pages.play(x);
  pages.play_rest(3);
}

} // namespace

BOOST_AUTO_TEST_CASE(nobody_can_tell_which_of_two_pages_rested) {
  BOOST_TEST(rc::check("all answers agree", [] { check_rests(durability::sync); }));
}

BOOST_AUTO_TEST_CASE(nor_if_changes_are_seen_before_they_are_stored) {
  BOOST_TEST(rc::check("all answers agree", [] { check_rests(durability::async); }));
}

} // namespace scratchpage::test
