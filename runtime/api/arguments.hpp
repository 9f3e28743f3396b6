#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/fields.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/page_operations.hpp"
#include "scratchpage/messages/query.hpp"
#include "scratchpage/messages/scratchbook.hpp"

/// The arguments of operations at the edge (contract 3): of JSON-RPC, MCP's tools
/// and REST's bodies alike.

namespace scratchpage {

namespace detail {

/// Who asks is for the edge to know, and for nobody to claim.
template <class D, class B, class M>
constexpr auto as_argument(const field<B, M>& x) {
  if constexpr (std::is_same_v<M, caller> || std::is_same_v<M, std::optional<caller>>)
    return std::tuple<>{};
  else
    return std::tuple{inherited<D>(x)};
}

} // namespace detail

/// A request's members are its arguments, all but the caller.
template <class Request>
struct arguments_of : Request {
  static constexpr auto fields(auto all) {
    return Request::fields([&](const auto&... m) {
      return std::apply(all, std::tuple_cat(detail::as_argument<arguments_of>(m)...));
    });
  }
};

/// A filter, and which part of what it finds.
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

struct query_arguments {
  std::string query;
  listing_arguments metadata;
  std::optional<timespan> deadline_ms; ///< for the work itself; default from the configuration

  static constexpr auto fields(auto all) {
    using self = query_arguments;
    return all(optional("query", &self::query), optional("metadata", &self::metadata),
      optional("deadline_ms", &self::deadline_ms));
  }
};

/// A draft, and in which turn it is made.
struct draft_arguments : observation_draft {
  std::string turn_id; ///< "": in none

  static constexpr auto fields(auto all) {
    using self = draft_arguments;
    return observation_draft::fields([&](const auto&... m) {
      return all(inherited<self>(m)..., optional("turn_id", &self::turn_id));
    });
  }
};

template <>
struct refusal<draft_arguments> : refusal<observation_draft> {};

/// As they are described.
struct drafts_arguments {
  std::vector<observation_draft> drafts;
  std::string turn_id; ///< of all of them

  static constexpr auto fields(auto all) {
    using self = drafts_arguments;
    return all(required("drafts", &self::drafts), optional("turn_id", &self::turn_id));
  }
};

/// As they are read: each draft is judged by itself.
struct unread_drafts_arguments {
  std::vector<json::value> drafts;
  std::string turn_id;

  static constexpr auto fields(auto all) {
    using self = unread_drafts_arguments;
    return all(required("drafts", &self::drafts), optional("turn_id", &self::turn_id));
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

} // namespace scratchpage
