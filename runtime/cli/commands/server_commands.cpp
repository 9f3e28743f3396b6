#include "scratchpage/runtime/cli/commands/server_commands.hpp"

#include <ostream>
#include <utility>

#include <CLI/CLI.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/cli/commands/option_choices.hpp"
#include "scratchpage/runtime/cli/commands/options.hpp"
#include "scratchpage/runtime/cli/commands/server_call.hpp"
#include "scratchpage/runtime/cli/io/command_line.hpp"
#include "scratchpage/runtime/cli/io/log.hpp"

namespace scratchpage {

namespace {

constexpr size_t max_answer_bytes = size_t{64} * 1024;

constexpr auto about_serve = R"(
Prints its address when it is ready. SIGTERM and SIGINT end it within ten seconds,
after open requests are answered and stored. Without a file of tokens, every program
on this machine may connect as a tool or a daemon, and a second line has an address
that signs you in as a person in a browser, once ('scratchpage page' prints another).
To listen on an address that other machines can reach, it needs TLS and a token.

Examples:
  scratchpage serve
  curl -d '{"type": "alert", "content": "Smoke"}' -H 'content-type: application/json' \
    http://127.0.0.1:7070/v1/agents/ada/observations
  scratchpage serve --listen 0.0.0.0:7443 --tls-certificate cert.pem --tls-key key.pem \
    --allow-host pages.example.com

Exit codes:
  0  ended as asked
  1  not everything was answered in time
  2  a usage error, bad input, or a storage or address that cannot be used
)";

void define_serve(CLI::App& app, serve_options& x) {
  constexpr auto place = "The agents";
  constexpr auto network = "Over the network";
  constexpr auto logs = "The log, on the error output";
  app
    .add_option("--data", x.data,
      "The data directory [$SCRATCHPAGE_DATA, else $XDG_DATA_HOME/scratchpage or "
      "~/.local/share/scratchpage], or a "
      "PostgreSQL database, postgresql://…")
    ->type_name("DIR|URL")
    ->group(place);
  app.add_option("--config", x.config, "The configuration (JSON, comments allowed)")
    ->type_name("FILE")
    ->group(place);
  offer_names<log_format>(app.add_option("--log-format", x.log_format,
                            "The format of its lines: " + all_names<log_format>()))
    ->capture_default_str()
    ->type_name("FORMAT")
    ->group(logs);
  offer_names<log_level>(
    app.add_option("--log-level", x.log_level,
      "The least level: " + all_names<log_level>() + "; debug has every request"))
    ->capture_default_str()
    ->type_name("LEVEL")
    ->group(logs);
  auto add = [&](const char* name, auto& to, const char* about) {
    return app.add_option(name, to, about)->group(network);
  };
  add("--listen", x.listen, "Where to listen; port 0 means any free port [127.0.0.1:7070]")
    ->type_name("ADDRESS:PORT");
  auto* certificate =
    add("--tls-certificate", x.tls_certificate, "A certificate with its chain (PEM)");
  auto* key = add("--tls-key", x.tls_key, "Its key (PEM)");
  certificate->type_name("FILE")->needs(key);
  key->type_name("FILE")->needs(certificate);
  auto is_named = [](const std::string& file) {
    return file.empty() ? std::string{"expected a file"} : std::string{};
  };
  add("--tokens", x.tokens, "The file of tokens, which has to exist [the data directory's]")
    ->type_name("FILE")
    ->check(is_named);
  add("--allow-host", x.allowed_hosts,
    "A host name of this server, or the origin of pages that may use it; may be repeated")
    ->type_name("NAME");
}

constexpr auto about_page = R"help(
The address signs you in to the server's page as a person, who can answer questions,
consent to calls, and approve actions. It works once, within ten minutes. A server
with tokens has no such address: 'scratchpage token add --person' makes a token.

Examples:
  scratchpage page
  xdg-open "$(scratchpage page --data /var/lib/scratchpage)"

Exit codes:
  0  the address is printed
  2  a usage error, no server on the data directory, or one that has tokens
)help";

void define_page(CLI::App& app, page_options& x) {
  app
    .add_option("--data", x.data,
      "The server's data directory [$SCRATCHPAGE_DATA, else $XDG_DATA_HOME/scratchpage or "
      "~/.local/share/scratchpage]")
    ->type_name("DIR");
}

} // namespace

exit_code run_page(const page_options& options, const command_environment& environment) {
  agent_options where;
  where.data = options.data;
  auto request = request_to_host(where, "POST", "/v1/session/keys");
  if (!request)
    return complain_of_input(environment, request.error());
  auto answer = ask_server(*request, max_answer_bytes);
  if (!answer)
    return complain_of_input(environment, answer.error());
  const auto* address = answer->if_contains("address");
  if (address == nullptr || !address->is_string())
    return complain_of_input(
      environment, fail(errc::internal, "", "expected an address from the server"));
  environment.out << std::string_view{address->get_string()} << std::endl;
  return finish(environment);
}

server_commands::server_commands(CLI::App& app) {
  auto* serve = app.add_subcommand("serve", "Serve agents over HTTP");
  define_serve(*serve, serve_);
  serve->footer(about_serve);
  serve->callback([this] {
    chosen_ = [this](const command_environment& env) { return run_serve(serve_, env); };
  });
  auto* page = app.add_subcommand("page", "Print an address that signs you in, in a browser");
  define_page(*page, page_);
  page->footer(about_page);
  page->callback(
    [this] { chosen_ = [this](const command_environment& env) { return run_page(page_, env); }; });
}

} // namespace scratchpage
