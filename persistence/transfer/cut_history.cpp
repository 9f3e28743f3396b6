#include "scratchpage/persistence/transfer/cut_history.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/store/checksum.hpp"
#include "scratchpage/persistence/store/documents.hpp"
#include "scratchpage/persistence/store/journal_text.hpp"
#include "scratchpage/persistence/store/kept_counter.hpp"

namespace scratchpage {

namespace {

class cutter {
public:
  cutter(store& in, const ownership& by)
    : in_{in},
      by_{by} {}

  caf::expected<history_cut> cut(const moment& until) {
    auto then = page_at(in_, by_.agent, until);
    if (!then)
      return then.error();
    auto now = page_at(in_, by_.agent, timestamp::max());
    if (!now)
      return now.error();
    last_ = then->page.sequence;
    auto err = reserve(now->page.last_number);
    if (!err)
      err = move_latest_back();
    if (!err)
      err = cut_journal();
    if (err)
      return err;
    return history_cut{last_, now->page.sequence - last_};
  }

private:
  caf::error reserve(uint64_t number) {
    std::string name{counter_name::observations};
    auto row = to_document(collection::counters, name, kept_number{name, number});
    return in_.put(by_, {&row, 1});
  }

  /// To where the journal begins, if it is too late.
  caf::error move_latest_back() {
    auto latest = in_.find_snapshot(by_.agent, snapshot_kind::latest);
    auto oldest = in_.find_snapshot(by_.agent, snapshot_kind::oldest);
    if (!latest || !oldest)
      return latest ? oldest.error() : latest.error();
    if (latest->sequence <= last_)
      return {};
    std::vector<snapshot_row> rows;
    auto err = in_.read_snapshot(by_.agent, snapshot_kind::latest, [&](snapshot_row&& x) {
      rows.push_back({x.number, "", checksum_of("")});
      return true;
    });
    if (!err)
      err = in_.read_snapshot(by_.agent, snapshot_kind::oldest, [&](snapshot_row&& x) {
        rows.push_back(std::move(x));
        return true;
      });
    return err ? err : in_.move_snapshot(by_, snapshot_kind::latest, *oldest, rows);
  }

  /// A commit that goes beyond is written again as far as it counts.
  caf::error cut_journal() {
    std::optional<journal_group> beyond;
    auto err = in_.read_journal(by_.agent, last_, [&](journal_group&& x) {
      beyond = std::move(x);
      return false;
    });
    if (err || !beyond)
      return err;
    if (beyond->first > last_)
      return in_.cut_journal(by_, last_);
    auto part = beginning_of(*beyond);
    if (!part)
      return part.error();
    err = in_.cut_journal(by_, beyond->first - 1);
    return err ? err : in_.append({&*part, 1});
  }

  caf::expected<journal_append> beginning_of(const journal_group& group) {
    auto events = events_of(group);
    if (!events)
      return events.error();
    journal_append part{by_, group.first - 1, {group.first, last_}, {}};
    auto count = last_ - group.first + 1;
    part.group.at = to_milliseconds((*events)[count - 1].at);
    size_t end = 0;
    for (uint64_t i = 0; i < count; ++i)
      end = group.events.find('\n', end) + 1;
    part.group.events = group.events.substr(0, end);
    part.group.checksum = checksum_of(part.group.events);
    archive_range range;
    range.before = last_ + 1;
    auto err = in_.read_archive(by_.agent, range, [&](archive_row&& x) {
      if (x.sequence < group.first)
        return false;
      part.archived.push_back(std::move(x));
      return true;
    });
    if (err)
      return err;
    return part;
  }

  store& in_;
  ownership by_;
  uint64_t last_ = 0; // sequence that counts
};

} // namespace

caf::expected<history_cut> cut_history(store& in, const ownership& by, const moment& until) {
  return cutter{in, by}.cut(until);
}

} // namespace scratchpage
