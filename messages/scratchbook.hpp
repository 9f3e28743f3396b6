#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/enum_names.hpp"
#include "scratchpage/messages/fields.hpp"

/// Notes, todos and tasks of a thread, which last through compaction (contract 11).

namespace scratchpage {

enum class item_kind : uint8_t { note, todo, task };

template <>
inline constexpr std::array<std::string_view, 3> enum_names<item_kind>{"note", "todo", "task"};

enum class item_status : uint8_t { open, in_progress, blocked, done, archived };

template <>
inline constexpr std::array<std::string_view, 5> enum_names<item_status>{
  "open", "in_progress", "blocked", "done", "archived"};

/// What is to be seen and done to an item of that status.
constexpr bool is_open(item_status x) {
  return x != item_status::done && x != item_status::archived;
}

/// One entry of a thread's scratchbook (contract 11).
struct scratchbook_item {
  std::string id; ///< "s" and a number, which no other item of the thread ever has
  item_kind kind = item_kind::note;
  item_status status = item_status::open;
  std::string title;
  std::string body;
  std::vector<std::string> tags; ///< normalised, sorted bytewise, none twice
  int64_t created_at_ns = 0;     ///< since 1970
  int64_t updated_at_ns = 0;
  std::optional<std::string> phase; ///< tasks only
  std::optional<double> progress;   ///< tasks only, in [0, 1]
  std::string goal_id;              ///< what is completed with it: this goal or,
  std::string action_id;            ///< of this goal, that action
  std::string observation_id;       ///< where it comes from
  std::string written_by;           ///< who wrote its title or body last, as `said_by` has it
  // Who wrote, set or chose these, where that is somebody else.
  std::optional<std::string> title_by;
  std::optional<std::string> body_by;
  std::optional<std::string> marked_by; ///< its tags and its phase
  std::optional<std::string> linked_by; ///< its goal and action

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

/// What an item begins with.
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
  std::optional<std::string> phase; ///< "" takes it away
  std::optional<double> progress;

  static constexpr auto fields(auto all) {
    using self = item_changes;
    return all(optional("status", &self::status), optional("title", &self::title),
      optional("body", &self::body), optional("tags", &self::tags), optional("phase", &self::phase),
      optional("progress", &self::progress));
  }
};

// -- what a SCRATCHBOOK is asked ------------------------------------------------------

/// The compact view of a thread's scratchbook, or what follows in it.
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

/// All of a thread's scratchbook, ended items too.
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
  pin,      ///< first in the view, behind what is pinned already
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
