#include "scratchpage/runtime/cli/command_tree.hpp"

#include <ostream>
#include <utility>

#include <CLI/CLI.hpp>

#include "scratchpage/messages/version.hpp"
#include "scratchpage/runtime/cli/command_reference.hpp"
#include "scratchpage/runtime/cli/commands/option_choices.hpp"
#include "scratchpage/runtime/cli/commands/options.hpp"
#include "scratchpage/runtime/cli/variables.hpp"

namespace scratchpage {

namespace {

constexpr auto exit_codes = R"(Exit codes:
  0  done; every expectation was met
  1  an expectation was not met, or the run failed
  2  a usage error, or an input that cannot be read; nothing is written)";

constexpr auto partly_read = R"(
  3  lines of a transcript could not be read; all others were played)";

constexpr auto about_strict =
  "Refuse an input with a line or a message that cannot be read, or a repeated id";

constexpr auto about_simulate =
  "Play scenarios and recorded chat transcripts on the whole ensemble of daemons";

constexpr auto about_inputs =
  R"(An INPUT is a scenario (one JSON object with "steps", see docs/scenarios.md) or a
transcript in the OpenAI message form, one conversation per line:
  {"id": ..., "messages": [{role, content, tool_calls, tool_call_id}, ...]}
The program tells them apart by their content. A line that cannot be read is left
out and named; the others are played. Output files appear only when the
whole run has finished.)";

constexpr auto examples = R"(
Examples:
  scratchpage simulate samples/scenarios/phishing.json
  scratchpage simulate talks.jsonl --report talks.html --summary -
  scratchpage simulate talks.jsonl --seed 7 --shuffle --trace trace.jsonl --quiet
)";

void define_simulate(CLI::App& app, simulate_options& options) {
  app.add_option("INPUT", options.inputs, "Scenario or transcript files, played in this order")
    ->required()
    ->type_name("");
  app
    .add_option(
      "--seed", options.seed, "Seed of latencies and chances; the same seed gives the same run")
    ->capture_default_str()
    ->type_name("N");
  app.add_flag(
    "--shuffle", options.shuffle, "Let the seed also choose which ready actor runs next");
  app.add_flag("--real-time", options.real_time, "Run by the wall clock instead of virtual time");
  app
    .add_option("--window", options.window,
      "Also build the prompts of a model with this window, with scratchbook and compaction")
    ->type_name("TOKENS");
  app
    .add_option("--config", options.config, "The ensemble's configuration (JSON, comments allowed)")
    ->type_name("FILE");
  app
    .add_option("--summary", options.summary,
      "Write the run's figures as one JSON object ('-': the standard output)")
    ->type_name("FILE|-")
    ->group("Outputs");
  app
    .add_option(
      "--trace", options.trace, "Write every operation of every component as a line of JSON")
    ->type_name("FILE")
    ->group("Outputs");
  app
    .add_option("--decisions", options.decisions,
      "Write what the daemons decided, a line of JSON for each turn")
    ->type_name("FILE")
    ->group("Outputs");
  app
    .add_option("--model-replies", options.model_replies,
      "Take the replies of models from this file; if it is not there, ask them and write it")
    ->type_name("FILE")
    ->group("Models");
  app.add_option("--report", options.report, "Write a report as one self-contained HTML page")
    ->type_name("FILE")
    ->group("Outputs");
  app.add_flag("-q,--quiet", options.quiet, "Print neither the story nor the progress")
    ->group("Outputs");
  app
    .add_flag("-v,--verbose", options.verbose,
      "Print every conversation turn by turn, also if there are many")
    ->group("Outputs");
  app.add_flag("--strict", options.strict, about_strict);
  app.footer(std::string{about_inputs} + "\n\n" + exit_codes + partly_read + "\n" + examples);
}

constexpr auto about_evaluate =
  "Measure what the daemons decide in labelled conversations: precision, recall and F1";

constexpr auto evaluate_footer =
  R"(A FILE is a transcript whose lines also have "labels", one object for each user
message (docs/evaluation.md). What a label leaves out is not counted.

Exit codes:
  0  done
  1  the run failed
  2  a usage error, or an input that cannot be read; nothing is written
  3  lines of a file could not be read; all others were measured

