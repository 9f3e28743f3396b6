#include "scratchpage/runtime/cli/commands/open_storage.hpp"

#include <system_error>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

namespace fs = std::filesystem;

constexpr size_t most_named = 10; // agents, in an error

/// A database has no lock that keeps commands out, and each would take the agent
/// from whoever serves it. What was given may hold a password.
caf::error check_is_directory(const fs::path& data) {
  if (!storage::is_connection(data.string()))
    return {};
  return fail(errc::invalid_request, "--data",
    "expected a directory; commands do not work on a database, which others may be using");
}

/// A command that reads makes no directory and no database.
caf::error check_is_there(const fs::path& data) {
  std::error_code ec;
  if (fs::exists(data_directory::database_in(data), ec) && !ec)
    return {};
  return fail(errc::invalid_request, "--data",
    "expected a data directory, but " + data.string()
      + " has nothing in it; `scratchpage add` begins one");
}

} // namespace

caf::expected<fs::path> data_path(const fs::path& given) {
  auto data = given.empty() ? default_data_directory() : given;
  if (auto err = check_is_directory(data))
    return err;
  return data;
}

caf::expected<fs::path> existing_data(const fs::path& given) {
  auto data = data_path(given);
  if (data)
    if (auto err = check_is_there(*data))
      return err;
  return data;
}

caf::expected<storage> open_storage(const fs::path& given, if_missing what) {
  auto data = what == if_missing::refuse ? existing_data(given) : data_path(given);
  if (!data)
    return data.error();
  return storage::open(data->string());
}

caf::error check_agent_id(const std::string& id) {
  if (!id.empty() && utf8::is_valid(id))
    return {};
  return fail(errc::invalid_request, "--agent", "expected an agent's id, in UTF-8");
}

caf::error check_is_known(store& in, const std::string& agent_id) {
  auto found = in.find_agent(agent_id);
  if (!found)
    return found.error();
  if (*found)
    return {};
  auto known = in.agents();
  if (!known)
    return known.error();
  std::string names;
  for (size_t i = 0; i < known->size() && i < most_named; ++i)
    names += (names.empty() ? "" : ", ") + (*known)[i];
  if (known->size() > most_named)
    names += " and " + std::to_string(known->size() - most_named) + " more";
  return fail(errc::invalid_request, "--agent",
    "expected an agent of this data directory (" + (names.empty() ? "there is none yet" : names)
      + "), got '" + agent_id + "'");
}

} // namespace scratchpage
