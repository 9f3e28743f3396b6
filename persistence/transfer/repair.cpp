#include "scratchpage/persistence/transfer/salvage.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <set>
#include <string>
#include <system_error>
#include <utility>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/files/data_directory.hpp"
#include "scratchpage/persistence/files/file_name.hpp"
#include "scratchpage/persistence/files/file_store.hpp"
#include "scratchpage/persistence/files/private_file.hpp"
#include "scratchpage/persistence/store/sqlite_connection.hpp"
#include "scratchpage/persistence/store/store_transaction.hpp"
#include "scratchpage/persistence/stored_files/file_versions.hpp"
#include "scratchpage/persistence/stored_files/stored_file.hpp"
#include "scratchpage/persistence/transfer/database_files.hpp"

namespace scratchpage {

namespace {

/// What is wrong with a file compared with its stored version. "" if nothing is, or if a reader of
/// the file would notice it anyway.
std::string problem_of(directory_files& in, const std::string& path, const file_version& known) {
  constexpr json_limits limits{max_stored_file_bytes, 8, any_number_of_values};
  auto found = in.read(path, 0, max_stored_file_bytes);
  if (!found) // save_files reports it
    return "";
  if (!*found)
    return missing_version(known);
  auto book = parse_json((*found)->bytes, limits);
  if (!book || !book->is_object())
    return "";
  auto version = take_version(book->get_object());
  return version ? version_problem(*version, known) : "";
}

namespace fs = std::filesystem;

/// Copies a file. Blocks that the disk cannot read become zeros.
caf::error copy_blocks(const fs::path& from, const fs::path& to) {
  constexpr std::streamsize block = 4096;
  std::array<char, block> bytes{};
  std::error_code ec;
  auto size = fs::file_size(from, ec);
  std::ifstream in{from, std::ios::binary};
  if (auto err = make_private(to))
    return err;
  std::ofstream out{to, std::ios::binary};
  for (uintmax_t at = 0; in.is_open() && at < size; at += block) {
    bytes.fill(0);
    in.clear();
    in.seekg(static_cast<std::streamoff>(at));
    in.read(bytes.data(), block);
    out.write(bytes.data(), static_cast<std::streamsize>(std::min<uintmax_t>(block, size - at)));
  }
  if (!ec && in.is_open() && out.flush())
    return {};
  return fail(
    errc::storage_unavailable, "", "expected to copy " + from.string() + " to " + to.string());
}

/// Copies the database and its log, which may have commits that are not in the database yet.
caf::error copy_files(const fs::path& from, const fs::path& to) {
  if (auto err = copy_blocks(from, to))
    return err;
  std::error_code ec;
  auto log = from.string() + "-wal";
  return fs::exists(log, ec) ? copy_blocks(log, to.string() + "-wal") : caf::error{};
}

/// Reports the folders of unknown agents, which are not copied.
void tell_nobodys(const fs::path& files, store& in, std::vector<loss>& lost) {
  std::set<std::string> known;
  if (auto agents = in.agents())
    for (const auto& agent_id : *agents)
      known.insert(file_name_for(agent_id));
  std::set<std::string> unknown; // in order
  std::error_code ec;
  for (fs::directory_iterator i{files, ec}, end; !ec && i != end; i.increment(ec))
    if (auto name = i->path().filename().string(); !known.contains(name))
      unknown.insert(std::move(name));
  for (const auto& name : unknown)
    lost.push_back({"", "file", name + "/", "its agent is not known; it stays where it is"});
}

/// Copies the files as they are and reports those that are missing or outdated.
caf::error save_files(const fs::path& files, store& to, salvage_report& report) {
  auto lose = [&](const std::string& agent_id, const std::string& path, const caf::error& why) {
    report.lost.push_back({agent_id, "file", path.empty() ? "all" : path, describe(why)});
    return caf::error{};
  };
  auto count = pack_files(files, to, lose);
  if (!count)
    return count.error();
  report.files = *count;
  for (const auto& [agent_id, versions] : report.versions)
    tell_lost_files(files / file_name_for(agent_id), agent_id, versions, report.lost);
  tell_nobodys(files, to, report.lost);
  return {};
}

/// What the mark beside a database records; nothing if it cannot be read.
std::vector<committed_end> marked_of(const fs::path& database) {
  try {
    return commit_mark{database}.read();
  } catch (const sql::failure&) {
    return {};
  }
}

caf::expected<salvage_report> salvage_into(
  const data_directory& from, const fs::path& damaged, const fs::path& to, const progress& tell) {
  auto transaction = store_transaction::begin(sql::sqlite(to));
  if (!transaction)
    return transaction.error();
  auto report = salvage(damaged, (*transaction)->in(), tell, marked_of(from.database()));
  if (!report)
    return report;
  if (auto err = save_files(from.files(), (*transaction)->in(), *report))
    return err;
  if (auto err = (*transaction)->commit())
    return err;
  return report;
}

} // namespace

void tell_lost_files(const std::filesystem::path& folder, const std::string& agent_id,
  const std::map<std::string, file_version>& versions, std::vector<loss>& lost) {
  directory_files in{folder};
  for (const auto& [path, known] : versions)
    if (auto problem = problem_of(in, path, known); !problem.empty())
      lost.push_back({agent_id, "file", path, problem});
}

caf::expected<salvage_report> repair(
  const fs::path& damaged, const fs::path& into, const progress& tell) {
  auto source = data_directory::open_to_read(damaged);
  if (!source)
    return source.error();
  auto made = new_database::open(into, "--into");
  if (!made)
    return made.error();
  temporary_database copied{made->file().string() + ".damaged"};
  if (auto err = copy_files(source->database(), copied.path()))
    return err;
  auto report = salvage_into(*source, copied.path(), made->file(), tell);
  if (!report)
    return report;
  auto err = verify_database(made->file());
  if (!err)
    err = made->keep();
  if (err)
    return err;
  return report;
}

} // namespace scratchpage
