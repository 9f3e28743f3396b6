#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scratchpage/messages/boxed.hpp"
#include "scratchpage/messages/enum_names.hpp"
#include "scratchpage/messages/fields.hpp"
#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/messages/seldom_text.hpp"
#include "scratchpage/messages/time.hpp"

namespace scratchpage {

/// Contract 2. `expired` and `evicted` are how the archive keeps what left the
/// page by itself; no caller can ask for them.
enum class status : uint8_t { active, pending_review, resolved, archived, expired, evicted };

template <>
inline constexpr std::array<std::string_view, 6> enum_names<status>{
  "active", "pending_review", "resolved", "archived", "expired", "evicted"};

/// Live in the sense of the contract, as far as the status tells.
constexpr bool is_live(status x) {
  return x == status::active || x == status::pending_review;
}

/// Who an observation comes from.
enum class source_kind : uint8_t { tool, daemon, user };

template <>
inline constexpr std::array<std::string_view, 3> enum_names<source_kind>{"tool", "daemon", "user"};

/// Provenance. In JSON exactly one of `tool`, `daemon`, `user` holds the name.
struct source {
  source_kind kind = source_kind::user;
  std::string name;
  std::string turn_id;    ///< "" outside turns
  timestamp at;           ///< JSON: `timestamp`
  seldom_text relayed_by; ///< who passed on the user's words; "": they said it themselves

  static constexpr auto fields(auto all) {
    return all(required("kind", &source::kind), required("name", &source::name),
      optional("turn_id", &source::turn_id), optional("at", &source::at),
      optional("relayed_by", &source::relayed_by));
  }
};

/// Who said something, for a person or a model to read: "tool weather_api",
/// "user ada, relayed by mcp_client".
inline std::string said_by(const source& x) {
  auto result = std::string{name_of(x.kind)}.append(" ").append(x.name);
  if (!x.relayed_by.empty())
    result.append(", relayed by ").append(x.relayed_by.text());
  return result;
}

/// One thing that somebody noticed (contract 1). Immutable once published: a
/// change makes a new revision.
struct observation {
  std::string observation_id; ///< `obs_<yyyymmdd>_<n>`, unique per agent for good
  std::string type;           ///< one of the page's registry
  std::string content;        ///< UTF-8, not blank, at most 64 KiB
  double confidence = 0.5;    ///< in [0, 1]
  std::vector<std::string> tags;
  scratchpage::source source;
  json::object context;
  std::string owner = "agent";
  scratchpage::status status = status::active;
  json::object metadata;
  double ttl_minutes = 10080;
  timestamp created_at; ///< all three in whole milliseconds
  timestamp updated_at;
  timestamp expires_at;
  uint64_t revision = 1;                  ///< +1 for each change, links included
  boxed<scratchpage::source> resolved_by; ///< made by the page: who resolved it
  std::vector<std::string> linked_goal_ids;
  bool linked_to_goal = false;

  static constexpr auto fields(auto all) {
    using self = observation;
    return all(required("observation_id", &self::observation_id), required("type", &self::type),
      required("content", &self::content), optional("confidence", &self::confidence),
      optional("tags", &self::tags), required("source", &self::source),
      optional("context", &self::context), optional("owner", &self::owner),
      optional("status", &self::status), optional("metadata", &self::metadata),
      optional("ttl_minutes", &self::ttl_minutes), optional("created_at", &self::created_at),
      optional("updated_at", &self::updated_at), optional("expires_at", &self::expires_at),
      optional("revision", &self::revision), optional("resolved_by", &self::resolved_by),
      optional("linked_goal_ids", &self::linked_goal_ids),
      optional("linked_to_goal", &self::linked_to_goal));
  }
};

/// Whether a person put it on the page by themself.
inline bool is_from_person(const observation& x) {
  return x.source.kind == source_kind::user && x.source.relayed_by.empty();
}

/// Whether a tool put it on the page. Inputs, decisions and plans of tools are
/// data like any other, and nobody acts on them.
inline bool is_from_tool(const observation& x) {
  return x.source.kind == source_kind::tool;
}

/// A shared, immutable observation: built once, no copy per subscriber in a
/// process, serialised by value between processes. May be null.
class observation_ptr {
public:
  observation_ptr() = default;
  explicit observation_ptr(observation x)
    : ptr_{std::make_shared<const observation>(std::move(x))} {}
  /// Nobody changes `x` any more.
  explicit observation_ptr(std::shared_ptr<const observation> x)
    : ptr_{std::move(x)} {}

  const observation& operator*() const { return *ptr_; }
  const observation* operator->() const { return ptr_.get(); }
  const observation* get() const { return ptr_.get(); }
  explicit operator bool() const { return ptr_ != nullptr; }

  template <class Inspector>
  friend bool inspect(Inspector& f, observation_ptr& x) {
    auto is_set = x.ptr_ != nullptr;
    if constexpr (Inspector::is_loading) {
      observation value;
      if (!f.object(x).fields(f.field("is_set", is_set), f.field("value", value)))
        return false;
      x = is_set ? observation_ptr{std::move(value)} : observation_ptr{};
      return true;
    } else {
      static const observation none;
      // Saving inspectors take a mutable reference but only read it.
      auto& value = const_cast<observation&>(is_set ? *x.ptr_ : none);
      return f.object(x).fields(f.field("is_set", is_set), f.field("value", value));
    }
  }

private:
  std::shared_ptr<const observation> ptr_;
};

/// What a caller offers to the page: contract 1, with everything that the page
/// makes itself left out. `source` is only a claim; the caller's identity wins.
struct observation_draft {
  std::string type;
  std::string content;
  std::optional<double> confidence;
  std::vector<std::string> tags;
  std::optional<scratchpage::source> source;
  json::object context;
  std::optional<std::string> owner;
  std::optional<scratchpage::status> status; ///< `active` or `pending_review`
  json::object metadata;
  std::optional<double> ttl_minutes;

  static constexpr auto fields(auto all) {
    using self = observation_draft;
    return all(required("type", &self::type), required("content", &self::content),
      optional("confidence", &self::confidence), optional("tags", &self::tags),
      optional("source", &self::source), optional("context", &self::context),
      optional("owner", &self::owner), optional("status", &self::status),
      optional("metadata", &self::metadata), optional("ttl_minutes", &self::ttl_minutes));
  }
};

/// What an update may change (contract 3); absent members stay as they are. A
/// new `ttl_minutes` counts from the moment of the change.
struct observation_changes {
  std::optional<scratchpage::status> status;
  std::optional<std::string> content;
  std::optional<double> confidence;
  std::optional<std::vector<std::string>> tags;
  std::optional<json::object> context;
  std::optional<json::object> metadata;
  std::optional<std::string> owner;
  std::optional<double> ttl_minutes;

  static constexpr auto fields(auto all) {
    using self = observation_changes;
    return all(optional("status", &self::status), optional("content", &self::content),
      optional("confidence", &self::confidence), optional("tags", &self::tags),
      optional("context", &self::context), optional("metadata", &self::metadata),
      optional("owner", &self::owner), optional("ttl_minutes", &self::ttl_minutes));
  }
};

} // namespace scratchpage
