#include "scratchpage/tests/disk/page_history.hpp"
#include "scratchpage/tests/disk/disk_store.hpp"

#include <array>
#include <memory>
#include <stdexcept>
#include <utility>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/store/recovery.hpp"
#include "scratchpage/persistence/store/sql_store.hpp"
#include "scratchpage/tests/disk/page_text.hpp"
#include "scratchpage/tests/disk/possible_pages.hpp"
#include "scratchpage/tests/disk/random_steps.hpp"

namespace scratchpage::test {

namespace {

constexpr std::array agents{"ada", "bob"};
constexpr uint64_t latest_changes = 12;

/// Thrown when the property does not hold.
struct broken : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Number of all faults so far.
uint64_t refusals_of(const disk_figures& x) {
  return x.power_cuts + x.kills + x.refused_for_room + x.write_errors + x.sync_errors
         + x.read_errors;
}

class history {
public:
  explicit history(const history_setup& setup)
    : setup_{setup},
      chance_{setup.seed},
      disk_{setup.seed ^ 0x5ca7c4, setup.disk},
      steps_{chance_},
      checkpoint_pages_{chance_.any_of<uint64_t>({4, 20, 4'000})} {}

  history_report run() {
    try {
      for (auto n = 2 + chance_.below(4); n > 0; --n)
        live_through_trouble();
      end_well();
    } catch (const broken& x) {
      report_.failure = x.what();
    }
    store_.reset();
    report_.disk = disk_.figures();
    return std::move(report_);
  }

private:
  // -- processes ----------------------------------------------------------------------------

  void live_through_trouble() {
    disk_.plan(draw_faults());
    if (open())
      for (auto n = chance_.below(20); n > 0 && !disk_.is_dead(); --n)
        take_step();
    end();
  }

  void end_well() {
    disk_.heal();
    if (!open())
      throw broken{"a store on a disk that works does not open"};
    store_on(disk_)()->run("PRAGMA integrity_check", {}, [](const sql::row& x) {
      if (x.text(0) != "ok")
        throw broken{"SQLite finds: " + x.text(0)};
    });
  }

  /// Ends the process: it closes the store, is killed, or loses power before.
  void end() {
    switch (chance_.below(5)) {
    case 0:
      disk_.kill();
      break;
    case 1:
    case 2:
      disk_.cut_power();
      break;
    default:
      break;
    }
    store_.reset();
    if (chance_.one_in(4))
      disk_.cut_power();
    disk_.restart();
    is_in_doubt_ = is_in_doubt_ || possible_.has_doubt();
    possible_.end_process();
  }

  sql::connector connector() {
    std::string settings = "PRAGMA wal_autocheckpoint = " + std::to_string(checkpoint_pages_);
    if (!setup_.syncs)
      settings += "; PRAGMA synchronous = OFF";
    return [settings, connect = store_on(disk_)] {
      auto db = connect();
      db->script(settings);
      return db;
    };
  }

  /// False if faults of the disk prevent opening or recovering.
  bool open() {
    ++report_.processes;
    auto is_open = [this] {
      return attempt("open", [this] {
        auto opened = sql_store::open(connector(), mark_on(disk_));
        if (!opened)
          return opened.error();
        store_ = std::move(*opened);
        return caf::error{};
      });
    };
    if (!often(is_open))
      return false;
    for (const auto* name : agents)
      if (!often([=, this] { return claim(name); }))
        return false;
    return often([this] { return recover_all(); }) && often([this] { return check(); });
  }

  template <class F>
  bool often(F f) {
    for (int i = 0; i < 4 && !disk_.is_dead(); ++i)
      if (f())
        return true;
    return false;
  }

  // -- faults -------------------------------------------------------------------------------

  /// Mostly large numbers, because opening and recovering a store takes many operations.
  uint64_t soon() { return 1 + (chance_.one_in(3) ? chance_.below(40) : chance_.below(400)); }

  disk_faults draw_faults() {
    disk_faults faults;
    auto any = setup_.with == trouble::everything;
    if (setup_.with == trouble::crashes || (any && chance_.one_in(3)))
      (chance_.one_in(5) ? faults.kill_at : faults.cut_power_at) = soon();
    if (setup_.with == trouble::full_disks || (any && chance_.one_in(3))) {
      faults.full_at = soon();
      faults.full_for = chance_.one_in(3) ? 0 : 1 + chance_.below(40);
    }
    if (setup_.with == trouble::errors || (any && chance_.one_in(2)))
      draw_errors(faults);
    return faults;
  }

  void draw_errors(disk_faults& to) {
    if (chance_.one_in(2))
      to.write_error_at = soon();
    if (chance_.one_in(2))
      to.sync_error_at = 1 + soon() / 8;
    if (chance_.one_in(2))
      to.read_error_at = 1 + soon() / 4;
  }

  // -- calls --------------------------------------------------------------------------------

  /// Whether a call has worked. If it fails although the disk had no fault, the property does not
  /// hold.
  template <class F>
  bool attempt(const std::string& name, F f) {
    auto before = disk_.figures();
    auto was_dead = disk_.is_dead();
    writes_before_ = before.writes;
    caf::error err = f();
    if (!err)
      return true;
    ++report_.refusals;
    if (code_of(err) != errc::storage_unavailable)
      throw broken{name + ": " + describe(err)};
    if (!was_dead && refusals_of(disk_.figures()) == refusals_of(before))
      throw broken{name + " failed on a disk that works: " + describe(err)};
    return false;
  }

  bool claim(const std::string& name) {
    ownership got;
    auto change = [name, &got](kept_pages& to) {
      test::claim(to, name);
      to.at(name).by.claim = got.claim; // it is random
    };
    auto works = attempt("claim", [&] {
      auto result = store_->claim(name);
      if (!result)
        return result.error();
      got = *result;
      return caf::error{};
    });
    if (!works) {
      possible_.fail([name](kept_pages& to) { test::claim(to, name); });
      return false;
    }
    succeed(change);
    if (!possible_.narrow([&](const kept_pages& x) { return x.at(name).by == got; }))
      throw broken{
        "claim gave agent " + std::to_string(got.agent) + " epoch " + std::to_string(got.epoch)};
    return true;
  }

  void succeed(const possible_pages::change& f) {
    ++report_.commits;
    possible_.succeed(f, disk_.figures().writes > writes_before_);
  }

  void take_step() {
    if (chance_.one_in(12)) {
      claim(agents[chance_.below(agents.size())]);
      return;
    }
    auto next = steps_.draw(possible_.all().front());
    if (!next.apply)
      expect_refusal(next);
    else if (attempt(next.name, [&] { return next.run(*store_); }))
      succeed(next.apply);
    else
      possible_.fail(next.apply);
    if (chance_.one_in(10) || (possible_.has_doubt() && chance_.one_in(2)))
      check();
    if (chance_.one_in(30))
      disk_.plan(draw_faults());
  }

  void expect_refusal(const step& x) {
    attempt(x.name, [&] {
      auto err = x.run(*store_);
      if (!err)
        throw broken{x.name + " was accepted"};
      return code_of(err) == errc::conflict ? caf::error{} : err;
    });
  }

  // -- comparing ----------------------------------------------------------------------------

  bool recover_all() {
    for (const auto* name : agents)
      if (!recover_one(name))
        return false;
    return true;
  }

  bool recover_one(const std::string& name) {
    std::string got;
    auto change = [name](kept_pages& to) { to.at(name).recover(); };
    auto works = attempt("recover", [&] {
      auto page = recover(*store_, possible_.all().front().at(name).by, latest_changes);
      if (!page)
        return page.error();
      got = recovery_text(*page);
      return caf::error{};
    });
    if (!works) {
      possible_.fail(change);
      return false;
    }
    succeed(change);
    compare(got, [&](const kept_pages& x) { return recovery_text(x.at(name), latest_changes); });
    return true;
  }

  bool check() {
    std::string got;
    auto works = attempt("read", [&] {
      auto text = text_of(*store_);
      if (!text)
        return text.error();
      got = std::move(*text);
      return caf::error{};
    });
    if (!works)
      return false;
    compare(got, [](const kept_pages& x) { return text_of(x); });
    possible_.settle();
    if (std::exchange(is_in_doubt_, false)) {
      ++report_.doubts;
      report_.doubts_there += possible_.has_happened() ? 1 : 0;
    }
    return true;
  }

  template <class F>
  void compare(const std::string& got, F text) {
    ++report_.checks;
    if (!possible_.narrow([&](const kept_pages& x) { return text(x) == got; }))
      throw broken{difference(text(possible_.all().front()), got)};
  }

  history_setup setup_;
  chance chance_;
  faulty_disk disk_;
  random_steps steps_;
  uint64_t checkpoint_pages_;
  possible_pages possible_;
  uint64_t writes_before_ = 0; // when the last call began
  bool is_in_doubt_ = false;   // earlier processes have left calls in doubt
  std::unique_ptr<sql_store> store_;
  history_report report_;
};

} // namespace

history_report run_history(const history_setup& setup) {
  return history{setup}.run();
}

} // namespace scratchpage::test
