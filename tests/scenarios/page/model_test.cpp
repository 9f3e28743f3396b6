#include <algorithm>
#include <tuple>

#include <boost/test/unit_test.hpp>
#include <rapidcheck.h>

#include "scratchpage/tests/scenarios/page/page_fixture.hpp"
#include "scratchpage/tests/scenarios/page/page_model.hpp"
#include "scratchpage/tests/support/fixed_seed.hpp"
#include "scratchpage/tests/support/trace_replay.hpp"

/// Random operations on a page, compared with the same operations on a simple model.

namespace scratchpage::test {

namespace {

/// One operation: its kind, the number of an observation, and a parameter.
using step = std::tuple<int, int, int>;

constexpr int operations = 12;
constexpr size_t capacity = 6;

auto steps() {
  return rc::gen::container<std::vector<step>>(rc::gen::tuple(
    rc::gen::inRange(0, operations + 2), rc::gen::inRange(0, 1000), rc::gen::inRange(0, 1000)));
}

/// A page and its model. Each operation is applied to both.
struct pair_of_pages : page_fixture {
  page_model model{capacity};
  probe all;    ///< gets all events, and acknowledges at once
  probe wine;   ///< gets the events with the tag "wine"; slow, and sometimes fails
  probe mirror; ///< gets all events; slow, and sometimes fails
  unsigned closed_goals = 0;

  explicit pair_of_pages(uint64_t log_capacity) {
    setup.limits.max_observations = capacity;
    setup.limits.log_capacity = log_capacity;
    setup.limits.batch_size = 3;
    setup.limits.delivery_attempts = 1'000'000;
    start();
    model.now = now();
    all = watch_page();
    wine = watch_page(with_tags({"wine"}));
    mirror = watch_page();
  }

  void play(const step& x) {
    auto [what, which, how] = x;
    auto number = 1 + static_cast<uint64_t>(which) % (model.last_number() + 1);
    switch (what) {
    case 0:
    case 1: // adding is three times as likely as other operations
    case 2:
      return play_add(which, how);
    case 3:
      return play_update(number,
        {.content = "content " + std::to_string(how),
          .tags = how % 2 == 0 ? std::vector<std::string>{"wine"} : std::vector<std::string>{}});
    case 4:
      return play_update(number, {.status = static_cast<status>(how % 4)});
    case 5:
      return play_guarded_update(number, how);
    case 6:
      return compare(model.archive(number),
        ask(page, archive_observation{as_daemon("planner"), id(static_cast<unsigned>(number))}));
    case 7:
      return play_clear(number, how);
    case 8:
      return play_link(number, how);
    case 9:
      return play_close_goal();
    case 10:
      RC_ASSERT(static_cast<bool>(get(id(static_cast<unsigned>(number)))) == model.get(number));
      return;
    case 11:
      return pass_time(how);
    case 12:
      return change_manners(how);
    default: // the disk is full for the next operation
      journal->left = 0;
      model.storage_fails = true;
    }
  }

  /// Lets the timers run that are due.
  void run_timers() {
    advance(timespan{0});
    model.expire();
  }

