#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "scratchpage/messages/enum_names.hpp"
#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/runtime/net/json_rpc/json_rpc.hpp"

/// The Model Context Protocol (https://modelcontextprotocol.io), in two generations: the modern
/// revision 2026-07-28, where each request is complete by itself, and the legacy revisions up to
/// 2025-11-25, which begin with `initialize`.

namespace scratchpage::mcp {

inline constexpr std::string_view modern_version = "2026-07-28";

/// The revisions that `initialize` may agree on, the newest first.
inline constexpr std::array<std::string_view, 4> legacy_versions{
  "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"};

/// Members of `_meta`.
namespace meta {
inline constexpr std::string_view version = "io.modelcontextprotocol/protocolVersion";
inline constexpr std::string_view capabilities = "io.modelcontextprotocol/clientCapabilities";
inline constexpr std::string_view log_level = "io.modelcontextprotocol/logLevel";
inline constexpr std::string_view server_info = "io.modelcontextprotocol/serverInfo";
inline constexpr std::string_view request_key = "scratchpage/request_key"; ///< a `request_key`
inline constexpr std::string_view subscription_id = "io.modelcontextprotocol/subscriptionId";
} // namespace meta

/// What a client can do for a server, as `capabilities` name it. Only these are remembered of a
/// client.
inline constexpr std::array<std::string_view, 5> client_capabilities{
  "elicitation", "experimental", "roots", "sampling", "tasks"};

/// The greatest size of an id, or of another text by which a client recognizes its own requests.
inline constexpr size_t max_id_bytes = 1'024;

enum class protocol_generation : uint8_t { legacy, modern };

/// How important a log message is, the least important level first (RFC 5424).
enum class log_level : uint8_t { debug, info, notice, warning, error, critical, alert, emergency };

/// Codes beside those of JSON-RPC.
inline constexpr int32_t header_mismatch = -32020;
inline constexpr int32_t missing_capability = -32021;
inline constexpr int32_t unsupported_version = -32022;
inline constexpr int32_t resource_not_found_legacy = -32002;

/// Why a request is refused.
struct error {
  int32_t code = 0;
  std::string message;
  json::value data; ///< null: none
};

/// The extension by which a request may be answered with a task (SEP-2663).
inline constexpr std::string_view tasks_extension = "io.modelcontextprotocol/tasks";

/// Whether a modern client declares that extension among its capabilities.
bool has_tasks_extension(const json::object& capabilities);

/// The error for a client that does not.
error missing_tasks_extension();

/// The request is refused because of its parameters.
error invalid_params(std::string message);

/// The request cannot be performed here, or not now.
error internal_error(std::string message);

/// The answer that refuses the request with that id.
json::object refusal(const json::value& id, const error& why);

} // namespace scratchpage::mcp

namespace scratchpage {

template <>
inline constexpr std::array<std::string_view, 8> enum_names<mcp::log_level>{
  "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"};

} // namespace scratchpage

namespace scratchpage::mcp {

/// What a request says about itself in `params._meta`.
struct envelope {
  protocol_generation spoken =
    protocol_generation::legacy; ///< modern if the request names a version
  std::string version;           ///< the version that it names
  json::object capabilities;
  std::optional<log_level> least; ///< the least level of messages that it wants; none: no messages
  json::value progress_token;     ///< null: it wants no progress
};

/// Whether a request names a version.
bool claims_modern(const json::object& params);

/// Reads the envelope of a request. It has to be a modern one, with a version and capabilities, if
/// it names a version or if `must_be_modern`.
std::variant<envelope, error> read_envelope(
  const json::object& params, bool must_be_modern = false);

/// The error about a modern version that is not supported here; nothing if it is.
std::optional<error> refuse_version(const std::string& version);

/// A client's answer to a question of the server.
struct reply {
  json::object message;
};

/// A text that is no message, with the answer that says so.
struct not_understood {
  json::object refusal;
};

/// A `json_rpc::request` with an id (a text or a whole number) is a request, and without one a
/// notification.
using incoming = std::variant<json_rpc::request, reply, not_understood>;

/// Reads one message. A batch is refused.
incoming read_message(std::string_view text);

// Members of JSON objects, which may be missing or of another type.

inline std::string text_of(const json::value& x) {
  return std::string{std::string_view{x.get_string().data(), x.get_string().size()}};
}

/// Null if there is no such member.
inline const json::value* member(const json::object& of, std::string_view name) {
  return of.if_contains(view(name));
}

/// Null if there is no such member or it is no object.
inline const json::object* object_in(const json::object& of, std::string_view name) {
  const auto* x = member(of, name);
  return x != nullptr ? x->if_object() : nullptr;
}

/// The text of a member, which lives as long as `of`; "" if there is no such text.
inline std::string_view text_of(const json::object& of, std::string_view name) {
  const auto* x = member(of, name);
  if (x == nullptr || !x->is_string())
    return {};
  return {x->get_string().data(), x->get_string().size()};
}

/// Nothing if there is no such member or it is no text.
inline std::optional<std::string> text_in(const json::object& of, std::string_view name) {
  const auto* x = member(of, name);
  if (x == nullptr || !x->is_string())
    return std::nullopt;
  return text_of(*x);
}

} // namespace scratchpage::mcp
