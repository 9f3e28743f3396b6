#include "scratchpage/runtime/cli/commands/token_commands.hpp"

#include <string>

#include <CLI/CLI.hpp>

#include "scratchpage/messages/caller.hpp"

namespace scratchpage {

namespace {

constexpr auto footer = R"(
A token is shown once, when it is made. What is kept is a hash of it, in
tokens.json in the data directory, which none but you may read. A server that
runs notices each change within a second.

Examples:
  scratchpage token add --name "ada's laptop" --agents ada --person --expires 90d
  scratchpage token add --name dashboard --read-only | ssh host 'cat > token'
  scratchpage token list
  scratchpage token revoke k3v7xq2m

Exit codes:
  0  done
  1  there is no such token, or the file of tokens cannot be used
  2  a usage error, or a damaged file of tokens; nothing is changed
)";

void define_place(CLI::App& app, token_options& x) {
  constexpr auto place = "The tokens";
  auto* data = app.add_option("--data", x.data,
    "The data directory; else $XDG_DATA_HOME/scratchpage or ~/.local/share/scratchpage");
  auto* tokens =
    app.add_option("--tokens", x.tokens, "The file of tokens, if it is not the directory's");
  data->type_name("DIR")->group(place)->excludes(tokens);
  tokens->type_name("FILE")->group(place);
  app.add_flag("--json", x.json, "Answer in JSON, one value a line")->group("Outputs");
}

} // namespace

token_commands::token_commands(CLI::App& app) {
  auto* token = app.add_subcommand("token", "Say who is let in by a server");
  token->require_subcommand(1);
  token->footer(footer);
  auto define = [&](const char* name, const char* about, token_options& in, auto& options,
                  auto* run) -> CLI::App& {
    auto* command = token->add_subcommand(name, about);
    define_place(*command, in);
    command->callback([this, &options, run] {
      chosen_ = [&options, run](const command_environment& env) { return run(options, env); };
    });
    return *command;
  };
  auto& add = define("add", "Make a token, and show it", add_.in, add_, &run_token_add);
  add.add_option("--name", add_.name, "Whom it is for")->required()->type_name("NAME");
  add
    .add_option("--agents", add_.agents,
      "Which agents they may use, with commas between; '*' stands for any letters [*]")
    ->delimiter(',')
    ->allow_extra_args(false)
    ->type_name("IDS");
  add.add_option("--role", add_.role, "What they may do, one of " + all_names<role>())
    ->capture_default_str()
    ->type_name("R");
  add.add_flag("--person", add_.person,
    "A person has it: what they do counts as the user's, such as approving an action");
  add.add_flag("--read-only", add_.read_only, "They may change nothing");
  add
    .add_option("--expires", add_.expires,
      "When it ends: in so many minutes, hours or days (90m, 12h, 30d), or at a time [never]")
    ->type_name("SPAN|TIME");
  define("list", "List the tokens, without their secrets", list_, list_, &run_token_list);
  define("revoke", "Let nobody in by a token any more", revoke_.in, revoke_, &run_token_revoke)
    .add_option("ID", revoke_.id, "The token's id: what is between the two '_' of its beginning")
    ->required()
    ->type_name("");
}

} // namespace scratchpage
