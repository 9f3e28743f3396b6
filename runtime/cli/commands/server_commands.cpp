#include "scratchpage/runtime/cli/commands/server_commands.hpp"

#include <CLI/CLI.hpp>

#include "scratchpage/runtime/cli/io/log.hpp"

namespace scratchpage {

namespace {

constexpr auto about_serve = R"(
Prints its address when it is ready. SIGTERM and SIGINT end it: what was asked is
answered and stored, within ten seconds. Without a file of tokens every program on
this machine is let in as a tool or a daemon, and a second line has an address with
a key that lets you in as a person, once, in a browser ('scratchpage page' prints
another). Any other address needs TLS and a token.

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
      "The data directory; else $XDG_DATA_HOME/scratchpage or ~/.local/share/scratchpage. Or a "
      "PostgreSQL database, postgresql://…")
    ->type_name("DIR|URL")
    ->group(place);
  app.add_option("--config", x.config, "The configuration (JSON, comments allowed)")
    ->type_name("FILE")
    ->group(place);
  app.add_option("--log-format", x.log_format, "A line an event: " + all_names<log_format>())
    ->capture_default_str()
    ->type_name("FORMAT")
    ->group(logs);
  app
    .add_option("--log-level", x.log_level,
      "What is told: " + all_names<log_level>() + "; every request is debug")
    ->capture_default_str()
    ->type_name("LEVEL")
    ->group(logs);
  auto add = [&](const char* name, auto& to, const char* about) {
    return app.add_option(name, to, about)->group(network);
  };
  add("--listen", x.listen, "Where to listen [127.0.0.1:7070]; port 0 is any that is free")
    ->type_name("ADDRESS:PORT");
  auto* certificate =
    add("--tls-certificate", x.tls_certificate, "A certificate with its chain (PEM)");
  auto* key = add("--tls-key", x.tls_key, "Its key (PEM)");
  certificate->type_name("FILE")->needs(key);
  key->type_name("FILE")->needs(certificate);
  auto is_named = [](const std::string& file) {
    return file.empty() ? std::string{"expected a file"} : std::string{};
  };
  add("--tokens", x.tokens, "The file of tokens, which is there; else the data directory's")
    ->type_name("FILE")
    ->check(is_named);
  add("--allow-host", x.allowed_hosts,
    "A name by which clients call this server, or an origin of pages; may be given again")
    ->type_name("NAME");
}

constexpr auto about_page = R"help(
Whoever opens the address in a browser is a person there: they answer questions,
consent to calls, and approve actions. The address works once, for ten minutes.
A server that has tokens needs none: 'scratchpage token add --person' makes one.

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
      "The server's data directory; else $XDG_DATA_HOME/scratchpage or "
      "~/.local/share/scratchpage")
    ->type_name("DIR");
}

} // namespace

server_commands::server_commands(CLI::App& app) {
  auto* serve = app.add_subcommand("serve", "Serve agents over HTTP");
  define_serve(*serve, serve_);
  serve->footer(about_serve);
  serve->callback([this] {
    chosen_ = [this](const command_environment& env) { return run_serve(serve_, env); };
  });
  auto* page = app.add_subcommand("page", "Print an address that lets you in, in a browser");
  define_page(*page, page_);
  page->footer(about_page);
  page->callback(
    [this] { chosen_ = [this](const command_environment& env) { return run_page(page_, env); }; });
}

} // namespace scratchpage
