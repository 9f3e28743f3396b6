#include "scratchpage/persistence/store/commit_mark.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "scratchpage/persistence/store/checksum.hpp"
#include "scratchpage/persistence/store/sql_connection.hpp"
#include "scratchpage/persistence/store/store_errors.hpp"

namespace scratchpage::sql {

namespace {

sqlite3_vfs& find_vfs(const std::string& name) {
  auto* found = sqlite3_vfs_find(name.empty() ? nullptr : name.c_str());
  if (found == nullptr)
    throw failure{"SQLite knows no VFS of the name '" + name + "'"};
  return *found;
}

std::string full_name(sqlite3_vfs& vfs, const std::filesystem::path& file) {
  std::string name(static_cast<size_t>(vfs.mxPathname) + 1, '\0');
  if (vfs.xFullPathname(&vfs, file.c_str(), static_cast<int>(name.size()), name.data())
      > SQLITE_OK_SYMLINK)
    throw failure{file.string() + " has a name that is too long"};
  name.resize(name.find('\0'));
  return name;
}

} // namespace

vfs_file::vfs_file(sqlite3_vfs& vfs, std::string name)
  : vfs_{vfs},
    name_{std::move(name)},
    memory_(static_cast<size_t>(vfs.szOsFile) / sizeof(std::max_align_t) + 1) {}

vfs_file::~vfs_file() {
  if (file()->pMethods != nullptr)
    file()->pMethods->xClose(file());
}

void vfs_file::check(int code, const char* what) const {
  if (code != SQLITE_OK)
    throw failure{name_ + " cannot be " + what + ": " + sqlite3_errstr(code)};
}

/// Opens the file as a log, because SQLite's own VFS then syncs its folder and gives it the mode of
/// its database.
void vfs_file::open(int flags) {
  check(vfs_.xOpen(
          &vfs_, name_.c_str(), file(), SQLITE_OPEN_READWRITE | SQLITE_OPEN_WAL | flags, nullptr),
    "opened");
}

std::unique_ptr<vfs_file> vfs_file::open(
  const std::filesystem::path& file, const std::string& vfs) {
  auto& in = find_vfs(vfs);
  std::unique_ptr<vfs_file> result{new vfs_file{in, full_name(in, file)}};
  auto is_there = 0;
  result->check(
    in.xAccess(&in, result->name_.c_str(), SQLITE_ACCESS_EXISTS, &is_there), "looked for");
  if (is_there == 0)
    return nullptr;
  result->open(0);
  return result;
}

std::unique_ptr<vfs_file> vfs_file::make(
  const std::filesystem::path& file, const std::string& vfs) {
  auto& in = find_vfs(vfs);
  std::unique_ptr<vfs_file> result{new vfs_file{in, full_name(in, file)}};
  result->open(SQLITE_OPEN_CREATE);
  return result;
}

std::string vfs_file::read(size_t most) {
  sqlite3_int64 size = 0;
  check(file()->pMethods->xFileSize(file(), &size), "read");
  std::string result(std::min(static_cast<size_t>(size), most), '\0');
  if (!result.empty())
    check(
      file()->pMethods->xRead(file(), result.data(), static_cast<int>(result.size()), 0), "read");
  return result;
}

bool vfs_file::write(std::string_view bytes, uint64_t at) noexcept {
  return file()->pMethods->xWrite(
           file(), bytes.data(), static_cast<int>(bytes.size()), static_cast<sqlite3_int64>(at))
         == SQLITE_OK;
}

void vfs_file::resize(uint64_t size) {
  check(file()->pMethods->xTruncate(file(), static_cast<sqlite3_int64>(size)), "cut short");
}

void vfs_file::sync() {
  check(file()->pMethods->xSync(file(), SQLITE_SYNC_NORMAL), "synced");
}

} // namespace scratchpage::sql

