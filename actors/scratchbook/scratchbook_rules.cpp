#include "scratchpage/actors/scratchbook/scratchbook_rules.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/config_check.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/text/key_text.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/persistence/files/file_name.hpp"
#include "scratchpage/persistence/stored_files/file_versions.hpp"

namespace scratchpage {

namespace {

/// `path_prefix` as a relative path.
std::string_view folder_of(const scratchbook_config& x) {
  std::string_view result = x.path_prefix;
  return result.starts_with('/') ? result.substr(1) : result;
}

caf::error refuse(std::string_view field, std::string expected) {
  return fail(errc::invalid_request, field, "expected " + std::move(expected));
}

caf::error unknown(std::string_view id) {
  return fail(errc::not_found, "id",
    "expected an item of this thread's scratchbook, got " + to_text(json::value(json::string{id})));
}

caf::error check_text(std::string_view field, const std::string& text, uint32_t max_bytes) {
  if (text.size() > max_bytes)
    return refuse(
      field, "at most " + std::to_string(max_bytes) + " bytes, got " + std::to_string(text.size()));
  return utf8::is_valid(text) ? caf::error{} : refuse(field, "valid UTF-8");
}

/// Checks the tags, and makes them normalised, sorted and unique.
caf::error check_tags(std::vector<std::string>& tags, const scratchbook_limits& limits) {
  for (size_t i = 0; i < tags.size(); ++i) {
    if (auto err = check_text("tags[" + std::to_string(i) + "]", tags[i], limits.max_name_bytes))
      return err;
    tags[i] = normalized_tag(tags[i]);
  }
  std::sort(tags.begin(), tags.end());
  tags.erase(std::unique(tags.begin(), tags.end()), tags.end());
  std::erase(tags, "");
  if (tags.size() > limits.max_tags)
    return refuse("tags",
      "at most " + std::to_string(limits.max_tags) + " tags, got " + std::to_string(tags.size()));
  return {};
}

/// Checks the members that only tasks have.
caf::error check_task(item_kind kind, std::optional<std::string>& phase,
  std::optional<double>& progress, const scratchbook_limits& limits) {
  if (phase && kind != item_kind::task)
    return refuse("phase", "none: only a task has one");
  if (progress && kind != item_kind::task)
    return refuse("progress", "none: only a task has one");
  if (progress && std::isnan(*progress))
    return refuse("progress", "a number in [0, 1]");
  if (progress)
    progress = std::clamp(*progress, 0.0, 1.0);
  if (phase && utf8::is_blank(*phase))
    phase.reset();
  return phase ? check_text("phase", *phase, limits.max_name_bytes) : caf::error{};
}

caf::error check_title(const std::string& title, const scratchbook_limits& limits) {
  if (utf8::is_blank(title))
    return refuse("title", "a text that is not blank");
  return check_text("title", title, limits.max_title_bytes);
}

template <class... Errors>
caf::error first_of(Errors... errors) {
  caf::error result;
  ((result = result ? std::move(result) : std::move(errors)), ...);
  return result;
}

caf::error check(scratchbook_item& x, const scratchbook_limits& limits) {
  if (!x.action_id.empty() && x.goal_id.empty())
    return refuse("goal_id", "the goal that action_id is one of");
  return first_of(check_title(x.title, limits), check_text("body", x.body, limits.max_body_bytes),
    check_tags(x.tags, limits), check_task(x.kind, x.phase, x.progress, limits),
    check_text("goal_id", x.goal_id, limits.max_name_bytes),
    check_text("action_id", x.action_id, limits.max_name_bytes),
    check_text("observation_id", x.observation_id, limits.max_name_bytes));
}

/// Returns 12 for "s12", and nothing for a text of another form.
std::optional<uint64_t> number_of_item(std::string_view id) {
  uint64_t number = 0;
  if (id.size() < 2 || id[0] != 's' || id[1] == '0')
    return std::nullopt;
  auto [end, err] = std::from_chars(id.data() + 1, id.data() + id.size(), number);
  if (err != std::errc{} || end != id.data() + id.size())
    return std::nullopt;
  return number;
}

/// The number of the last item plus one: numbers grow along the list.
std::string next_id(const scratchbook& in) {
  auto last = in.items.empty() ? 0 : number_of_item(in.items.back().id).value_or(0);
  return "s" + std::to_string(last + 1);
}

scratchbook_item* find(scratchbook& in, std::string_view id) {
  auto i =
    std::find_if(in.items.begin(), in.items.end(), [&](const auto& x) { return x.id == id; });
  return i == in.items.end() ? nullptr : &*i;
}

/// Replaces `current` by `next` with a new time of the last update, if they differ.
const scratchbook_item& replace(scratchbook_item& current, scratchbook_item next, int64_t now_ns) {
  if (next == current)
    return current;
  next.updated_at_ns = std::max(now_ns, current.updated_at_ns);
  current = std::move(next);
  return current;
}

scratchbook_item with_changes(scratchbook_item x, item_changes changes) {
  auto take = [](auto& to, auto& from) {
    if (from)
      to = std::move(*from);
  };
  take(x.status, changes.status);
  take(x.title, changes.title);
  take(x.body, changes.body);
  take(x.tags, changes.tags);
  take(x.phase, changes.phase);
  take(x.progress, changes.progress);
  return x;
}

/// Notes the writer of each part of `x`: `by` for parts that differ from `before`, otherwise the
/// writer that the part had.
void note_writers(scratchbook_item& x, const scratchbook_item& before, const std::string& by) {
  auto title = x.title != before.title;
  auto body = x.body != before.body;
  auto marks = x.tags != before.tags || x.phase != before.phase;
  auto writer = title || body ? by : before.written_by;
  auto note = [&](std::optional<std::string>& to, bool is_there, const std::string& who) {
    to.reset();
    if (is_there && who != writer)
      to = who;
  };
  note(x.title_by, true, title ? by : writer_of_title(before));
  note(x.body_by, !x.body.empty(), body ? by : writer_of_body(before));
  note(x.marked_by, has_marks(x), marks ? by : writer_of_marks(before));
  note(x.linked_by, !x.goal_id.empty(), writer_of_link(before));
  x.written_by = std::move(writer);
}

caf::error damaged(std::string_view field, std::string_view expected) {
  return fail(errc::internal, field, expected);
}

} // namespace

caf::error validate(const scratchbook_config& x) {
  return config_check{"scratchbook"}
    .require(!check_file_path(folder_of(x)), "path_prefix", "a path such as /scratchbook")
    .range("limits.max_items", x.limits.max_items, 1, 1'000'000)
    .range("limits.max_title_bytes", x.limits.max_title_bytes, 1, 65'536)
    .range("limits.max_bytes", x.limits.max_bytes, 1'024, 268'435'456)
    .range("max_waiting", x.max_waiting, 1, 1'000'000)
    .range("max_open", x.max_open, 1, 1'000'000)
    .range("open_bytes", static_cast<double>(x.open_bytes), 1, 1e12)
    .range("save_ms", x.save_ms, 1, 3'600'000)
    .range("goal_ms", x.goal_ms, 1, 3'600'000)
    .error();
}

std::string scratchbook_path(const scratchbook_config& x, std::string_view thread_id) {
  return std::string{folder_of(x)}.append("/").append(file_name_for(thread_id)).append(".json");
}

std::string normalized_tag(std::string_view tag) {
  std::string result;
  auto is_space_only = true; // the gap has no separator but white space
  auto has_gap = false;      // characters that may become '_' come before the next one
  while (!tag.empty()) {
    auto next = utf8::first_character(tag);
    auto is_space = utf8::is_white_space(next.code);
    if (is_space || next.code == ':' || next.code == '/' || next.code == '\\') {
      is_space_only = (has_gap ? is_space_only : true) && is_space;
      has_gap = true;
    } else {
      if (has_gap && !(result.empty() && is_space_only))
        result += '_';
      has_gap = false;
      result.append(tag.substr(0, next.bytes));
    }
    tag.remove_prefix(next.bytes);
  }
  if (has_gap && !is_space_only)
    result += '_';
  return result;
}

caf::expected<scratchbook_item> add_item(scratchbook& to, item_draft draft, int64_t now_ns,
  const scratchbook_limits& limits, std::string by) {
  if (to.items.size() >= limits.max_items)
    return fail(errc::overloaded, "items",
      "a thread's scratchbook holds at most " + std::to_string(limits.max_items) + " items");
  scratchbook_item x{next_id(to), draft.kind, draft.status.value_or(item_status::open),
    std::move(draft.title), std::move(draft.body), std::move(draft.tags), now_ns, now_ns,
    std::move(draft.phase), draft.progress, std::move(draft.goal_id), std::move(draft.action_id),
    std::move(draft.observation_id), std::move(by)};
  if (auto err = check(x, limits))
    return err;
  return to.items.emplace_back(std::move(x));
}

caf::expected<scratchbook_item> update_item(scratchbook& in, std::string_view id,
  item_changes changes, int64_t now_ns, const scratchbook_limits& limits, const std::string& by) {
  auto* current = find(in, id);
  if (current == nullptr)
    return unknown(id);
  auto next = with_changes(*current, std::move(changes));
  if (current->status == item_status::done && is_open(next.status)) {
    next.goal_id.clear();
    next.action_id.clear();
  }
  if (auto err = check(next, limits))
    return err;
  note_writers(next, *current, by);
  return replace(*current, std::move(next), now_ns);
}

caf::expected<scratchbook_item> complete_item(
  scratchbook& in, std::string_view id, int64_t now_ns, const scratchbook_limits& limits) {
  auto* current = find(in, id);
  if (current == nullptr)
    return unknown(id);
  item_changes changes;
  changes.status = item_status::done;
  if (current->kind == item_kind::task)
    changes.progress = 1;
  return update_item(in, id, std::move(changes), now_ns, limits);
}

caf::expected<scratchbook_item> pin_item(
  scratchbook& in, std::string_view id, const scratchbook_limits& limits) {
  auto* current = find(in, id);
  if (current == nullptr)
    return unknown(id);
  if (std::find(in.pins.begin(), in.pins.end(), id) != in.pins.end())
    return *current;
  if (in.pins.size() >= limits.max_pins)
    return fail(
      errc::overloaded, "pins", "at most " + std::to_string(limits.max_pins) + " pinned items");
  in.pins.emplace_back(id);
  return *current;
}

caf::expected<scratchbook_item> unpin_item(scratchbook& in, std::string_view id) {
  auto* current = find(in, id);
  if (current == nullptr)
    return unknown(id);
  std::erase(in.pins, id);
  return *current;
}

caf::error check_thread_id(std::string_view id) {
  constexpr size_t max_bytes = 1'024;
  return id.size() <= max_bytes && is_key_text(id)
           ? caf::error{}
           : refuse("thread_id", "at most 1024 bytes of UTF-8, without U+0000");
}

caf::error validate(const scratchbook& x) {
  uint64_t last = 0;
  for (size_t i = 0; i < x.items.size(); ++i) {
    auto path = "items[" + std::to_string(i) + "]";
    const auto& item = x.items[i];
    auto number = number_of_item(item.id);
    if (!number || *number <= last)
      return damaged(path + ".id", "expected ids that grow along the list, such as s1, s2");
    last = *number;
    if (item.kind != item_kind::task && (item.phase || item.progress))
      return damaged(path, "expected phase and progress of tasks only");
    if (item.progress && !(*item.progress >= 0 && *item.progress <= 1))
      return damaged(path + ".progress", "expected a number in [0, 1]");
  }
  std::set<std::string_view> pinned;
  for (size_t i = 0; i < x.pins.size(); ++i) {
    auto is_there = std::any_of(
      x.items.begin(), x.items.end(), [&](const auto& item) { return item.id == x.pins[i]; });
    if (!is_there || !pinned.insert(x.pins[i]).second)
      return damaged("pins[" + std::to_string(i) + "]", "expected an item, and each once");
  }
  return {};
}

std::string to_stored_text(const scratchbook& x) {
  return to_stored_file(x, 0).text;
}

caf::expected<scratchbook> from_stored_text(
  std::string_view text, const scratchbook_limits& limits) {
  auto found = from_stored_file(text, limits);
  if (!found)
    return found.error();
  return std::move(found->book);
}

book_file to_stored_file(const scratchbook& x, uint64_t revision) {
  return to_book_file(to_json(x).as_object(), revision);
}

caf::expected<stored_scratchbook> from_stored_file(
  std::string_view text, const scratchbook_limits& limits) {
  auto value = parse_json(text, {size_t{2} * limits.max_bytes, 8});
  if (!value)
    return damaged(field_of(value.error()), describe(value.error()));
  file_version version;
  if (auto* object = value->if_object()) {
    auto said = take_version(*object);
    if (!said)
      return said.error();
    version = std::move(*said);
  }
  auto result = from_json<scratchbook>(*value);
  if (!result)
    return damaged(field_of(result.error()), describe(result.error()));
  if (auto err = validate(*result))
    return err;
  return stored_scratchbook{std::move(*result), std::move(version)};
}

} // namespace scratchpage
