#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <SQLiteCpp/SQLiteCpp.h>

#include "scratchpage/actors/scratchbook/scratchbook_rules.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/json_writer.hpp"
#include "scratchpage/persistence/files/data_directory.hpp"
#include "scratchpage/persistence/store/journal.hpp"
#include "scratchpage/persistence/store/recovery.hpp"
#include "scratchpage/persistence/store/sql_store.hpp"
#include "scratchpage/persistence/store/sqlite_connection.hpp"
#include "scratchpage/persistence/trace/trace_store.hpp"
#include "scratchpage/persistence/transfer/export.hpp"
#include "scratchpage/tests/disk/seeds.hpp"
#include "scratchpage/tests/persistence/transfer/export_text.hpp"
#include "scratchpage/tests/persistence/transfer/random_history.hpp"
#include "scratchpage/tests/support/chance.hpp"
#include "scratchpage/tests/support/temp_dir.hpp"

/// Damage to the files of a killed process: the next process has everything that was acknowledged,
/// or reports that something is missing.

namespace scratchpage::test {

namespace {

namespace fs = std::filesystem;

constexpr uint64_t as_many_as_fit = 5; // uses one in 5 of the seeds

std::string content_of_file(const fs::path& file) {
  std::ifstream in{file, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

enum class outcome : uint8_t {
  whole,      ///< everything is there
  refused,    ///< opening fails and names what is missing or damaged
  cut,        ///< opening works and names what was cut off
  unreadable, ///< opening works, but reading the damaged part fails
  doubtful,   ///< everything is there, but a doubt is reported
  silent,     ///< something is missing without any report
};

constexpr std::array names{"whole", "refused", "cut", "unreadable", "doubtful", "SILENT"};

/// What can be read of a history: the page, and the export.
struct seen {
  std::string page;
  std::string all;
  bool operator==(const seen&) const = default;
};

std::string page_text(const recovered_page& x) {
  std::string result;
  for (auto number : {x.sequence, x.last_number, x.expired, x.evicted})
    result += std::to_string(number) + "\n";
  for (const auto& one : x.observations)
    result += to_json_text(*one.second) + "\n";
  return result;
}

/// The files that a killed process has left.
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
    live(in, ada, 0, 60);
    older_.push_back(copy());
    live(in, ada, 60, 120);
    older_.push_back(copy());
    // After this checkpoint the first part is in the database, and the rest in the log.
    sql::sqlite(database_)()->script("PRAGMA wal_checkpoint(TRUNCATE)");
    older_.push_back(copy());
    live(in, ada, 120, 140);
    older_.push_back(copy());
    live(in, ada, 140, 160);
    files_ = copy();
  }

  const std::map<std::string, std::string>& files() const { return files_; }
  /// Copies of the files at some earlier moments.
  const std::vector<std::map<std::string, std::string>>& older() const { return older_; }

private:
  std::map<std::string, std::string> copy() const {
    std::map<std::string, std::string> result;
    for (const auto* end : {"", "-wal", "-mark"})
      result[end] = content_of_file(database_.string() + end);
    return result;
  }

  static void live(store& in, random_history& x, int from, int to) {
    for (int i = from; i < to; ++i) {
      std::vector<history_step> steps;
      for (int j = 0; j < 4; ++j)
        steps.emplace_back((i * 7 + j * 3) % 13, i + j, i * j);
      x.play(steps);
    }
    BOOST_REQUIRE(
      advance_snapshot(in, x.owner(), snapshot_kind::latest, x.events().size() / 2, UINT64_MAX));
    BOOST_REQUIRE(in.pack_archive(x.owner(), timestamp::max(), 20));
  }

  fs::path database_;
  std::map<std::string, std::string> files_;
  std::vector<std::map<std::string, std::string>> older_;
};

/// The files of a killed process's trace.
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
    result[end] = content_of_file(file.string() + end);
  return result;
}

/// A directory with such files, which are damaged and opened.
class damaged_directory : temp_dir {
public:
  explicit damaged_directory(const std::map<std::string, std::string>& files)
    : database_{path() / "some.db"} {
    for (const auto& [end, bytes] : files)
      std::ofstream{database_.string() + end, std::ios::binary} << bytes;
  }

  /// Changes the database by SQL. A statement that violates a constraint changes nothing.
  void run(const std::string& statement) const {
    try {
      SQLite::Database{database_.string(), SQLite::OPEN_READWRITE}.exec(statement);
    } catch (const SQLite::Exception& x) {
      auto why = std::string{x.what()};
      BOOST_TEST(why.find("no such") == std::string::npos, statement << ": " << why);
    }
  }

  /// Opens the store and reads it into `to`, as far as that works.
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

