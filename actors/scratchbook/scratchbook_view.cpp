#include "scratchpage/actors/scratchbook/scratchbook_view.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/text/display_text.hpp"
#include "scratchpage/messages/text/key_text.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

/// An item and its rank. Items of the lowest rank come first.
struct ranked_item {
  uint32_t rank;
  const scratchbook_item* item;
};

constexpr uint32_t not_shown = UINT32_MAX;

uint32_t rank_of(item_status x) {
  switch (x) {
  case item_status::in_progress:
    return 0;
  case item_status::open:
    return 1;
  default: // blocked
    return 2;
  }
}

/// The rank among items that are not pinned.
uint32_t rank_of(const scratchbook_item& x) {
  if (!is_open(x.status))
    return not_shown;
  switch (x.kind) {
  case item_kind::task:
    return rank_of(x.status);
  case item_kind::todo:
    return 3 + rank_of(x.status);
  default: // notes
    return 6;
  }
}

bool comes_before(const ranked_item& a, const ranked_item& b) {
  if (a.rank != b.rank)
    return a.rank < b.rank;
  const auto& x = *a.item;
  const auto& y = *b.item;
  return std::tie(y.updated_at_ns, y.created_at_ns, x.id)
         < std::tie(x.updated_at_ns, x.created_at_ns, y.id);
}

/// The items of the view, not sorted. The ranks of pinned items come before all others.
std::vector<ranked_item> rank_all(const scratchbook& of) {
  std::unordered_map<std::string_view, uint32_t, keyed_text_hash, std::equal_to<>> pins;
  for (const auto& id : of.pins)
    pins.emplace(id, static_cast<uint32_t>(pins.size()));
  std::vector<ranked_item> result;
  result.reserve(of.items.size());
  for (const auto& x : of.items) {
    auto pin = pins.empty() ? pins.end() : pins.find(x.id);
    if (pin != pins.end())
      result.push_back({pin->second, &x});
    else if (auto rank = rank_of(x); rank != not_shown)
      result.push_back({static_cast<uint32_t>(of.pins.size()) + rank, &x});
  }
  return result;
}

/// Removes the items up to the one with the id `after`, if it is one of them.
void skip_until(std::vector<ranked_item>& xs, std::string_view after) {
  auto last =
    std::find_if(xs.begin(), xs.end(), [&](const ranked_item& x) { return x.item->id == after; });
  if (last == xs.end())
    return;
  auto found = *last;
  std::erase_if(xs, [&](const ranked_item& x) { return !comes_before(found, x); });
}

/// Sorts the first `count` items to the front; the rest has no order.
void sort_first(std::vector<ranked_item>& xs, size_t count) {
  auto end = xs.begin() + static_cast<ptrdiff_t>(count);
  std::nth_element(xs.begin(), end, xs.end(), comes_before);
  std::sort(xs.begin(), end, comes_before);
}

/// The number of bytes at the front that are visible ASCII characters. They are copied as they are,
/// without decoding each one, because most texts consist of them.
size_t plain_prefix(std::string_view text) {
  auto is_plain = [](char x) { return x > ' ' && x < '\x7f'; };
  return static_cast<size_t>(std::find_if_not(text.begin(), text.end(), is_plain) - text.begin());
}

/// At most `bytes` bytes of `text`, on one line, with each run of white space as one blank.
std::string on_one_line(std::string_view text, size_t bytes) {
  std::string result;
  auto blank = false;
  // Bytes beyond the limit are cut in any case.
  for (size_t used = 0; !text.empty() && result.size() <= bytes; text.remove_prefix(used)) {
    used = plain_prefix(text);
    auto next = used > 0 ? utf8::character{} : utf8::first_character(text);
    if (used == 0 && utf8::is_white_space(next.code)) {
      used = next.bytes;
      blank = !result.empty();
      continue;
    }
    if (std::exchange(blank, false))
      result += ' ';
    if (used > 0) {
      result += text.substr(0, used);
    } else {
      used = next.bytes;
      append_escaped(result, next, text.substr(0, used));
    }
  }
  return utf8::shortened(result, bytes);
}

/// Whether the view does not name the writer: the writer is the reader, or a component of the
/// ensemble. No caller from outside can have the name of a component.
bool is_own(std::string_view writer, std::string_view reader) {
  constexpr std::string_view agent = "daemon ";
  return writer.empty()
         || (writer.starts_with(agent)
             && (writer == reader || is_component(writer.substr(agent.size()))));
}

/// The limits of lines, and the agent that reads them.
struct line_style {
  const scratchbook_view_config& limits;
  std::string_view reader;
};

/// The writers of title and body, and the writer of tags and phase if it is another one: "user ada,
/// marked by daemon other". Writers that `is_own` are not named.
std::string writers_of(const scratchbook_item& x, const line_style& style) {
  auto shown = [&](const std::string& writer) {
    return is_own(writer, style.reader) ? std::string{}
                                        : on_one_line(writer, style.limits.max_title_bytes);
  };
  auto result = shown(writer_of_title(x));
  auto add = [&](std::string_view with, const std::string& writer) {
    auto more = shown(writer);
    if (!more.empty() && more != result)
      result.append(result.empty() ? "" : ", ").append(with).append(more);
  };
  if (!x.body.empty())
    add("", writer_of_body(x));
  if (has_marks(x) && writer_of_marks(x) != writer_of_body(x))
    add("marked by ", writer_of_marks(x));
  return result;
}