namespace scratchpage {

namespace {

constexpr size_t sector = 512;
constexpr std::string_view form = "scratchpage mark 1\n"; // what the first sector begins with
constexpr size_t max_piece = 64 * 1'024; // SQLite's own VFS cannot write 128 KB at once
constexpr size_t max_named = 10;         // agents, in an error

/// A slot: a checksum of the rest, four numbers, and the name.
struct slot {
  uint64_t checksum = 0;
  uint64_t agent = 0;
  uint64_t commits = 0;
  uint64_t last_sequence = 0;
  uint64_t name_size = 0;
  std::array<char, sector - 5 * sizeof(uint64_t)> name{};
};

static_assert(sizeof(slot) == sector && commit_mark::max_name_bytes <= sizeof(slot::name));

std::string_view bytes_of(const slot& x) {
  return {reinterpret_cast<const char*>(&x), sizeof(x)};
}

uint64_t checksum_in(const slot& x) {
  return checksum_of(bytes_of(x).substr(sizeof(x.checksum)));
}

/// The position of the slot; an agent uses its two slots alternately.
uint64_t place_of(const committed_end& x) {
  return sector * (1 + 2 * (x.agent - 1) + x.commits % 2);
}

slot to_slot(const committed_end& x, std::string_view name) {
  slot result;
  result.agent = x.agent;
  result.commits = x.commits;
  result.last_sequence = x.last_sequence;
  result.name_size = std::min(name.size(), commit_mark::max_name_bytes);
  std::copy_n(name.data(), result.name_size, result.name.data());
  result.checksum = checksum_in(result);
  return result;
}

bool has_slot(const committed_end& x) {
  return x.agent > 0 && x.agent <= commit_mark::max_agents;
}

bool is_empty(std::string_view bytes) {
  return bytes.find_first_not_of('\0') == std::string_view::npos;
}

bool is_whole(const slot& x, uint64_t place) {
  return x.checksum == checksum_in(x) && x.agent > 0 && x.agent <= commit_mark::max_agents
         && x.name_size <= commit_mark::max_name_bytes && place_of({x.agent, x.commits}) == place;
}

committed_end end_in(const slot& x) {
  return {x.agent, x.commits, x.last_sequence, {x.name.data(), x.name_size}};
}

std::filesystem::path mark_of(const std::filesystem::path& database) {
  return database.string() + "-mark";
}

void put_form(sql::vfs_file& to) {
  std::string first{form};
  first.resize(sector);
  if (!to.write(first, 0))
    throw sql::failure{"the mark of the commits cannot be written"};
}

bool has_name(const committed_end& x, std::string_view name) {
  constexpr auto most = commit_mark::max_name_bytes;
  return x.agent_id.substr(0, most) == name.substr(0, most);
}

} // namespace

commit_mark::commit_mark(const std::filesystem::path& database, std::string vfs)
  : database_{database},
    path_{mark_of(database)},
    vfs_{std::move(vfs)} {}

std::vector<committed_end> commit_mark::read() {
  problem_.clear();
  is_there_ = false;
  auto file = sql::vfs_file::open(path_, vfs_);
  if (!file)
    return {};
  auto bytes = file->read(sector * (1 + 2 * max_agents));
  is_there_ = !bytes.empty();
  size_t damaged = bytes.starts_with(form) ? 0 : 1;
  std::map<uint64_t, committed_end> latest;
  for (size_t at = sector; at < bytes.size(); at += sector) {
    slot x;
    std::memcpy(&x, bytes.data() + at, std::min(sector, bytes.size() - at));
    if (is_empty(bytes_of(x)))
      continue;
    if (!is_whole(x, at))
      ++damaged;
    else if (auto& known = latest[x.agent]; known.commits < x.commits)
      known = end_in(x);
  }
  if (damaged > 0)
    problem_ = path_.string() + " is damaged in " + std::to_string(damaged)
               + " places, as after a power cut; these places are ignored";
  std::vector<committed_end> result;
  result.reserve(latest.size());
  for (auto& [agent, x] : latest)
    result.push_back(std::move(x));
  return result;
}

void commit_mark::expect(const std::vector<committed_end>& found) {
  auto has_commits = [](const committed_end& x) { return x.commits > 0; };
  if (!is_there_ && std::any_of(found.begin(), found.end(), has_commits))
    problem_ = path_.string() + " is missing; it is not known whether commits were lost";
}

void commit_mark::begin(const std::vector<committed_end>& known) {
  auto file = sql::vfs_file::make(path_, vfs_);
  file->resize(sector); // removes damaged slots
  put_form(*file);
  file_ = std::move(file);
  put_slots(known);
  file_->sync();
}

/// Writes the slots of all agents, in pieces of neighbours: a write for each of many agents would
/// take most of the time of a start.
void commit_mark::put_slots(const std::vector<committed_end>& known) {
  std::string piece;
  uint64_t begin = 0; // of the piece, in the file
  auto flush = [&] {
    if (!piece.empty())
      file_->write(piece, begin);
    piece.clear();
  };
  for (const auto& x : known) {
    if (!has_slot(x))
      continue;
    names_[x.agent] = x.agent_id;
    if (x.commits == 0)
      continue;
    auto place = place_of(x);
    if (piece.empty() || place < begin + piece.size() || place - begin >= max_piece) {
      flush();
      begin = place;
    }
    piece.resize(place - begin); // zeros for slots that are empty
    piece += bytes_of(to_slot(x, x.agent_id));
  }
  flush();
}

void commit_mark::note(const committed_end& x) noexcept {
  if (!has_slot(x))
    return;
  auto& name = names_[x.agent];
  if (!x.agent_id.empty())
    name = x.agent_id;
  if (x.commits > 0)
    file_->write(bytes_of(to_slot(x, name)), place_of(x));
}

std::vector<missing_commits> missing_in(
  const std::vector<committed_end>& found, const std::vector<committed_end>& wanted) {
  std::vector<missing_commits> result;
  for (const auto& x : wanted) {
    auto i = std::ranges::lower_bound(found, x.agent, {}, &committed_end::agent);
    auto is_it = i != found.end() && i->agent == x.agent && has_name(*i, x.agent_id);
    auto there = is_it ? *i : committed_end{.agent = x.agent};
    if (there.commits < x.commits)
      result.push_back({x, std::move(there)});
  }
  return result;
}

std::string missing_text(const missing_commits& x) {
  auto commits = x.wanted.commits - x.found.commits;
  auto count = std::to_string(commits) + (commits == 1 ? " commit" : " commits");
  if (x.wanted.last_sequence <= x.found.last_sequence)
    return count + " of goals, facts or other documents";
  return "the changes " + std::to_string(x.found.last_sequence + 1) + " to "
         + std::to_string(x.wanted.last_sequence) + " (" + count + ")";
}

caf::error tell_missing(
  const std::filesystem::path& database, const std::vector<missing_commits>& missing) {
  if (missing.empty())
    return {};
  std::string what;
  for (size_t i = 0; i < missing.size() && i < max_named; ++i)
    what += (i == 0 ? "" : "; ") + ("of '" + missing[i].wanted.agent_id + "' ")
            + missing_text(missing[i]);
  if (missing.size() > max_named)
    what += "; and of " + std::to_string(missing.size() - max_named) + " more agents";
  return needs_repair("acknowledged commits are missing in " + database.string() + ": " + what
                      + ". Its log is damaged, or an older copy has replaced it");
}

void begin_mark(const std::filesystem::path& file, const std::filesystem::path& database) {
  commit_mark{file}.begin({});
  std::error_code ec;
  std::filesystem::rename(mark_of(file), mark_of(database), ec);
  if (ec)
    throw sql::failure{mark_of(database).string() + " cannot be made: " + ec.message()};
}

} // namespace scratchpage

