#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scratchpage/messages/enum_names.hpp"
#include "scratchpage/messages/fields.hpp"

namespace scratchpage {

enum class item_kind : uint8_t { note, todo, task };

template <>
inline constexpr std::array<std::string_view, 3> enum_names<item_kind>{"note", "todo", "task"};

enum class item_status : uint8_t { open, in_progress, blocked, done, archived };

template <>
inline constexpr std::array<std::string_view, 5> enum_names<item_status>{
  "open", "in_progress", "blocked", "done", "archived"};

/// One entry of a thread's scratchbook (contract 11).
struct scratchbook_item {
  std::string id;
  item_kind kind = item_kind::note;
  item_status status = item_status::open;
  std::string title;
  std::string body;
  std::vector<std::string> tags;
  int64_t created_at_ns = 0;
  int64_t updated_at_ns = 0;
  std::optional<std::string> phase; ///< tasks only
  std::optional<double> progress;   ///< tasks only, in [0, 1]

  static constexpr auto fields(auto all) {
    using self = scratchbook_item;
    return all(required("id", &self::id), required("kind", &self::kind),
      required("status", &self::status), required("title", &self::title),
      optional("body", &self::body), optional("tags", &self::tags),
      required("created_at_ns", &self::created_at_ns),
      required("updated_at_ns", &self::updated_at_ns), optional("phase", &self::phase),
      optional("progress", &self::progress));
  }
};

/// A thread's scratchbook as it is stored.
struct scratchbook {
  std::vector<scratchbook_item> items;
  std::vector<std::string> pins; ///< ids, in pin order

  static constexpr auto fields(auto all) {
    return all(required("items", &scratchbook::items), optional("pins", &scratchbook::pins));
  }
};

} // namespace scratchpage
