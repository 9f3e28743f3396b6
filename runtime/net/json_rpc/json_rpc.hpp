#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <caf/error.hpp>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/json/json.hpp"

/// Reads and writes the messages of JSON-RPC 2.0 (https://www.jsonrpc.org/specification), without a
/// transport.

namespace scratchpage::json_rpc {

/// The error codes of the specification. An error of contract 4 has the code -32000 minus its
/// number, which never changes: -32001 is `invalid_observation`, -32005 `not_found`.
enum class code : int32_t {
  parse_error = -32700,
  invalid_request = -32600,
  method_not_found = -32601,
  invalid_params = -32602,
  internal_error = -32603,
};

/// One call. A call without an id is a notification, which gets no answer.
struct request {
  std::optional<json::value> id; ///< a text, a number or null
  std::string method;
  json::object params;
};

/// An entry of a message: a call, or the refusal of a call that is malformed.
struct entry {
  std::optional<request> call;
  json::object refusal; ///< empty if there is a call
};

/// The calls of one text.
struct message {
  std::vector<entry> entries;
  bool is_batch = false;
  uint64_t bytes = 0; ///< of the text; 0: it was not read from a text
};

inline constexpr size_t max_in_batch = 256; ///< entries of a batch

/// Bytes of an id that is a text. It is kept until its call is answered.
inline constexpr size_t max_id_bytes = 256;

/// Reads a text. Invalid JSON, an empty batch, a batch that is too long, a malformed call, and a
/// call whose id is too long give an entry with a refusal.
message read(std::string_view text, const json_limits& limits = {});

/// As above, for parsed JSON. An id that is a text has at most `id_bytes` bytes.
message read_value(json::value value, size_t id_bytes = max_id_bytes);

json::object answer(const json::value& id, json::value result);
/// The same as text; `result` is JSON text.
std::string answer_text(const json::value& id, std::string_view result);

json::object refuse(const json::value& id, code why, std::string_view message);

/// Refuses with an error of contract 4. `data` has the error's name, its field and what was
/// expected. An unknown method gets the specification's own code.
json::object refuse(const json::value& id, const caf::error& why);

/// The whole answer to a message: one object, or a list for a batch. Nothing if all calls were
/// notifications.
std::optional<std::string> join(const message& to, std::vector<std::string> answers);

} // namespace scratchpage::json_rpc
