#include "scratchpage/runtime/cli/command_tree.hpp"

#include <utility>

#include <CLI/CLI.hpp>

#include "scratchpage/messages/version.hpp"

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
  app.footer(
    std::string{about_inputs} + "\n\n" + exit_codes + partly_read + "\n" + examples);
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

option_reference describe(const CLI::Option& x) {
  option_reference result;
  result.is_positional = x.nonpositional() ? false : x.get_positional();
  if (result.is_positional)
    result.names.push_back(x.get_name(true));
  for (const auto& name : x.get_snames())
    result.names.push_back("-" + name);
  for (const auto& name : x.get_lnames())
    result.names.push_back("--" + name);
  if (x.get_items_expected_max() > 0)
    result.value = result.is_positional ? result.names.front() : x.get_type_name();
  result.about = x.get_description();
  result.by_default = x.get_default_str();
  result.is_required = x.get_required();
  result.is_repeatable = x.get_items_expected_max() > 1;
  return result;
}

command_reference describe(const CLI::App& x) {
  command_reference result{x.get_name(), x.get_description(), {}, {}};
  for (const auto* option : x.get_options())
    result.options.push_back(describe(*option));
  for (const auto* command : x.get_subcommands([](const CLI::App*) { return true; }))
    result.commands.push_back(describe(*command));
  return result;
}

} // namespace

command_tree::command_tree(CLI::App& app)
  : simulate_{app.add_subcommand("simulate", about_simulate)},
    evaluate_{app.add_subcommand("evaluate", about_evaluate)},
    data_{app},
    servers_{app},
    tokens_{app} {
  app.name("scratchpage");
  app.description("The working memory and message bus of a team of AI daemons.");
  app.require_subcommand(1);
  app.set_version_flag("--version", "scratchpage " + std::string{version});
  app.footer(exit_codes);
  define_simulate(*simulate_, simulation_);
  define_evaluate(*evaluate_, evaluation_);
}

exit_code command_tree::run(const command_environment& environment) const {
  if (simulate_->parsed())
    return simulate(simulation_, environment);
  if (evaluate_->parsed())
    return evaluate(evaluation_, environment);
  if (servers_.parsed())
    return servers_.run(environment);
  return tokens_.parsed() ? tokens_.run(environment) : data_.run(environment);
}

command_reference describe_command_line() {
  CLI::App app;
  command_tree commands{app};
  return describe(std::as_const(app));
}

} // namespace scratchpage
