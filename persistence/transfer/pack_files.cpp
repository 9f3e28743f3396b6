#include "scratchpage/persistence/transfer/pack_files.hpp"

#include <optional>
#include <utility>
#include <vector>

#include "scratchpage/persistence/files/directory_files.hpp"
#include "scratchpage/persistence/files/file_name.hpp"
#include "scratchpage/persistence/store/documents.hpp"
#include "scratchpage/persistence/store/sql_store.hpp"
#include "scratchpage/persistence/store/sqlite_connection.hpp"
#include "scratchpage/persistence/stored_files/stored_file.hpp"

namespace scratchpage {

namespace {

/// One agent's files, into the store.
class packer {
public:
  packer(const std::filesystem::path& files, store& to, std::string agent_id)
    : from_{files / file_name_for(agent_id)},
      to_{to},
      agent_id_{std::move(agent_id)} {}

  caf::expected<std::vector<std::string>> list() const { return from_.list(); }

  /// Whether it was there; it may have gone meanwhile.
  caf::expected<bool> pack(const std::string& path) {
    auto found = from_.read(path, 0, UINT64_MAX);
    if (!found)
      return found.error();
    if (!*found)
      return false;
    auto row = to_file_document(path, (*found)->bytes);
    if (!row)
      return row.error();
    if (auto err = put(*row))
      return err;
    return true;
  }

private:
  caf::error put(const document& row) {
    if (!by_) {
      auto claimed = to_.claim(agent_id_);
      if (!claimed)
        return claimed.error();
      by_ = *claimed;
    }
    return to_.put(*by_, {&row, 1});
  }

  directory_files from_;
  store& to_;
  std::string agent_id_;
  std::optional<ownership> by_;
};

/// One agent's files, out of the store.
caf::error unpack(
  store& from, const std::string& agent_id, uint64_t agent, const std::filesystem::path& files) {
  directory_files to{files / file_name_for(agent_id)};
  std::vector<document> done; // without bodies, which forgets them
  caf::error failed;
  auto err = from.read_documents(agent, std::string{collection::files}, [&](document&& x) {
    auto bytes = bytes_of_file(x);
    failed = bytes ? to.write(x.key, *bytes) : bytes.error();
    done.push_back(make_document(collection::files, std::move(x.key), ""));
    return !failed;
  });
  if (err || failed || done.empty())
    return err ? err : failed;
  auto owner = from.claim(agent_id);
  return owner ? from.put(*owner, done) : owner.error();
}

} // namespace

caf::expected<uint64_t> pack_files(
  const std::filesystem::path& files, store& to, const file_failure& failed) {
  auto agents = to.agents();
  if (!agents)
    return agents.error();
  uint64_t count = 0;
  for (const auto& agent_id : *agents) {
    auto told = [&](const std::string& path, const caf::error& why) {
      return failed ? failed(agent_id, path, why) : why;
    };
    packer one{files, to, agent_id};
    auto paths = one.list();
    if (!paths) {
      if (auto err = told("", paths.error()))
        return err;
      continue;
    }
    for (const auto& path : *paths) {
      auto packed = one.pack(path);
      if (packed)
        count += *packed ? 1 : 0;
      else if (auto err = told(path, packed.error()))
        return err;
    }
  }
  return count;
}

caf::error unpack_files(store& from, const std::filesystem::path& files) {
  auto agents = from.agents();
  if (!agents)
    return agents.error();
  for (const auto& agent_id : *agents) {
    auto agent = from.find_agent(agent_id);
    if (!agent)
      return agent.error();
    if (*agent)
      if (auto err = unpack(from, agent_id, **agent, files))
        return err;
  }
  return {};
}

caf::error unpack_files_of(const data_directory& x) {
  auto opened = sql_store::open(sql::sqlite(x.database()));
  return opened ? unpack_files(**opened, x.files()) : opened.error();
}

} // namespace scratchpage
