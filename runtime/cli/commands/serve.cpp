#include "scratchpage/runtime/cli/commands/serve.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <ostream>
#include <utility>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/json/json_view.hpp"
#include "scratchpage/messages/start_thread.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/messages/version.hpp"
#include "scratchpage/runtime/auth/listen_policy.hpp"
#include "scratchpage/runtime/cli/commands/opening.hpp"
#include "scratchpage/runtime/cli/io/command_answer.hpp"
#include "scratchpage/runtime/cli/io/config_file.hpp"
#include "scratchpage/runtime/cli/io/end_deadline.hpp"
#include "scratchpage/runtime/cli/io/end_signals.hpp"
#include "scratchpage/runtime/cli/io/log.hpp"
#include "scratchpage/runtime/cli/io/login_name.hpp"
#include "scratchpage/runtime/cli/io/request_log.hpp"
#include "scratchpage/runtime/execution/wall_clock.hpp"
#include "scratchpage/runtime/host/agent_host.hpp"
#include "scratchpage/runtime/host/host_event.hpp"
#include "scratchpage/runtime/mcp/client/environment.hpp"
#include "scratchpage/runtime/net/http/descriptors.hpp"
#include "scratchpage/runtime/net/http/server.hpp"
#include "scratchpage/runtime/server/listen_address.hpp"
#include "scratchpage/runtime/server/local_server.hpp"
#include "scratchpage/runtime/server/service.hpp"
#include "scratchpage/runtime/server/token_door.hpp"

namespace scratchpage {

namespace {

constexpr uint16_t default_port = 7070;
/// Without so many a server would end in the middle of its start.
constexpr size_t threads_at_start = 32;
/// Together they are what an end may take, with the second and a half that traces have to go
/// out.
constexpr timespan patience_for_answers = std::chrono::seconds{6};
constexpr timespan patience_for_rest = std::chrono::seconds{2};
/// Of the first: until who speaks JSON-RPC on a WebSocket has gone.
constexpr timespan patience_for_clients = std::chrono::seconds{2};
/// Until whoever reads the log has read it.
constexpr timespan patience_for_log = std::chrono::seconds{1};

caf::expected<config> read_config(const serve_options& options) {
  auto with = load_config_file(options.config);
  if (!with)
    return with;
  if (auto err = mcp_client::check_variables(with->mcp_servers, "mcpServers"))
    return in_config_file(options.config, err);
  if (auto err = telemetry::take_variables(with->telemetry, mcp_client::own_environment))
    return err;
  auto& http = with->http;
  if (http.port == 0 && options.listen.empty())
    http.port = default_port;
  if (!options.listen.empty())
    if (auto err = serve::set_listen_address(options.listen, http))
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

/// Whoever names a file wants tokens to be asked for: without it everybody would be let in.
caf::expected<access::token_file> named_tokens(const std::filesystem::path& path) {
  access::token_file result{path};
  auto found = result.read();
  if (!found)
    return found.error();
  if (found->stamp)
    return result;
  return fail(errc::invalid_request, "--tokens",
    "expected a file that is there, not '" + path.string()
      + "'; 'scratchpage token add' with the same option makes it");
}

/// A database has no directory in which tokens could lie.
caf::expected<access::token_file> tokens_of(const serve_options& options) {
  if (!options.tokens.empty())
    return named_tokens(options.tokens);
  auto where = where_of(options);
  if (storage::is_connection(where))
    return fail(errc::invalid_request, "--tokens", "expected a file, since --data is a database");
  return access::token_file{access::token_file::in(where)};
}

caf::expected<std::pair<log_format, log_level>> read_log(const serve_options& options) {
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
  case host_event_kind::storage_works: // whoever was told of the failure wants to know
    return log_level::warning;
  default:
    return log_level::error;
  }
}

void tell_happened(log& to, const host_event& x) {
  constexpr size_t most = 500;
  json::object fields;
  if (!x.agent_id.empty())
    fields = {{"agent", utf8::shortened(x.agent_id, most)}, {"ms", in_milliseconds(x.took)}};
  if (!x.problem.empty())
    fields["problem"] = utf8::shortened(x.problem, most);
  to.write(level_of(x), name_of(x.kind), fields);
}

caf::error check_listening(const http::server_config& http, serve::token_door& door) {
  auto has_valid = door.has_valid();
  if (!has_valid)
    return has_valid.error();
  return access::check_listening({http.address, !http.certificate_file.empty(), *has_valid});
}

/// Everything that serves, from the storage to the sockets.
class serving {
public:
  static caf::expected<std::unique_ptr<serving>> begin(
    const serve_options& options, config with, log& to) {
    auto tokens = tokens_of(options);
    if (!tokens)
      return tokens.error();
    auto names = access::host_check::make(options.allowed_hosts);
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

  /// Where the user of this machine is a person; "": people have tokens here.
  std::string address_for_person() {
    return door_.persons() == nullptr ? std::string{} : persons_->address(clock_.now());
  }

  /// Whether everything was answered and came to rest.
  bool end() {
    auto until = clock_.steady() + patience_for_answers;
    auto left = [&] { return std::max<timespan>(until - clock_.steady(), timespan{0}); };
    service_.begin_to_end();
    auto answered = !local_ || local_->end(std::min<timespan>(left(), patience_for_clients));
    answered = service_.await_clients(std::min<timespan>(left(), patience_for_clients)) && answered;
    answered = server_->drain(left()) && answered;
    server_.reset();
    return !host_.settle(patience_for_rest) && answered;
  }

private:
  /// Programs without a token are let in where tokens are asked for only once there are some.
  serving(storage in, config with, access::token_file tokens, bool may_begin_without,
    access::host_check names, log& to)
    : host_{std::move(in), std::move(with), [&to](const host_event& x) { tell_happened(to, x); }},
      door_{std::move(tokens), std::make_shared<wall_clock>(),
        may_begin_without
          ? std::make_unique<serve::open_door>(role::daemon, access::claims::of_programs, persons_)
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
      [this](const http::answered_request& x) { requests_.tell(x); }, host_.answers());
    if (!started)
      return started.error();
    server_ = std::move(*started);
    service_.count_with(server_->stats());
    url_ = serve::url_of(http, server_->port());
    persons_->set_url(url_);
    return {};
  }

