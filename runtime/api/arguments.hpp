#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include <caf/error.hpp>
#include <caf/expected.hpp>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/fields.hpp"
#include "scratchpage/messages/goal.hpp"
#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/page_operations.hpp"
#include "scratchpage/messages/query.hpp"
#include "scratchpage/messages/scratchbook.hpp"
#include "scratchpage/runtime/net/http/target.hpp"

/// The arguments of operations (contract 3), as JSON-RPC, the tools of MCP and REST have them.

namespace scratchpage {

namespace detail {

/// Leaves out the caller: it comes from the authentication and cannot be an argument.
template <class D, class B, class M>
constexpr auto as_argument(const field<B, M>& x) {
  if constexpr (std::is_same_v<M, caller> || std::is_same_v<M, std::optional<caller>>)
    return std::tuple<>{};
  else
    return std::tuple{inherited<D>(x)};
}

} // namespace detail

/// The members of a request without the caller.
template <class Request>
struct arguments_of : Request {
  static constexpr auto fields(auto all) {
    return Request::fields([&](const auto&... m) {
      return std::apply(all, std::tuple_cat(detail::as_argument<arguments_of>(m)...));
    });
  }
};

/// A filter, and which part of its results is wanted.
struct listing_arguments : observation_filter {
  uint32_t limit = 10;
  std::string cursor;

  static constexpr auto fields(auto all) {
    using self = listing_arguments;
    return observation_filter::fields([&](const auto&... m) {
      return all(
        inherited<self>(m)..., optional("limit", &self::limit), optional("cursor", &self::cursor));
    });
  }
};

/// A text beside the filter. An older form has the filter in `metadata`.
struct query_arguments : listing_arguments {
  std::string query;
  std::optional<listing_arguments> metadata;
  std::optional<timespan> deadline_ms; ///< for the page's work; nothing: as configured

  static constexpr auto fields(auto all) {
    using self = query_arguments;
    return listing_arguments::fields([&](const auto&... m) {
      return all(optional("query", &self::query), inherited<self>(m)...,
        optional("metadata", &self::metadata), optional("deadline_ms", &self::deadline_ms));
    });
  }
};

/// A draft, and the turn in which it is added.
struct draft_arguments : observation_draft {
  std::string turn_id; ///< "": none

  static constexpr auto fields(auto all) {
    using self = draft_arguments;
    return observation_draft::fields([&](const auto&... m) {
      return all(inherited<self>(m)..., optional("turn_id", &self::turn_id));
    });
  }
};

template <>
struct refusal<draft_arguments> : refusal<observation_draft> {};

/// Several drafts, for the schema.
struct drafts_arguments {
  std::vector<observation_draft> drafts;
  std::string turn_id; ///< of all drafts; "": none

  static constexpr auto fields(auto all) {
    using self = drafts_arguments;
    return all(required("drafts", &self::drafts), optional("turn_id", &self::turn_id));
  }
};

/// Several drafts, for reading. Each is read by itself, so that a malformed one does not refuse the
/// others.
struct unread_drafts_arguments {
  std::vector<json::value> drafts;
  std::string turn_id;

  static constexpr auto fields(auto all) {
    using self = unread_drafts_arguments;
    return all(required("drafts", &self::drafts), optional("turn_id", &self::turn_id));
  }
};

/// Which facts, and which part of them.
struct fact_arguments {
  std::string query;
  std::string user_id;
  std::vector<std::string> tags;
  double min_confidence = 0;
  uint32_t limit = 10;
  std::string cursor;

  static constexpr auto fields(auto all) {
    using self = fact_arguments;
    return all(optional("query", &self::query), optional("user_id", &self::user_id),
      one_or_many("tags", &self::tags), optional("min_confidence", &self::min_confidence),
      optional("limit", &self::limit), optional("cursor", &self::cursor));
  }
};

/// Which episodes, and which part of them.
struct episode_arguments {
  std::string query;
  std::string turn_id;
  std::vector<std::string> tags;
  std::optional<timestamp> after;
  std::optional<timestamp> before;
  uint32_t limit = 10;
  std::string cursor;

