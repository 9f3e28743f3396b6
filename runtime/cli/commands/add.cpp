#include "scratchpage/runtime/cli/commands/page_commands.hpp"

#include <filesystem>
#include <fstream>
#include <istream>
#include <ostream>

#include "scratchpage/actors/page/draft_rules.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/input_text.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/runtime/api/operation_list.hpp"
#include "scratchpage/runtime/cli/commands/opening.hpp"
#include "scratchpage/runtime/cli/commands/options.hpp"
#include "scratchpage/runtime/cli/io/command_line.hpp"
#include "scratchpage/runtime/cli/io/pipe_io.hpp"

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

/// The standard input, without its last line end. Reads slightly more than the limit of a content,
/// so that the page refuses what is too long.
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

/// Whether the options have something to add.
caf::error check(const add_options& x) {
  if (x.file.empty() && x.content.empty())
    return fail(errc::invalid_request, "CONTENT",
      "expected the text of an observation, '-' to read it from the standard input, or --file");
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
  auto agent = open_or_complain(options.agent, open_mode::create, {by, {}}, environment);
  if (!agent)
    return exit_code::bad_input;
  auto arguments = std::move(to_json(draft).as_object());
  if (!options.request_key.empty())
    arguments[argument_type::request_key] = options.request_key;
  auto stored = agent->call_for<receipt>("add_observation", std::move(arguments));
  if (!stored)
    return complain(environment, stored.error());
  print(*stored, options.agent.json, environment);
  auto end = finish(environment);
  settle(*agent, environment);
  return end;
}

constexpr size_t max_at_once = 256;
/// Enough for the largest content and metadata with every byte escaped.
constexpr json_limits line_limits{size_t{4} << 20, 32};

/// Reads the drafts, adds them, and prints what became of each.
class line_adder {
public:
  line_adder(const add_options& options, std::istream& in, agent_client& agent,
    const command_environment& environment)
    : options_{options},
      reader_{in, line_limits.max_bytes},
      agent_{agent},
      environment_{environment} {}

  exit_code run() {
    auto goes_on = true;
    while (goes_on) {
      goes_on = read_some();
      if (auto err = add_some())
        return complain(environment_, err);
    }
    if (reader_.has_failed()) {
      complain_of_input(environment_,
        fail(errc::invalid_request, "--file", "expected an input that can be read to its end"));
      return exit_code::unmet;
    }
    return finish(environment_, any_refused_ ? exit_code::unmet : exit_code::ok);
  }

private:
  /// A line with something in it, and why it is no draft, if it is none.
  struct line {
    size_t number;
    caf::error error;
  };

  /// Reads the lines that are available, at least one and at most `max_at_once`. False at the end.
  bool read_some() {
    std::string text;
    do {
      if (!reader_.next(text))
        return false;
      if (!utf8::is_blank(text))
        take(text);
    } while (lines_.size() < max_at_once && reader_.has_more_waiting());
    return true;
  }

  static caf::expected<observation_draft> read(std::string_view text) {
    auto value = parse_json(text, line_limits);
    if (!value)
      return fail(errc::invalid_request, "", "expected " + expectation_of(value.error()));
    return from_json<observation_draft>(*value);
  }

  void take(std::string_view text) {
    auto draft = read(reader_.number() == 1 ? skip_bom(text) : text);
    lines_.push_back({reader_.number(), draft ? caf::error{} : draft.error()});
    if (draft)
      drafts_.push_back(std::move(*draft));
  }

  caf::error add_some() {
    if (lines_.empty())
      return {};
    json::object arguments{{"drafts", to_json(std::exchange(drafts_, {}))}};
    auto added = agent_.call_for<add_outcomes>("add_observations", std::move(arguments));
    if (!added)
      return added.error();
    auto outcome = added->outcomes.begin();
    for (auto& x : std::exchange(lines_, {})) {
      if (x.error)
        print_refused(x.number, x.error);
      else
        print(x.number, *outcome++);
    }
    environment_.out.flush();
    return {};
  }

  void print(size_t number, const add_outcome& x) {
    if (x.error) {
      print_refused(number, x.error);
      return;
    }
    for (const auto& warning : x.stored.warnings)
      warn(environment_, where(number) + ": " + warning);
    if (options_.agent.json)
      environment_.out << to_safe_text(to_json(x.stored.observation)) << '\n';
    else
      environment_.out << x.stored.observation->observation_id << '\n';
  }

  void print_refused(size_t number, const caf::error& err) {
    any_refused_ = true;
    if (options_.agent.json)
      environment_.out << to_safe_text(json::object{{"line", number}, {"error", to_json(err)}})
                       << '\n';
    else
      environment_.out << "refused\n";
    complain_of_input(
      environment_, fail(errc::invalid_request, where(number), describe_input(err)));
  }

  std::string where(size_t number) const {
    auto name = options_.file == "-" ? "standard input" : options_.file;
    return name + ":" + std::to_string(number);
  }

  const add_options& options_;
  line_reader reader_;
  agent_client& agent_;
  const command_environment& environment_;
  std::vector<line> lines_;
  std::vector<observation_draft> drafts_; // of the lines without an error
  bool any_refused_ = false;
};

exit_code add_from(std::istream& in, const add_options& options, const caller& by,
  const command_environment& environment) {
  auto agent = open_or_complain(options.agent, open_mode::create, {by, {}}, environment);
  if (!agent)
    return exit_code::bad_input;
  auto end = line_adder{options, in, *agent, environment}.run();
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

exit_code add_lines(
  const add_options& options, const caller& by, const command_environment& environment) {
  auto refuse = [&](std::string_view expected) {
    return complain(environment, fail(errc::invalid_request, "--file", expected));
  };
  if (options.file == "-")
    return environment.in == nullptr ? refuse("expected a standard input to read")
                                     : add_from(*environment.in, options, by, environment);
  std::error_code ec;
  std::ifstream in{options.file, std::ios::binary};
  if (!in || std::filesystem::is_directory(options.file, ec))
    return refuse("expected a file that can be read, got '" + options.file + "'");
  return add_from(in, options, by, environment);
}

} // namespace scratchpage
