#pragma once

#include <memory>
#include <string>

#include <caf/actor_system.hpp>

#include "scratchpage/messages/handles.hpp"
#include "scratchpage/persistence/trace/trace_sink.hpp"
#include "scratchpage/runtime/net/http/server.hpp"
#include "scratchpage/tests/bench/http_load.hpp"

namespace scratchpage::bench {

/// So many people look at a page, each as the page in the browser does.
inline constexpr size_t viewers = 10;
inline constexpr auto viewer_query = "?per_second=1000";

/// Takes whatever traces it is sent.
class collector {
public:
  collector();
  std::string url() const { return "http://127.0.0.1:" + std::to_string(server_->port()); }

private:
  std::unique_ptr<http::server> server_;
};

/// Who looks at a page of a process: viewers over HTTP, and a collector that its trace is
/// exported to.
class audience {
public:
  audience();
  audience(const audience&) = delete;
  audience& operator=(const audience&) = delete;
  ~audience();

  /// For the page: keeps nothing, exports all.
  std::shared_ptr<trace_sink> trace() const { return trace_; }

  /// Viewers of this page, until they leave: before the system ends.
  void watch(caf::actor_system& system, const scratch_page_actor& page);
  void leave();

private:
  collector to_;
  std::shared_ptr<trace_sink> trace_;
  std::unique_ptr<http::server> server_;
  std::unique_ptr<read_streams> viewers_;
};

} // namespace scratchpage::bench
