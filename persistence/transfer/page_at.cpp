#include "scratchpage/persistence/transfer/page_at.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/store/checksum.hpp"
#include "scratchpage/persistence/store/documents.hpp"
#include "scratchpage/persistence/store/journal.hpp"
#include "scratchpage/persistence/store/store_errors.hpp"
#include "scratchpage/persistence/store/stored_numbers.hpp"

namespace scratchpage {

namespace {

caf::error refuse(const std::string& expected, const std::string& got) {
  return fail(errc::invalid_request, "until", "expected " + expected + ", got " + got);
}

std::string sequences(uint64_t first, uint64_t last) {
  return "a sequence from " + std::to_string(first) + " to " + std::to_string(last);
}

/// Whether the change had happened by then.
bool is_by(const moment& until, const page_event& x) {
  const auto* sequence = std::get_if<uint64_t>(&until);
  return sequence != nullptr ? x.sequence <= *sequence : x.at <= std::get<timestamp>(until);
}

/// Applies the changes after a snapshot up to a moment.
class page_replay {
public:
  page_replay(
    store& from, uint64_t agent, const moment& until, const progress& tell, const may_go_on& go_on)
    : from_{from},
      agent_{agent},
      until_{until},
      tell_{tell},
      go_on_{go_on} {}

  caf::expected<historical_page> run() {
    auto end = from_.end_of_journal(agent_); // first, because others may append to it
    if (!end)
      return end.error();
    auto err = begin();
    if (!err)
      err = follow();
    if (!err && !is_over_)
      err = check_reach(from_, agent_, page_.sequence, *end);
    if (!err)
      err = check_end();
    if (err)
      return err;
    const auto* time = std::get_if<timestamp>(&until_);
    historical_page result{std::move(page_), time != nullptr ? *time : page_.last_change};
    std::erase_if(
      result.page.observations, [&](const auto& x) { return x.second->expires_at <= result.at; });
    return result;
  }

private:
  /// Begins with the last snapshot that is not too late. For a time it begins with the oldest one,
  /// because a clock may have been set back between changes.
  caf::error begin() {
    auto oldest = from_.find_snapshot(agent_, snapshot_kind::oldest);
    auto latest = from_.find_snapshot(agent_, snapshot_kind::latest);
    if (!oldest || !latest)
      return oldest ? latest.error() : oldest.error();
    oldest_ = oldest->sequence;
    known_end_ = latest->sequence;
    const auto* sequence = std::get_if<uint64_t>(&until_);
    auto near =
      sequence != nullptr && latest->sequence <= *sequence && latest->sequence >= oldest->sequence;
    auto page = read_page(from_, agent_, near ? snapshot_kind::latest : snapshot_kind::oldest);
    if (!page)
      return page.error();
    page_ = std::move(*page);
    first_ = page_.sequence;
    if (oldest_ > 0 && sequence == nullptr && oldest->at > std::get<timestamp>(until_))
      return too_early(oldest->at);
    return {};
  }

  caf::error too_early(timestamp first) const {
    return refuse("a time from " + to_rfc3339(first) + " on, where the journal begins",
      to_rfc3339(std::get<timestamp>(until_)));
  }

  caf::error follow() {
    caf::error wrong;
    auto err = from_.read_journal(agent_, page_.sequence, [&](journal_group&& group) {
      wrong = take(group);
      return !wrong && !is_over_;
    });
    return err ? err : wrong;
  }

  caf::error take(const journal_group& group) {
    if (group.first > page_.sequence + 1)
      return needs_repair("the journal has no sequence " + std::to_string(page_.sequence + 1));
    auto events = events_of(group);
    if (!events)
      return needs_repair(describe(events.error()));
    for (const auto& event : *events) {
      if (event.sequence <= page_.sequence) // a group may begin before the snapshot
        continue;
      if (!is_by(until_, event)) {
        is_over_ = true;
        return first_change_is_later(event);
      }
      page_.take(event);
    }
    tell();
    return go_on_ ? go_on_() : caf::error{};
  }

  /// The error if a time is before the first change of all.
  caf::error first_change_is_later(const page_event& event) const {
    if (page_.sequence > 0 || std::holds_alternative<uint64_t>(until_))
      return {};
    return too_early(event.at);
  }

  caf::error check_end() const {
    const auto* sequence = std::get_if<uint64_t>(&until_);
    auto earliest = std::max<uint64_t>(oldest_, 1);
    if (sequence == nullptr)
      return page_.sequence > 0
               ? caf::error{}
               : refuse("a page that has changed", "one on which nothing ever was");
    if (*sequence == page_.sequence && *sequence >= earliest)
      return {};
    auto last = end_of_journal().value_or(std::max(known_end_, page_.sequence));
    if (last == 0)
      return refuse("a page that has changed", "one on which nothing ever was");
    return refuse(sequences(earliest, last), std::to_string(*sequence));
  }

  /// The last sequence of the journal; nothing if it cannot be read.
  std::optional<uint64_t> end_of_journal() const {
    std::optional<uint64_t> last;
    auto err = from_.read_journal(agent_, page_.sequence, [&](journal_group&& group) {
      last = group.last;
      return true;
    });
    return err ? std::nullopt : last;
  }

  void tell() const {
    if (!tell_)
      return;
    const auto* sequence = std::get_if<uint64_t>(&until_);
    auto total = sequence != nullptr ? *sequence : std::max(known_end_, page_.sequence);
    tell_(page_.sequence - first_, total - std::min(total, first_));
  }

  store& from_;
  uint64_t agent_;
  moment until_;
  const progress& tell_;
  const may_go_on& go_on_;
  page_state page_;
  uint64_t oldest_ = 0;    // sequence at which the journal begins
  uint64_t known_end_ = 0; // the journal has at least this sequence
  uint64_t first_ = 0;     // sequence at which the reading began
  bool is_over_ = false;
};

/// Truncates the history of an agent.
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
    auto row = to_document(collection::counters, name, stored_number{name, number});
    return in_.put(by_, {&row, 1});
  }

  /// Sets the latest snapshot back to the oldest one if it is too late.
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

  /// Cuts the journal. A group that goes beyond the point is replaced by its first part.
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
    return err ? err : in_.append_one(*part);
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
  uint64_t last_ = 0; // the last sequence that stays
};

} // namespace

caf::expected<historical_page> page_at(
  store& from, uint64_t agent, const moment& until, const progress& tell, const may_go_on& go_on) {
  return page_replay{from, agent, until, tell, go_on}.run();
}

caf::expected<history_cut> truncate_history(store& in, const ownership& by, const moment& until) {
  return cutter{in, by}.cut(until);
}

} // namespace scratchpage
