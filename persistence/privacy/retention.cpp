#include "scratchpage/persistence/privacy/retention.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "scratchpage/messages/observation.hpp"
#include "scratchpage/persistence/memories/stored_memories.hpp"
#include "scratchpage/persistence/store/checksum.hpp"
#include "scratchpage/persistence/store/documents.hpp"

namespace scratchpage {

namespace {

constexpr json_limits limits{256u << 20, 64, any_number_of_values};

constexpr uint64_t archived_at_once =
  1'024; // of the archive; for each part the journal is read twice
constexpr uint64_t groups_at_once = 256;
constexpr size_t writes_at_once = 64; // documents or rows in a transaction

constexpr auto cursor_key = "retention";

/// The stored position up to which an archive was examined, and the rules that were used.
struct stored_cursor {
  uint64_t judged = 0; ///< sequence
  std::vector<std::string> kinds;
  double days = 0;
  bool must_scrub = false; ///< purged data may still be in the files

  static constexpr auto fields(auto all) {
    using self = stored_cursor;
    return all(required("judged", &self::judged), required("kinds", &self::kinds),
      required("days", &self::days), optional("must_scrub", &self::must_scrub));
  }
};

std::vector<std::string> names_of(const std::vector<pii_kind>& kinds) {
  std::vector<std::string> result;
  result.reserve(kinds.size());
  for (auto kind : kinds)
    result.push_back(to_string(kind));
  return result;
}

/// Calls `f` with every text in the value, names of members included.
template <class F>
void each_text(const json::value& x, const F& f) {
  if (const auto* text = x.if_string()) {
    f(std::string_view{text->data(), text->size()});
  } else if (const auto* list = x.if_array()) {
    for (const auto& entry : *list)
      each_text(entry, f);
  } else if (const auto* object = x.if_object()) {
    for (const auto& member : *object) {
      f(std::string_view{member.key().data(), member.key().size()});
      each_text(member.value(), f);
    }
  }
}

/// Calls `f(begin, count)` for each part of `size` elements, until it returns an error.
template <class F>
caf::error in_parts(size_t size, F f) {
  for (size_t begin = 0; begin < size; begin += writes_at_once)
    if (auto err = f(begin, std::min(writes_at_once, size - begin)))
      return err;
  return {};
}

/// Appends the line of an event in the form of journal.hpp.
void append_line(std::string& out, const journal_line& line, std::string_view json) {
  out.append(name_of(line.kind)).append(" ");
  append_json(out, line.number);
  out.append(" ").append(json).append("\n");
}

} // namespace

retention::retention(std::shared_ptr<store> in, const ownership& by, privacy_config config,
  std::set<std::string> forgotten)
  : store_{std::move(in)},
    by_{by},
    config_{std::move(config)},
    policy_{config_},
    detector_{config_.kinds},
    forgotten_{std::move(forgotten)} {}

caf::expected<retention_step> retention::step(timestamp now) {
  switch (phase_) {
  case phase::begin:
    return begin();
  case phase::judge:
    return judge(now);
  case phase::look_back:
    return look_back();
  case phase::episodes:
    return purge_episodes();
  case phase::goals:
    return purge_documents<goal>(collection::goals, phase::facts);
  case phase::facts:
    return purge_documents<fact>(collection::facts, phase::snapshot);
  case phase::snapshot:
    return purge_snapshot();
  case phase::journal:
    return purge_journal();
  default:
    return purge_archive();
  }
}

caf::expected<retention_step> retention::go_on(phase next) {
  phase_ = next;
  position_ = 0;
  return retention_step::more;
}

timespan retention::age() const {
  if (!forgotten_.empty())
    return timespan::zero();
  return std::max(from_days(config_.archive_retention_days), least_age);
}

// -- finding ----------------------------------------------------------------------------

/// Reads the position. If the rules have changed, the archive is examined from the beginning.
caf::expected<retention_step> retention::begin() {
  auto err =
    store_->read_documents(by_.agent, std::string{collection::housekeeping}, [&](document&& x) {
      auto cursor = from_json_text<stored_cursor>(x.body);
      if (x.key != cursor_key || !cursor)
        return true;
      must_scrub_ = cursor->must_scrub;
      if (cursor->kinds == names_of(config_.kinds)
          && cursor->days == config_.archive_retention_days)
        judged_ = cursor->judged;
      return true;
    });
  if (err)
    return err;
  if (!forgotten_.empty())
    kept_judged_ = std::exchange(judged_, 0);
  return go_on(phase::judge);
}

caf::expected<retention_step> retention::judge(timestamp now) {
  due_.clear();
  whole_.clear();
  aged_.clear();
  turns_.clear();
  contents_.clear();
  held_.clear();
  archived_.clear();
  command_ = {};
  command_.by = as_daemon("housekeeping");
  command_.kinds = names_of(config_.kinds);
  archive_range range;
  range.after = judged_;
  range.left_before = to_milliseconds(now - age()) + std::chrono::milliseconds{1};
  range.oldest_first = true;
  uint64_t rows = 0;
  auto err = store_->read_archive(by_.agent, range, [&](archive_row&& row) {
    judge(row);
    return ++rows < archived_at_once;
  });
  if (err)
    return err;
  if (rows > 0 && (forgotten_.empty() || !whole_.empty()))
    return go_on(phase::look_back);
  if (rows > 0) // none of them is forgotten
    return go_on(phase::archive);
  if (must_scrub_)
    err = scrub();
  if (err)
    return err;
  return retention_step::done;
}

caf::expected<std::optional<timestamp>> retention::next_due() const {
  archive_range range;
  range.after = judged_;
  range.oldest_first = true;
  range.without_bodies = true;
  std::optional<timestamp> result;
  auto err = store_->read_archive(by_.agent, range, [&](archive_row&& row) {
    result = row.left_at + age();
    return false;
  });
  if (err)
    return err;
  return result;
}

/// Decides about one archived row. Damaged rows are skipped; recovery and listings report them.
void retention::judge(const archive_row& row) {
  last_sequence_ = row.sequence;
  auto x = from_json_text<observation>(row.body, limits);
  if (!x || checksum_of(row.body) != row.checksum)
    return;
  auto is_forgotten = forgotten_.contains(x->observation_id);
  if (!forgotten_.empty() && !is_forgotten)
    return;
  if (auto number = number_of(x->observation_id))
    due_.emplace(*number, x->observation_id);
  if (!is_forgotten && !policy_.purge_at(*x, row.left_at))
    return;
  whole_.insert(x->observation_id);
  turns_.insert(x->source.turn_id);
  archived_.push_back(row.sequence);
  note(*x);
}

/// Remembers the content and the personal data of an observation, which may have been quoted.
void retention::note(const observation& x) {
  contents_.insert(x.content);
  auto look = [&](std::string_view text) {
    for (const auto& span : detector_.find(text))
      held_.emplace(text.substr(span.offset, span.length));
  };
  look(x.content);
  for (const auto& tag : x.tags)
    look(tag);
  each_text(json::value(x.context), look);
  each_text(json::value(x.metadata), look);
}

/// Searches the journal for earlier revisions of the observations.
caf::expected<retention_step> retention::look_back() {
  auto more = read_groups([&](journal_group& group) -> caf::error {
    auto lines = lines_of(group);
    if (!lines)
      return {};
    for (const auto& line : *lines)
      if (due_.contains(line.number))
        if (auto event = event_of(line.json); event && event->observation)
          look_at(*event->observation, line.number);
    return {};
  });
  if (!more)
    return more.error();
  if (*more)
    return retention_step::more;
  command_.observation_ids.assign(whole_.begin(), whole_.end());
  command_.aged_ids.assign(aged_.begin(), aged_.end());
  command_.contents.assign(contents_.begin(), contents_.end());
  command_.held.assign(held_.begin(), held_.end());
  if (whole_.empty() && aged_.empty())
    return go_on(phase::archive);
  must_scrub_ = true;
  if (auto err = keep_cursor())
    return err;
  phase_ = phase::episodes;
  return retention_step::tell;
}

void retention::look_at(const observation& x, uint64_t number) {
  if (x.observation_id != due_.at(number) || is_purged(x))
    return;
  if (whole_.contains(x.observation_id)) {
    note(x);
  } else if (policy_.masker().finds_any(x)) {
    aged_.insert(x.observation_id);
    turns_.insert(x.source.turn_id);
    note(x);
  }
}

/// Reads some groups of the journal, up to `last_sequence_`. False if there are no more.
caf::expected<bool> retention::read_groups(const std::function<caf::error(journal_group&)>& f) {
  uint64_t groups = 0;
  caf::error failed;
  auto err = store_->read_journal(by_.agent, position_, [&](journal_group&& group) {
    if (group.first > last_sequence_)
      return false;
    position_ = group.last;
    failed = f(group);
    return !failed && ++groups < groups_at_once;
  });
  if (!err)
    err = failed;
  if (err)
    return err;
  return groups == groups_at_once;
}

// -- purging ----------------------------------------------------------------------------

/// Purges the episodes of the turns to which the observations belong.
caf::expected<retention_step> retention::purge_episodes() {
  purger what{command_};
  for (const auto& turn_id : turns_) {
    if (turn_id.empty())
      continue; // of no turn, so it is in no episode
    std::optional<document> row;
    document_range range;
    range.key = turn_id;
    auto take = [&](document&& x) {
      auto story = from_json_text<episode>(x.body, limits);
      if (story && what.purge(*story))
        row = to_story(*story);
      return false; // there is one at most
    };
    auto err = store_->find_documents(by_.agent, std::string{collection::stories}, range, take);
    if (!err && row)
      err = store_->put(by_, {&*row, 1});
    if (err)
      return err;
  }
  return go_on(phase::goals);
}

template <class T>
caf::expected<retention_step> retention::purge_documents(std::string_view collection, phase next) {
  purger what{command_};
  std::vector<document> rows;
  auto err = store_->read_documents(by_.agent, std::string{collection}, [&](document&& x) {
    auto value = from_json_text<T>(x.body, limits);
    if (value && what.purge(*value))
      rows.push_back(to_document(collection, x.key, *value));
    return true;
  });
  if (!err)
    err = in_parts(rows.size(), [&](size_t begin, size_t count) {
      return store_->put(by_, std::span{rows}.subspan(begin, count));
    });
  if (err)
    return err;
  return go_on(next);
}

/// Purges the oldest snapshot, which only the housekeeping advances.
caf::expected<retention_step> retention::purge_snapshot() {
  auto head = store_->find_snapshot(by_.agent, snapshot_kind::oldest);
  if (!head)
    return head.error();
  purger what{command_};
  std::vector<snapshot_row> rows;
  auto err = store_->read_snapshot(by_.agent, snapshot_kind::oldest, [&](snapshot_row&& row) {
    if (!due_.contains(row.number))
      return true;
    auto event = event_of(row.event);
    if (event && what.purge(*event)) {
      std::string text;
      append_event(text, *event);
      auto checksum = checksum_of(text);
      rows.push_back({row.number, std::move(text), checksum});
    }
    return true;
  });
  if (!err)
    err = in_parts(rows.size(), [&](size_t begin, size_t count) {
      return store_->move_snapshot(
        by_, snapshot_kind::oldest, *head, std::span{rows}.subspan(begin, count));
    });
  if (err)
    return err;
  return go_on(phase::journal);
}

/// The purged form of an event; "" if it does not change.
std::string retention::purged_line(const journal_line& line, const purger& what) const {
  if (!due_.contains(line.number))
    return {};
  std::string result;
  auto event = event_of(line.json);
  if (event && what.purge(*event))
    append_event(result, *event);
  return result;
}

caf::expected<retention_step> retention::purge_journal() {
  purger what{command_};
  auto more = read_groups([&](journal_group& group) -> caf::error {
    auto lines = lines_of(group);
    if (!lines)
      return {};
    std::string events;
    auto changed = false;
    for (const auto& line : *lines) {
      auto text = purged_line(line, what);
      append_line(events, line, text.empty() ? line.json : text);
      changed = changed || !text.empty();
    }
    if (!changed)
      return {};
    group.events = std::move(events);
    group.checksum = checksum_of(group.events);
    return store_->rewrite_journal(by_, {&group, 1}); // one may be large
  });
  if (!more)
    return more.error();
  if (*more)
    return retention_step::more;
  return go_on(phase::archive);
}

/// Removes the archived rows. This comes last, because after a crash they are needed to begin
/// again.
caf::expected<retention_step> retention::purge_archive() {
  auto err = in_parts(archived_.size(), [&](size_t begin, size_t count) {
    return store_->remove_archived(by_, std::span{archived_}.subspan(begin, count));
  });
  judged_ = last_sequence_;
  purged_ += archived_.size();
  if (!err && forgotten_.empty())
    err = keep_cursor();
  if (err)
    return err;
  return go_on(phase::judge);
}

caf::error retention::scrub() {
  if (auto err = store_->scrub())
    return err;
  must_scrub_ = false;
  return keep_cursor();
}

caf::error retention::keep_cursor() {
  stored_cursor cursor{forgotten_.empty() ? judged_ : kept_judged_, names_of(config_.kinds),
    config_.archive_retention_days, must_scrub_};
  auto row = to_document(collection::housekeeping, cursor_key, cursor);
  return store_->put(by_, {&row, 1});
}

} // namespace scratchpage