  /// For the commands of this user.
  caf::error listen_to_local_socket(const std::string& path) {
    if (path.empty())
      return {};
    auto started = serve::local_server::start(host_, path, persons_);
    if (!started)
      return started.error();
    local_ = std::move(*started);
    return {};
  }

  wall_clock clock_;
  agent_host host_;
  std::shared_ptr<access::person_sessions> persons_ =
    std::make_shared<access::person_sessions>(login_name());
  serve::token_door door_;
  serve::service service_;
  request_log requests_;
  std::unique_ptr<serve::local_server> local_;
  std::unique_ptr<http::server> server_; // ends before what it answers with
  std::string url_;
};

/// To people alone: what programs read, or write to a file, holds no secret.
void tell_person(serving& server, const command_environment& environment) {
  if (!environment.out_style.is_terminal)
    return;
  if (auto address = server.address_for_person(); !address.empty())
    environment.out << "In a browser, as you (once, within ten minutes): " << address << std::endl;
}

/// Serves until somebody asks for the end; whether everything was answered by then.
caf::expected<bool> serve_until_end(const serve_options& options, config with,
  const command_environment& environment, end_signals* signals, log& to, end_deadline& late) {
  auto exports = !with.telemetry.otlp_endpoint.empty();
  auto server = serving::begin(options, std::move(with), to);
  if (!server)
    return server.error();
  to.write(log_level::info, "serving",
    {{"url", (*server)->url()}, {"version", view(version)}, {"exports_traces", exports}});
  environment.out << (*server)->url() << std::endl; // from here on there may be requests
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
  auto logging = read_log(options);
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
  auto is_read = to.flush(patience_for_log);
  to.end(timespan{0});
  if (!answered)
    return complain_of_input(environment, answered.error());
  if (*answered)
    return finish(environment);
  if (is_read)
    warn(environment, "not everything was answered in time; what was acknowledged is stored");
  return exit_code::unmet;
}

} // namespace scratchpage