  /// The same for a trace.
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

/// A table with the columns that a test changes. Columns on which nothing acknowledged depends are
/// left out: docs/durability.md lists them.
struct some_table {
  std::string name;
  std::vector<std::string> numbers;
  std::vector<std::string> texts;
};

const std::array tables{
  some_table{
    "journal", {"agent", "first_sequence", "last_sequence", "at_ms", "checksum"}, {"events"}},
  some_table{"snapshot",
    {"agent", "kind", "sequence", "last_number", "expired", "evicted", "at_ms", "row_sum",
      "checksum"},
    {}},
  some_table{"snapshot_row", {"agent", "kind", "number", "checksum"}, {"event"}},
  some_table{
    "agent", {"agent", "epoch", "last_sequence", "commit_count", "archive_sum"}, {"agent_id"}},
  some_table{"archive", {"agent", "sequence", "created_ms", "left_ms", "checksum", "pack"},
    {"observation_id", "type", "status", "source", "owner", "turn_id", "body"}},
  some_table{"archive_pack", {"agent", "pack", "row_count", "body_bytes", "checksum"}, {"bodies"}},
  some_table{"document", {"agent", "checksum"}, {"collection", "name", "body"}},
  some_table{"document_sum", {"agent", "row_sum"}, {"collection"}},
};

/// A condition for one row, the last row, or all rows from one on.
std::string rows_of(const some_table& x, chance& by) {
  auto one = "(SELECT rowid FROM " + x.name + " ORDER BY rowid LIMIT 1 OFFSET ("
             + std::to_string(by.below(10'000)) + " % (SELECT count(*) FROM " + x.name + ")))";
  switch (by.below(4)) {
  case 0:
    return " WHERE rowid = (SELECT max(rowid) FROM " + x.name + ")";
  case 1:
    return " WHERE rowid >= " + one;
  default:
    return " WHERE rowid = " + one;
  }
}

std::string change_by_sql(chance& by) {
  const auto& x = tables.at(by.below(tables.size()));
  auto where = rows_of(x, by);
  if (by.one_in(3))
    return "DELETE FROM " + x.name + where;
  auto column = by.below(x.numbers.size() + x.texts.size());
  if (column >= x.numbers.size()) {
    const auto& name = x.texts[column - x.numbers.size()];
    auto text = by.any_of<std::string>({name + " || ' '", "''", "replace(" + name + ", 'o', 'u')"});
    return "UPDATE OR REPLACE " + x.name + " SET " + name + " = " + text + where;
  }
  const auto& name = x.numbers[column];
  auto number = by.any_of<std::string>({name + " + 1", name + " - 1", name + " + 5", "0"});
  return "UPDATE OR REPLACE " + x.name + " SET " + name + " = " + number + where;
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

/// The log without the space at its end that was never written.
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

/// Whole rows are deleted or changed, which checksums of the file's pages cannot show.
BOOST_AUTO_TEST_CASE(is_there_after_any_change_by_sql_or_is_said_to_be_missing) {
  left_files left;
  seen wanted;
  BOOST_REQUIRE((damaged_directory{left.files()}.look(wanted) == outcome::whole));
  figures all;
  auto seeds = seeds_of_one_in(as_many_as_fit);
  for (auto seed = seeds.first; seed <= seeds.last; ++seed) {
    chance by{seed};
    auto statement = change_by_sql(by);
    damaged_directory hurt{left.files()};
    hurt.run(statement);
    seen got;
    auto end = hurt.look(got);
    if ((end == outcome::whole || end == outcome::doubtful) && got != wanted)
      end = outcome::silent;
    ++all[statement.substr(0, 6)][static_cast<size_t>(end)];
    BOOST_TEST((end != outcome::silent),
      "SCRATCHPAGE_SEED=" << seed << " (this damage alone): " << statement);
  }
  tell(all);
}

BOOST_AUTO_TEST_CASE(is_there_if_a_file_is_gone_or_an_older_one_or_is_said_to_be_missing) {
  left_files left;
  seen wanted;
  BOOST_REQUIRE((damaged_directory{left.files()}.look(wanted) == outcome::whole));
  figures all;
  for (const auto* what : {"", "-wal", "-mark"}) {
    for (size_t i = 0; i <= left.older().size(); ++i) {
      auto files = left.files();
      if (i == left.older().size())
        files.erase(what);
      else
        files[what] = left.older()[i].at(what);
      seen got;
      auto end = damaged_directory{files}.look(got);
      if ((end == outcome::whole || end == outcome::doubtful) && got != wanted)
        end = outcome::silent;
      ++all[std::string{"scratchpage.db"} + what][static_cast<size_t>(end)];
      BOOST_TEST((end != outcome::silent), "scratchpage.db" << what << " of moment " << i);
    }
  }
  tell(all);
}

/// Uses half as many seeds, since a trace is never acknowledged to a caller.
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

/// The file in a data directory, read as an agent reads it.
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
