#include "scratchpage/runtime/cli/commands/serve.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>
#include <ostream>
#include <utility>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/messages/threads.hpp"
#include "scratchpage/messages/version.hpp"
#include "scratchpage/runtime/auth/authenticator.hpp"
#include "scratchpage/runtime/auth/host_check.hpp"
#include "scratchpage/runtime/cli/commands/opening.hpp"
#include "scratchpage/runtime/cli/commands/options.hpp"
#include "scratchpage/runtime/cli/io/command_line.hpp"
#include "scratchpage/runtime/cli/io/files.hpp"
#include "scratchpage/runtime/cli/io/log.hpp"
#include "scratchpage/runtime/cli/io/shutdown.hpp"
#include "scratchpage/runtime/execution/wall_clock.hpp"
#include "scratchpage/runtime/host/agent_host.hpp"
#include "scratchpage/runtime/mcp/client/server_config.hpp"
#include "scratchpage/runtime/models/model_access.hpp"
#include "scratchpage/runtime/net/http/server.hpp"
#include "scratchpage/runtime/net/http/server_config.hpp"
#include "scratchpage/runtime/server/service.hpp"

namespace scratchpage {

caf::error set_listen_address(std::string_view text, http::server_config& to) {
  auto colon = text.rfind(':');
  auto port = colon == std::string_view::npos ? "" : text.substr(colon + 1);
  uint16_t number = 0;
  auto [end, ec] = std::from_chars(port.data(), port.data() + port.size(), number);
  if (port.empty() || ec != std::errc{} || end != port.data() + port.size())
    return fail(errc::invalid_request, "--listen",
      "expected ADDRESS:PORT such as 127.0.0.1:7070, got '" + std::string{text} + "'");
  auto address = text.substr(0, colon);
  if (address.starts_with('[') && address.ends_with(']'))
    address = address.substr(1, address.size() - 2);
  if (!address.empty())
    to.address = address;
  to.port = number;
  return {};
}

std::string url_of(const http::server_config& x, uint16_t port) {
  auto is_v6 = x.address.find(':') != std::string::npos;
  auto host = is_v6 ? "[" + x.address + "]" : x.address;
  return (x.certificate_file.empty() ? "http://" : "https://") + host + ":" + std::to_string(port);
}

} // namespace scratchpage

