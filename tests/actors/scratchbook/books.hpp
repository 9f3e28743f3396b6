#pragma once

#include <string>
#include <utility>
#include <vector>

#include <boost/test/unit_test.hpp>
#include <rapidcheck.h>

#include "scratchpage/actors/scratchbook/scratchbook_rules.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/text/utf8.hpp"

/// Short functions that create scratchbooks, also random ones.

namespace scratchpage::test {

inline item_draft draft_of(item_kind kind, std::string title, std::string body = {}) {
  item_draft result;
  result.kind = kind;
  result.title = std::move(title);
  result.body = std::move(body);
  return result;
}

/// A scratchbook that is changed by the rules. Each change is one second after the last.
struct book_in_the_making {
  scratchbook book;
  scratchbook_limits limits;
  int64_t now = 0;

  int64_t next() { return now += 1'000'000'000; }

  std::string add(item_draft draft) {
    auto added = add_item(book, std::move(draft), next(), limits);
    BOOST_REQUIRE_MESSAGE(added, (added ? "" : describe(added.error())));
    return added->id;
  }

  std::string add(item_kind kind, std::string title, std::string body = {}) {
    return add(draft_of(kind, std::move(title), std::move(body)));
  }

  scratchbook_item update(std::string_view id, item_changes changes) {
    auto updated = update_item(book, id, std::move(changes), next(), limits);
    BOOST_REQUIRE_MESSAGE(updated, (updated ? "" : describe(updated.error())));
    return *updated;
  }

  void set(std::string_view id, item_status to) {
    item_changes changes;
    changes.status = to;
    update(id, std::move(changes));
  }

  void pin(std::string_view id) { BOOST_REQUIRE(pin_item(book, id, limits)); }
};

/// Random texts with letters of one to four bytes, white space, characters that are escaped, and
/// marks of the view's format.
inline rc::Gen<std::string> any_text(int most) {
  auto piece = rc::gen::elementOf(std::vector<std::string>{"a", "B", "7", " ", "\n", "\t", "é",
    "工", "🍷", "\x1b[31m", "\u202e", "#", ":", "/", "\\", "\"", "…", "word ", "\u00a0", "s1 task"});
  return rc::gen::map(rc::gen::resize(most, rc::gen::container<std::vector<std::string>>(piece)),
    [](const std::vector<std::string>& pieces) {
      std::string result;
      for (const auto& x : pieces)
        result += x;
      return result;
    });
}

template <class E>
rc::Gen<E> any_of() {
  return rc::gen::map(rc::gen::inRange<int>(0, static_cast<int>(enum_names<E>.size())),
    [](int x) { return static_cast<E>(x); });
}

/// A random scratchbook, made with the rules.
inline scratchbook any_book() {
  book_in_the_making x;
  for (auto n = *rc::gen::inRange(0, 30); n > 0; --n) {
    auto draft = draft_of(*any_of<item_kind>(), "t" + *any_text(20), *any_text(60));
    draft.tags = *rc::gen::resize(3, rc::gen::container<std::vector<std::string>>(any_text(5)));
    draft.status = *any_of<item_status>();
    if (draft.kind == item_kind::task && *rc::gen::arbitrary<bool>())
      draft.progress = *rc::gen::map(rc::gen::inRange(-5, 15), [](int v) { return v / 10.0; });
    if (draft.kind == item_kind::task && *rc::gen::arbitrary<bool>())
      draft.phase = *any_text(6);
    if (*rc::gen::inRange(0, 3) == 0)
      x.now -= 1'000'000'000; // same time as the item before
    RC_ASSERT(static_cast<bool>(add_item(x.book, std::move(draft), x.next(), x.limits)));
  }
  for (auto n = x.book.items.empty() ? 0 : *rc::gen::inRange(0, 20); n > 0; --n) {
    auto id = (*rc::gen::elementOf(x.book.items)).id;
    item_changes changes;
    changes.status = *any_of<item_status>();
    if (*rc::gen::inRange(0, 3) == 0)
      RC_ASSERT(static_cast<bool>(pin_item(x.book, id, x.limits)));
    else
      RC_ASSERT(static_cast<bool>(update_item(x.book, id, changes, x.next(), x.limits)));
  }
  return x.book;
}

} // namespace scratchpage::test
