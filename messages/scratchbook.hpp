#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/enum_names.hpp"
#include "scratchpage/messages/fields.hpp"

/// Notes, todos and tasks of a thread, which survive compaction (contract 11).

namespace scratchpage {

enum class item_kind : uint8_t { note, todo, task };

template <>
inline constexpr std::array<std::string_view, 3> enum_names<item_kind>{"note", "todo", "task"};

enum class item_status : uint8_t { open, in_progress, blocked, done, archived };

template <>
inline constexpr std::array<std::string_view, 5> enum_names<item_status>{
  "open", "in_progress", "blocked", "done", "archived"};

/// Whether an item with this status is neither done nor archived.
constexpr bool is_open(item_status x) {
  return x != item_status::done && x != item_status::archived;
}

/// One entry of a thread's scratchbook (contract 11).
struct scratchbook_item {
  std::string id; ///< "s" and a number that no other item of the thread ever has
  item_kind kind = item_kind::note;
  item_status status = item_status::open;
  std::string title;
  std::string body;
  std::vector<std::string> tags; ///< normalised, sorted bytewise, none twice
  int64_t created_at_ns = 0;     ///< since 1970
  int64_t updated_at_ns = 0;
  std::optional<std::string> phase; ///< tasks only
  std::optional<double> progress;   ///< tasks only, in [0, 1]
  std::string goal_id;              ///< the goal that is completed with the item, or
  std::string action_id;            ///< the action of that goal that is completed with it
  std::string observation_id;       ///< the observation that it comes from
  std::string written_by;           ///< who wrote its title or body last, in the form of `said_by`
  // Who wrote or set a part; only if that is not `written_by`.
  std::optional<std::string> title_by;
  std::optional<std::string> body_by;
  std::optional<std::string> marked_by; ///< of its tags and its phase
  std::optional<std::string> linked_by; ///< of its goal and its action

  static constexpr auto fields(auto all) {
    using self = scratchbook_item;
    return all(required("id", &self::id), required("kind", &self::kind),
      required("status", &self::status), required("title", &self::title),
      optional("body", &self::body), optional("tags", &self::tags),
      required("created_at_ns", &self::created_at_ns),
      required("updated_at_ns", &self::updated_at_ns), optional("phase", &self::phase),
      optional("progress", &self::progress), optional("goal_id", &self::goal_id),
      optional("action_id", &self::action_id), optional("observation_id", &self::observation_id),
      optional("written_by", &self::written_by), optional("title_by", &self::title_by),
      optional("body_by", &self::body_by), optional("marked_by", &self::marked_by),
      optional("linked_by", &self::linked_by));
  }

  bool operator==(const scratchbook_item&) const = default;
};

/// A thread's scratchbook as it is stored.
struct scratchbook {
  std::string thread_id;
  std::vector<scratchbook_item> items; ///< in the order in which they were added
  std::vector<std::string> pins;       ///< ids, in pin order

  static constexpr auto fields(auto all) {
    using self = scratchbook;
    return all(optional("thread_id", &self::thread_id), required("items", &self::items),
      optional("pins", &self::pins));
  }

  bool operator==(const scratchbook&) const = default;
};

/// The first content of an item.
struct item_draft {
  item_kind kind = item_kind::note;
  std::string title;
  std::string body;
  std::vector<std::string> tags;
  std::optional<item_status> status; ///< `open` unless told otherwise
  std::optional<std::string> phase;
  std::optional<double> progress;
  std::string goal_id;
  std::string action_id;
  std::string observation_id;

  static constexpr auto fields(auto all) {
    using self = item_draft;
    return all(required("kind", &self::kind), required("title", &self::title),
      optional("body", &self::body), optional("tags", &self::tags),
      optional("status", &self::status), optional("phase", &self::phase),
      optional("progress", &self::progress), optional("goal_id", &self::goal_id),
      optional("action_id", &self::action_id), optional("observation_id", &self::observation_id));
  }
};

/// What an update may change; absent members stay as they are.
struct item_changes {
  std::optional<item_status> status;
  std::optional<std::string> title;
  std::optional<std::string> body;
  std::optional<std::vector<std::string>> tags;
  std::optional<std::string> phase; ///< "" removes the phase
  std::optional<double> progress;

  static constexpr auto fields(auto all) {
    using self = item_changes;
    return all(optional("status", &self::status), optional("title", &self::title),
      optional("body", &self::body), optional("tags", &self::tags), optional("phase", &self::phase),
      optional("progress", &self::progress));
  }
};

// -- requests to a SCRATCHBOOK --------------------------------------------------------

/// Asks for the compact view of a thread's scratchbook, or for the next part of it.
struct scratch_read {
  caller by;
  std::string thread_id;
  std::string after; ///< the last id of the part before; "": the beginning

  static constexpr auto fields(auto all) {
    using self = scratch_read;
    return all(required("by", &self::by), optional("thread_id", &self::thread_id),
      optional("after", &self::after));
  }
};

struct scratch_view {
  std::string view;
  std::string last;  ///< the id of its last item; `after` for the next part
  uint64_t left = 0; ///< items that come after it

  static constexpr auto fields(auto all) {
    using self = scratch_view;
    return all(
      required("view", &self::view), optional("last", &self::last), optional("left", &self::left));
  }
};

/// Asks for the whole scratchbook of a thread, also items that are done or archived.
struct scratch_list {
  caller by;
  std::string thread_id;

  static constexpr auto fields(auto all) {
    return all(required("by", &scratch_list::by), optional("thread_id", &scratch_list::thread_id));
  }
};

struct scratch_add {
  caller by;
  std::string thread_id;
  item_draft item;

  static constexpr auto fields(auto all) {
    using self = scratch_add;
    return all(required("by", &self::by), optional("thread_id", &self::thread_id),
      required("item", &self::item));
  }
};

struct scratch_update {
  caller by;
  std::string thread_id;
  std::string id;
  item_changes changes;

  static constexpr auto fields(auto all) {
    using self = scratch_update;
    return all(required("by", &self::by), optional("thread_id", &self::thread_id),
      required("id", &self::id), required("changes", &self::changes));
  }
};

enum class item_mark : uint8_t {
  complete, ///< makes it `done`; a task's progress becomes 1
  pin,      ///< shows it first in the view, after the items that are pinned already
  unpin,
};

template <>
inline constexpr std::array<std::string_view, 3> enum_names<item_mark>{"complete", "pin", "unpin"};

struct scratch_mark {
  caller by;
  std::string thread_id;
  std::string id;
  item_mark mark = item_mark::complete;

  static constexpr auto fields(auto all) {
    using self = scratch_mark;
    return all(required("by", &self::by), optional("thread_id", &self::thread_id),
      required("id", &self::id), required("mark", &self::mark));
  }
};

} // namespace scratchpage