/// The line without the body: "s3 pinned task in_progress 40% tests: Title #tag (user ada)".
std::string head_of(const scratchbook_item& x, bool is_pinned, const line_style& style) {
  auto title_bytes = style.limits.max_title_bytes;
  std::string result = x.id;
  if (is_pinned)
    result += " pinned";
  result.append(" ").append(name_of(x.kind));
  if (x.status != item_status::open)
    result.append(" ").append(name_of(x.status));
  if (x.progress)
    result.append(" ").append(std::to_string(std::lround(*x.progress * 100))).append("%");
  if (x.phase)
    result.append(" ").append(on_one_line(*x.phase, title_bytes));
  result.append(": ").append(on_one_line(x.title, title_bytes));
  for (const auto& tag : x.tags)
    result.append(" #").append(on_one_line(tag, title_bytes));
  if (auto writers = writers_of(x, style); !writers.empty())
    result.append(" (").append(writers).append(")");
  return result;
}

/// Cuts `line` so that it has at most `budget` tokens, with "…" at its end. If nothing fits, the
/// first character is returned.
std::string cut_to(std::string_view line, uint32_t budget, const token_counter& count) {
  auto least = utf8::first_character(line).bytes;
  size_t fits = 0;
  for (size_t low = 1, high = line.size(); low <= high;) { // bytes; costs grow with them
    auto middle = low + (high - low) / 2;
    if (count(utf8::shortened(line, middle)) <= budget) {
      fits = middle;
      low = middle + 1;
    } else {
      high = middle - 1;
    }
  }
  auto text = utf8::shortened(line, fits);
  constexpr std::string_view only_ellipsis = "…";
  return text.empty() || text == only_ellipsis ? std::string{line.substr(0, least)} : text;
}

/// Lines within a budget of tokens. The sum of the lines is an upper bound for the whole text.
class view_text {
public:
  view_text(uint32_t budget, const token_counter& count)
    : budget_{budget},
      count_{count} {}

  bool add(std::string line) {
    if (!lines_.empty())
      line.insert(line.begin(), '\n');
    auto cost = count_(line);
    if (spent_ + cost > budget_)
      return false;
    spent_ += cost;
    lines_.push_back(std::move(line));
    return true;
  }

  /// Adds as much of the first line as fits.
  void add_part(std::string_view line) {
    lines_.push_back(cut_to(line, budget_, count_));
    spent_ += count_(lines_.back());
  }

  /// Removes the last line.
  void drop() {
    spent_ -= count_(lines_.back());
    lines_.pop_back();
  }

  size_t lines() const { return lines_.size(); }

  std::string text() const {
    std::string result;
    for (const auto& x : lines_)
      result += x;
    return result;
  }

private:
  uint32_t budget_;
  const token_counter& count_;
  uint64_t spent_ = 0;
  std::vector<std::string> lines_;
};

/// Adds an item with or without its body, as it fits. Returns false if it does not fit.
bool add_item(view_text& to, const scratchbook_item& x, bool is_pinned, const line_style& style) {
  auto head = head_of(x, is_pinned, style);
  auto body = on_one_line(x.body, style.limits.max_body_bytes);
  if ((!body.empty() && to.add(head + " | " + body)) || to.add(head))
    return true;
  if (to.lines() > 0)
    return false;
  to.add_part(head);
  return true;
}

} // namespace

scratch_view render_view(const scratchbook& of, const scratchbook_view_config& limits,
  const token_counter& count, std::string_view after, std::string_view reader) {
  auto items = rank_all(of);
  if (!after.empty())
    skip_until(items, after);
  scratch_view result;
  result.left = items.size();
  if (limits.token_limit == 0 || limits.max_items == 0) {
    result.view = disabled_view;
    return result;
  }
  if (items.empty()) {
    result.view = cut_to(empty_view, limits.token_limit, count);
    return result;
  }
  auto max_shown = std::min<size_t>(limits.max_items, items.size());
  sort_first(items, max_shown);
  view_text text{limits.token_limit, count};
  size_t shown = 0;
  while (shown < max_shown) {
    const auto& [rank, item] = items[shown];
    if (!add_item(text, *item, rank < of.pins.size(), {limits, reader}))
      break;
    ++shown;
  }
  // The line about items that are left out takes the place of items, but not of the only one.
  while (shown < items.size() && !text.add("… " + std::to_string(items.size() - shown) + " more")
         && shown > 1) {
    text.drop();
    --shown;
  }
  result.last = items[shown - 1].item->id;
  result.left = items.size() - shown;
  result.view = text.text();
  return result;
}

} // namespace scratchpage
