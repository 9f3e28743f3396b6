#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/runtime/net/http/message.hpp"

namespace scratchpage::serve {

/// A request as an operation of an agent.
struct rest_call {
  std::string agent_id;
  std::string thread_id; ///< "": none
  std::string operation;
  json::object arguments;
  uint32_t status = 200;   ///< when it is done
  bool from_query = false; ///< the arguments come from a query string
};

/// Reads a request under `/v1/`, or answers it: 404 about `path`, 405 with `Allow`, 415,
/// 400 about whatever it names.
std::variant<rest_call, http::response> read_rest(const http::request& x);

/// What a call answers, as JSON; null means that it is not there, or that there is nothing to
/// tell.
http::response rest_answer(const rest_call& to, std::string result);

/// Why a call was refused, with the field named as the request had it: a query string's
/// parameters stand by themselves, and a thread's id is `thread`.
http::response rest_refusal(const rest_call& to, const caf::error& why);

/// The parameters of an operation's query string, as one object; of one that has a route
/// with such.
const json::object& query_schema_of(std::string_view operation);

} // namespace scratchpage::serve
