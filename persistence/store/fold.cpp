#include "scratchpage/persistence/store/fold.hpp"

#include <algorithm>
#include <map>

#include "scratchpage/persistence/store/checksum.hpp"
#include "scratchpage/persistence/store/journal_text.hpp"

namespace scratchpage {

namespace {

/// What a snapshot becomes, as far as it was followed.
class follower {
public:
  explicit follower(snapshot_head from)
    : head_{from},
      first_{from.sequence + 1} {}

  uint64_t events() const { return head_.sequence + 1 - first_; }
  const snapshot_head& head() const { return head_; }

  caf::error take(const journal_group& group) {
    auto lines = lines_of(group);
    if (!lines)
      return lines.error();
    auto sequence = group.first;
    for (const auto& line : *lines)
      if (sequence++ > head_.sequence) // a group may reach back
        take(line);
    head_.sequence = group.last;
    head_.at = group.at;
    return {};
  }

  std::vector<snapshot_row> rows() const {
    std::vector<snapshot_row> result;
    result.reserve(last_.size());
    for (const auto& [number, event] : last_)
      if (!event.empty() || !is_new(number))
        result.push_back({number, event, checksum_of(event)});
    return result;
  }

private:
  void take(const journal_line& line) {
    if (line.kind == event_kind::added)
      first_new_ = std::min(first_new_, line.number);
    head_.last_number = std::max(head_.last_number, line.number);
    head_.expired += line.kind == event_kind::expired ? 1 : 0;
    head_.evicted += line.kind == event_kind::evicted ? 1 : 0;
    last_[line.number] = is_end(line.kind) ? "" : std::string{line.json};
  }

  /// Numbers grow, so what came after the snapshot is not in it.
  bool is_new(uint64_t number) const { return number >= first_new_; }

  snapshot_head head_;
  uint64_t first_;
  uint64_t first_new_ = UINT64_MAX;
  std::map<uint64_t, std::string> last_; // event of each number
};

} // namespace

caf::expected<snapshot_head> fold(
  store& in, const ownership& by, snapshot_kind kind, uint64_t until, uint64_t most) {
  auto from = in.find_snapshot(by.agent, kind);
  if (!from)
    return from;
  follower next{*from};
  caf::error damage;
  auto err = in.read_journal(by.agent, from->sequence, [&](journal_group&& group) {
    if (group.last > until)
      return false;
    damage = next.take(group);
    return !damage && next.events() < most;
  });
  if (!err)
    err = damage;
  if (err)
    return err;
  if (next.events() == 0)
    return from;
  if (auto failed = in.move_snapshot(by, kind, next.head(), next.rows()))
    return failed;
  return next.head();
}

} // namespace scratchpage