  static constexpr auto fields(auto all) {
    using self = episode_arguments;
    return all(optional("query", &self::query), optional("turn_id", &self::turn_id),
      one_or_many("tags", &self::tags), optional("after", &self::after),
      optional("before", &self::before), optional("limit", &self::limit),
      optional("cursor", &self::cursor));
  }
};

/// An action of a new goal.
struct new_action_arguments {
  std::string action_type;
  std::string description;
  assignee assigned_to = assignee::agent;
  scratchpage::priority priority = scratchpage::priority::medium;

  static constexpr auto fields(auto all) {
    using self = new_action_arguments;
    return all(required("action_type", &self::action_type),
      optional("description", &self::description), optional("assigned_to", &self::assigned_to),
      optional("priority", &self::priority));
  }
};

/// A new goal, without what the Frontal Cortex decides.
struct new_goal_arguments {
  std::string title;
  std::string goal_type = "task";
  std::string description;
  scratchpage::priority priority = scratchpage::priority::medium;
  json::object context;
  std::vector<new_action_arguments> pending_actions;

  static constexpr auto fields(auto all) {
    using self = new_goal_arguments;
    return all(required("title", &self::title), optional("goal_type", &self::goal_type),
      optional("description", &self::description), optional("priority", &self::priority),
      optional("context", &self::context), optional("pending_actions", &self::pending_actions));
  }
};

/// What a simple agent wants to know later. It need not know which memory keeps it.
struct remember_arguments {
  std::string text;
  std::string about; ///< whom or what the text is about, if it does not say so; "": it does
  std::vector<std::string> tags;
  std::optional<double>
    days; ///< how long it is of use; absent: for ever, if the text may be a fact

  static constexpr auto fields(auto all) {
    using self = remember_arguments;
    return all(required("text", &self::text), optional("about", &self::about),
      one_or_many("tags", &self::tags), optional("days", &self::days));
  }
};

struct recall_arguments {
  std::string query; ///< "": the latest
  uint32_t limit = 10;

  static constexpr auto fields(auto all) {
    using self = recall_arguments;
    return all(optional("query", &self::query), optional("limit", &self::limit));
  }
};

/// What is forgotten, by exactly one id.
struct forget_arguments {
  std::optional<std::string> id; ///< of any of the following; what it names follows from its form
  std::optional<std::string> observation_id;
  std::optional<std::string> fact_id;
  std::optional<std::string> turn_id;

  static constexpr auto fields(auto all) {
    using self = forget_arguments;
    return all(optional("id", &self::id), optional("observation_id", &self::observation_id),
      optional("fact_id", &self::fact_id), optional("turn_id", &self::turn_id));
  }
};

struct no_arguments {
  static constexpr auto fields(auto all) { return all(); }
};

struct after_argument {
  std::string after;

  static constexpr auto fields(auto all) { return all(optional("after", &after_argument::after)); }
};

struct id_argument {
  std::string id;

  static constexpr auto fields(auto all) { return all(required("id", &id_argument::id)); }
};

struct item_update : item_changes {
  std::string id;

  static constexpr auto fields(auto all) {
    using self = item_update;
    return item_changes::fields(
      [&](const auto&... m) { return all(required("id", &self::id), inherited<self>(m)...); });
  }
};

/// Drafts of which each is accepted or refused by itself (contract 3).
struct draft_batch {
  std::vector<observation_draft> readable;
  std::vector<add_outcome> outcomes; ///< of all drafts; those that are readable have no error
};

draft_batch read_drafts(const std::vector<json::value>& drafts);

/// The outcomes of all drafts, in their order; `stored` has those of the readable ones.
add_outcomes outcomes_of(draft_batch all, const add_outcomes& stored);

} // namespace scratchpage

namespace scratchpage {

/// The error for an unknown parameter. The field is its name, or `query` if that is empty.
caf::error unknown_parameter(std::string_view name);

/// Reads the parameters of a query string as the arguments of an operation, as `schema` says:
///
/// - Numbers and booleans are written as in JSON.
/// - A list is a parameter that is repeated, or has one value.
/// - `context.goal_id=trip` is a member of `context`.
///
/// Errors: `invalid_request` about a parameter that is unknown, that is repeated and is no list, or
/// that has a wrong value.
caf::expected<json::object> arguments_of_query(
  const http::query_parameters& query, const json::object& schema);

} // namespace scratchpage