namespace scratchpage {

namespace {

constexpr uint16_t default_port = 7070;
/// Checked before the start, since a server with too few threads would fail in the middle of it.
constexpr size_t threads_at_start = 32;
/// How long parts of a regular end may take. With the second and a half for the export of traces
/// they stay below `end_deadline::longest`.
constexpr timespan timeout_of_answers = std::chrono::seconds{6};
constexpr timespan timeout_to_settle = std::chrono::seconds{2};
/// A part of the first: until clients that speak JSON-RPC have closed their WebSockets.
constexpr timespan timeout_of_clients = std::chrono::seconds{2};
/// Until the reader of the log has read it.
constexpr timespan timeout_of_log = std::chrono::seconds{1};

caf::expected<config> read_config(const serve_options& options) {
  auto with = load_config_file(options.config);
  if (!with)
    return with;
  if (auto err = mcp_client::check_variables(with->mcp_servers, "mcpServers"))
    return in_config_file(options.config, err);
  models::model_access probe;
  if (auto err = models::complete(probe, with->models, models::variables_of_process()))
    return in_config_file(options.config, err);
  if (auto err = telemetry::take_variables(with->telemetry, mcp_client::own_environment))
    return err;
  auto& http = with->http;
  if (http.port == 0 && options.listen.empty())
    http.port = default_port;
  if (!options.listen.empty())
    if (auto err = set_listen_address(options.listen, http))
      return err;
  if (!options.tls_certificate.empty())
    http.certificate_file = options.tls_certificate.string();
  if (!options.tls_key.empty())
    http.key_file = options.tls_key.string();
  return with;
}

std::string where_of(const serve_options& options) {
  return options.data.empty() ? default_data_directory().string() : options.data;
}

/// The file that `--tokens` names. It has to exist: without one the server would ask for no token.
caf::expected<auth::token_file> named_tokens(const std::filesystem::path& path) {
  auth::token_file result{path};
  auto found = result.read();
  if (!found)
    return found.error();
  if (found->stamp)
    return result;
  return fail(errc::invalid_request, "--tokens",
    "expected a file that exists, got '" + path.string()
      + "'; 'scratchpage token add' with the same option creates it");
}

/// The file of tokens. A database has no directory for one, so `--tokens` has to name it.
caf::expected<auth::token_file> tokens_of(const serve_options& options) {
  if (!options.tokens.empty())
    return named_tokens(options.tokens);
  auto where = where_of(options);
  if (storage::is_connection(where))
    return fail(errc::invalid_request, "--tokens", "expected a file, since --data is a database");
  return auth::token_file{auth::token_file::in(where)};
}

caf::expected<std::pair<log_format, log_level>> read_log_options(const serve_options& options) {
  std::pair<log_format, log_level> result;
  if (!from_string(options.log_format, result.first))
    return fail(errc::invalid_request, "--log-format",
      "expected " + all_names<log_format>() + ", got '" + options.log_format + "'");
  if (!from_string(options.log_level, result.second))
    return fail(errc::invalid_request, "--log-level",
      "expected " + all_names<log_level>() + ", got '" + options.log_level + "'");
  return result;
}

log_level level_of(const host_event& x) {
  switch (x.kind) {
  case host_event_kind::agent_opened:
    return x.problem.empty() ? log_level::info : log_level::warning;
  case host_event_kind::storage_doubtful:
  case host_event_kind::storage_works: // as important as the failure that it ends
    return log_level::warning;
  default:
    return log_level::error;
  }
}

void log_event(log& to, const host_event& x) {
  constexpr size_t most = 500;
  json::object fields;
  if (!x.agent_id.empty())
    fields = {{"agent", utf8::shortened(x.agent_id, most)}, {"ms", in_milliseconds(x.took)}};
  if (!x.problem.empty())
    fields["problem"] = utf8::shortened(x.problem, most);
  to.write(level_of(x), name_of(x.kind), fields);
}

caf::error check_listening(const http::server_config& http, auth::token_authenticator& door) {
  auto has_valid = door.has_valid();
  if (!has_valid)
    return has_valid.error();
  return auth::check_listening({http.address, !http.certificate_file.empty(), *has_valid});
}

/// A running server, from the storage to the sockets.
class serving {
public:
  static caf::expected<std::unique_ptr<serving>> begin(
    const serve_options& options, config with, log& to) {
    auto tokens = tokens_of(options);
    if (!tokens)
      return tokens.error();
    auto names = auth::host_check::make(options.allowed_hosts);
    if (!names)
      return names.error();
    auto opened = storage::open(where_of(options));
    if (!opened)
      return opened.error();
    auto socket = opened->directory ? data_directory::socket_in(opened->directory->path()).string()
                                    : std::string{};
    std::unique_ptr<serving> result{new serving{std::move(*opened), std::move(with),
      std::move(*tokens), options.tokens.empty(), std::move(*names), to}};
    if (auto err = result->listen(result->host_.with().http))
      return err;
    if (auto err = result->listen_to_local_socket(socket))
      return err;
    return result;
  }

  const std::string& url() const { return url_; }

  /// The address that signs the user of this machine in as a person; "" if people need tokens.
  std::string address_for_person() {
    return door_.persons() == nullptr ? std::string{} : persons_->address(clock_.now());
  }

  /// Ends the server. False if not everything was answered and processed in time.
  bool end() {
    auto until = clock_.steady() + timeout_of_answers;
    auto left = [&] { return std::max<timespan>(until - clock_.steady(), timespan{0}); };
    service_.begin_to_end();
    auto answered = !local_ || local_->end(std::min<timespan>(left(), timeout_of_clients));
    answered = service_.await_clients(std::min<timespan>(left(), timeout_of_clients)) && answered;
    answered = server_->drain(left()) && answered;
    server_.reset();
    return !host_.settle(timeout_to_settle) && answered;
  }

private:
  /// With `may_begin_without`, programs need no token until the file has one.
  serving(storage in, config with, auth::token_file tokens, bool may_begin_without,
    auth::host_check names, log& to)
    : host_{std::move(in), std::move(with), [&to](const host_event& x) { log_event(to, x); }},
      door_{std::move(tokens), std::make_shared<wall_clock>(),
        may_begin_without ? std::make_unique<auth::trusting_authenticator>(
          role::daemon, auth::claims::of_programs, persons_)
                          : nullptr},
      service_{host_, door_, std::move(names)},
      requests_{to} {}

