#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <caf/error.hpp>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/json/json.hpp"

/// JSON-RPC 2.0 (https://www.jsonrpc.org/specification), without a transport: what is
/// asked in a text, and what is answered.

namespace scratchpage::rpc {

/// Codes of the specification. Those of contract 4 are -32000 minus the number of the
/// error, which is frozen: -32001 is `invalid_observation`, -32005 `not_found`, …
enum class code : int32_t {
  parse_error = -32700,
  invalid_request = -32600,
  method_not_found = -32601,
  invalid_params = -32602,
  internal_error = -32603,
};

/// One call. Without an id it is a notification, which is never answered.
struct request {
  std::optional<json::value> id; ///< a text, a number or null
  std::string method;
  json::object params;
};

/// An entry of a batch: a call, or the answer that refuses it at once.
struct entry {
  std::optional<request> call;
  json::object refusal; ///< if there is no call
};

/// What a text asks.
struct message {
  std::vector<entry> entries;
  bool is_batch = false;
  uint64_t bytes = 0; ///< of the text that it was read from; 0: of none
};

/// At most so many entries in a batch.
inline constexpr size_t most_in_batch = 256;

/// At most so many bytes in a text that is an id: it is kept until its call is answered.
inline constexpr size_t most_id_bytes = 256;

/// Reads a text. One that is no JSON, an empty or too long batch, and a call that is
/// none or has too long an id give an entry with its refusal.
message read(std::string_view text, const json_limits& limits = {});

/// As above, of what was parsed already, with texts of at most so many bytes as ids.
message read_value(json::value value, size_t id_bytes = most_id_bytes);

json::object answer(const json::value& id, json::value result);
/// As text, where the result is one already.
std::string answer_text(const json::value& id, std::string_view result);

json::object refuse(const json::value& id, code why, std::string_view message);

/// An error of contract 4: its code, a sentence, and in `data` its name, the field and
/// what was expected. A method that is not there is the specification's.
json::object refuse(const json::value& id, const caf::error& why);

/// The whole answer to a message: one, or a list for a batch; nothing if all of it
/// were notifications.
std::optional<std::string> join(const message& to, std::vector<std::string> answers);

} // namespace scratchpage::rpc