Examples:
  scratchpage evaluate samples/labelled/table.jsonl
  scratchpage evaluate talks.jsonl --config mine.json --against other.json
  scratchpage evaluate talks.jsonl --show 20 --report talks.html
  scratchpage evaluate talks.jsonl --json --show 0
)";

void define_evaluate(CLI::App& app, evaluate_options& options) {
  app.add_option("FILE", options.inputs, "Labelled conversations, played in this order")
    ->required()
    ->type_name("");
  app
    .add_option("--config", options.config, "The ensemble's configuration (JSON, comments allowed)")
    ->type_name("FILE");
  app.add_option("--against", options.against, "A second configuration, shown beside the first")
    ->type_name("FILE");
  app
    .add_option(
      "--seed", options.seed, "Seed of latencies and chances; the same seed gives the same run")
    ->capture_default_str()
    ->type_name("N");
  app
    .add_option(
      "--show", options.show, "How many cases of each daemon that were judged otherwise are shown")
    ->capture_default_str()
    ->type_name("N");
  app
    .add_option("--model-replies", options.model_replies,
      "Take the replies of models from this file; if it is not there, ask them and write it")
    ->type_name("FILE");
  app.add_flag("--strict", options.strict, about_strict);
  app.add_flag("--json", options.json, "Print one JSON object");
  app.add_option("--report", options.report, "Write a report as one self-contained HTML page")
    ->type_name("FILE");
  app.add_flag("-q,--quiet", options.quiet, "Print no progress");
  app.footer(evaluate_footer);
}

const std::vector<std::string> shells{"bash", "zsh", "fish"};

constexpr auto completion_footer = R"(
The Debian package installs the completions of all three shells. They complete
commands, options, values that are known, files, and the ids of agents.

Examples:
  scratchpage completion bash > ~/.local/share/bash-completion/completions/scratchpage
  scratchpage completion zsh > ~/.zfunc/_scratchpage
  scratchpage completion fish > ~/.config/fish/completions/scratchpage.fish

Exit codes:
  0  the completions are printed
  2  a usage error
)";

/// The command that was parsed: "scratch add", not "scratch".
CLI::App& innermost(CLI::App& app) {
  auto* at = &app;
  while (!at->get_subcommands().empty())
    at = at->get_subcommands().front();
  return *at;
}

} // namespace

command_tree::command_tree(CLI::App& app)
  : app_{app},
    simulate_{app.add_subcommand("simulate", about_simulate)},
    evaluate_{app.add_subcommand("evaluate", about_evaluate)},
    data_{app},
    servers_{app},
    tokens_{app},
    configurations_{app},
    completion_{app.add_subcommand("completion", "Print the completions of a shell")} {
  app.name("scratchpage");
  app.description("The working memory and message bus of a team of AI daemons.");
  app.require_subcommand(1);
  app.set_version_flag("--version", "scratchpage " + std::string{version});
  app.footer(std::string{exit_codes}
             + "\n  3  some lines of the input of 'simulate' or 'evaluate' could not be read");
  define_simulate(*simulate_, simulation_);
  define_evaluate(*evaluate_, evaluation_);
  offer_choices(completion_->add_option("SHELL", shell_, "The shell: bash, zsh or fish"), shells)
    ->required()
    ->type_name("");
  completion_->footer(completion_footer);
}

exit_code command_tree::print_completion(const command_environment& environment) const {
  const auto& shell = shell_;
  auto program = describe(std::as_const(app_));
  if (shell == "bash")
    environment.out << bash_completion(program);
  else if (shell == "zsh")
    environment.out << zsh_completion(program);
  else if (shell == "fish")
    environment.out << fish_completion(program);
  else {
    option_reader read;
    read.refuse_name("SHELL", shells, shell);
    return complain(environment, read.error());
  }
  return finish(environment);
}

exit_code command_tree::run(const command_environment& given) const {
  auto environment = given;
  if (auto err = take_variables(innermost(app_), environment))
    return complain(environment, err);
  if (simulate_->parsed())
    return simulate(simulation_, environment);
  if (evaluate_->parsed())
    return evaluate(evaluation_, environment);
  if (completion_->parsed())
    return print_completion(environment);
  if (servers_.parsed())
    return servers_.run(environment);
  if (configurations_.parsed())
    return configurations_.run(environment);
  return tokens_.parsed() ? tokens_.run(environment) : data_.run(environment);
}

} // namespace scratchpage