namespace scratchpage::sql {

namespace {

/// The column that counts the commits; it has another name in a database of version 4. "" if there
/// is none, because the database is new or has lost its tables.
std::string column_of_commits(connection& db) {
  std::string result;
  select(db,
    "SELECT name FROM pragma_table_info('agent') WHERE name IN ('commit_count', 'commits')",
    [&](const row& x) { result = x.text(0); });
  return result;
}

std::vector<committed_end> ends_by(connection& db, const std::string& column) {
  std::vector<committed_end> result;
  argument most = stored(commit_mark::max_agents);
  db.run("SELECT agent, " + column
           + ", last_sequence, agent_id FROM agent WHERE agent <= $1 ORDER BY agent",
    {&most, 1}, [&](const row& x) {
      result.push_back({number_at(x, 0), number_at(x, 1), number_at(x, 2), x.text(3)});
    });
  return result;
}

} // namespace

std::vector<committed_end> committed_ends(connection& db) {
  return ends_by(db, "commit_count");
}

uint64_t end_of(connection& db, uint64_t agent) {
  uint64_t last = 0;
  select(
    db, "SELECT last_sequence FROM agent WHERE agent = $1",
    [&](const row& x) { last = number_at(x, 0); }, stored(agent));
  return last;
}

caf::error check_mark(connection& db, commit_mark& mark) {
  auto wanted = mark.read();
  auto column = column_of_commits(db);
  auto found = column.empty() ? std::vector<committed_end>{} : ends_by(db, column);
  mark.expect(found);
  auto missing = missing_in(found, wanted);
  if (missing.empty())
    return {};
  db.leave_files();
  return tell_missing(mark.database(), missing);
}

} // namespace scratchpage::sql