  void play_add(int which, int how) {
    constexpr std::array types{"observation", "tool_result", "reminder", "alert"};
    constexpr std::array lifetimes{10'080.0, 0.0, 1.0, 5.0, 60.0};
    auto x = draft(types[static_cast<size_t>(which) % types.size()], "content");
    if (how % 2 == 0)
      x.tags = {"wine"};
    x.ttl_minutes = lifetimes[static_cast<size_t>(how) % lifetimes.size()];
    compare(model.add(x, "planner"), try_add(x));
  }

  void play_update(uint64_t number, const observation_changes& changes) {
    compare(
      model.update(number, changes, {}), try_update(id(static_cast<unsigned>(number)), changes));
  }

  void play_guarded_update(uint64_t number, int how) {
    update_observation request{.by = as_daemon("planner"),
      .observation_id = id(static_cast<unsigned>(number)),
      .changes = {.ttl_minutes = 1 + how % 3}};
    request.expected_revision = model.revision_of(number).value_or(1) + (how % 2 == 0 ? 1 : 0);
    request.on_conflict = on_conflict::reject;
    compare(model.update(number, request.changes, request.expected_revision), ask(page, request));
  }

  void play_clear(uint64_t number, int how) {
    auto other = 1 + static_cast<uint64_t>(how) % (model.last_number() + 1);
    compare(model.clear_resolved({number, other}),
      try_clear({id(static_cast<unsigned>(number)), id(static_cast<unsigned>(other))}));
  }

  void play_link(uint64_t number, int how) {
    auto goal = "goal_" + std::to_string(closed_goals + static_cast<unsigned>(how) % 2);
    auto other = 1 + static_cast<uint64_t>(how) % (model.last_number() + 1);
    link_observations request{as_daemon("frontal_cortex"), goal,
      {id(static_cast<unsigned>(number)), id(static_cast<unsigned>(other))}};
    compare(model.link(goal, {number, other}), ask(page, std::move(request)));
  }

  /// Closes the older of the two goals that `play_link` uses. Later links use newer goals.
  void play_close_goal() {
    auto goal = "goal_" + std::to_string(closed_goals++);
    model.close_goal(goal);
    value(ask(page, goal_closed{as_daemon("frontal_cortex"), goal}));
  }

  void pass_time(int how) {
    constexpr std::array<int, 4> seconds{1, 20, 60, 300};
    heal();
    advance(std::chrono::seconds{seconds[static_cast<size_t>(how) % seconds.size()]});
    model.now = now();
    model.expire();
  }

  void change_manners(int how) {
    const auto& log = how % 2 == 0 ? wine.log : mirror.log;
    constexpr std::array manners{manner::acknowledge, manner::hold_back, manner::refuse};
    auto to = manners[static_cast<size_t>(how) % manners.size()];
    if (to == manner::refuse)
      log->first = {to};
    else
      log->with = to;
    if (to == manner::acknowledge)
      acknowledge(how % 2 == 0 ? wine : mirror);
  }

  void heal() {
    journal->left.reset();
    model.storage_fails = false;
  }

  template <class T>
  void compare(errc expected, const caf::expected<T>& answer) {
    auto got = answer ? errc::none : code_of(answer.error());
    RC_ASSERT(to_string(got) == to_string(expected));
    heal();
    run_timers();
  }

  /// Lets all subscribers catch up.
  void finish() {
    heal();
    for (const auto* x : {&wine, &mirror}) {
      x->log->with = manner::acknowledge;
      x->log->first.clear();
      acknowledge(*x);
    }
    pass_time(0);
  }

  std::string lines_of(const std::map<uint64_t, observation>& page_state) const {
    std::string result;
    for (const auto& [number, x] : page_state)
      result += text_of(x) + "\n";
    return result;
  }

  std::map<uint64_t, observation> state() {
    std::map<uint64_t, observation> result;
    for (const auto& x : query(asking(anything())).observations)
      result.emplace(std::stoull(number_of(*x)), *x);
    return result;
  }

  std::string expected_lines(bool wine_only) const {
    std::string result;
    for (size_t i = 0; i < model.changes().size(); ++i) {
      const auto& x = model.changes()[i];
      if (!wine_only || std::count(x.tags.begin(), x.tags.end(), "wine") > 0)
        result +=
          std::to_string(i + 1) + " " + to_string(x.kind) + " " + std::to_string(x.number) + "\n";
    }
    return result;
  }
};

std::string joined(const std::vector<std::string>& lines) {
  std::string result;
  for (const auto& line : lines)
    result += line + "\n";
  return result;
}

/// The events of the probe, each once. Returns "" if an event comes after a newer one or if a
/// repetition differs.
std::string told_once(const probe& x) {
  std::vector<std::string> result;
  std::map<uint64_t, std::string> seen;
  for (const auto& event : x.log->events) {
    auto line = line_of(event);
    auto [known, is_new] = seen.emplace(event.sequence, line);
    if (is_new ? std::prev(seen.end()) != known : known->second != line)
      return "";
    if (is_new)
      result.push_back(line);
  }
  return joined(result);
}

/// The page as the probe knows it from its events, starting over after each `lagged`.
std::map<uint64_t, observation> mirrored(const probe& x) {
  std::map<uint64_t, observation> result;
  for (const auto& event : x.log->events) {
    if (event.kind == event_kind::lagged) {
      result.clear();
      continue;
    }
    auto number = std::stoull(number_of(*event.observation));
    auto ends = event.kind == event_kind::archived || event.kind == event_kind::expired
                || event.kind == event_kind::evicted;
    if (ends)
      result.erase(number);
    else
      result.insert_or_assign(number, *event.observation);
  }
  return result;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_page_does_what_its_model_does) {
  BOOST_TEST(rc::check("operations, events, state and trace agree", [] {
    auto plan = *steps();
    pair_of_pages pages{16'384};
    for (const auto& x : plan)
      pages.play(x);
    pages.finish();
    RC_ASSERT(pages.lines_of(pages.state()) == pages.lines_of(pages.model.observations()));
    RC_ASSERT(pages.journal->is_gapless());
    RC_ASSERT(pages.stats().sequence == pages.model.changes().size());
    RC_ASSERT(joined(pages.all.lines()) == pages.expected_lines(false));
    RC_ASSERT(told_once(pages.wine) == pages.expected_lines(true));
    RC_ASSERT(pages.stats().subscribers == 3u);
    auto replayed = replay(pages.trace->entries());
    RC_ASSERT(static_cast<bool>(replayed));
    std::map<uint64_t, observation> by_number;
    for (auto& [observation_id, x] : *replayed)
      by_number.emplace(std::stoull(number_of(x)), x);
    RC_ASSERT(pages.lines_of(by_number) == pages.lines_of(pages.state()));
  }));
}

BOOST_AUTO_TEST_CASE(who_falls_behind_ends_up_with_the_same_page) {
  BOOST_TEST(rc::check("a mirror of a page with a short log", [] {
    auto plan = *steps();
    pair_of_pages pages{2};
    for (const auto& x : plan)
      pages.play(x);
    pages.finish();
    RC_ASSERT(pages.lines_of(mirrored(pages.mirror)) == pages.lines_of(pages.state()));
  }));
}

} // namespace scratchpage::test
