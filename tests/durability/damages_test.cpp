#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <string>

#include "scratchpage/actors/scratchbook/scratchbook_rules.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/json_writer.hpp"
#include "scratchpage/persistence/data_directory.hpp"
#include "scratchpage/persistence/store/fold.hpp"
#include "scratchpage/persistence/store/recovery.hpp"
#include "scratchpage/persistence/store/sql_store.hpp"
#include "scratchpage/persistence/store/sqlite_connection.hpp"
#include "scratchpage/persistence/store/trace_store.hpp"
#include "scratchpage/persistence/travel/export.hpp"
#include "scratchpage/tests/disk/seeds.hpp"
#include "scratchpage/tests/durability/export_text.hpp"
#include "scratchpage/tests/durability/random_history.hpp"
#include "scratchpage/tests/support/chance.hpp"
#include "scratchpage/tests/support/temp_dir.hpp"

/// Whatever a disk does to the files of a process that was killed: the next one has all that
/// was acknowledged, or says that it has not.

namespace scratchpage::test {

namespace {

namespace fs = std::filesystem;

constexpr uint64_t as_many_as_fit = 5; // one in so many of the seeds

std::string bytes_of(const fs::path& file) {
  std::ifstream in{file, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

enum class outcome : uint8_t {
  whole,      ///< all is there
  refused,    ///< it does not open, and says what is missing or damaged
  cut,        ///< it opens, and says what it had to cut off
  unreadable, ///< it opens, and says so where the damaged part is read
  doubtful,   ///< all is there, and something is said to be in doubt
  silent,     ///< something is missing, and nobody is told
};

constexpr std::array names{"whole", "refused", "cut", "unreadable", "doubtful", "SILENT"};

/// What there is to see of a history.
struct seen {
  std::string page;
  std::string all;
  bool operator==(const seen&) const = default;
};

std::string page_text(const recovered_page& x) {
  std::string result = std::to_string(x.sequence) + "\n";
  for (const auto& one : x.observations)
    result += to_json_text(*one.second) + "\n";
  return result;
}

/// The files that a killed process has left, as bytes.
class left_files : temp_dir {
public:
  left_files() {
    auto home = path() / "living";
    fs::create_directory(home);
    database_ = data_directory::database_in(home);
    auto opened = sql_store::open(sql::sqlite(database_), std::make_shared<commit_mark>(database_));
    BOOST_REQUIRE(opened);
    auto& in = **opened;
    random_history ada{in};
    live(in, ada, 0, 120);
    // So that a part of it is in the database, and a part in the log.
    sql::sqlite(database_)()->script("PRAGMA wal_checkpoint(TRUNCATE)");
    live(in, ada, 120, 160);
    for (const auto* end : {"", "-wal", "-mark"})
      files_[end] = bytes_of(database_.string() + end);
  }

  const std::map<std::string, std::string>& files() const { return files_; }

private:
  static void live(store& in, random_history& x, int from, int to) {
    for (int i = from; i < to; ++i) {
      std::vector<history_step> steps;
      for (int j = 0; j < 4; ++j)
        steps.emplace_back((i * 7 + j * 3) % 13, i + j, i * j);
      x.play(steps);
    }
    BOOST_REQUIRE(fold(in, x.owner(), snapshot_kind::latest, x.events().size() / 2, UINT64_MAX));
    BOOST_REQUIRE(in.pack_archive(x.owner(), timestamp::max(), 20));
  }

  fs::path database_;
  std::map<std::string, std::string> files_;
};

/// The trace of a killed process, as bytes.
std::map<std::string, std::string> left_trace(const fs::path& file) {
  auto in = trace_store::open(sql::sqlite(file), std::make_shared<commit_mark>(file));
  BOOST_REQUIRE(in);
  for (int i = 0; i < 90; ++i) {
    std::vector<trace_entry> xs(3);
    for (auto& x : xs) {
      x.turn_id = "turn_" + std::to_string(i / 3);
      x.operation = "operation " + std::to_string(i * i);
    }
    BOOST_REQUIRE(!(**in).add("ada", 1, xs));
    if (i == 60)
      sql::sqlite(file)()->script("PRAGMA wal_checkpoint(TRUNCATE)");
  }
  std::map<std::string, std::string> result;
  for (const auto* end : {"", "-wal", "-mark"})
    result[end] = bytes_of(file.string() + end);
  return result;
}

/// Where they are put down, damaged, and opened.
class damaged_directory : temp_dir {
public:
  explicit damaged_directory(const std::map<std::string, std::string>& files)
    : database_{path() / "some.db"} {
    for (const auto& [end, bytes] : files)
      std::ofstream{database_.string() + end, std::ios::binary} << bytes;
  }

  /// What is seen goes to `to`, as far as it is.
  outcome look(seen& to) const {
    auto mark = std::make_shared<commit_mark>(database_);
    auto opened = sql_store::open(sql::sqlite(database_), mark);
    if (!opened)
      return outcome::refused;
    auto owner = (**opened).claim("ada");
    if (!owner)
      return outcome::refused;
    auto page = recover(**opened, *owner, 10);
    if (!page)
      return outcome::refused;
    if (!page->damage.empty())
      return outcome::cut;
    to.page = page_text(*page);
    exporter reader{[&](std::string_view line) {
      to.all += line;
      return caf::error{};
    }};
    if (reader.add(**opened, "ada"))
      return outcome::unreadable;
    return mark->problem().empty() ? outcome::whole : outcome::doubtful;
  }

  /// The same of a trace.
  outcome look_at_trace(std::string& to) const {
    auto opened =
      trace_store::open(sql::sqlite(database_), std::make_shared<commit_mark>(database_));
    if (!opened)
      return outcome::refused;
    auto err = (**opened).read("ada", "", [&](trace_entry&& x) {
      to += to_json_text(x) + "\n";
      return true;
    });
    if (err)
      return outcome::unreadable;
    if ((**opened).doubt().find("missing") != std::string::npos)
      return outcome::cut;
    return (**opened).doubt().empty() ? outcome::whole : outcome::doubtful;
  }

private:
  fs::path database_;
};

void flip_bits(std::string& in, chance& by) {
  for (auto n = 1 + by.below(4); n > 0; --n) {
    auto& byte = in[by.below(in.size())];
    byte = static_cast<char>(byte ^ (1 << by.below(8)));
  }
}

void zero_some(std::string& in, chance& by) {
  auto size = by.any_of<uint64_t>({512, 4'096, 16'384});
  auto at = by.below(in.size()) / size * size;
  std::fill_n(
    in.begin() + static_cast<ptrdiff_t>(at), std::min<uint64_t>(size, in.size() - at), '\0');
}

void damage(std::string& in, chance& by) {
  switch (by.below(4)) {
  case 0:
    in.resize(by.below(in.size()));
    break;
  case 1:
    zero_some(in, by);
    break;
  default:
    flip_bits(in, by);
  }
}

using figures = std::map<std::string, std::array<uint64_t, names.size()>>;

void tell(const figures& all) {
  for (const auto& [what, counts] : all) {
    std::string line = what + ":";
    for (size_t i = 0; i < names.size(); ++i)
      line += " " + std::to_string(counts[i]) + " " + names[i];
    BOOST_TEST_MESSAGE(line);
  }
}

/// The log's end that was never written is no part of it.
std::string without_room(std::string log) {
  log.resize(log.find_last_not_of('\0') + 1);
  return log;
}

} // namespace

BOOST_AUTO_TEST_SUITE(what_was_acknowledged)

BOOST_AUTO_TEST_CASE(is_there_after_any_damage_or_is_said_to_be_missing) {
  left_files left;
  auto files = left.files();
  files["-wal"] = without_room(files["-wal"]);
  seen wanted;
  auto as_it_was = damaged_directory{files}.look(wanted);
  BOOST_REQUIRE(as_it_was == outcome::whole);
  figures all;
  auto seeds = seeds_of_one_in(as_many_as_fit);
  for (auto seed = seeds.first; seed <= seeds.last; ++seed) {
    chance by{seed};
    auto hurt = files;
    auto what = by.any_of<std::string>({"", "-wal", "-wal", "-mark"});
    damage(hurt[what], by);
    seen got;
    auto end = damaged_directory{hurt}.look(got);
    if ((end == outcome::whole || end == outcome::doubtful) && got != wanted)
      end = outcome::silent;
    ++all["scratchpage.db" + what][static_cast<size_t>(end)];
    BOOST_TEST((end != outcome::silent),
      "SCRATCHPAGE_SEED=" << seed << " (this damage alone): scratchpage.db" << what);
  }
  tell(all);
}

/// Of every other damage: a trace was promised to nobody.
BOOST_FIXTURE_TEST_CASE(a_trace_has_all_its_entries_or_says_what_is_missing, temp_dir) {
  auto files = left_trace(path() / "living.db");
  files["-wal"] = without_room(files["-wal"]);
  std::string wanted;
  auto as_it_was = damaged_directory{files}.look_at_trace(wanted);
  BOOST_REQUIRE(as_it_was == outcome::whole);
  figures all;
  auto seeds = seeds_of_one_in(2 * as_many_as_fit);
  for (auto seed = seeds.first; seed <= seeds.last; ++seed) {
    chance by{seed};
    auto hurt = files;
    auto what = by.any_of<std::string>({"", "-wal", "-mark"});
    damage(hurt[what], by);
    std::string got;
    auto end = damaged_directory{hurt}.look_at_trace(got);
    if ((end == outcome::whole || end == outcome::doubtful) && got != wanted)
      end = outcome::silent;
    ++all["trace.db" + what][static_cast<size_t>(end)];
    BOOST_TEST((end != outcome::silent),
      "SCRATCHPAGE_SEED=" << seed << " (this damage alone): trace.db" << what);
  }
  tell(all);
}

/// The file as it lies in a data directory, read as the agent reads it.
BOOST_AUTO_TEST_CASE(a_scratchbook_is_as_it_was_written_or_is_refused) {
  scratchbook book;
  book.thread_id = "trip";
  for (int i = 0; i < 40; ++i) {
    auto added = add_item(book,
      {i % 2 == 0 ? item_kind::todo : item_kind::task, "Item " + std::to_string(i),
        std::string(i * 7 % 90, 'x')},
      i, {});
    BOOST_REQUIRE(added);
  }
  const auto text = to_stored_text(book);
  figures all;
  auto seeds = seeds_of_one_in(as_many_as_fit);
  for (auto seed = seeds.first; seed <= seeds.last; ++seed) {
    chance by{seed};
    auto hurt = text;
    damage(hurt, by);
    auto got = from_stored_text(hurt, {});
    auto end = !got ? outcome::refused : (*got == book ? outcome::whole : outcome::silent);
    ++all["scratchbook"][static_cast<size_t>(end)];
    BOOST_TEST((end != outcome::silent),
      "SCRATCHPAGE_SEED=" << seed << " (this damage alone): a scratchbook");
  }
  tell(all);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
