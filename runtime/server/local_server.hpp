#pragma once

#include <memory>
#include <string>

#include <caf/expected.hpp>

#include "scratchpage/runtime/host/agent_host.hpp"
#include "scratchpage/runtime/net/http/server.hpp"
#include "scratchpage/runtime/server/service.hpp"

namespace scratchpage::serve {

/// Answers the other processes of this user on a local socket. Whoever may open the
/// data directory may do everything.
class local_server {
public:
  /// The host has to outlive it. `persons` are those of the server that people reach with a
  /// browser, whose keys are made here; null: there is none. Error: `invalid_request` about
  /// `http.socket_path`.
  static caf::expected<std::unique_ptr<local_server>> start(agent_host& host,
    const std::string& socket_path, std::shared_ptr<access::person_sessions> persons = nullptr);

  local_server(const local_server&) = delete;
  local_server& operator=(const local_server&) = delete;

  /// Answers what was begun and refuses what comes; false if `within` was not enough.
  bool end(timespan within);

private:
  local_server(agent_host& host, std::shared_ptr<access::person_sessions> persons);

  open_door door_;
  service service_;
  std::unique_ptr<http::server> server_; // ends before what it answers with
};

} // namespace scratchpage::serve
