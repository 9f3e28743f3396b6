#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scratchpage/messages/boxed.hpp"
#include "scratchpage/messages/enum_names.hpp"
#include "scratchpage/messages/fields.hpp"
#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/messages/time.hpp"

namespace scratchpage {

/// The lifecycle of an observation (contract 2). Only the archive has `expired` and `evicted`, for
/// observations that left the page without a request; no caller can ask for them.
enum class status : uint8_t { active, pending_review, resolved, archived, expired, evicted };

template <>
inline constexpr std::array<std::string_view, 6> enum_names<status>{
  "active", "pending_review", "resolved", "archived", "expired", "evicted"};

/// Whether an observation with this status is live, provided that it has not expired.
constexpr bool is_live(status x) {
  return x == status::active || x == status::pending_review;
}

/// The kind of principal that an observation comes from.
enum class source_kind : uint8_t { tool, daemon, user };

template <>
inline constexpr std::array<std::string_view, 3> enum_names<source_kind>{"tool", "daemon", "user"};

/// Where an observation comes from. In JSON exactly one of `tool`, `daemon`, `user` has the name.
struct source {
  source_kind kind = source_kind::user;
  std::string name;
  std::string turn_id;    ///< "" outside turns
  timestamp at;           ///< JSON: `timestamp`
  seldom_text relayed_by; ///< who passed on the words of the user; "" if nobody did

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
  std::string observation_id; ///< `obs_<yyyymmdd>_<n>`; an agent never uses it twice
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
  timestamp created_at; ///< as the next two, in whole milliseconds
  timestamp updated_at;
  timestamp expires_at;
  uint64_t revision = 1;                  ///< +1 for each change, links included
  boxed<scratchpage::source> resolved_by; ///< who resolved it; the page sets it
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

/// Whether a person added it themself.
inline bool is_from_person(const observation& x) {
  return x.source.kind == source_kind::user && x.source.relayed_by.empty();
}

/// Whether a tool added it. An input, a decision or a plan that a tool adds is only data: no daemon
/// acts on it.
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
  /// `x` must not change any more.
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

/// A new observation as a caller gives it (contract 1), without what the page sets itself. `source`
/// is only a claim; the identity of the caller wins.
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

/// The n of an id of the form `<prefix>_<yyyymmdd>_<n>`; nothing if it has none.
std::optional<uint64_t> number_of(std::string_view id);

/// Appends n to the beginning of an id, with at least three digits (contract 1).
void append_number(std::string& id, uint64_t number);

/// About how many bytes of memory the observation takes. The time that this takes grows with the
/// number of its tags and of the members of its context and metadata. Every addition calls it, so
/// it makes no text.
size_t memory_of(const observation& x);

} // namespace scratchpage
