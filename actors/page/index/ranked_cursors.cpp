#include "scratchpage/actors/page/index/ranked_cursors.hpp"

#include <charconv>
#include <utility>

#include <boost/unordered/unordered_flat_set.hpp>

#include "scratchpage/actors/base/packed_text.hpp"
#include "scratchpage/messages/error.hpp"

namespace scratchpage {

namespace {

caf::error malformed() {
  return fail(errc::invalid_request, "cursor", "expected a next_cursor of an earlier answer");
}

bool take_number(std::string_view& text, uint64_t& out) {
  auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (ec != std::errc{})
    return false;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return true;
}

} // namespace

void kept_order::append(const std::vector<uint64_t>& longer) {
  boost::unordered_flat_set<uint64_t> known(numbers.begin(), numbers.end());
  for (auto number : longer)
    if (number < below && known.insert(number).second)
      numbers.push_back(number);
}

uint64_t ranked_cursors::keep(kept_order order) {
  entries_.push_front({++last_id_, std::move(order)});
  if (entries_.size() > capacity_)
    entries_.pop_back();
  return last_id_;
}

std::string ranked_cursors::packed() const {
  packer to;
  to.put(last_id_);
  for (const auto& x : entries_) {
    to.put(x.id);
    to.put(x.order.is_complete ? 1 : 0);
    to.put(x.order.below);
    to.put(x.order.numbers.size());
    for (auto number : x.order.numbers)
      to.put_near(number);
  }
  return std::move(to).text();
}

void ranked_cursors::restore(std::string_view packed) {
  unpacker from{packed};
  last_id_ = from.number();
  while (!from.is_done()) {
    auto& x = entries_.emplace_back();
    x.id = from.number();
    x.order.is_complete = from.number() != 0;
    x.order.below = from.number();
    x.order.numbers.resize(from.number());
    for (auto& number : x.order.numbers)
      number = from.near_number();
  }
}

kept_order* ranked_cursors::find(uint64_t order) {
  for (auto i = entries_.begin(); i != entries_.end(); ++i) {
    if (i->id == order) {
      entries_.splice(entries_.begin(), entries_, i);
      return &entries_.front().order;
    }
  }
  return nullptr;
}

std::string ranked_cursors::to_text(const position& x) {
  return x.ranked ? "r" + std::to_string(x.order) + "o" + std::to_string(x.offset)
                  : "n" + std::to_string(x.before);
}

std::string ranked_cursors::to_priority_text(const position& x) {
  return "p" + to_text(x);
}

caf::expected<ranked_cursors::position> ranked_cursors::from_priority_text(
  std::string_view cursor) {
  if (cursor.empty())
    return position{};
  if (!cursor.starts_with("pr"))
    return malformed();
  return from_text(cursor.substr(1));
}

caf::expected<ranked_cursors::position> ranked_cursors::from_text(std::string_view cursor) {
  position result;
  if (cursor.empty())
    return result;
  result.ranked = cursor.front() == 'r';
  if (!result.ranked && cursor.front() != 'n')
    return malformed();
  cursor.remove_prefix(1);
  uint64_t offset = 0;
  if (!take_number(cursor, result.ranked ? result.order : result.before))
    return malformed();
  if (result.ranked) {
    if (cursor.empty() || cursor.front() != 'o')
      return malformed();
    cursor.remove_prefix(1);
    if (!take_number(cursor, offset))
      return malformed();
    result.offset = offset;
  } else if (result.before == 0) {
    return malformed();
  }
  if (!cursor.empty())
    return malformed();
  return result;
}

} // namespace scratchpage
