#include "scratchpage/runtime/cli/command_tree.hpp"

#include <CLI/CLI.hpp>

#include "scratchpage/messages/version.hpp"

namespace scratchpage {

namespace {

constexpr auto exit_codes = R"(Exit codes:
  0  done; every expectation was met
  1  an expectation was not met, or the run itself broke
  2  a usage error, or an input that cannot be read; nothing is written)";

constexpr auto about_simulate =
  "Play scenarios and recorded chat transcripts on the whole ensemble of daemons";

constexpr auto about_inputs =
  R"(An INPUT is a scenario (one JSON object with "steps", see docs/scenarios.md) or a
transcript in the OpenAI message form, one conversation a line:
  {"id": ..., "messages": [{role, content, tool_calls, tool_call_id}, ...]}
Its content tells which of the two it is. Output files appear when the whole run
is done, or not at all.)";

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
    .add_option("--seed", options.seed, "Picks latencies and chances; the same seed, the same run")
    ->capture_default_str()
    ->type_name("N");
  app.add_flag(
    "--shuffle", options.shuffle, "Let the seed also choose which ready actor runs next");
  app.add_flag("--real-time", options.real_time, "Run by the wall clock instead of virtual time");
  app
    .add_option("--window", options.window,
      "Make the prompts of a model with so many tokens, with scratchbook and compaction")
    ->type_name("TOKENS");
  app
    .add_option("--config", options.config, "The ensemble's configuration (JSON, comments allowed)")
    ->type_name("FILE");
  app
    .add_option("--summary", options.summary,
      "Write the run's figures as one JSON object ('-': standard output)")
    ->type_name("FILE|-")
    ->group("Outputs");
  app
    .add_option(
      "--trace", options.trace, "Write every operation of every component, a JSON line each")
    ->type_name("FILE")
    ->group("Outputs");
  app.add_option("--report", options.report, "Write one self-contained HTML page to look at")
    ->type_name("FILE")
    ->group("Outputs");
  app.add_flag("-q,--quiet", options.quiet, "No story and no progress")->group("Outputs");
  app
    .add_flag("-v,--verbose", options.verbose, "Tell every conversation turn by turn, however many")
    ->group("Outputs");
  app.footer(std::string{about_inputs} + "\n\n" + exit_codes + "\n" + examples);
}

} // namespace

command_tree::command_tree(CLI::App& app)
  : simulate_{app.add_subcommand("simulate", about_simulate)},
    data_{app},
    servers_{app},
    tokens_{app} {
  app.name("scratchpage");
  app.description("The working memory and message bus of a team of AI daemons.");
  app.require_subcommand(1);
  app.set_version_flag("--version", "scratchpage " + std::string{version});
  app.footer(exit_codes);
  define_simulate(*simulate_, simulation_);
}

exit_code command_tree::run(const command_environment& environment) const {
  if (simulate_->parsed())
    return simulate(simulation_, environment);
  if (servers_.parsed())
    return servers_.run(environment);
  return tokens_.parsed() ? tokens_.run(environment) : data_.run(environment);
}

} // namespace scratchpage
