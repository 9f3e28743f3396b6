#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <caf/error.hpp>
#include <caf/expected.hpp>
#include <caf/fwd.hpp>
#include <caf/result.hpp>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/enum_names.hpp"
#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/messages/operation.hpp"

/// The operations of an agent. Each is described once, in a row: everything that offers, performs,
/// documents or counts operations reads these rows.

namespace scratchpage {

class named_schemas;
class operation_run;
struct config;
struct operations_parts;

// -- how an operation is performed ----------------------------------------------------------

/// The arguments of an operation. Schemas are made on request, because they depend on the document
/// that they become a part of.
struct argument_type {
  // Names of members.
  static constexpr const char* traceparent = "traceparent";
  static constexpr const char* request_key = "request_key";

  std::string_view name;                       ///< of the schema
  json::object (*own_schema)(named_schemas*);  ///< that of the struct which is read
  json::object (*schema_for_models)();         ///< what a model has to know to call the operation
  json::object (*own_example)();               ///< likewise
  caf::error (*own_check)(const json::value&); ///< likewise
  bool has_traceparent;                        ///< the operation may belong to the caller's trace
  /// Whether a call may have a `request_key`, by which it is answered as before if it is repeated.
  bool has_request_key = false;

  /// The schema. Nested structs are references, unless `names` is null.
  json::object schema(named_schemas* names) const;
  /// An example with all members.
  json::object example() const;
  /// The error with which a reader refuses the value.
  caf::error check(json::value x) const;
};

/// Makes the schema of an operation's answer; empty if the answer is null.
using answer_type = json::object (*)(named_schemas*);

/// How an operation is performed. `handler.hpp` makes a performance of a handler.
class performance {
public:
  using condition = bool (*)(const operations_parts&);
  using action = caf::result<operation_answer> (*)(operation_run&);

  performance(argument_type taken, answer_type given, condition offered, action done)
    : takes{taken},
      gives{given},
      is_offered{offered},
      perform{done} {}

  argument_type takes;
  answer_type gives;
  condition is_offered; ///< whether the actor that performs it is there
  action perform;
};

/// The same performance, whose calls may have a `request_key`.
inline performance answered_again(performance x) {
  x.takes.has_request_key = true;
  return x;
}

// -- how an operation is described ----------------------------------------------------------

/// What an operation does to the agent.
enum class effect : uint8_t {
  reads,
  changes,      ///< each call may change something
  changes_once, ///< idempotent: the same call again changes nothing more
  removes,      ///< as `changes`, and what it removes is gone for good
};

/// Who is offered an operation.
enum class audience : uint8_t {
  programs,
  models,        ///< also models, as a tool of MCP
  simple_models, ///< also models that get few tools
};

/// Which tools a client of MCP is offered.
enum class tool_set : uint8_t {
  full,   ///< all operations that are for models
  simple, ///< only those for an agent that knows nothing else
};

template <>
inline constexpr std::array<std::string_view, 2> enum_names<tool_set>{"full", "simple"};

/// Where a route has the arguments that are not in its path.
enum class arguments_in : uint8_t { nothing, query, body };

/// A route of REST to an operation. A name in braces in the path is an argument, except `agent` and
/// `thread`, which select the page and the scratchbook.
struct rest_route {
  std::string_view method;
  std::string_view path;
  arguments_in from = arguments_in::nothing;
  uint32_t status = 200; ///< of the answer when the operation has succeeded
};

/// An operation as a resource of MCP. If the URI has arguments, the resource is a template
/// (RFC 6570); other arguments are not possible.
struct mcp_resource {
  std::string_view uri;
  std::string_view name;
  std::string_view description;
};

/// URIs of an agent's resources in MCP.
namespace uri {

inline constexpr std::string_view page = "scratchpage://page";
inline constexpr std::string_view goals = "scratchpage://goals";
inline constexpr std::string_view scratchbook = "scratchpage://scratchbook";
inline constexpr std::string_view observations = "scratchpage://observations/"; ///< then an id

// Templates: names in braces are arguments of the operation that reads the resource.
inline constexpr std::string_view observation = "scratchpage://observations/{observation_id}";
inline constexpr std::string_view trace = "scratchpage://turns/{turn_id}/trace{?cursor}";

} // namespace uri

/// The row of an operation.
struct operation {
  /// The lowest role that may call the operation. It has no default, so that every new operation
  /// needs a decision.
  struct least_role {
    role value;
    constexpr least_role(role x) // NOLINT: a role is one
      : value{x} {}
  };

  /// Checks a call as an agent without any history would.
  using first_check = caf::error (*)(const call_operation&, const config&);

  std::string_view name;
  std::string_view description; ///< a few words
  /// What a model has to know beside the description: when to call it, and what to do next.
  std::string_view for_models = {};
  /// What callers that have not seen the list call it, and the types of observations by which they
  /// mean it, with blanks between; for suggestions.
  std::string_view also_called = {};
  /// The ids that its answers have, as other operations name them, with blanks between.
  std::string_view finds = {};
  least_role least; ///< what the caller may touch with the operation is checked by the actors
  effect does = effect::reads;
  audience offered_to = audience::models;
  std::vector<rest_route> routes = {};
  std::optional<mcp_resource> resource = {};
  performance performed;             ///< its arguments, its answer, and its handler
  first_check check_first = nullptr; ///< null: it cannot be the first change of an agent

  bool changes() const { return does != effect::reads; }
  bool idempotent() const { return does == effect::reads || does == effect::changes_once; }

  /// The schema for models. It has less than the complete one; arguments are read strictly anyway.
  json::object input_schema() const { return performed.takes.schema_for_models(); }
};

// -- the list -------------------------------------------------------------------------------

/// The rows by topic.
std::vector<operation> page_operations();
std::vector<operation> turn_operations();
std::vector<operation> goal_operations();
std::vector<operation> memory_operations();
std::vector<operation> fact_operations();
std::vector<operation> remember_operations();

/// All rows, in the order in which clients see them.
const std::vector<operation>& all_operations();

/// The names of all operations, in the same order.
std::vector<std::string_view> operation_names();

/// The operation of that name; null: there is none.
const operation* find_operation(std::string_view name);

/// Whether an operation changes something. An unknown one does not.
bool changes_something(std::string_view name);

/// Checks whether a caller may call an operation at all; what it may touch is checked by the
/// actors. Errors: those of `check_name` (principal.hpp), and `forbidden` about `by.role` if the
/// operation needs a higher role. An operation that is null needs no role.
caf::error check_principal(const operation* what, const caller& by);
caf::error check_principal(std::string_view operation, const caller& by);

/// Takes the key out of the arguments of a call, if it has one; "": it has none. Errors:
/// `invalid_request` about `request_key`, also if the operation has none.
caf::expected<std::string> take_request_key(const operation& what, json::object& arguments);

/// The identity of a caller from outside, without anything else that a client may claim, such as a
/// turn.
caller as_outside(const caller& by);

} // namespace scratchpage
