#pragma once

#include <memory>
#include <string>

#include <caf/actor_system.hpp>

#include "scratchpage/messages/handles.hpp"
#include "scratchpage/persistence/trace/trace_sink.hpp"
#include "scratchpage/runtime/net/http/server.hpp"
#include "scratchpage/tests/bench/http_load.hpp"

namespace scratchpage::bench {

/// The number of people who view a page, each with the query that the page in the browser sends.
inline constexpr size_t viewers = 10;
inline constexpr auto viewer_query = "?per_second=1000";

/// A server that accepts all traces sent to it.
class collector {
public:
  collector();
  std::string url() const { return "http://127.0.0.1:" + std::to_string(server_->port()); }

private:
  std::unique_ptr<http::server> server_;
};

/// Observers of a page: viewers over HTTP, and a collector to which its trace is exported.
class audience {
public:
  audience();
  audience(const audience&) = delete;
  audience& operator=(const audience&) = delete;
  ~audience();

  /// The trace sink for the page. It exports every entry and stores none.
  std::shared_ptr<trace_sink> trace() const { return trace_; }

  /// Starts the viewers of this page. Call `leave` before the actor system ends.
  void watch(caf::actor_system& system, const scratch_page_actor& page);
  void leave();

private:
  collector to_;
  std::shared_ptr<trace_sink> trace_;
  std::unique_ptr<http::server> server_;
  std::unique_ptr<read_streams> viewers_;
};

} // namespace scratchpage::bench
