#include "scratchpage/persistence/transfer/past_page.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/store/journal_end.hpp"
#include "scratchpage/persistence/store/journal_text.hpp"
#include "scratchpage/persistence/store/store_errors.hpp"

namespace scratchpage {

namespace {

caf::error refuse(const std::string& expected, const std::string& got) {
  return fail(errc::invalid_request, "until", "expected " + expected + ", got " + got);
}

std::string sequences(uint64_t first, uint64_t last) {
  return "a sequence from " + std::to_string(first) + " to " + std::to_string(last);
}

/// Whether a change belongs to what is asked for.
bool is_by(const moment& until, const page_event& x) {
  const auto* sequence = std::get_if<uint64_t>(&until);
  return sequence != nullptr ? x.sequence <= *sequence : x.at <= std::get<timestamp>(until);
}

class traveller {
public:
  traveller(store& from, uint64_t agent, const moment& until, const progress& tell)
    : from_{from},
      agent_{agent},
      until_{until},
      tell_{tell} {}

  caf::expected<past_page> go() {
    auto end = from_.end_of_journal(agent_); // first, since others may add to it
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
    past_page result{std::move(page_), time != nullptr ? *time : page_.last_change};
    std::erase_if(
      result.page.observations, [&](const auto& x) { return x.second->expires_at <= result.at; });
    return result;
  }

private:
  /// From the last snapshot that is not too late. A clock may have been set back
  /// between changes, so for a time it is the oldest one.
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
      if (event.sequence <= page_.sequence) // a group may reach back
        continue;
      if (!is_by(until_, event)) {
        is_over_ = true;
        return first_change_is_later(event);
      }
      page_.take(event);
    }
    tell();
    return {};
  }

  /// Before the first change of all there was nothing, and nobody to ask for it.
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

  /// How far one could go.
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
  page_state page_;
  uint64_t oldest_ = 0;    // where the journal begins
  uint64_t known_end_ = 0; // it goes on at least so far
  uint64_t first_ = 0;     // where the reading began
  bool is_over_ = false;
};

} // namespace

caf::expected<past_page> page_at(
  store& from, uint64_t agent, const moment& until, const progress& tell) {
  return traveller{from, agent, until, tell}.go();
}

} // namespace scratchpage
