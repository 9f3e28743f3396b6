#include "scratchpage/runtime/cli/commands/add.hpp"

#include <istream>
#include <ostream>

#include "scratchpage/actors/page/draft_rules.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/runtime/cli/commands/add_lines.hpp"
#include "scratchpage/runtime/cli/commands/opening.hpp"
#include "scratchpage/runtime/cli/commands/option_reader.hpp"
#include "scratchpage/runtime/cli/io/command_answer.hpp"
#include "scratchpage/runtime/cli/io/login_name.hpp"

namespace scratchpage {

namespace {

caf::expected<caller> read_caller(const add_options& x) {
  option_reader read;
  std::string tool, daemon, user;
  read.text("--source-tool", x.source_tool, tool)
    .text("--source-daemon", x.source_daemon, daemon)
    .text("--source-user", x.source_user, user);
  if (read.error())
    return read.error();
  if (!tool.empty())
    return as_tool(tool);
  if (!daemon.empty())
    return as_daemon(daemon);
  return as_user(user.empty() ? login_name() : user);
}

/// All that comes in, without the end of its last line; of too much, a little
/// more than may be.
caf::expected<std::string> read_content(std::istream* in) {
  constexpr size_t most = draft_limits::content_bytes + 2;
  if (in == nullptr)
    return fail(errc::invalid_request, "CONTENT", "expected a standard input to read");
  std::string result(most, '\0');
  in->read(result.data(), most);
  result.resize(static_cast<size_t>(in->gcount()));
  if (result.ends_with('\n'))
    result.pop_back();
  if (result.ends_with('\r'))
    result.pop_back();
  return result;
}

caf::error read_options(const add_options& x, observation_draft& draft) {
  option_reader read;
  read.text("--type", x.type, draft.type)
    .texts("--tag", x.tags, draft.tags)
    .number("--confidence", x.confidence, draft.confidence, "a number in [0, 1]")
    .text("--owner", x.owner, draft.owner)
    .object("--context", x.context, draft.context)
    .object("--metadata", x.metadata, draft.metadata)
    .number("--ttl-minutes", x.ttl_minutes, draft.ttl_minutes, "a number of minutes");
  return read.error();
}

caf::expected<observation_draft> read_draft(const add_options& x, std::istream* in) {
  observation_draft result;
  if (auto err = read_options(x, result))
    return err;
  if (x.content != "-") {
    result.content = x.content;
    return result;
  }
  auto content = read_content(in);
  if (!content)
    return content.error();
  result.content = std::move(*content);
  return result;
}

/// Without it a command that adds has nothing to do.
caf::error check(const add_options& x) {
  if (x.file.empty() && x.content.empty())
    return fail(errc::invalid_request, "CONTENT",
      "expected what was noticed, '-' to read it from the standard input, or --file");
  if (x.file.empty() && x.type.empty())
    return fail(errc::invalid_request, "--type", "expected the observation's type");
  return {};
}

void print(const receipt& stored, bool json, const command_environment& environment) {
  for (const auto& warning : stored.warnings)
    warn(environment, warning);
  if (json)
    environment.out << to_safe_text(to_json(stored.observation)) << '\n';
  else
    environment.out << stored.observation->observation_id << '\n';
}

exit_code add_one(const add_options& options, const caller& by, const observation_draft& draft,
  const command_environment& environment) {
  auto agent = open_or_complain(options.agent, if_missing::make, {by, {}}, environment);
  if (!agent)
    return exit_code::bad_input;
  auto stored = agent->call_for<receipt>("add_observation", std::move(to_json(draft).as_object()));
  if (!stored)
    return complain(environment, stored.error());
  print(*stored, options.agent.json, environment);
  auto end = finish(environment);
  settle(*agent, environment);
  return end;
}

} // namespace

exit_code run_add(const add_options& options, const command_environment& environment) {
  auto by = read_caller(options);
  if (!by)
    return complain(environment, by.error());
  if (auto err = check(options))
    return complain(environment, err);
  if (!options.file.empty())
    return add_lines(options, *by, environment);
  auto draft = read_draft(options, environment.in);
  if (!draft)
    return complain(environment, draft.error());
  return add_one(options, *by, *draft, environment);
}

} // namespace scratchpage
