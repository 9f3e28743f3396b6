#include "scratchpage/runtime/cli/commands/configuration.hpp"

#include <istream>
#include <iterator>
#include <ostream>
#include <string_view>
#include <utility>

#include <CLI/CLI.hpp>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/input_text.hpp"
#include "scratchpage/messages/text/display_text.hpp"
#include "scratchpage/runtime/cli/commands/config_review.hpp"
#include "scratchpage/runtime/cli/terminal/terminal.hpp"
#include "scratchpage/runtime/config/config.hpp"
#include "scratchpage/runtime/mcp/client/server_config.hpp"
#include "scratchpage/runtime/models/model_access.hpp"
#include "scratchpage/runtime/simulation/input_file.hpp"

namespace scratchpage {

namespace {

constexpr size_t max_config_bytes = size_t{4} << 20;

/// The text of a configuration and where it comes from.
struct config_text {
  std::string name;
  std::string text;
};

caf::expected<config_text> read_config_text(
  const std::filesystem::path& file, std::istream* standard) {
  config_text result;
  if (file != "-") {
    auto text = read_text_file(file);
    if (!text)
      return text.error();
    result = {file.string(), std::string{skip_bom(*text)}};
  } else if (standard == nullptr) {
    return bad_input("standard input", 0, "", "expected a configuration");
  } else {
    result.name = "standard input";
    result.text.assign(std::istreambuf_iterator<char>{*standard}, {});
  }
  if (result.text.size() > max_config_bytes)
    return bad_input(result.name, 0, "", "expected a configuration of at most 4 MiB");
  return result;
}

caf::expected<json::object> parse_config_text(const config_text& x) {
  auto value = parse_input(x.text, x.name, 1, {.comments = true});
  if (!value)
    return value.error();
  if (!value->is_object())
    return bad_input(x.name, 1, "", "expected an object of sections");
  return std::move(value->get_object());
}

/// What is missing in the environment of this process for such a configuration.
std::vector<std::string> warnings_about(const config& with) {
  std::vector<std::string> result;
  auto add = [&](const caf::error& err) {
    if (err)
      result.push_back(field_of(err) + ": " + expectation_of(err));
  };
  add(mcp_client::check_variables(with.mcp_servers, "mcpServers"));
  models::model_access probe;
  add(models::complete(probe, with.models, models::variables_of_process()));
  return result;
}

void print_mistakes(const config_review& x, const command_environment& environment) {
  const auto& style = environment.out_style;
  for (const auto& mistake : x.mistakes) {
    auto where = x.file + (mistake.line > 0 ? ":" + std::to_string(mistake.line) : "");
    environment.out << escaped(where) << ": "
                    << paint(
                         style, ink::bad, mistake.path.empty() ? "" : escaped(mistake.path) + ": ")
                    << escaped(mistake.expected) << '\n';
  }
  for (const auto& warning : x.warnings)
    environment.out << paint(style, ink::warn, "warning: ") << escaped(warning) << '\n';
}

void print_differences(const config_review& x, const command_environment& environment) {
  table rows{{{"SETTING"}, {"VALUE"}, {"BUILT IN"}}};
  auto shown = [](const json::value& value) { return value.is_null() ? "-" : to_text(value); };
  for (const auto& one : x.differs)
    rows.add({{one.path, ink::accent}, {shown(one.value)}, {shown(one.built_in), ink::faint}});
  if (!x.differs.empty())
    rows.print(environment.out, environment.out_style);
}

void print_review(const config_review& x, const command_environment& environment) {
  print_mistakes(x, environment);
  if (!x.mistakes.empty() || !x.warnings.empty())
    environment.out << '\n';
  print_differences(x, environment);
  if (!x.differs.empty())
    environment.out << '\n';
  auto sum = x.mistakes.empty() ? std::string{"valid"} : count_of(x.mistakes.size(), "mistake");
  if (x.mistakes.size() >= most_mistakes)
    sum = "at least " + sum;
  sum += x.differs.empty() ? "; nothing differs from the built-in configuration"
                           : "; " + count_of(x.differs.size(), "setting") + " "
                               + (x.differs.size() == 1 ? "differs" : "differ")
                               + " from the built-in configuration";
  environment.out << paint(environment.out_style, x.mistakes.empty() ? ink::good : ink::bad,
    escaped(sum)) << '\n';
}

constexpr auto config_footer = R"(
FILE is JSON, in which comments are allowed; '-' is the standard input. It has the
settings that are to differ from the built-in configuration, which 'config show' prints.
Values that may be secrets, those of "env" and "headers", are not printed.

Examples:
  scratchpage config show
  scratchpage config check mine.json
  scratchpage config show mine.json

Exit codes:
  0  done; the configuration is valid
  1  'config check' has found mistakes
  2  a usage error, or a file that cannot be read or is no JSON
)";

} // namespace

exit_code run_config_check(
  const configuration_options& options, const command_environment& environment) {
  auto given = read_config_text(options.file, environment.in);
  if (!given)
    return complain_of_input(environment, given.error());
  auto layer = parse_config_text(*given);
  if (!layer)
    return complain_of_input(environment, layer.error());
  auto review = review_config(*layer, given->text);
  review.file = given->name;
  if (review.valid)
    if (auto with = load_config(std::vector<json::object>{*layer}))
      review.warnings = warnings_about(*with);
  if (options.json)
    environment.out << to_safe_text(to_json(review)) << '\n';
  else
    print_review(review, environment);
  return finish(environment, review.valid ? exit_code::ok : exit_code::unmet);
}

exit_code run_config_show(
  const configuration_options& options, const command_environment& environment) {
  if (options.file.empty() && !options.json) {
    environment.out << default_config_text();
    return finish(environment);
  }
  auto with = default_config();
  if (!options.file.empty()) {
    auto given = read_config_text(options.file, environment.in);
    if (!given)
      return complain_of_input(environment, given.error());
    auto layer = parse_config_text(*given);
    if (!layer)
      return complain_of_input(environment, layer.error());
    auto read = load_config(std::vector<json::object>{*layer});
    if (!read) {
      auto path = field_of(read.error());
      return complain_of_input(environment,
        bad_input(given->name, line_of(given->text, path), path, expectation_of(read.error())));
    }
    with = std::move(*read);
  }
  auto shown = without_secrets(to_json(with));
  environment.out << (options.json ? to_safe_text(shown) : to_safe_json(to_pretty_text(shown)))
                  << '\n';
  return finish(environment);
}

configuration_commands::configuration_commands(CLI::App& app) {
  auto* all = app.add_subcommand("config", "Check and show configurations");
  all->require_subcommand(1);
  all->footer(config_footer);
  auto define = [&](
                  const char* name, const char* about, configuration_options& options, auto* run) {
    auto* command = all->add_subcommand(name, about);
    command->add_flag("--json", options.json, "Answer in JSON, one value per line")
      ->group("Outputs");
    command->callback([this, &options, run] {
      chosen_ = [&options, run](const command_environment& env) { return run(options, env); };
    });
    return command;
  };
  define(
    "check", "Say what is wrong in a configuration, and what it changes", check_, &run_config_check)
    ->add_option("FILE", check_.file, "The configuration; '-': the standard input")
    ->required()
    ->type_name("");
  define("show", "Print the built-in configuration, or the one in effect with a file", show_,
    &run_config_show)
    ->add_option("FILE", show_.file, "The configuration; '-': the standard input")
    ->type_name("");
}

} // namespace scratchpage
