#include "scratchpage/tests/bench/durable_adds.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <iostream>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include <SQLiteCpp/SQLiteCpp.h>
#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/scoped_actor.hpp>

#include "scratchpage/actors/page/scratch_page.hpp"
#include "scratchpage/actors/storage/journal.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/json_writer.hpp"
#include "scratchpage/persistence/store/recovery.hpp"
#include "scratchpage/persistence/store/sql_store.hpp"
#include "scratchpage/persistence/store/sqlite_connection.hpp"
#include "scratchpage/runtime/config/config.hpp"
#include "scratchpage/runtime/execution/job_queue.hpp"
#include "scratchpage/runtime/execution/wall_clock.hpp"
#include "scratchpage/tests/support/temp_dir.hpp"

namespace scratchpage::bench {

namespace {

using clock = std::chrono::steady_clock;

double seconds(clock::duration x) {
  return std::chrono::duration<double>(x).count();
}

double per_second(size_t count, clock::duration took) {
  return static_cast<double>(count) / seconds(took);
}

double percentile(std::vector<double>& xs, double p) {
  std::sort(xs.begin(), xs.end());
  return xs.at(std::min(xs.size() - 1, static_cast<size_t>(p * static_cast<double>(xs.size()))));
}

observation_draft make_draft(size_t n) {
  observation_draft draft;
  draft.type = n % 2 == 0 ? "contextual_insight" : "tool_result";
  draft.content = "The search for flight " + std::to_string(n) + " to Paris found three seats left";
  draft.confidence = 0.8;
  // The different tags keep observations from contradicting each other.
  draft.tags = {"travel", "paris", "flight_" + std::to_string(n)};
  draft.context["goal_id"] = "goal_" + std::to_string(n % 100);
  return draft;
}

/// Lets the main thread wait until all writers are done.
class finish_line {
public:
  explicit finish_line(size_t missing)
    : missing_{missing} {}
  void pass() {
    std::lock_guard lock{mutex_};
    if (--missing_ == 0)
      all_.notify_one();
  }
  void wait() {
    std::unique_lock lock{mutex_};
    all_.wait(lock, [this] { return missing_ == 0; });
  }

private:
  std::mutex mutex_;
  std::condition_variable all_;
  size_t missing_;
};

/// A store in a file, a journal on its own thread, and a page.
struct durable_page {
  explicit durable_page(const std::filesystem::path& file) {
    auto opened = sql_store::open(sql::sqlite(file));
    if (!opened)
      throw std::runtime_error{describe(opened.error())};
    kept = std::move(*opened);
    owner = *kept->claim("bench");
    auto started = clock::now();
    auto recovered = recover(*kept, owner, 1'000);
    if (!recovered)
      throw std::runtime_error{describe(recovered.error())};
    const auto& with = default_config();
    page_setup setup{with.page, with.weights, with.text, with.promotion};
    setup.limits.max_observations = 10'000'000;
    setup.limits.max_bytes = uint64_t{16} << 30;
    setup.owner = owner;
    setup.recovered = std::make_shared<const recovered_page>(std::move(*recovered));
    auto time = std::make_shared<wall_clock>();
    journal = spawn_blocking<journal_state>(sys, kept, time, journal_config{});
    setup.journal = journal;
    agent_context agent{"bench", time, nullptr};
    page = spawn<scratch_page_state>(sys, agent, std::move(setup));
    caf::scoped_actor self{sys};
    scratchpage::ask(self.ptr(), page, caf::infinite, caf::get_atom_v)
      .receive([&](const page_stats& x) { found = x.observations; }, [](const caf::error&) {});
    took = seconds(clock::now() - started);
  }

  /// Advances the snapshot to the last addition now. Otherwise that happens when the
  /// journal has been idle for a while.
  void fold() {
    caf::scoped_actor self{sys};
    scratchpage::ask(
      self.ptr(), journal, caf::infinite, fold_journal{owner.agent, owner.epoch, owner.claim})
      .receive([](uint64_t) {}, [](const caf::error&) { std::abort(); });
  }

  ~durable_page() {
    caf::anon_send_exit(page, caf::exit_reason::user_shutdown);
    caf::anon_send_exit(journal, caf::exit_reason::user_shutdown);
  }

  static caf::actor_system_config& prepared(caf::actor_system_config& cfg) {
    use_shared_queue(cfg);
    return cfg;
  }
  caf::actor_system_config cfg;
  caf::actor_system sys{prepared(cfg)};
  std::shared_ptr<store> kept;
  ownership owner;
  journal_actor journal;
  scratch_page_actor page;
  uint64_t found = 0;
  double took = 0;
};

/// Adds `count` observations, with `in_flight` requests at a time.
caf::actor spawn_writer(durable_page& on, size_t count, size_t in_flight, finish_line& line) {
  struct state {
    size_t left;
    size_t open = 0;
    std::function<void()> add;
  };
  return on.sys.spawn([&on, count, in_flight, &line](caf::event_based_actor* self) {
    auto s = std::make_shared<state>(state{count});
    s->add = [self, s = s.get(), &on, &line] {
      ++s->open;
      --s->left;
      ask(self, on.page, caf::infinite,
        add_observation{as_tool("flight_search", "turn_1"), make_draft(s->left)})
        .then(
          [s, &line](const receipt&) {
            --s->open;
            if (s->left > 0)
              s->add();
            else if (s->open == 0)
              line.pass();
          },
          [](const caf::error& err) {
            std::cerr << describe(err) << '\n';
            std::abort();
          });
    };
    for (size_t i = 0; i < in_flight; ++i)
      s->add();
    self->attach_functor([s] {});
    return caf::behavior{[s](caf::unit_t) {}};
  });
}

double adds_per_second(durable_page& on, size_t writers, size_t in_flight, size_t adds) {
  finish_line line{writers};
  auto started = clock::now();
  std::vector<caf::actor> all;
  for (size_t i = 0; i < writers; ++i)
    all.push_back(spawn_writer(on, adds / writers, in_flight, line));
  line.wait();
  auto took = clock::now() - started;
  for (const auto& x : all)
    caf::anon_send_exit(x, caf::exit_reason::user_shutdown);
  return per_second(adds / writers * writers, took);
}

/// The page ends with the measurement: otherwise its journal would advance the snapshot beside the
/// next one.
double adds_per_second(
  const std::filesystem::path& file, size_t writers, size_t in_flight, size_t adds) {
  durable_page page{file};
  return adds_per_second(page, writers, in_flight, adds);
}

std::vector<double> lone_writer(durable_page& on, size_t adds) {
  caf::scoped_actor self{on.sys};
  std::vector<double> took;
  for (size_t n = 0; n < adds; ++n) {
    auto started = clock::now();
    self
      ->request(
        on.page, caf::infinite, add_observation{as_tool("flight_search", "turn_1"), make_draft(n)})
      .receive([](const receipt&) {}, [](const caf::error&) { std::abort(); });
    took.push_back(1e6 * seconds(clock::now() - started));
  }
  return took;
}

void measure_lone_writer(const std::filesystem::path& file, durable_figures& result) {
  durable_page page{file};
  auto took = lone_writer(page, 5'000);
  result.lone_p50_us = percentile(took, 0.5);
  result.lone_p99_us = percentile(took, 0.99);
}

double query_p50(durable_page& on, size_t queries) {
  caf::scoped_actor self{on.sys};
  std::vector<double> took;
  for (size_t n = 0; n < queries; ++n) {
    query_observations request{.by = as_daemon("reader")};
    request.filter.tags = {"travel", "paris"};
    auto started = clock::now();
    scratchpage::ask(self.ptr(), on.page, caf::infinite, request)
      .receive([](const query_result&) {}, [](const caf::error&) { std::abort(); });
    took.push_back(1e6 * seconds(clock::now() - started));
  }
  return percentile(took, 0.5);
}

/// Measures queries of a page while the journal is idle, and while two writers keep it busy.
/// Takes the best of five, because the time to wake a thread varies by more than a query
/// takes.
void measure_queries(const std::filesystem::path& file, durable_figures& result) {
  constexpr size_t observations = 64'000;
  constexpr size_t queries = 2'000;
  durable_page page{file};
  adds_per_second(page, 64, 16, observations);
  result.query_idle_p50_us = result.query_busy_p50_us = std::numeric_limits<double>::max();
  for (int round = 0; round < 5; ++round) {
    auto keep_best = [](double& to, double x) { to = std::min(to, x); };
    page.fold();
    keep_best(result.query_idle_p50_us, query_p50(page, queries));
    std::thread writers{[&page] { adds_per_second(page, 2, 1, observations / 16); }};
    keep_best(result.query_busy_p50_us, query_p50(page, queries));
    writers.join();
  }
}

/// The text that the page stores for an observation.
std::string sample_row() {
  observation x;
  x.observation_id = "obs_20251105_100000";
  auto draft = make_draft(100'000);
  x.type = draft.type;
  x.content = draft.content;
  x.tags = draft.tags;
  x.context = draft.context;
  x.source = {source_kind::tool, "flight_search", "turn_1", timestamp{std::chrono::seconds{1}}};
  x.created_at = x.updated_at = x.expires_at = x.source.at;
  page_event event;
  event.at = x.created_at;
  event.turn_id = "turn_1";
  event.observation = observation_ptr{std::move(x)};
  return to_json_text(event);
}

double bare_sqlite(const std::filesystem::path& file, size_t rows, size_t batch) {
  SQLite::Database db{file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE};
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  db.exec("CREATE TABLE event (sequence INTEGER PRIMARY KEY, body TEXT NOT NULL)");
  SQLite::Statement insert{db, "INSERT INTO event (body) VALUES (?)"};
  auto row = sample_row();
  auto started = clock::now();
  for (size_t done = 0; done < rows; done += batch) {
    db.exec("BEGIN");
    for (size_t i = 0; i < batch; ++i) {
      insert.bindNoCopy(1, row);
      insert.exec();
      insert.reset();
    }
    db.exec("COMMIT");
  }
  return per_second(rows, clock::now() - started);
}

void measure_syncs(const std::filesystem::path& file, durable_figures& result) {
  auto fd = ::open(file.c_str(), O_CREAT | O_WRONLY, 0600);
  std::string page(4'096, 'x');
  std::vector<double> took;
  for (int i = 0; i < 5'000; ++i) {
    auto started = clock::now();
    if (::write(fd, page.data(), page.size()) < 0 || ::fdatasync(fd) != 0)
      break;
    took.push_back(1e6 * seconds(clock::now() - started));
  }
  ::close(fd);
  result.sync_us = percentile(took, 0.5);
  result.sync_p99_us = percentile(took, 0.99);
}

} // namespace

durable_figures durable_adds(size_t adds) {
  test::temp_dir folder;
  durable_figures result;
  measure_syncs(folder.path() / "sync", result); // before the disk has much to write
  measure_lone_writer(folder.path() / "lone", result);
  for (int round = 0; round < 3; ++round) {
    auto name = std::to_string(round);
    auto keep_best = [](double& to, double x) { to = std::max(to, x); };
    keep_best(result.sqlite_256, bare_sqlite(folder.path() / ("b256." + name), adds, 256));
    keep_best(result.sqlite_64, bare_sqlite(folder.path() / ("b64." + name), adds / 4, 64));
    keep_best(result.adds_1024, adds_per_second(folder.path() / ("deep." + name), 64, 16, adds));
    keep_best(
      result.adds_64, adds_per_second(folder.path() / ("shallow." + name), 64, 1, adds / 4));
  }
  measure_queries(folder.path() / "queries", result);
  return result;
}

double recovery_seconds(size_t observations) {
  test::temp_dir folder;
  {
    durable_page page{folder.path() / "store"};
    adds_per_second(page, 64, 64, observations);
  }
  durable_page again{folder.path() / "store"};
  if (again.found != observations / 64 * 64)
    throw std::runtime_error{"lost some"};
  return again.took;
}

} // namespace scratchpage::bench
