#include "scratchpage/runtime/cli/commands/export.hpp"

#include <ostream>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/persistence/privacy/privacy_policy.hpp"
#include "scratchpage/persistence/transfer/export.hpp"
#include "scratchpage/runtime/cli/commands/open_storage.hpp"
#include "scratchpage/runtime/cli/commands/slow_progress.hpp"
#include "scratchpage/runtime/cli/commands/travel_counts.hpp"
#include "scratchpage/runtime/cli/io/command_answer.hpp"
#include "scratchpage/runtime/cli/io/config_file.hpp"
#include "scratchpage/runtime/cli/io/output_file.hpp"
#include "scratchpage/runtime/cli/terminal/terminal.hpp"

namespace scratchpage {

namespace {

constexpr auto all_agents = "all";

caf::expected<std::vector<std::string>> agents_of(store& in, const std::string& given) {
  if (given == all_agents)
    return in.agents();
  if (auto err = check_is_known(in, given))
    return err;
  return std::vector{given};
}

/// Where the lines go.
class destination {
public:
  destination(const std::filesystem::path& file, const command_environment& environment)
    : file_{file},
      out_{environment.out},
      is_shown_{is_standard() && environment.out_fd >= 0 && is_terminal(environment.out_fd)} {}

  bool is_standard() const { return file_ == "-"; }

  caf::error open() { return is_standard() ? caf::error{} : written_.open(file_); }

  caf::error write(std::string_view line) {
    std::string shown;
    if (is_shown_)
      line = shown = to_safe_json(line);
    if (!is_standard()) {
      written_.write(line);
      return {};
    }
    if (out_.write(line.data(), static_cast<std::streamsize>(line.size())))
      return {};
    return fail(errc::storage_unavailable, "", "expected a standard output that can be written");
  }

  caf::error finish() {
    if (is_standard())
      return {};
    auto err = written_.finish();
    return err ? err : written_.commit();
  }

private:
  std::filesystem::path file_;
  std::ostream& out_;
  bool is_shown_; ///< to a person, whose terminal nothing in it may steer; else bytes stay bytes
  output_file written_;
};

exit_code write(const std::vector<std::string>& agents, const storage& from,
  const pii_masker* masker, const export_options& options, const command_environment& environment) {
  destination to{options.file, environment};
  if (auto err = to.open())
    return complain_of_input(environment, err);
  exporter lines{
    [&](std::string_view line) { return to.write(line); }, masker, from.directory->files()};
  for (const auto& agent_id : agents) {
    slow_progress bar{environment, "changes", agent_id};
    if (auto err = lines.add(*from.store, agent_id, std::ref(bar)))
      return complain(environment, err);
  }
  auto err = lines.finish();
  if (!err)
    err = to.finish();
  if (err)
    return complain(environment, err);
  if (!to.is_standard())
    print_counts(lines.counts(), options.agent.json, environment);
  return finish(environment);
}

} // namespace

exit_code run_export(const export_options& options, const command_environment& environment) {
  if (auto err = check_agent_id(options.agent.agent))
    return complain(environment, err);
  auto with = load_config_file(options.agent.config);
  if (!with)
    return complain_of_input(environment, with.error());
  auto opened = open_storage(options.agent.data, if_missing::refuse);
  if (!opened)
    return complain_of_input(environment, opened.error());
  auto agents = agents_of(*opened->store, options.agent.agent);
  if (!agents)
    return complain(environment, agents.error());
  privacy_policy policy{with->privacy};
  return write(
    *agents, *opened, policy.masks_on_export() ? &policy.masker() : nullptr, options, environment);
}

} // namespace scratchpage
