#include "scratchpage/persistence/store/commit_mark.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <system_error>
#include <utility>

#include "scratchpage/persistence/store/checksum.hpp"
#include "scratchpage/persistence/store/sql_connection.hpp"
#include "scratchpage/persistence/store/store_errors.hpp"

namespace scratchpage {

namespace {

constexpr size_t sector = 512;
constexpr std::string_view form = "scratchpage mark 1\n"; // what the first sector begins with
constexpr size_t most_named = 10;                         // agents, in an error

/// A slot: the checksum of what follows it, four numbers, the name.
struct slot {
  uint64_t checksum = 0;
  uint64_t agent = 0;
  uint64_t commits = 0;
  uint64_t last_sequence = 0;
  uint64_t name_size = 0;
  std::array<char, sector - 5 * sizeof(uint64_t)> name{};
};

static_assert(sizeof(slot) == sector && commit_mark::most_name <= sizeof(slot::name));

std::string_view bytes_of(const slot& x) {
  return {reinterpret_cast<const char*>(&x), sizeof(x)};
}

uint64_t checksum_in(const slot& x) {
  return checksum_of(bytes_of(x).substr(sizeof(x.checksum)));
}

/// Where it stands; two take turns.
uint64_t place_of(const committed_end& x) {
  return sector * (1 + 2 * (x.agent - 1) + x.commits % 2);
}

slot to_slot(const committed_end& x, std::string_view name) {
  slot result;
  result.agent = x.agent;
  result.commits = x.commits;
  result.last_sequence = x.last_sequence;
  result.name_size = std::min(name.size(), commit_mark::most_name);
  std::copy_n(name.data(), result.name_size, result.name.data());
  result.checksum = checksum_in(result);
  return result;
}

bool is_empty(std::string_view bytes) {
  return bytes.find_first_not_of('\0') == std::string_view::npos;
}

bool is_whole(const slot& x, uint64_t place) {
  return x.checksum == checksum_in(x) && x.agent > 0 && x.agent <= commit_mark::most_agents
         && x.name_size <= commit_mark::most_name && place_of({x.agent, x.commits}) == place;
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
  return x.agent_id.substr(0, commit_mark::most_name) == name.substr(0, commit_mark::most_name);
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
  auto bytes = file->read(sector * (1 + 2 * most_agents));
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
               + " places, as after a power cut; what it said there is not believed";
  std::vector<committed_end> result;
  result.reserve(latest.size());
  for (auto& [agent, x] : latest)
    result.push_back(std::move(x));
  return result;
}

void commit_mark::expect(const std::vector<committed_end>& found) {
  auto has_commits = [](const committed_end& x) { return x.commits > 0; };
  if (!is_there_ && std::any_of(found.begin(), found.end(), has_commits))
    problem_ = path_.string()
               + " is not there any more; whether something was lost before "
                 "cannot be told";
}

void commit_mark::begin(const std::vector<committed_end>& known) {
  auto file = sql::vfs_file::make(path_, vfs_);
  file->resize(sector); // what is damaged goes
  put_form(*file);
  file_ = std::move(file);
  for (const auto& x : known)
    note(x);
  file_->sync();
}

void commit_mark::note(const committed_end& x) noexcept {
  if (x.agent == 0 || x.agent > most_agents)
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
    auto is_it = [&](const committed_end& y) {
      return y.agent == x.agent && has_name(y, x.agent_id);
    };
    auto i = std::find_if(found.begin(), found.end(), is_it);
    auto there = i == found.end() ? committed_end{.agent = x.agent} : *i;
    if (there.commits < x.commits)
      result.push_back({x, std::move(there)});
  }
  return result;
}

std::string missing_text(const missing_commits& x) {
  auto commits = x.wanted.commits - x.found.commits;
  auto count = std::to_string(commits) + (commits == 1 ? " commit" : " commits");
  if (x.wanted.last_sequence <= x.found.last_sequence)
    return count + " of goals, facts and the like";
  return "the changes " + std::to_string(x.found.last_sequence + 1) + " to "
         + std::to_string(x.wanted.last_sequence) + " (" + count + ")";
}

caf::error tell_missing(
  const std::filesystem::path& database, const std::vector<missing_commits>& missing) {
  if (missing.empty())
    return {};
  std::string what;
  for (size_t i = 0; i < missing.size() && i < most_named; ++i)
    what += (i == 0 ? "" : "; ") + ("of '" + missing[i].wanted.agent_id + "' ")
            + missing_text(missing[i]);
  if (missing.size() > most_named)
    what += "; and of " + std::to_string(missing.size() - most_named) + " more agents";
  return needs_repair("what was acknowledged is missing in " + database.string() + ": " + what
                      + ". Its log is damaged, or an older copy has taken its place");
}

void begin_mark(const std::filesystem::path& file, const std::filesystem::path& database) {
  commit_mark{file}.begin({});
  std::error_code ec;
  std::filesystem::rename(mark_of(file), mark_of(database), ec);
  if (ec)
    throw sql::failure{mark_of(database).string() + " cannot be made: " + ec.message()};
}

} // namespace scratchpage
