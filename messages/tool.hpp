#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/query.hpp"

namespace scratchpage {

/// Describes a tool and what it may do (contract 6).
struct tool_manifest {
  std::string tool_id;
  std::string description;
  json::object inputs; ///< JSON Schema of the inputs; `required` is what the CLARIFIER asks for
  std::vector<std::string> observation_types; ///< that it may add; empty: any
  double timeout_ms = 30'000;
  std::vector<std::string> alternatives; ///< tools that can stand in for it
  bool idempotent = false;               ///< may be called again after a failure
  std::vector<std::string> permissions;  ///< what it needs, e.g. "user_data"
  std::vector<std::string> tags;         ///< e.g. "verification"

  static constexpr auto fields(auto all) {
    using self = tool_manifest;
    return all(required("tool_id", &self::tool_id), optional("description", &self::description),
      optional("inputs", &self::inputs), optional("observation_types", &self::observation_types),
      optional("timeout_ms", &self::timeout_ms), optional("alternatives", &self::alternatives),
      optional("idempotent", &self::idempotent), optional("permissions", &self::permissions),
      optional("tags", &self::tags));
  }
};

/// A shared, immutable manifest: all who ask for the tools share it within a process, and it is
/// serialised by value between processes. Never null; an empty one by default.
class manifest_ptr {
public:
  manifest_ptr()
    : manifest_ptr{tool_manifest{}} {}
  manifest_ptr(tool_manifest x) // NOLINT: implicit on purpose
    : ptr_{std::make_shared<const tool_manifest>(std::move(x))} {}

  const tool_manifest& operator*() const { return *ptr_; }
  const tool_manifest* operator->() const { return ptr_.get(); }
  const tool_manifest* get() const { return ptr_.get(); }

  /// Whether both share one manifest. Manifests are not compared by value.
  friend bool operator==(const manifest_ptr& a, const manifest_ptr& b) { return a.ptr_ == b.ptr_; }

  template <class Inspector>
  friend bool inspect(Inspector& f, manifest_ptr& x) {
    if constexpr (Inspector::is_loading) {
      tool_manifest value;
      if (!inspect(f, value))
        return false;
      x = std::move(value);
      return true;
    } else {
      // Saving inspectors take a mutable reference but only read it.
      return inspect(f, const_cast<tool_manifest&>(*x.ptr_));
    }
  }

private:
  std::shared_ptr<const tool_manifest> ptr_;
};

using manifest_list = std::vector<manifest_ptr>;

/// A query of the page whose result a tool gets before it runs.
struct scratch_page_query {
  observation_filter filters; ///< type, status, tags and owner
  uint32_t limit = 10;

  static constexpr auto fields(auto all) {
    return all(optional("filters", &scratch_page_query::filters),
      optional("limit", &scratch_page_query::limit));
  }
};

/// An observation that such a query found.
struct scratch_page_entry {
  std::string id;
  std::string type;
  std::string content;
  double confidence = 0;
  timestamp created_at;

  static constexpr auto fields(auto all) {
    using self = scratch_page_entry;
    return all(required("id", &self::id), required("type", &self::type),
      required("content", &self::content), required("confidence", &self::confidence),
      optional("created_at", &self::created_at));
  }
};

/// From the EXECUTOR to a tool. `scratch_page_context` is what its query found.
struct tool_request {
  std::string request_id;
  std::string tool_id;
  json::object inputs;
  std::optional<scratchpage::scratch_page_query> scratch_page_query;
  std::vector<scratch_page_entry> scratch_page_context;
  uint32_t attempt = 1;         ///< counts up with each retry
  double timeout_ms = 0;        ///< how long the asker waits; 0: the manifest's timeout
  std::optional<span_id> cause; ///< the trace entry of the call; not for the tool itself
  std::string thread_id;        ///< of the turn; for tools of this process only
  /// The program that began the turn for its user and so made the plan; "" if there is none. For
  /// tools of this process only.
  std::string planned_by;

  static constexpr auto fields(auto all) {
    using self = tool_request;
    return all(required("request_id", &self::request_id), required("tool_id", &self::tool_id),
      optional("inputs", &self::inputs), optional("scratch_page_query", &self::scratch_page_query),
      optional("scratch_page_context", &self::scratch_page_context),
      optional("attempt", &self::attempt), optional("timeout_ms", &self::timeout_ms),
      optional("cause", &self::cause), optional("thread_id", &self::thread_id),
      optional("planned_by", &self::planned_by));
  }
};

enum class tool_status : uint8_t { ok, error, timeout, partial };

template <>
inline constexpr std::array<std::string_view, 4> enum_names<tool_status>{
  "ok", "error", "timeout", "partial"};

/// A tool's answer (contract 6). A draft in `observations` or in `scratch_page_writes` that breaks
/// a rule is refused alone and does not fail the answer. For this reason drafts are kept as the
/// JSON that the tool wrote.
struct tool_response {
  std::string request_id;
  tool_status status = tool_status::ok;
  json::object outputs; ///< on failure: `error`, a text
  std::vector<json::value> observations;
  std::vector<json::value> scratch_page_writes;
  std::vector<json::value> memory_writes;
  std::vector<scratch_page_entry> scratch_page_context;

  static constexpr auto fields(auto all) {
    using self = tool_response;
    return all(required("request_id", &self::request_id), required("status", &self::status),
      optional("outputs", &self::outputs), optional("observations", &self::observations),
      optional("scratch_page_writes", &self::scratch_page_writes),
      optional("memory_writes", &self::memory_writes),
      optional("scratch_page_context", &self::scratch_page_context));
  }
};

/// Asks the TOOLBOX for its tools.
struct list_tools {
  caller by;

  static constexpr auto fields(auto all) { return all(required("by", &list_tools::by)); }
};

struct tool_list {
  manifest_list tools;

  static constexpr auto fields(auto all) { return all(required("tools", &tool_list::tools)); }
};

} // namespace scratchpage