  caf::error listen(const http::server_config& http) {
    if (auto err = check_listening(http, door_))
      return err;
    auto started = http::server::start(
      http,
      [this](http::request x, const std::shared_ptr<http::exchange>& to) {
        service_.handle(std::move(x), to);
      },
      [this](const http::access_log_entry& x) { requests_.tell(x); }, host_.answers());
    if (!started)
      return started.error();
    server_ = std::move(*started);
    service_.count_with(server_->stats());
    url_ = url_of(http, server_->port());
    persons_->set_url(url_);
    return {};
  }

  /// The local socket is for the commands of this user.
  caf::error listen_to_local_socket(const std::string& path) {
    if (path.empty())
      return {};
    auto started = server::local_server::start(host_, path, persons_);
    if (!started)
      return started.error();
    local_ = std::move(*started);
    return {};
  }

  wall_clock clock_;
  agent_host host_;
  std::shared_ptr<auth::person_sessions> persons_ =
    std::make_shared<auth::person_sessions>(login_name());
  auth::token_authenticator door_;
  server::service service_;
  request_log requests_;
  std::unique_ptr<server::local_server> local_;
  std::unique_ptr<http::server> server_; // ends before the members that it answers with
  std::string url_;
};

/// Prints the address with a key on a terminal only: the key is a secret, which must not get into
/// the input of a program or into a file.
void tell_person(serving& server, const command_environment& environment) {
  if (!environment.out_style.is_terminal)
    return;
  if (auto address = server.address_for_person(); !address.empty())
    environment.out << "To sign in with a browser (once, within ten minutes): " << address
                    << std::endl;
}

/// Serves until a signal asks for the end. False if not everything was answered in time.
caf::expected<bool> serve_until_end(const serve_options& options, config with,
  const command_environment& environment, end_signals* signals, log& to, end_deadline& late) {
  auto exports = !with.telemetry.otlp_endpoint.empty();
  auto server = serving::begin(options, std::move(with), to);
  if (!server)
    return server.error();
  to.write(log_level::info, "serving",
    {{"url", (*server)->url()}, {"version", view(version)}, {"exports_traces", exports}});
  environment.out << (*server)->url() << std::endl; // requests may come from here on
  tell_person(**server, environment);
  if (signals != nullptr)
    signals->await();
  else
    environment.await_end();
  late.begin();
  to.write(log_level::info, "ending");
  return (*server)->end();
}

} // namespace

exit_code run_serve(const serve_options& options, const command_environment& environment) {
  auto logging = read_log_options(options);
  if (!logging)
    return complain_of_input(environment, logging.error());
  auto with = read_config(options);
  if (!with)
    return complain_of_input(environment, with.error());
  if (auto err = check_threads(threads_at_start))
    return complain_of_input(environment, err);
  std::optional<end_signals> signals;
  if (!environment.await_end)
    signals.emplace(end_signals::and_of_pipes{});
  http::raise_descriptor_limit();
  wall_clock clock;
  log to{environment.err, logging->first, logging->second, clock, environment.err_fd};
  end_deadline late{environment, options.longest_end, [&to] {
                      to.write(log_level::error, "ended_by_force");
                      to.flush(std::chrono::milliseconds{100});
                    }};
  auto answered = serve_until_end(
    options, std::move(*with), environment, signals ? &*signals : nullptr, to, late);
  if (answered && *answered)
    to.write(log_level::info, "ended");
  auto is_read = to.flush(timeout_of_log);
  to.end(timespan{0});
  if (!answered)
    return complain_of_input(environment, answered.error());
  if (*answered)
    return finish(environment);
  if (is_read)
    warn(environment, "not everything was answered in time; all acknowledged changes are stored");
  return exit_code::unmet;
}

} // namespace scratchpage
